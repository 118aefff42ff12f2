import { meets } from "../pattern.ts";
import type { Verdict } from "../verdict.ts";
export function includes(patterns: readonly string[], pattern: string): Verdict {
  if (patterns.some((one) => one === pattern || /^\*+$/.test(one))) return "yes";
  return /[*?]|^\/|\$\{/.test(pattern) || patterns.some((p) => /^\/.*\/$/.test(p))
    ? "no"
    : patterns.some((one) => meets(one, pattern) === "yes")
      ? "yes"
      : "no";
}
