/** Levels of objects and lists, far more than any resource has: what walks down a value stays off the end of the stack. */
export const deepest = 500;

/** Whether what was parsed is nested deeper than that. */
export function isTooDeep(value: unknown, levels = deepest): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1));
}
