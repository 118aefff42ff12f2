import type { FamilyPolicy } from "../model/policy.ts";

/** Whether a name is ours to manage: matched by `include` (all, where there is none) and not by `exclude`. */
export function inScope(policy: FamilyPolicy | undefined, name: string): boolean {
  const included = policy?.include === undefined || policy.include.some((pattern) => matchesName(pattern, name));
  return included && !(policy?.exclude ?? []).some((pattern) => matchesName(pattern, name));
}

/** `*` stands for any characters, `?` for one; the whole name, case-sensitive. */
export function matchesName(pattern: string, name: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\/]/g, "\\$&")
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]");
  return new RegExp(`^${source}$`, "u").test(name);
}
