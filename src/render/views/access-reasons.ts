import type { AccessDoubt } from "../../access/explain/doubts.ts";
import type { ChainStep, Places } from "../../access/explain/grant-path.ts";
import type { Miss } from "../../access/explain/misses.ts";
import { formatMemberBy, type Member } from "../../access/model/subject.ts";
import type { UnknownGrant } from "../../access/questions/unknown-grants.ts";
import type { SourceRange } from "../../diagnostics/source.ts";
import { escapeInvisible, formatName, joinNames, quoteText } from "../escape.ts";
import { formatPlace } from "./place.ts";

/** `(roles/hr.yml:12)`, and a space before it; empty where nothing was declared. */
export function formatPlaceSuffix(place: SourceRange | undefined): string {
  return place ? ` (${formatPlace({ origin: place })})` : "";
}

export function formatStep({ kind, name, on, place }: ChainStep): string {
  const at = formatPlaceSuffix(place);
  switch (kind) {
    case "itself":
      return `carries role ${formatName(name)}`;
    case "api_key":
      return `api key ${formatName(name)}${on === undefined ? "" : ` on ${formatName(on)}`}`;
    case "mapping":
      return `mapping ${formatName(name)}${at}`;
    case "role":
      return `role ${formatName(name)}${on === undefined ? "" : ` on ${formatName(on)}`}${at}`;
    default:
      return `${formatName(name)}${at}`;
  }
}

/** `backend role hr`, `backend roles a and b`; a name that reads like several is quoted. */
export function formatMemberKind(member: Member): string {
  return formatMemberBy(member, (name) => (/, | and /.test(name) ? quoteText(name) : formatName(name)));
}

/** `indices:admin/rollover/* on logs-* (role r)`. */
export function formatUnknownGrant({ role, indices, actions }: UnknownGrant): string {
  const on = indices === undefined ? "" : ` on ${joinNames(indices)}`;
  return `${joinNames(actions)}${on} (role ${formatName(role)})`;
}

/** One sentence, for a list of reasons. */
export function formatMiss(miss: Miss, places: Places): string {
  switch (miss.kind) {
    case "blocked":
      return miss.blocks.length === 0
        ? "blocks shut out every principal that none of them allows"
        : `shut out by ${miss.blocks.map((name) => `block ${formatName(name)}${formatPlaceSuffix(places.block(name))}`).join(", ")}`;
    case "protected":
      return `${formatName(miss.index)} keeps the product's own configuration: only an administrator's certificate may`;
    case "excluded":
      return `excluded by role ${formatName(miss.role)}${formatPlaceSuffix(places.grant(miss.role, undefined, undefined))}`;
    case "refused-expression":
      return `role ${formatName(miss.role)} has the index pattern ${formatName(miss.pattern)}${formatPlaceSuffix(places.grant(miss.role, undefined, miss.pattern))}, which with the values of this user is no regular expression that Java takes: the server answers 500`;
    case "all-indices":
      return "the server asks for this action on all indices, whichever the request names: only a pattern that matches every index grants it";
    case "rewritten-query":
      return `role ${formatName(miss.role)} restricts ${formatName(miss.pattern)}${formatPlaceSuffix(places.grant(miss.role, undefined, miss.pattern))} by a query with a prefix, wildcard, expression or the like: the server answers 500 where a document is fetched by its id. Use term or terms, or search instead`;
    case "tenant":
      return `${formatName(miss.index)} is the dashboards' own index: the server also asks for tenant ${formatName(miss.tenant)}, which no role grants`;
    case "other-indices": {
      const [first] = miss.patterns;
      const mayBeAlias = miss.patterns.some((pattern) => pattern !== "_all" && !/[*?/<$]/.test(pattern));
      const alias = mayBeAlias && !miss.knowsAliases ? ", which counts if it is an alias" : "";
      return `role ${formatName(miss.role)} grants it on ${joinNames(miss.patterns.slice(0, 4))}${miss.patterns.length > 4 ? " …" : ""}${formatPlaceSuffix(places.grant(miss.role, undefined, first))}${alias}`;
    }
    case "other-actions":
      return `role ${formatName(miss.role)} has ${miss.actions.length === 0 ? "nothing" : joinNames(miss.actions.slice(0, 4))}${miss.actions.length > 4 ? " …" : ""} on ${formatName(miss.pattern)}${formatPlaceSuffix(places.grant(miss.role, undefined, miss.pattern))}`;
    case "wrong-level":
      return `role ${formatName(miss.role)} has ${formatName(miss.granted.via[0] ?? miss.granted.pattern)} at the other level, where it grants nothing: ${levelHint}`;
    case "not-held":
      return `role ${formatName(miss.role)} grants it; ${heldWords(miss.members, miss.role, places)}`;
    case "no-such-role":
      return `role ${formatName(miss.role)} is mapped, and there is none of that name`;
    case "no-role":
      return "no mapping gives a role";
    case "no-such-tenant":
      return `there is no tenant ${formatName(miss.tenant)}`;
    case "read-only":
      return `role ${formatName(miss.role)} lets ${formatName(miss.pattern)} be read alone${formatPlaceSuffix(places.grant(miss.role, undefined, miss.pattern))}`;
  }
}

const levelHint = "cluster permissions never grant those on indices, nor the reverse";

function heldWords(members: readonly Member[], role: string, places: Places): string {
  const [first] = members;
  if (!first) return "that role has no members";
  const more = members.length > 1 ? ` and ${members.length - 1} more` : "";
  return `held by ${formatMemberKind(first)}${formatPlaceSuffix(places.member(role, first))}${more}`;
}

/** Not every question takes it, nor does an access test. */
const hostHint = "it depends on where the request comes from (gate-sync access can-i --host ADDRESS)";

