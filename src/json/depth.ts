/** Levels of objects and lists, far more than any resource has: what walks down a value stays off the end of the stack. */
export const deepest = 500;

/** Whether what was parsed is nested deeper than that. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const item of items) if (isTooDeep(item, levels - 1)) return true;
  return false;
}
