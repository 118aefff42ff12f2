import { isEqual, isList, isObject, isText, toComparable, type Value } from "../../json/value.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { AccessState } from "../model/state.ts";
import { formatMember, listMembers } from "../model/subject.ts";
import { listChangedNames, listGrantPathsTo } from "./touched.ts";

/**
 * Queries that list the roles of the user find other documents where a mapping gives another role, whatever that role
 * grants. Tables compare queries as they are written, so that it is not worked out which.
 */
export function describeHeldRoleQueries(
  { state: before }: AccessModel,
  { state: after }: AccessModel,
): readonly string[] {
  const { heldRoleVariables } = after.semantics;
  if (heldRoleVariables.length === 0) return [];
  const membersOf = ({ mappings }: AccessState, role: string) =>
    listMembers(mappings.get(role) ?? {}).map(formatMember);
  const changed = listChangedNames(before.mappings, after.mappings).filter(
    (role) => !isEqual(membersOf(before, role), membersOf(after, role)),
  );
  if (changed.length === 0) return [];
  const isHeld = (role: string): boolean => [before, after].every((state) => listGrantPathsTo(role, state).length > 0);
  return [...after.roles].sort(byName).flatMap(([role, { index_permissions: elements }]) => {
    const variable = heldRoleVariables.find((one) => usesInQuery(elements, `\${${one}}`));
    // Who has the role before and after does not come by another one if its own mapping alone changes.
    if (variable === undefined || !changed.some((name) => name !== role) || !isHeld(role)) return [];
    return `which documents role ${role} shows: its query uses \${${variable}}, and mappings of other roles change.`;
  });
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function usesInQuery(elements: Value | undefined, variable: string): boolean {
  return (
    isList(elements) &&
    elements.some((one) => isObject(one) && isText(one.dls) && toComparable(one.dls).includes(variable))
  );
}
