// Roles that a principal has beside a role: both are mapped to the same user, backend role or host.
import { type Member, nounOfMember } from "../access/model/subject.ts";
import { type Fields, isList, isObject, listTexts } from "../json/value.ts";
import { joinAllWithAnd } from "../validate/wording.ts";
import { getMemberKey, type LintState } from "./rule.ts";

/** By the name of a role: the index patterns of each of its index permissions that are looked for. */
export type Elements = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Index permissions that pass a check; roles without any are left out. */
export function createElements({ known: { roles } }: LintState, isSo: (element: Fields) => boolean): Elements {
  const found = new Map<string, readonly (readonly string[])[]>();
  for (const [name, { index_permissions: elements }] of roles ?? []) {
    if (!isList(elements)) continue;
    const so = elements.filter((element) => isObject(element) && isSo(element)) as readonly Fields[];
    if (so.length > 0) found.set(name, so.map(listNeighbourPatterns));
  }
  return found;
}

export function listNeighbourPatterns(element: Fields): readonly string[] {
  return listTexts(element.index_patterns);
}

/**
 * Finds another role that a principal has besides `role`, with an element whose patterns pass `isSo`, and the member
 * of mappings that has both. Undefined where there is none.
 */
export type Neighbour = (
  role: string,
  isSo: (patterns: readonly string[]) => boolean,
) => { readonly role: string; readonly member: Member } | undefined;

/** `the backend role "auditors"`. */
export function formatMemberText({ field, entries }: Member): string {
  return `the ${nounOfMember[field]}${entries.length > 1 ? "s" : ""} ${joinAllWithAnd(entries.map((entry) => JSON.stringify(entry)))}`;
}

/** No more are compared: for a user with hundreds of roles the first of them show the problem. */
const mostCompared = 20;

export function findNeighbour(elements: Elements, { known: { mappings }, membersTo }: LintState): Neighbour {
  if (elements.size === 0) return () => undefined;
  const roles = new Map<string, string[]>();
  for (const role of mappings?.keys() ?? []) {
    if (!elements.has(role)) continue;
    for (const member of membersTo(role)) {
      const same = roles.get(getMemberKey(member));
      if (same) same.push(role);
      else roles.set(getMemberKey(member), [role]);
    }
  }
  return (role, isSo) => {
    for (const member of membersTo(role).slice(0, mostCompared)) {
      const others = roles.get(getMemberKey(member))?.slice(0, mostCompared) ?? [];
      const other = others.find((other) => other !== role && elements.get(other)?.some(isSo));
      if (other !== undefined) return { role: other, member };
    }
    return undefined;
  };
}
