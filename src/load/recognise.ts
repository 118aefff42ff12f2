import { type Diagnostic, diagnosticAt, diagnosticOn } from "../diagnostics/diagnostic.ts";
import { assert } from "../diagnostics/failure.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { nearest } from "../diagnostics/suggest.ts";
import type { MapEntry, MapNode, Node } from "../model/node.ts";
import { entryOf } from "../model/node.ts";
import type { StateDocument } from "../model/repository.ts";
import { accessTestsDocument, isAccessTestsFile } from "./access-tests-file.ts";
import { byFamily, holdsSection, isFamily, isFamilyKey, readKeys, withOwnKeys } from "./by-family.ts";
import { bodyKind, fieldWords, gluedField, type Kind, kindOf, sharedFields, votesOf } from "./evidence.ts";
import { familiesByName, familyOfProductName, misspeltName, nearestName, unmanagedByName } from "./file-names.ts";
import { foreignDocument } from "./foreign.ts";
import { headerFor, headerOf, isHeader } from "./header.ts";
import { inferKind, isNativeConfig, type Native, nativeDocument } from "./native.ts";
import { holdsNoState, holdsOtherThanSettings, isNodeSettings, mayBeNodeSettings, otherFile } from "./other-files.ts";
import { ownRecord } from "./own-record.ts";

export interface Recognised {
  /** Absent where the document declares nothing that gate-sync manages, or cannot be told. */
  readonly document?: StateDocument;
  readonly diagnostics: readonly Diagnostic[];
  /** What it holds instead: `internal users`. Nothing inside such a document is an error. */
  readonly unmanaged?: string;
  /** A file of another program, in a sentence: `it is a Docker Compose file`. */
  readonly other?: string;
}

const nodeSettings = "the node's own settings";

/** Which families a document declares, and in which form. */
export function recognise(file: SourceFile, written: Node): Recognised {
  if (isAccessTestsFile(file.path)) return accessTestsDocument(file, written);
  if (written.kind !== "map") return { diagnostics: [notAMap(written)] };
  const recognised = recogniseMap(file, withOwnKeys(written));
  const { document, diagnostics } = recognised;
  const misspelt = document?.form === "native" && document.sections.length > 0 ? misspeltFileName(file) : [];
  return misspelt.length > 0 ? { ...recognised, diagnostics: [...diagnostics, ...misspelt] } : recognised;
}

function recogniseMap(file: SourceFile, root: MapNode): Recognised {
  const header = headerOf(root);
  if (header !== undefined) {
    if ("unknown" in header) return { diagnostics: [header.unknown] };
    if ("unmanaged" in header) return unmanagedDocument(root, header.unmanaged);
    const native = nativeDocument(file, root, header.family);
    return { ...native, diagnostics: [...header.diagnostics, ...native.diagnostics] };
  }
  return withoutHeader(file, root);
}

/** The content says what the file is; by the name it may have been meant for something else, and other tools go by it. */
function misspeltFileName(file: SourceFile): readonly Diagnostic[] {
  const near = misspeltName(file.path);
  if (near === undefined) return [];
  return [
    diagnosticOn(file.path, "misspelt-file-name", {
      what: `The name of ${file.path} is nearly ${near}.`,
      why: "gate-sync goes by the content; the server's own tools go by the name, and do not read this file.",
      fix: `Rename it to ${near}, or put its entries under a family key such as roles:, where the name does not matter.`,
    }),
  ];
}

/** What its header says that gate-sync does not manage, and no entry says otherwise. */
function unmanagedDocument(root: MapNode, unmanaged: string): Recognised {
  const state = root.entries.find(({ value }) => value.kind === "map" && isOfState(kindOf(value), value));
  return state === undefined ? { diagnostics: [], unmanaged } : { diagnostics: [contradicts(state, unmanaged)] };
}

/** An entry that is none of the internal users, who have backend roles as mappings have. */
function isOfState(kind: Kind | undefined, value: Node): boolean {
  if (kind === "role_mappings") return ["users", "hosts", "and_backend_roles"].some((field) => entryOf(value, field));
  return kind !== undefined && kind !== "internal_users";
}

/**
 * The order of evidence: a header (before this), entries below a family key, the name that the servers' tools use, fields
 * of entries. That a file is of another program is said only where none of these speaks against it.
 */
