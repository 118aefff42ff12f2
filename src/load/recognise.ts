import { createDiagnostic, createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import type { MapEntry, MapNode, Node } from "../model/node.ts";
import { findMapEntry } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { isAccessTestsFile, readAccessTestsDocument } from "./access-tests-file.ts";
import { holdsSection, isFamily, isFamilyKey, parseByFamily, readKeys, withOwnKeys } from "./by-family.ts";
import { type EntryKind, fieldWords, guessEntryKind, isBareBody, sharedFields } from "./evidence.ts";
import { findMisspeltName, findUnmanagedByName, getFamilyOfProductName } from "./file-names.ts";
import { refuseForeignDocument } from "./foreign.ts";
import { isHeader, parseHeader } from "./header.ts";
import {
  findNamedDocument,
  findNamedFamily,
  isNativeConfig,
  type NativeDocument,
  parseNativeDocument,
} from "./native.ts";
import {
  holdsNoState,
  holdsOtherThanSettings,
  isNodeSettings,
  mayBeNodeSettings,
  recogniseOtherFile,
} from "./other-files.ts";
import { recogniseOwnRecord } from "./own-record.ts";
import {
  refuseContradiction,
  refuseMisnamed,
  refuseMixed,
  refuseNonMap,
  refuseSingleBody,
  refuseUndecided,
  refuseUnknownFamily,
} from "./unrecognised.ts";

export interface RecognisedDocument {
  /** Absent where the document declares nothing that gate-sync manages, or its family is unknown. */
  readonly document?: StateDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** What it holds instead: `audit settings`. Nothing inside such a document is an error. */
  readonly unmanaged?: string;
  /** A file of another program, in a sentence: `it is a Docker Compose file`. */
  readonly other?: string;
}

const nodeSettings = "the node's own settings";

/** Which families a document declares, and in which form. */
export function recogniseDocument(file: SourceFile, written: Node): RecognisedDocument {
  if (isAccessTestsFile(file.path)) return readAccessTestsDocument(file, written);
  if (written.kind !== "map") return { diagnostics: [refuseNonMap(written)] };
  const recognised = recogniseMap(file, withOwnKeys(written));
  const { document, diagnostics } = recognised;
  const misspelt = document?.form === "native" && document.sections.length > 0 ? misspeltFileName(file) : [];
  return misspelt.length > 0 ? { ...recognised, diagnostics: [...diagnostics, ...misspelt] } : recognised;
}

function recogniseMap(file: SourceFile, root: MapNode): RecognisedDocument {
  const header = parseHeader(root);
  if (header !== undefined) {
    if ("unknown" in header) return { diagnostics: [header.unknown] };
    if ("unmanaged" in header) return unmanagedDocument(root, header.unmanaged);
    const stranger = header.family === "internal_users" && findStateAmongUsers(root);
    if (stranger) return { diagnostics: [refuseContradiction(stranger, "internal users", "header")] };
    const native = parseNativeDocument(file, root, header.family);
    return { ...native, diagnostics: [...header.diagnostics, ...native.diagnostics] };
  }
  return withoutHeader(file, root);
}

/** The content says what the file is; by the name it may have been meant for something else, and other tools go by it. */
function misspeltFileName(file: SourceFile): readonly Diagnostic[] {
  const near = findMisspeltName(file.path);
  if (near === undefined) return [];
  return [
    createFileDiagnostic(file.path, "misspelt-file-name", {
      what: `The name of ${file.path} is nearly ${near}.`,
      why: "gate-sync goes by the content; the server's own tools go by the name, and do not read this file.",
      fix: `Rename it to ${near}, or put its entries under a key such as roles:, where the name does not matter.`,
    }),
  ];
}

/** What its header says that gate-sync does not manage, and no entry says otherwise. */
function unmanagedDocument(root: MapNode, unmanaged: string): RecognisedDocument {
  const state = root.entries.find(({ value }) => value.kind === "map" && isOfState(guessEntryKind(value), value));
  return state === undefined
    ? { diagnostics: [], unmanaged }
    : { diagnostics: [refuseContradiction(state, unmanaged, "header")] };
}

/** An entry that is none of the internal users, who have backend roles as mappings have. */
function isOfState(kind: EntryKind | undefined, value: Node): boolean {
  if (kind === "role_mappings")
    return ["users", "hosts", "and_backend_roles"].some((field) => findMapEntry(value, field));
  return kind !== undefined && kind !== "internal_users";
}

/**
 * A header (before this) says the family, or family keys, or the name of the file; else it is an error that says how to
 * declare it. Fields of entries decide no family: they say what is no state at all, and what its file name is wrong about.
 */
function withoutHeader(file: SourceFile, root: MapNode): RecognisedDocument {
  const unmanaged = findUnmanagedByName(file.path);
  const entries = root.entries.filter((entry) => !isHeader(entry));
  if (entries.length === 0) return emptyDocument(file, root, unmanaged);
  const named = findNamedDocument(root);
  if (named) return parseNativeDocument(file, root, named);
  const other = holdsSection(root) ? undefined : recogniseOtherFile(root);
  if (other !== undefined) return { diagnostics: [], other };
  const unindentedBelow = notIndentedBelow(root);
  if (unindentedBelow) return { diagnostics: [unindentedBelow] };
  const keys = readKeys(root);
  const isOtherConfig =
    unmanaged !== undefined &&
    findMapEntry(root, "config") &&
    !findMapEntry(findMapEntry(root, "config")?.value, "dynamic");
  if (keys === "families" && !isOtherConfig) return parseByFamily(file, root);
  const foreign = recogniseOwnRecord(root) ?? refuseForeignDocument(root);
  if (foreign) return { diagnostics: [foreign] };
  if (isNodeSettings(root)) return { diagnostics: [], unmanaged: nodeSettings };
  if (mayBeNodeSettings(root)) return { diagnostics: [refuseUnknownFamily(file, root)] };
  if (isNativeConfig(root)) return parseNativeDocument(file, root, "config");
  const unindented = notIndented(root, fieldWords);
  if (unindented) return { diagnostics: [unindented] };
  const body = refuseSingleBody(root);
  if (body && unmanaged === undefined) return { diagnostics: [body] };
  if (keys === "undecided") return { diagnostics: [refuseUndecided(entries)] };
  return byFileName(file, root, unmanaged);
}

function byFileName(file: SourceFile, root: MapNode, unmanaged: string | undefined): RecognisedDocument {
  const kinds = new Set(root.entries.map(({ value }) => guessEntryKind(value)));
  const family = findNamedFamily(root);
  if (family === "internal_users") return parseUsers(file, root);
  if (kinds.has("internal_users") && (family === undefined || !kinds.has(family))) return parseUnnamedUsers(file, root);
  if (unmanaged !== undefined) {
    const state = findStateBeside(root, unmanaged);
    return state
      ? { diagnostics: [refuseContradiction(state, unmanaged, "name of the file")] }
      : { diagnostics: [], unmanaged };
  }
  if (holdsNoState(root)) return { diagnostics: [], other: "no entry has a field of a state file" };
  return family ? parseNativeDocument(file, root, family) : { diagnostics: [refuseUnknownFamily(file, root)] };
}

function parseUsers(file: SourceFile, root: MapNode): RecognisedDocument {
  const state = findStateAmongUsers(root);
  if (state) return { diagnostics: [refuseContradiction(state, "internal users", "name of the file")] };
  return parseNativeDocument(file, root, "internal_users");
}

function findStateAmongUsers(root: MapNode): MapEntry | undefined {
  return root.entries.find(({ value }) => value.kind === "map" && isOfState(guessEntryKind(value), value));
}

/** Internal users, by a hash or password, unless the name of the file or another entry says otherwise. */
function parseUnnamedUsers(file: SourceFile, root: MapNode): RecognisedDocument {
  const family = getFamilyOfProductName(root.file.path);
  const user = root.entries.find(({ value }) => guessEntryKind(value) === "internal_users");
  const state = root.entries.find(({ value }) => isOfState(guessEntryKind(value), value));
  if (user && state) return { diagnostics: [refuseMixed(user, state)] };
  if (user && family) return { diagnostics: [refuseMisnamed(user, family)] };
  return parseNativeDocument(file, root, "internal_users");
}

/** An entry that is surely one of state, although the name of its file says that it holds something else. */
function findStateBeside(root: MapNode, unmanaged: string): MapEntry | undefined {
  const isDescribed = root.entries.every(({ value }) => isBareBody(value));
  return root.entries.find(({ value }) => {
    // A bare list may be anything, settings of a node among them.
    if (value.kind === "list") return false;
    const kind = guessEntryKind(value);
    if (kind === undefined) return isDescribed && findMapEntry(value, "description") !== undefined;
    // Settings of a node have lists of hosts, and users have backend roles.
    if (kind === "role_mappings" && unmanaged === nodeSettings) return holdsOtherThanSettings(root);
    return kind !== "internal_users";
  });
}

/** `{}`, or nothing but a header without a type: it declares nothing, whatever its name. */
function emptyDocument(file: SourceFile, root: MapNode, unmanaged: string | undefined): RecognisedDocument {
  if (unmanaged !== undefined) return { diagnostics: [], unmanaged };
  const document: NativeDocument["document"] = { file, form: "native", root, sections: [] };
  return { document, diagnostics: [] };
}

/** A name with nothing below it, and beside it what belongs below it. */
function notIndented(root: MapNode, fields: readonly string[]): Diagnostic | undefined {
  const at = root.entries.findIndex(
    ({ key, value }, index) =>
      value.kind === "scalar" &&
      value.value === null &&
      !isHeader({ key } as MapEntry) &&
      isBelow(key, root.entries[index + 1], fields),
  );
  const [above, below] = [root.entries[at], root.entries[at + 1]];
  if (at === -1 || !above || !below) return undefined;
  return createDiagnostic(below.keyRange, "unknown-family", {
    what: `${JSON.stringify(below.key)} is not indented, so it is not part of ${JSON.stringify(above.key)}.`,
    why: `${JSON.stringify(above.key)} would be empty, and what follows would belong to nothing.`,
    fix: `Indent ${JSON.stringify(below.key)} and what belongs to it by two spaces.`,
    related: [{ range: above.keyRange, what: `nothing is below ${JSON.stringify(above.key)}` }],
  });
}

const ofEntry = [...fieldWords, ...sharedFields];

/** An entry whose fields are not indented, below a family key: `roles:`, below it `hr:`, and no deeper its fields. */
function notIndentedBelow({ entries }: MapNode): Diagnostic | undefined {
  for (const { key, value } of entries) {
    const found = isFamily(key) && value.kind === "map" ? notIndented(value, ofEntry) : undefined;
    if (found) return found;
  }
  return undefined;
}

/** Fields below a name, or entries of a family below its key. */
function isBelow(key: string, next: MapEntry | undefined, fields: readonly string[]): boolean {
  if (next === undefined) return false;
  if (isFamilyKey(key)) return !isFamilyKey(next.key) && guessEntryKind(next.value) === key;
  return fields.includes(next.key) && (next.value.kind === "list" || next.value.kind === "scalar");
}