/** Why it is unknown, and what would help. */
export function formatDoubt(doubt: AccessDoubt): string {
  switch (doubt.kind) {
    case "role":
      return doubt.host
        ? `role ${formatName(doubt.role)} is given by ${formatMemberKind(doubt.member)}: ${hostHint}`
        : `whether ${formatMemberKind(doubt.member)} gives role ${formatName(doubt.role)} to all of these is not known here`;
    case "unlisted-role":
      return `whether there is a role ${formatName(doubt.role)} is not known: nothing lists it, and the documentation of the product names no roles that it comes with. Declare it, or map another role`;
    case "unknown-fields":
      return unknownFieldWords(doubt);
    case "blocks":
      return doubt.host
        ? `there are blocks by address: ${hostHint}`
        : "whether a block shuts out all of these is not known here";
    case "pattern":
      return `role ${formatName(doubt.role)} is about ${formatName(doubt.pattern)}: ${suggestValue(doubt.depends)}`;
    case "expression":
      if (/^\/.*\/$/s.test(doubt.pattern))
        return `role ${formatName(doubt.role)} is about ${formatName(doubt.pattern)}, a Java regular expression that is not evaluated here: it depends on whether that matches the index`;
      return `what ${formatName(doubt.pattern)} of role ${formatName(doubt.role)} matches is unknown for all of them: ask about one index`;
    case "rival":
      return doubt.of === "elements"
        ? `role ${formatName(doubt.role)} restricts the index by several elements, of which the server applies the one that is stored last, and gate-sync keeps no order of them: put them into one`
        : `of the restrictions by different patterns, of which role ${formatName(doubt.role)} has one, the server applies those of one pattern, and which is unknown: write the same pattern, without ? and /…/`;
    case "aliases":
      return `role ${formatName(doubt.role)} restricts ${formatName(doubt.pattern)}: if an alias has a name that this matches, the server restricts only the indices of such aliases. Write the pattern with * alone, without ? and /…/`;
    case "tenant":
      return `if the dashboards' own index is the only one that this matches, the server also asks for tenant ${formatName(doubt.tenant)}: ask about one index`;
    case "hidden":
      return `role ${formatName(doubt.role)} restricts ${formatName(doubt.pattern)}: if ${formatName(doubt.index)} is hidden (index.hidden: true), the server shows it whole. Restrict it by its name, or by a pattern that begins with a dot`;
    case "refused-expression":
      return `role ${formatName(doubt.role)} has the index pattern ${formatName(doubt.pattern)}: the server answers 500 where the values of the user make it a regular expression that Java refuses, and it comes to that pattern. Take the variable out of /…/, or state the user's attributes`;
    case "rewritten-query":
      return `role ${formatName(doubt.role)} restricts ${formatName(doubt.pattern)} by a query over which the server may answer 500 where a document is fetched by its id: use term or terms`;
    case "internal-users":
      return `internal users could not be read (${escapeInvisible(doubt.why)}): the user may have roles of its own`;
    case "undeclared":
      return escapeInvisible(doubt.why);
    case "existence":
      return `role ${formatName(doubt.role)} is about _all, which covers only indices that exist: if this one does not, it is refused. Use "*" to cover it in any case`;
    case "some-index":
      return `role ${formatName(doubt.role)} grants it on ${formatName(doubt.pattern)}: with do_not_fail_on_forbidden, the server wants it on one index that exists`;
    case "new-alias":
      return `role ${formatName(doubt.role)} grants it on ${formatName(doubt.pattern)}, and with privileges_evaluation_type: v4 the server asks for it on the alias as well: it is granted if the pattern matches the name of that`;
    case "each-index":
      return `role ${formatName(doubt.role)} grants it on ${formatName(doubt.pattern)}, and the server asks for this action on all indices: it is granted if patterns match each index that there is. Write "*" to grant it in any case`;
    case "masks":
      return doubt.fails
        ? `role ${formatName(doubt.role)} masks a field that another mask covers differently: the server may refuse to read documents, or leave some out. Use one mask for each field`
        : `role ${formatName(doubt.role)} masks a field that another mask covers differently, and the server applies one of them. Use one mask for each field`;
    case "role-order":
      return "DLS, FLS or masking has ${user.roles} in a pattern or query: if another node does a part of the request and lists these roles in another order, the server answers 500. Use an attribute instead of ${user.roles}";
    case "types":
      return `role ${formatName(doubt.role)} is about some mapping types of the index`;
    case "alias":
      return `role ${formatName(doubt.role)} grants it through aliases (alias_permissions): whether one leads to the index is not known here`;
    case "data-stream":
      return `role ${formatName(doubt.role)} grants it on data streams (data_stream_permissions): whether the name is one is not known here`;
  }
}

function unknownFieldWords({ of, name, role = "" }: Extract<AccessDoubt, { kind: "unknown-fields" }>): string {
  const having = `${formatName(name)} has fields that gate-sync does not know`;
  switch (of) {
    case "mapping":
      return `mapping ${having}: they may give the role to anybody`;
    case "role":
      return `role ${having}: they may grant or refuse anything`;
    case "group":
      return `action group ${having}: they may change what role ${formatName(role)} grants`;
    case "block":
      return `block ${having}: they may change whom it shuts out`;
    case "tenant":
      return `tenant ${having}: they may let in or keep out anybody`;
  }
}

export function suggestValue(depends: string): string {
  const attribute = /^\$\{attr\.(.*)\}$/.exec(depends)?.[1];
  if (attribute !== undefined) return `give its value with --attribute ${attribute}=…, or in a persona`;
  return depends.startsWith("${") ? "name the user with --user" : "it depends on the date";
}