function withoutHeader(file: SourceFile, root: MapNode): Recognised {
  const unmanaged = unmanagedByName(file.path);
  const entries = root.entries.filter((entry) => !isHeader(entry));
  if (entries.length === 0) return emptyDocument(file, root, unmanaged);
  const other = holdsSection(root) ? undefined : otherFile(root);
  if (other !== undefined) return { diagnostics: [], other };
  const unindentedBelow = notIndentedBelow(root);
  if (unindentedBelow) return { diagnostics: [unindentedBelow] };
  const keys = readKeys(root);
  const audit =
    unmanaged !== undefined && entryOf(root, "config") && !entryOf(entryOf(root, "config")?.value, "dynamic");
  if (keys === "families" && !audit) return byFamily(file, root);
  const foreign = ownRecord(root) ?? foreignDocument(root);
  if (foreign) return { diagnostics: [foreign] };
  if (isNodeSettings(root)) return { diagnostics: [], unmanaged: nodeSettings };
  if (mayBeNodeSettings(root)) return { diagnostics: [unknownFamily(file, root)] };
  if (isNativeConfig(root)) return nativeDocument(file, root, "config");
  const unindented = notIndented(root, fieldWords);
  if (unindented) return { diagnostics: [unindented] };
  const body = singleBody(root);
  if (body && unmanaged === undefined) return { diagnostics: [body] };
  if (keys === "undecided") return { diagnostics: [undecided(entries)] };
  return inferred(file, root, unmanaged);
}

function inferred(file: SourceFile, root: MapNode, unmanaged: string | undefined): Recognised {
  const inference = inferKind(root);
  if (inference.kind === "internal_users") return internalUsers(root);
  if (unmanaged !== undefined && !isSure(inference.kind, root, unmanaged)) return { diagnostics: [], unmanaged };
  if (holdsNoState(root)) return { diagnostics: [], other: "no entry has a field of a state file" };
  switch (inference.kind) {
    case "mixed":
      return { diagnostics: [mixed(inference.first, inference.second)] };
    case "unknown":
      return { diagnostics: [unknownFamily(file, root)] };
    default:
      return nativeDocument(file, root, inference.kind);
  }
}

/** Internal users, unless the name of the file or another entry says otherwise: these would be lost. */
function internalUsers(root: MapNode): Recognised {
  const family = familyOfProductName(root.file.path);
  const votes = votesOf(root.entries);
  const [user] = votes.get("internal_users") ?? [];
  const state = [...votes.values()].flat().find(({ value }) => isOfState(kindOf(value), value));
  if (user && state) return { diagnostics: [mixed(user, state)] };
  if (user && family) return { diagnostics: [misnamed(user, family)] };
  return { diagnostics: [], unmanaged: "internal users" };
}

/** Whether entries are what they look like, although the name of their file says that they are something else. */
function isSure(kind: string, root: MapNode, unmanaged: string): boolean {
  if (root.entries.every(isList)) return false;
  // A bare list may be anything, settings of a node among them.
  if (kind === "action_groups" && !root.entries.some(({ value }) => value.kind === "map" && kindOf(value)))
    return false;
  if (kind === "role_mappings" && unmanaged === "internal users") {
    return root.entries.some(({ value }) => isOfState(kindOf(value), value));
  }
  if (kind === "role_mappings" && unmanaged === nodeSettings) return holdsOtherThanSettings(root);
  const sure = ["roles", "blocks", "action_groups", "role_mappings", "mixed"];
  return sure.includes(kind) || (kind === "tenants" && unmanaged !== "internal users");
}

function isList({ value }: MapEntry): boolean {
  return value.kind === "list";
}

/** `{}`, or nothing but a header without a type: it declares nothing, whatever its name. */
function emptyDocument(file: SourceFile, root: MapNode, unmanaged: string | undefined): Recognised {
  if (unmanaged !== undefined) return { diagnostics: [], unmanaged };
  const document: Native["document"] = { file, form: "native", root, sections: [] };
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
  return diagnosticAt(below.keyRange, "unknown-family", {
    what: `${JSON.stringify(below.key)} is not indented, so it is not part of ${JSON.stringify(above.key)}.`,
    why: `${JSON.stringify(above.key)} would be empty, and what follows would belong to nothing.`,
    fix: `Indent ${JSON.stringify(below.key)} and what belongs to it by two spaces.`,
    related: [{ range: above.keyRange, what: `nothing is below ${JSON.stringify(above.key)}` }],
  });
}

const ofEntry = [...fieldWords, ...sharedFields];

/** The same of names below a family key: `roles:`, below it `hr:`, and below that, no deeper, its fields. */
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
  if (isFamilyKey(key)) return !isFamilyKey(next.key) && kindOf(next.value) === key;
  return fields.includes(next.key) && (next.value.kind === "list" || next.value.kind === "scalar");
}

