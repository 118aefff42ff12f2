import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { listReleasesWith } from "../dialects/releases-with.ts";
import { factsOf, getNoun } from "../families/index.ts";
import type { ResourceFamily } from "../model/names.ts";
import { findMapEntry, type MapEntry, type Node } from "../model/node.ts";
import { findSixRoleFaults } from "./six-role.ts";
import { joinAllWithAnd, joinWithOr } from "./wording.ts";

/**
 * What an entry declares and the product cannot store: reported at its place, before a server refuses it half-way
 * through a plan.
 */
export function findUnheld(family: ResourceFamily, entry: MapEntry, dialect: Dialect): readonly Diagnostic[] {
  return [
    ...lackedFields(family, entry, dialect),
    ...(family === "audit" ? lackedSettings(entry, dialect) : []),
    ...dottedName(family, entry, dialect),
    ...findLongTexts(entry, dialect, "warning"),
    ...astralTexts(entry, dialect),
    ...(family === "action_groups" ? unknownType(entry, dialect) : []),
    ...(family === "roles" && dialect.documentTypes ? findSixRoleFaults(entry, dialect) : []),
  ];
}

function lackedFields(family: ResourceFamily, { value }: MapEntry, dialect: Dialect): readonly Diagnostic[] {
  const { product, release, collections, fields } = dialect;
  // What a whole family is reported for needs no report of its fields.
  if (collections[family] === undefined || value.kind !== "map") return [];
  const isLacked = (name: string) => Object.hasOwn(factsOf[family].fields, name) && !fields[family].includes(name);
  return value.entries
    .filter(({ key }) => isLacked(key === "and_backendroles" ? "and_backend_roles" : key))
    .filter((field) => !isEmpty(field.value))
    .map(({ key, keyRange }) =>
      cannotHold(keyRange, {
        what: `${product} ${release} has no ${key} in ${getNoun(family, 2)}.`,
        why: "The server would refuse the whole entry.",
        fix: fixOfLacked(key, dialect, family),
      }),
    );
}

function lackedSettings(
  { value }: MapEntry,
  { lackedAuditSettings = [], product, release }: Dialect,
): readonly Diagnostic[] {
  const section = findMapEntry(value, "audit")?.value;
  if (section?.kind !== "map") return [];
  return section.entries
    .filter(
      ({ key, value: inner }) => lackedAuditSettings.includes(key) && !(inner.kind === "scalar" && isEmpty(inner)),
    )
    .map(({ key, keyRange }) =>
      cannotHold(keyRange, {
        what: `${product} ${release} has no audit.${key} in audit configurations.`,
        why: "The server would refuse the whole document.",
        fix: `Take ${key} out, or keep the file out of the state of this target.`,
      }),
    );
}

function fixOfLacked(key: string, { product }: Dialect, family: ResourceFamily): string {
  const keepOut = "eep the file out of the state of this target";
  // What is excluded is granted without it.
  const leaveOut = key.startsWith("exclude_")
    ? ["K", "k", `${keepOut}: to take ${key} out widens access, unless what the role grants is narrowed as well.`]
    : ["T", "t", `ake ${key} out, or k${keepOut}.`];
  const [capital, small, rest] = leaveOut;
  const having = listReleasesWith(product, family, key);
  const [first, ...others] = having;
  if (!first) return `${capital}${rest}`;
  const titles = joinAllWithAnd(having.map(({ title }) => title));
  const stated =
    others.length === 0
      ? `Release ${titles} has it: if the server is ${titles}, write release: ${first.example} for the target`
      : `Releases ${titles} have it: if the server is one of these, write its release for the target, such as release: ${first.example}`;
  return `${stated}, or --release ${first.example}. If not, ${small}${rest}`;
}

function isEmpty(node: Node): boolean {
  if (node.kind === "scalar") return node.value === null || node.value === "";
  return (node.kind === "list" ? node.items : node.entries).length === 0;
}

function dottedName(family: ResourceFamily, { key, keyRange }: MapEntry, dialect: Dialect): readonly Diagnostic[] {
  if (dialect.dottedNames || !key.includes(".")) return [];
  return [
    cannotHold(keyRange, {
      what: `The name of this ${getNoun(family)} has a dot, and ${dialect.product} ${dialect.release} takes names apart at their dots.`,
      why: "It can be written, but no request finds it again, and a second write of it fails.",
      fix: "Give it a name without a dot.",
    }),
  ];
}

/** Of what is sent: a text that is there already stays. */
export function findLongTexts(
  { key, keyRange, value }: MapEntry,
  { longest, product, release }: Dialect,
  severity: "error" | "warning",
): readonly Diagnostic[] {
  if (longest === undefined) return [];
  const { name, text, laterText } = longest;
  const tooLong = (range: SourceRange, length: number, what: string, most: string) =>
    createDiagnostic(
      range,
      "unsupported-here",
      {
        what: `${what} of ${length} characters; ${product} ${release} takes ${most}.`,
        why: "The server refuses the whole entry where it is written, queries and descriptions among it. What is there already stays.",
        fix: "Shorten it.",
      },
      severity,
    );
  const most = laterText === undefined ? `${text}` : `${text}, or ${laterText} from a later patch on`;
  return [
    ...(key.length > name ? [tooLong(keyRange, key.length, "A name", `${name}`)] : []),
    ...textsBelow(value)
      .filter(({ value: written }) => written.length > text)
      .map(({ value: written, range }) => tooLong(range, written.length, "A text", most)),
  ];
}

function astralTexts({ value }: MapEntry, { refusesAstral, product, release }: Dialect): readonly Diagnostic[] {
  if (!refusesAstral) return [];
  return textsBelow(value)
    .filter((text) => /[\ud800-\udfff]/.test(text.value))
    .map(({ value: text, range }) =>
      cannotHold(range, {
        what: `${JSON.stringify(text)} has a character beyond U+FFFF, such as an emoji.`,
        why: `${product} ${release} cannot read such a request, and refuses all that goes in it.`,
        fix: "Write it without that character. In the name of an entry it does no harm.",
      }),
    );
}

function textsIn({ key, keyRange, value }: MapEntry): readonly { value: string; range: SourceRange }[] {
  return [{ value: key, range: keyRange }, ...textsBelow(value)];
}

function textsBelow(node: Node): readonly { value: string; range: SourceRange }[] {
  switch (node.kind) {
    case "scalar":
      return typeof node.value === "string" ? [{ value: node.value, range: node }] : [];
    case "list":
      return node.items.flatMap(textsBelow);
    case "map":
      // The keys of 6.x are patterns and tenants.
      return node.entries.flatMap(textsIn);
  }
}

function unknownType({ value }: MapEntry, { product, release, actionGroup }: Dialect): readonly Diagnostic[] {
  const type = findMapEntry(value, "type")?.value;
  if (!actionGroup.types || type?.kind !== "scalar" || typeof type.value !== "string" || type.value === "") return [];
  if (actionGroup.types.includes(type.value.toLowerCase())) return [];
  return [
    cannotHold(type, {
      what: `${product} ${release} has action groups of the types ${joinAllWithAnd(actionGroup.types)}, and not ${JSON.stringify(type.value)}.`,
      why: "The server would refuse the whole group.",
      fix: `Write ${joinWithOr(actionGroup.types)}, or take the type out.`,
    }),
  ];
}

function cannotHold(range: SourceRange, userMessage: Required<Pick<Diagnostic, "what" | "why" | "fix">>): Diagnostic {
  return createDiagnostic(range, "unsupported-here", userMessage);
}
