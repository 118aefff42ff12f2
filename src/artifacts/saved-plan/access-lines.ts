import { formatMember } from "../../access/model/subject.ts";
import { isList, isObject, type Json, type JsonObject, listTexts } from "../../json/value.ts";
import type { Member } from "../../model/access.ts";

/** Of an access diff as a plan file has it, a line for each thing that a principal gains or loses. */
export function listSavedAccess({
  logins,
  blocked,
  statements,
  unchanged_unknown: doubts,
  unknown: sentences,
}: JsonObject): readonly string[] {
  return [
    ...listObjects(logins).map(({ kind, what }) => `login: ${kind} ${what}`),
    ...listObjects(blocked).map(
      ({ who, shut_out_before: before, shut_out_after: after }) => `blocked: ${describe(who)}: ${before} to ${after}`,
    ),
    ...listObjects(statements).flatMap(({ who, differences, tenants }) => {
      const whom = listObjects(who).map(describePrincipal).join(", ");
      return [
        ...listObjects(differences).map((one) => `${whom}: ${describeDifference(one)}`),
        ...listObjects(tenants).map(
          ({ tenant, before, after }) => `${whom}: tenant ${tenant}: ${describe(before)} to ${describe(after)}`,
        ),
      ];
    }),
    ...listObjects(doubts).map(
      ({ role, by, depends_on: depends }) =>
        `${listObjects(by).map(describePrincipal).join(", ")}: unknown, role ${role} depends on ${depends}`,
    ),
    ...listTexts(sentences).map((sentence) => `unknown: ${sentence}`),
  ];
}

function describeDifference({ kind, actions, indices, before, after, depends_on: depends, via }: JsonObject): string {
  const where = indices === undefined ? "" : ` on ${describeTerms(indices)}`;
  const role = isObject(via) ? ` (role ${via.role})` : "";
  const limits = [before, after].some(isObject) ? `, of ${describe(before)} to ${describe(after)}` : "";
  const doubt = depends === undefined ? "" : `, depends on ${depends}`;
  // Which actions a product keeps apart from such a pattern says nothing to a reader.
  const what = listObjects(actions)
    .map(({ all_of: all }) => listTexts(all).join(" and "))
    .join(", ");
  return `${kind} ${what}${where}${role}${limits}${doubt}`;
}

function describePrincipal({ both, persona, ...member }: JsonObject): string {
  if (persona !== undefined) return `persona ${persona}`;
  if (both !== undefined) return listObjects(both).map(describePrincipal).join(" with ");
  const [[field = "", names = []] = []] = Object.entries(member);
  return formatMember({ field: field === "roles" ? "itself" : (field as Member["field"]), entries: listTexts(names) });
}

function describeTerms(terms: Json | undefined): string {
  return listObjects(terms)
    .map(({ all_of: all, none_of: none }) => [listTexts(all).join(" and "), ...listTexts(none)].join(" except "))
    .join(", ");
}

/** Of what is absent nothing limits it. */
function describe(value: Json | undefined): string {
  if (value === undefined || (isObject(value) && Object.keys(value).length === 0)) return "all";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function listObjects(value: Json | undefined): readonly JsonObject[] {
  return isList(value) ? (value as readonly Json[]).filter((item): item is JsonObject => isObject(item)) : [];
}
