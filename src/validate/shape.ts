import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { findNearest, suggestNearest } from "../diagnostics/suggest.ts";
import { isObserved } from "../families/config.ts";
import { getNoun } from "../families/index.ts";
import { toPointer } from "../json/pointer.ts";
import { type Family, families, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import type { Policies } from "../model/policy.ts";
import type { Repository, Section, StateDocument } from "../model/repository.ts";
import { hideSecretsOfConfig } from "../secrets/shown-config.ts";
import { findShapeErrors, type ShapeError } from "./ajv.ts";
import { findMixedFormats, findSixUnderHeader, isSixEntry, isSixForm } from "./mixed-formats.ts";
import { createShapeDiagnostic } from "./shape-messages.ts";
import { findKeyRange, type ShapePlace } from "./shape-place.ts";

/** What is wrong with the shape of the state files, one message per place; `acceptFields` are admitted anywhere. */
export function validateShape(
  repository: Repository,
  options: { readonly acceptFields: readonly string[]; readonly families?: Policies },
): readonly Diagnostic[] {
  const accepted = new Set(options.acceptFields);
  return repository.documents.flatMap((document) => [
    ...documentMessages(document, accepted).map((found) => asGraveAsItsUse(found, document, options.families)),
    ...document.sections.flatMap(sectionMessages),
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
  if (found.code === "unknown-field" && findMapEntry(root, "searchguard")) {
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
  if (isNullNode(root)) return [];
  const place: ShapePlace = { root: hideSecretsOfConfig(root), entryDepth: 0, singleValues: false };
  const messages = withoutConsequences(findShapeErrors("gate_sync", root)).map((error) =>
    createShapeDiagnostic(error, place),
  );
  return [...messages, ...unknownTarget(file, root)];
}

/** What is wrong with the settings of a target together with those that it inherits, of which each alone is right. */
export function validateCombined(name: string, settings: MapNode): readonly Diagnostic[] {
  const below = (key: string, value: Node): MapNode => ({
    ...settings,
    entries: [{ key, keyRange: settings, value }],
  });
  const inherited = `Target ${JSON.stringify(name)} inherits a part of this from defaults.`;
  return validateConfigFile(settings.file, below("targets", below(name, settings))).map((found) =>
    // Of what a file of variables says nothing is inherited.
    found.range?.file === settings.file ? { ...found, what: `${found.what} ${inherited}` } : found,
  );
}

function documentMessages(document: StateDocument, accepted: ReadonlySet<string>): readonly Diagnostic[] {
  const { root, form, sections } = document;
  if (isNullNode(root)) return [];
  const native = form === "native" ? sections[0]?.family : undefined;
  return withoutConsequences(findShapeErrors(native ?? "state", root))
    .filter((error) => !isExplainedAlready(error, form) && !isAccepted(error, accepted))
    .map((error) => createShapeDiagnostic(error, placeOf(error, document, native)));
}

/** A field is missing because it is there under a misspelt name, which is an error of its own. */
function withoutConsequences(errors: readonly ShapeError[]): readonly ShapeError[] {
  const unknown = new Map<string, string[]>();
  for (const { path, problem } of errors) {
    if (problem.kind !== "unknown-field") continue;
    const at = toPointer(path);
    const fields = unknown.get(at) ?? [];
    fields.push(problem.field);
    unknown.set(at, fields);
  }
  return errors.filter(
    ({ path, problem }) =>
      problem.kind !== "missing-field" ||
      !unknown.get(toPointer(path))?.some((field) => findNearest(field, [problem.field]) !== undefined),
  );
}

/** The families of a document were recognised, and its outermost keys checked, when it was loaded. */
function isExplainedAlready({ path, problem }: ShapeError, form: StateDocument["form"]): boolean {
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

function sectionMessages(section: Section): readonly Diagnostic[] {
  const { family, entries } = section;
  if (!isResourceFamily(family)) return [];
  return [
    ...findSixUnderHeader(section),
    ...entries.flatMap((entry) =>
      isNullNode(entry.value) ? [nullEntry(family, entry)] : findMixedFormats(family, entry),
    ),
  ];
}

function nullEntry(family: ResourceFamily, { key, keyRange: range }: MapEntry): Diagnostic {
  return createDiagnostic(range, "null-entry", {
    what: `The ${getNoun(family)} ${JSON.stringify(key)} is null.`,
    why: "It is declared all the same, with nothing in it.",
    fix: "Write {} if that is meant, or take the entry out.",
  });
}

function unknownTarget(file: SourceFile, root: Node): readonly Diagnostic[] {
  const chosen = findMapEntry(root, "default_target")?.value;
  const targets = findMapEntry(root, "targets")?.value;
  if (chosen?.kind !== "scalar" || typeof chosen.value !== "string") return [];
  const names = targets?.kind === "map" ? targets.entries.map(({ key }) => key) : [];
  if (names.includes(chosen.value)) return [];
  return [
    createDiagnostic(findKeyRange(["default_target"], { root, entryDepth: 0, singleValues: false }), "unknown-target", {
      what: `${file.path} has no target ${JSON.stringify(chosen.value)}.${suggestNearest(chosen.value, names)}`,
      why: "Every command that is given no target would fail.",
      fix: names.length > 0 ? `Write one of ${names.join(", ")}.` : "Describe it under targets.",
    }),
  ];
}
