import type { FamilyPolicy } from "../model/policy.ts";

/** Whether a name is managed: matched by `include` (all, where there is none) and not by `exclude`. */
export function isInScope(policy: FamilyPolicy | undefined, name: string): boolean {
  const included = policy?.include === undefined || policy.include.some((pattern) => matchesName(pattern, name));
  return included && !(policy?.exclude ?? []).some((pattern) => matchesName(pattern, name));
}

/** `*` matches any characters, `?` one; the whole name, case-sensitive. Its time grows with the product of both lengths. */
export function matchesName(pattern: string, name: string): boolean {
  const wild = pattern.search(/[*?]/);
  if (wild === -1) return pattern === name;
  // Most patterns differ in how they begin.
  if (!name.startsWith(pattern.slice(0, wild))) return false;
  const [wanted, given] = [[...pattern], [...name]];
  let [at, position, star, retry] = [0, 0, -1, 0];
  while (position < given.length) {
    if (wanted[at] === "*") {
      [star, retry] = [at, position];
      at += 1;
    } else if (at < wanted.length && (wanted[at] === "?" || wanted[at] === given[position])) {
      at += 1;
      position += 1;
    } else if (star >= 0) {
      // The last star takes one character more.
      retry += 1;
      [at, position] = [star + 1, retry];
    } else {
      return false;
    }
  }
  return wanted.slice(at).every((character) => character === "*");
}
