/** Levels of objects and lists, far more than any resource has: what walks down a value stays off the end of the stack. */
export const deepest = 500;

/** Whether what was parsed is nested deeper than that. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isTooDeep(item, levels - 1)) return true;
    return false;
  }
  for (const name in value) if (isTooDeep(value[name as keyof typeof value], levels - 1)) return true;
  return false;
}