/** The body of one request to the server: fields at the top level, and no name anywhere. */
function singleBody(root: MapNode): Diagnostic | undefined {
  const kind = bodyKind(root) ?? (entryOf(root, "dynamic") ? "config" : undefined);
  if (kind === undefined) return undefined;
  const range = root.entries[0]?.keyRange ?? root;
  const fix =
    kind === "config" ? "Put all of it under config:." : `Write ${kind}:, below it the name, and below that this.`;
  return diagnosticAt(range, "unknown-family", {
    what: `These are the fields of ${nounOf(kind)}, as in the body of a request, and it has no ${kind === "config" ? "key" : "name"}.`,
    why: "A state file says what its fields belong to; it cannot be told here, so nothing of it is used.",
    fix: kind === "internal_users" ? "gate-sync does not manage users: move it out of the state folder." : fix,
  });
}

function notAMap(root: Node): Diagnostic {
  const isPatch = root.kind === "list" && root.items.some((item) => entryOf(item, "op") && entryOf(item, "path"));
  const range = { ...root, end: Math.min(root.end, root.start + 1) };
  return diagnosticAt(root.kind === "scalar" ? root : range, "unknown-family", {
    what: isPatch
      ? "This is a JSON Patch, the body of a request, not a state file."
      : `A state file is a map, but this is ${root.kind === "list" ? "a list" : "a single value"}.`,
    why: "It cannot be told which family it declares, so nothing of it is used.",
    fix: "Write a family key such as roles: and below it names with their fields.",
  });
}

function undecided(entries: readonly MapEntry[]): Diagnostic {
  const [first] = entries.filter(({ key }) => isFamilyKey(key));
  const range = (first ?? entries[0])?.keyRange;
  assert(range && first, "A document was undecided without a family key.");
  return diagnosticAt(range, "mixed-families", {
    what: `${first.key} is a family, but other keys of this file look like names of entries.`,
    why: `It cannot be told whether ${first.key} is the family or a resource of that name.`,
    fix: `Put all entries under family keys, or say which family the file is with a header: ${headerFor("roles")}.`,
  });
}

function mixed(first: MapEntry, second: MapEntry): Diagnostic {
  const [one, other] = [kindOf(first.value), kindOf(second.value)];
  return diagnosticAt(second.keyRange, "mixed-families", {
    what: `"${second.key}" looks like ${nounOf(other)}, but "${first.key}" in the same file like ${nounOf(one)}.`,
    why: "A file without family keys declares one family only.",
    fix: `Put each under the key of its family, such as ${one}: and ${other}:, or into a file of its own.`,
    related: [{ range: first.keyRange, what: `"${first.key}" looks like ${nounOf(one)}` }],
  });
}

function contradicts({ key, keyRange, value }: MapEntry, unmanaged: string): Diagnostic {
  return diagnosticAt(keyRange, "mixed-families", {
    what: `The header says ${unmanaged}, but "${key}" looks like ${nounOf(kindOf(value))}.`,
    why: "gate-sync does not manage what the header says, so this entry would be declared nowhere.",
    fix: "Correct the header, or move the entry to a file of its family.",
  });
}

function misnamed({ key, keyRange }: MapEntry, family: string): Diagnostic {
  return diagnosticAt(keyRange, "mixed-families", {
    what: `"${key}" looks like an internal user, but the name of the file says ${family}.`,
    why: "gate-sync does not manage internal users, so it would be declared nowhere.",
    fix: `Name the file internal_users.yml, or remove the fields that ${family} do not have.`,
  });
}

function nounOf(kind: string | undefined): string {
  const noun = (kind ?? "").replaceAll("_", " ").replace(/s$/, "");
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

function unknownFamily(file: SourceFile, root: MapNode): Diagnostic {
  const near = familiesByName(file.path).length === 0 ? nearestName(file.path) : undefined;
  const named = near ? ` The name of the file resembles ${near}.` : "";
  const field = likelyField(root);
  return diagnosticAt(field?.range ?? root.entries[0]?.keyRange ?? root, "unknown-family", {
    what: field ? `${field.what}${named}` : `It cannot be told which family this file declares.${named}`,
    why: field
      ? "By it the family of this file would be known; nothing of it is used."
      : "No entry has a field that roles, role mappings, tenants, action groups or blocks have.",
    fix: field
      ? field.fix
      : `Put the entries under a family key such as roles:, or add a header such as ${headerFor("roles")}.`,
  });
}

/** A field that is misspelt, or one word with its value, as no space is after the colon. */
function likelyField(root: MapNode): { range: SourceRange; what: string; fix: string } | undefined {
  for (const { value } of root.entries) {
    const glued = gluedField(value);
    if (glued) {
      return { range: value, what: `No space is after the colon of "${glued}:".`, fix: `Write "${glued}: …".` };
    }
    for (const { key, keyRange } of value.kind === "map" ? value.entries : []) {
      const near = nearest(key, fieldWords);
      if (near && near !== key) {
        return {
          range: keyRange,
          what: `No entry has a field "${key}". Did you mean "${near}"?`,
          fix: `Write "${near}".`,
        };
      }
    }
  }
  return undefined;
}
