import type { Doubt } from "../../access/questions/doubts.ts";
import type { Miss } from "../../access/questions/misses.ts";
import type { Places, Step } from "../../access/questions/steps.ts";
import { nounOfWay, type Way } from "../../access/subject.ts";
import { positionOf, type SourceRange } from "../../diagnostics/source.ts";
import { listed, visible, word } from "../escape.ts";

/** `(roles/hr.yml:12)`, and a blank before it; empty where nothing was declared. */
export function placeWords(place: SourceRange | undefined): string {
  return place ? ` (${visible(place.file.path)}:${positionOf(place.file, place.start).line})` : "";
}

export function stepWords({ kind, name, on, place }: Step): string {
  const at = placeWords(place);
  switch (kind) {
    case "itself":
      return `carries role ${word(name)}`;
    case "mapping":
      return `mapping ${word(name)}${at}`;
    case "role":
      return `role ${word(name)}${on === undefined ? "" : ` on ${word(on)}`}${at}`;
    default:
      return `${word(name)}${at}`;
  }
}

/** `backend role hr`, `backend roles a and b`. */
export function wayWords({ field, entries }: Way): string {
  return `${nounOfWay[field]} ${entries.map(word).join(" and ")}`;
}

/** One sentence, for a list of reasons. */
export function missWords(miss: Miss, places: Places): string {
  switch (miss.kind) {
    case "blocked":
      return miss.blocks.length === 0
        ? "blocks shut out whoever none of them allows"
        : `shut out by ${miss.blocks.map((name) => `block ${word(name)}${placeWords(places.block(name))}`).join(", ")}`;
    case "protected":
      return `${word(miss.index)} keeps the product's own configuration: nobody may, but by an administrator's certificate`;
    case "excluded":
      return `excluded by role ${word(miss.role)}${placeWords(places.grant(miss.role, undefined, undefined))}`;
    case "tenant":
      return `${word(miss.index)} is the dashboards' own index: the server also asks for tenant ${word(miss.tenant)}, which no role grants`;
    case "other-indices": {
      const [first] = miss.patterns;
      const alias = miss.patterns.some((pattern) => pattern !== "_all" && !/[*?/<$]/.test(pattern))
        ? ", which counts if it is an alias"
        : "";
      return `role ${word(miss.role)} grants it on ${listed(miss.patterns.slice(0, 4))}${miss.patterns.length > 4 ? " …" : ""}${placeWords(places.grant(miss.role, undefined, first))}${alias}`;
    }
    case "other-actions":
      return `role ${word(miss.role)} has ${miss.actions.length === 0 ? "nothing" : listed(miss.actions.slice(0, 4))}${miss.actions.length > 4 ? " …" : ""} on ${word(miss.pattern)}${placeWords(places.grant(miss.role, undefined, miss.pattern))}`;
    case "wrong-level":
      return `role ${word(miss.role)} has ${word(miss.granted.via[0] ?? miss.granted.pattern)} at the other level, where it grants nothing: ${levelHint}`;
    case "not-held":
      return `role ${word(miss.role)} grants it; ${heldWords(miss.ways, miss.role, places)}`;
    case "no-such-role":
      return `role ${word(miss.role)} is mapped, and there is none of that name`;
    case "no-role":
      return "no mapping gives a role";
    case "no-such-tenant":
      return `there is no tenant ${word(miss.tenant)}`;
    case "read-only":
      return `role ${word(miss.role)} lets ${word(miss.pattern)} be read alone${placeWords(places.grant(miss.role, undefined, miss.pattern))}`;
  }
}

const levelHint = "cluster permissions and those on indices never stand for each other";

function heldWords(ways: readonly Way[], role: string, places: Places): string {
  const [first] = ways;
  if (!first) return "nobody has that role";
  const more = ways.length > 1 ? ` and ${ways.length - 1} more` : "";
  return `held by ${wayWords(first)}${placeWords(places.way(role, first))}${more}`;
}

