// Roles that somebody has beside a role: both are mapped to the same user, backend role or host.
import { textsOf } from "../../access/groups.ts";
import { nounOfWay, type Way } from "../../access/subject.ts";
import { type Fields, isList, isObject } from "../../json/value.ts";
import { all } from "../wording.ts";
import { keyOf, type TrapState } from "./trap.ts";

/** Of some roles, the index patterns of some of their elements. */
export type Elements = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Of the roles that have such elements at all, in the order in which they are known. */
export function elementsThat({ known: { roles } }: TrapState, isSo: (element: Fields) => boolean): Elements {
  const found = new Map<string, readonly (readonly string[])[]>();
  for (const [name, { index_permissions: elements }] of roles ?? []) {
    if (!isList(elements)) continue;
    const so = elements.filter((element) => isObject(element) && isSo(element)) as readonly Fields[];
    if (so.length > 0) found.set(name, so.map(patternsIn));
  }
  return found;
}

export function patternsIn(element: Fields): readonly string[] {
  return textsOf(element, "index_patterns");
}

/** The first other role of anybody who has one, among some, with an element that is so; and who has both. */
export type Neighbour = (
  role: string,
  isSo: (patterns: readonly string[]) => boolean,
) => { readonly role: string; readonly way: Way } | undefined;

/** `the backend role "auditors"`. */
export function wayInWords({ field, entries }: Way): string {
  return `the ${nounOfWay[field]} ${all(entries.map((entry) => JSON.stringify(entry)))}`;
}

/** Of many no more are looked at: who gives one user hundreds of roles is told by the first of them. */
const mostCompared = 20;

export function neighbourAmong(elements: Elements, { known: { mappings }, waysTo }: TrapState): Neighbour {
  if (elements.size === 0) return () => undefined;
  const roles = new Map<string, string[]>();
  for (const role of mappings?.keys() ?? []) {
    if (!elements.has(role)) continue;
    for (const way of waysTo(role)) {
      const same = roles.get(keyOf(way));
      if (same) same.push(role);
      else roles.set(keyOf(way), [role]);
    }
  }
  return (role, isSo) => {
    for (const way of waysTo(role).slice(0, mostCompared)) {
      const others = roles.get(keyOf(way))?.slice(0, mostCompared) ?? [];
      const other = others.find((other) => other !== role && elements.get(other)?.some(isSo));
      if (other !== undefined) return { role: other, way };
    }
    return undefined;
  };
}
