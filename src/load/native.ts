import { createDiagnostic, type Diagnostic, getFileStart } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { factsOf, getNoun } from "../families/index.ts";
import {
  type Family,
  isResourceFamily,
  isSingleEntryFamily,
  type ResourceFamily,
  type SingleEntryFamily,
  singleEntryName,
} from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type MapNode } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { isFamilyKey } from "./by-family.ts";
import { guessEntryKind, isBareBody } from "./evidence.ts";
import { findDocumentByName, findFamiliesByName, getFamilyOfProductName } from "./file-names.ts";
import { createHeader, isHeader } from "./header.ts";

export interface NativeDocument {
  readonly document: StateDocument;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The family that the name of a file says, for a document without a header and without family keys. Of several, as in
 * `roles_tenants.yml`, the one that an entry has a field of.
 */
export function findNamedFamily(root: MapNode): ResourceFamily | undefined {
  const named = findFamiliesByName(root.file.path).filter(isResourceFamily);
  const kinds = entriesOf(root).map(({ value }) => guessEntryKind(value));
  return named.find((family) => kinds.includes(family)) ?? named[0];
}

/** A document of one family as the server's own tools keep it. One without entries declares nothing. */
export function parseNativeDocument(file: SourceFile, root: MapNode, family: Family): NativeDocument {
  const whole = { file, form: "native", root } as const;
  const range = getFileStart(file);
  if (family === "config") return nativeConfig(whole);
  if (isSingleEntryFamily(family)) return parseSingleEntry(whole, family);
  const entries = entriesOf(root);
  const sections = entries.length === 0 ? [] : [{ family, document: whole, range, node: root, entries }];
  return { document: { ...whole, sections }, diagnostics: entries.flatMap((entry) => familyAmongNames(entry, family)) };
}

/** Whether a file without a header is what its name says: documents of these families look like those of many programs. */
export function findNamedDocument(root: MapNode): ResourceFamily | undefined {
  const family = findDocumentByName(root.file.path);
  const entries = entriesOf(root);
  if (family === "nodes_dn") {
    const isOwn = ({ value }: MapEntry) => isNothing(value) || isBareBody(value) || guessEntryKind(value) === family;
    // `roles: {nodes_dn: }` is a role of that name: only a list says that it is one of certificates, called roles.
    const isPlain = ({ key, value }: MapEntry) =>
      !isFamilyKey(key) || findMapEntry(value, family)?.value.kind === "list";
    return entries.length > 0 && entries.every((entry) => isOwn(entry) && isPlain(entry)) ? family : undefined;
  }
  if (family === undefined || !isSingleEntryFamily(family)) return undefined;
  const body = findMapEntry(root, singleEntryName)?.value;
  const isOwn = body?.kind === "map" && Object.keys(factsOf[family].fields).some((field) => findMapEntry(body, field));
  return isOwn && entries.every(({ key }) => key === singleEntryName || key === readOnlyPaths) ? family : undefined;
}

function isNothing(value: MapEntry["value"]): boolean {
  return isNullNode(value) || (value.kind === "map" && value.entries.length === 0);
}

/** What only the servers' own tools may change of an audit configuration: no server shows it in files that it reads. */
const readOnlyPaths = "_readonly";

function parseSingleEntry(whole: Omit<StateDocument, "sections">, family: SingleEntryFamily): NativeDocument {
  const { root, file } = whole;
  const entries = entriesOf(root).filter(({ key }) => key !== readOnlyPaths);
  const own = entries.filter(({ key }) => key === singleEntryName);
  const diagnostics = entries
    .filter((entry) => !own.includes(entry))
    .map(({ key, keyRange }) => refuseOtherEntry(key, keyRange, family));
  const section = { family, document: whole, range: getFileStart(file), node: root, entries: own };
  return { document: { ...whole, sections: own.length === 0 ? [] : [section] }, diagnostics };
}

function refuseOtherEntry(key: string, range: MapEntry["keyRange"], family: SingleEntryFamily): Diagnostic {
  return createDiagnostic(range, "unknown-field", {
    what: `An ${getNoun(family)} has no entry ${JSON.stringify(key)}.`,
    why: "What is under it would be declared nowhere.",
    fix: `Under the header there is one key, ${singleEntryName}.`,
  });
}

/** The keys under which the products keep their config. */
const configKeys = ["config", "sg_config", "gate_config", "searchguard", "opendistro_security", "gate"];

/** True for a document that is one config: a single key, with `dynamic` below it. */
export function isNativeConfig(root: MapNode): boolean {
  const [only, ...others] = entriesOf(root);
  if (only === undefined || others.length > 0 || !configKeys.includes(only.key)) return false;
  // A role may be called searchguard.
  if (guessEntryKind(only.value) !== undefined || isBareBody(only.value)) return false;
  if (getFamilyOfProductName(root.file.path) !== undefined && !findMapEntry(only.value, "dynamic")) return false;
  return (
    findMapEntry(only.value, "dynamic") !== undefined || only.key.endsWith("_config") || only.key === "searchguard"
  );
}

function nativeConfig(whole: Omit<StateDocument, "sections">): NativeDocument {
  const entries = entriesOf(whole.root);
  const entry = entries.find(({ key }) => configKeys.includes(key));
  const strangers = entries.filter((other) => other !== entry);
  const diagnostics = strangers.map(({ key, keyRange }) =>
    createDiagnostic(keyRange, "unknown-field", {
      what: `A config file has no key "${key}".`,
      why: "What is under it would be declared nowhere.",
      fix: "Under the header there is one key, config, and under it dynamic.",
    }),
  );
  if (entry === undefined || isNullNode(entry.value)) return { document: { ...whole, sections: [] }, diagnostics };
  const section = { family: "config", document: whole, range: entry.keyRange, node: entry.value, entries: [] } as const;
  return { document: { ...whole, sections: [section] }, diagnostics };
}

/** The header says that the keys are names, but below one of them are entries of a family with that name. */
function familyAmongNames({ key, keyRange, value }: MapEntry, family: Family): readonly Diagnostic[] {
  if (
    !isResourceFamily(key) ||
    value.kind !== "map" ||
    !value.entries.some((entry) => guessEntryKind(entry.value) === key)
  )
    return [];
  return [
    createDiagnostic(keyRange, "mixed-families", {
      what: `The header says that the keys of this file are names of ${family}, but ${key} holds ${key}.`,
      why: `Otherwise ${key} would be one of the ${family}.`,
      fix: `Remove the header and keep keys such as ${key}:, or use the header "${createHeader(family)}" and names only.`,
    }),
  ];
}

function entriesOf(root: MapNode | StateDocument["root"]): readonly MapEntry[] {
  return root.kind === "map" ? root.entries.filter((entry) => !isHeader(entry)) : [];
}