/** Why it cannot be told, and what would help. */
export function doubtWords(doubt: Doubt): string {
  switch (doubt.kind) {
    case "role":
      return doubt.host
        ? `role ${word(doubt.role)} is given by ${wayWords(doubt.way)}: say with --host where the request comes from`
        : `whether ${wayWords(doubt.way)} gives role ${word(doubt.role)} to all of these is not known here`;
    case "unknown-fields":
      return unknownFieldWords(doubt);
    case "blocks":
      return doubt.host
        ? "there are blocks by address: say with --host where the request comes from"
        : "whether a block shuts out all of these is not known here";
    case "pattern":
      return `role ${word(doubt.role)} is about ${word(doubt.pattern)}: ${dependsHint(doubt.depends)}`;
    case "expression":
      if (/^\/.*\/$/s.test(doubt.pattern))
        return `role ${word(doubt.role)} is about ${word(doubt.pattern)}, a Java regular expression that is not worked out here: it depends on whether that meets the index`;
      return `what ${word(doubt.pattern)} of role ${word(doubt.role)} meets cannot be worked out here for all of them: ask about one index`;
    case "rival":
      return `of the restrictions by different patterns, of which role ${word(doubt.role)} has one, the server applies those of one pattern, and it cannot be told which: write the same pattern, without ? and /…/`;
    case "aliases":
      return `role ${word(doubt.role)} restricts ${word(doubt.pattern)}: if an alias has a name that this matches, the server restricts only the indices of such aliases. Write the pattern with * alone, without ? and /…/`;
    case "tenant":
      return `if the dashboards' own index is the only one that this matches, the server also asks for tenant ${word(doubt.tenant)}: ask about one index`;
    case "hidden":
      return `role ${word(doubt.role)} restricts ${word(doubt.pattern)}: if ${word(doubt.index)} is hidden (index.hidden: true), the server shows it whole. Restrict it by its name, or by a pattern that begins with a dot`;
    case "internal-users":
      return `internal users could not be read (${visible(doubt.why)}): the user may have roles of its own`;
    case "existence":
      return `role ${word(doubt.role)} is about _all, which covers only indices that exist: if this one does not, it is refused. Use "*" to cover it in any case`;
    case "some-index":
      return `role ${word(doubt.role)} grants it on ${word(doubt.pattern)}: with do_not_fail_on_forbidden, the server wants it on one index that exists`;
    case "masks":
      return doubt.fails
        ? `role ${word(doubt.role)} masks a field that another mask covers differently: the server may refuse to read documents, or leave some out. Use one mask for each field`
        : `role ${word(doubt.role)} masks a field that another mask covers differently, and the server applies one of them. Use one mask for each field`;
    case "types":
      return `role ${word(doubt.role)} is about some mapping types of the index`;
    case "alias":
      return `role ${word(doubt.role)} grants it through aliases (alias_permissions): whether one leads to the index is not known here`;
    case "data-stream":
      return `role ${word(doubt.role)} grants it on data streams (data_stream_permissions): whether the name is one is not known here`;
  }
}

function unknownFieldWords({ of, name, role = "" }: Extract<Doubt, { kind: "unknown-fields" }>): string {
  const having = `${word(name)} has fields that gate-sync does not know`;
  switch (of) {
    case "mapping":
      return `mapping ${having}: they may give the role to anybody`;
    case "role":
      return `role ${having}: they may grant or refuse anything`;
    case "group":
      return `action group ${having}: they may change what role ${word(role)} grants`;
    case "block":
      return `block ${having}: they may change whom it shuts out`;
    case "tenant":
      return `tenant ${having}: they may let in or keep out anybody`;
  }
}

function dependsHint(depends: string): string {
  const attribute = /^\$\{attr\.(.*)\}$/.exec(depends)?.[1];
  if (attribute !== undefined) return `say what it stands for with --attribute ${attribute}=…, or in a persona`;
  return depends.startsWith("${") ? "name the user with --user" : "it depends on the date";
}
