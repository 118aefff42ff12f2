import { type Diagnostic, diagnosticAt } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { nearest } from "../diagnostics/suggest.ts";
import { isObserved } from "../families/config.ts";
import { nounOf } from "../families/index.ts";
import { type Family, families, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { entryOf, type MapEntry, type Node } from "../model/node.ts";
import type { Policies } from "../model/policy.ts";
import type { Repository, Section, StateDocument } from "../model/repository.ts";
import { type ShapeError, shapeErrors } from "./ajv.ts";
import { repeatable } from "./repeatable.ts";
import { shapeLetter } from "./shape-letters.ts";
import { keyRange, type ShapePlace } from "./shape-place.ts";
import { isSixEntry, isSixForm, sixUnderHeader, spellingLetters } from "./spelling.ts";

/** What is wrong with the shape of the state files, one message per place; `acceptFields` are admitted anywhere. */
export function validateShape(
  repository: Repository,
  options: { readonly acceptFields: readonly string[]; readonly families?: Policies },
): readonly Diagnostic[] {
  const accepted = new Set(options.acceptFields);
  return repository.documents.flatMap((document) => [
    ...documentLetters(document, accepted).map((found) => asGraveAsItsUse(found, document, options.families)),
    ...document.sections.flatMap(sectionLetters),
  ]);
}

/** A config that is only compared harms nothing, and Search Guard 6 ignores the fields that it does not know. */
function asGraveAsItsUse(
  found: Diagnostic,
  { form, root, sections }: StateDocument,
  families: Policies | undefined,
): Diagnostic {
  const [section] = sections;
  if (found.severity !== "error" || form !== "native" || section?.family !== "config") return found;
  if (found.code === "unknown-field" && entryOf(root, "searchguard")) {
    return {
      ...found,
      severity: "warning",
      why: "Search Guard 6 ignores it, so what the line asks for does not hold.",
    };
  }
  return isObserved(section, families) ? { ...found, severity: "warning" } : found;
}

/** What is wrong with gate-sync.yaml. */
export function validateConfigFile(file: SourceFile, root: Node): readonly Diagnostic[] {
  if (isNull(root)) return [];
  const place: ShapePlace = { root: repeatable(root), entryDepth: 0, singleValues: false };
  const letters = shapeErrors("gate_sync", root).map((error) => shapeLetter(error, place));
  return [...letters, ...unknownTarget(file, root)];
}

function documentLetters(document: StateDocument, accepted: ReadonlySet<string>): readonly Diagnostic[] {
  const { root, form, sections } = document;
  if (isNull(root)) return [];
  const native = form === "native" ? sections[0]?.family : undefined;
  return shapeErrors(native ?? "state", root)
    .filter((error) => !isToldAlready(error, form) && !isAccepted(error, accepted))
    .map((error) => shapeLetter(error, placeOf(error, document, native)));
}

/** What a document declares was recognised, and its outermost keys judged, when it was loaded. */
function isToldAlready({ path, problem }: ShapeError, form: StateDocument["form"]): boolean {
  const isFamily = families.some((known) => known === path[0]);
  return path.length === 0 || (form === "by-family" && isFamily && path.length === 1 && problem.kind === "type");
}

function isAccepted({ problem }: ShapeError, accepted: ReadonlySet<string>): boolean {
  return problem.kind === "unknown-field" && accepted.has(problem.field);
}

function placeOf({ path }: ShapeError, { root, sections }: StateDocument, native: Family | undefined): ShapePlace {
  const family = native ?? families.find((known) => known === path[0]);
  const entryDepth = native === undefined ? 2 : 1;
  const section = sections.find((candidate) => candidate.family === family);
  const entry = section?.entries.find(({ key }) => key === path[entryDepth - 1]);
  const singleValues = section !== undefined && entry !== undefined && takesSingleValues(section, entry);
  return { root, entryDepth, singleValues, ...(family && { family }) };
}

/** As loaders of 6.x did. */
function takesSingleValues(section: Section, entry: MapEntry): boolean {
  return isResourceFamily(section.family) && (isSixEntry(entry.value) || isSixForm(section));
}

function sectionLetters(section: Section): readonly Diagnostic[] {
  const { family, entries } = section;
  if (!isResourceFamily(family)) return [];
  return [
    ...sixUnderHeader(section),
    ...entries.flatMap((entry) => (isNull(entry.value) ? [nullEntry(family, entry)] : spellingLetters(family, entry))),
  ];
}

function nullEntry(family: ResourceFamily, { key, keyRange: range }: MapEntry): Diagnostic {
  return diagnosticAt(range, "null-entry", {
    what: `The ${nounOf(family)} ${JSON.stringify(key)} is null.`,
    why: "It is declared all the same, with nothing in it.",
    fix: "Write {} if that is meant, or take the entry out.",
  });
}

function unknownTarget(file: SourceFile, root: Node): readonly Diagnostic[] {
  const chosen = entryOf(root, "default_target")?.value;
  const targets = entryOf(root, "targets")?.value;
  if (chosen?.kind !== "scalar" || typeof chosen.value !== "string") return [];
  const names = targets?.kind === "map" ? targets.entries.map(({ key }) => key) : [];
  if (names.includes(chosen.value)) return [];
  const meant = nearest(chosen.value, names);
  return [
    diagnosticAt(keyRange(["default_target"], { root, entryDepth: 0, singleValues: false }), "unknown-target", {
      what: `${file.path} has no target ${JSON.stringify(chosen.value)}.${meant ? ` Did you mean ${JSON.stringify(meant)}?` : ""}`,
      why: "Every command that is given no target would fail.",
      fix: names.length > 0 ? `Write one of ${names.join(", ")}.` : "Describe it under targets.",
    }),
  ];
}

function isNull(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}
