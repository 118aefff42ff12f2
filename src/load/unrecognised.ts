// Messages about documents whose family is unknown, or of which parts contradict each other.
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { assert } from "../diagnostics/failure.ts";
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { findNearest, formatSuggestion } from "../diagnostics/suggest.ts";
import { findMapEntry, type MapEntry, type MapNode, type Node } from "../model/node.ts";
import { findMeantFamily, isFamilyKey, refuseUnknownKey } from "./by-family.ts";
import { fieldWords, findGluedField, guessBodyKind, guessEntryKind } from "./evidence.ts";
import { findFamiliesByName, findNearestName } from "./file-names.ts";
import { adviseImport } from "./foreign.ts";
import { createHeader } from "./header.ts";

/** The body of one request to the server: fields at the top level, and no name anywhere. */
export function refuseSingleBody(root: MapNode): Diagnostic | undefined {
  const kind = guessBodyKind(root) ?? (findMapEntry(root, "dynamic") ? "config" : undefined);
  if (kind === undefined) return undefined;
  const range = root.entries[0]?.keyRange ?? root;
  const fix =
    kind === "config" ? "Put all of it under config:." : `Write ${kind}:, below it the name, and below that this.`;
  return createDiagnostic(range, "unknown-family", {
    what: `These are the fields of ${nounOf(kind)}, as in the body of a request, and it has no ${kind === "config" ? "key" : "name"}.`,
    why: "A state file says what its fields belong to. Here that is unknown, so nothing in it is used.",
    fix,
  });
}

export function refuseNonMap(root: Node): Diagnostic {
  const isPatch =
    root.kind === "list" && root.items.some((item) => findMapEntry(item, "op") && findMapEntry(item, "path"));
  const range = { ...root, end: Math.min(root.end, root.start + 1) };
  return createDiagnostic(root.kind === "scalar" ? root : range, "unknown-family", {
    what: isPatch
      ? "This is a JSON Patch, the body of a request, not a state file."
      : `A state file is a map, but this is ${root.kind === "list" ? "a list" : "a single value"}.`,
    why: "Which resource type it declares is unknown, so nothing in it is used.",
    fix: `Write a key such as roles: and below it names with their fields. ${adviseImport}`,
  });
}

export function refuseUndecided(entries: readonly MapEntry[]): Diagnostic {
  const [first] = entries.filter(({ key }) => isFamilyKey(key));
  const range = (first ?? entries[0])?.keyRange;
  assert(range && first, "A document was undecided without the key of a resource type.");
  return createDiagnostic(range, "mixed-families", {
    what: `${first.key} is a resource type, but other keys of this file look like names of entries.`,
    why: `Unknown: whether ${first.key} is the resource type or an entry of that name.`,
    fix: `Put all entries under keys such as roles:, or say what the file declares with a header: ${createHeader("roles")}.`,
  });
}

export function refuseMixed(first: MapEntry, second: MapEntry): Diagnostic {
  const [one, other] = [guessEntryKind(first.value), guessEntryKind(second.value)];
  return createDiagnostic(second.keyRange, "mixed-families", {
    what: `"${second.key}" looks like ${nounOf(other)}, but "${first.key}" in the same file like ${nounOf(one)}.`,
    why: "A file without keys such as roles: declares one resource type only.",
    fix: `Put each under a key, ${one}: and ${other}:, or into a file of its own.`,
    related: [{ range: first.keyRange, what: `"${first.key}" looks like ${nounOf(one)}` }],
  });
}

export function refuseContradiction(
  { key, keyRange, value }: MapEntry,
  unmanaged: string,
  source: "header" | "name of the file",
): Diagnostic {
  return createDiagnostic(keyRange, "mixed-families", {
    what: `The ${source} says ${unmanaged}, but "${key}" looks like ${nounOf(guessEntryKind(value) ?? "tenants")}.`,
    why: "Such a file holds no entries of this kind, so it would be declared nowhere.",
    fix: `Correct the ${source}, or move the entry to a file of its resource type.`,
  });
}

export function refuseMisnamed({ key, keyRange }: MapEntry, family: string): Diagnostic {
  return createDiagnostic(keyRange, "mixed-families", {
    what: `"${key}" looks like an internal user, but the name of the file says ${family}.`,
    why: "A file that is named like a resource type holds this type alone.",
    fix: `Name the file internal_users.yml, or remove the fields that ${family} do not have.`,
  });
}

function nounOf(kind: string | undefined): string {
  const noun = (kind ?? "").replaceAll("_", " ").replace(/s$/, "");
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

export function refuseUnknownFamily(file: SourceFile, root: MapNode): Diagnostic {
  const near = findFamiliesByName(file.path).length === 0 ? findNearestName(file.path) : undefined;
  const named = near ? ` The name of the file resembles ${near}.` : "";
  const isMeantFamily = ({ key }: MapEntry) => findMeantFamily(key) !== undefined;
  const alike = root.entries.find(
    (entry) => guessEntryKind(entry.value) !== undefined && !(entry.value.kind === "list" && isMeantFamily(entry)),
  );
  const kind = alike && guessEntryKind(alike.value);
  if (alike && kind) {
    return createDiagnostic(alike.keyRange, "unknown-family", {
      what: `Which resource type this file declares is unknown: "${alike.key}" looks like ${nounOf(kind)}.${named}`,
      why: "Neither a header, nor a key such as roles:, nor the name of the file says it; nothing of it is used.",
      fix: `Put the entries under ${kind}:, name the file ${kind}.yml, or add the header ${createHeader(kind)}.`,
    });
  }
  const field = likelyField(root);
  const misspelt = field ? undefined : root.entries.find(isMeantFamily);
  if (misspelt) return refuseUnknownKey(misspelt);
  return createDiagnostic(field?.range ?? root.entries[0]?.keyRange ?? root, "unknown-family", {
    what: field ? `${field.what}${named}` : `Which resource type this file declares is unknown.${named}`,
    why: field
      ? "Which resource type the file declares is unknown; nothing of it is used."
      : "Neither a header, nor a key such as roles:, nor the name of the file says it.",
    fix: field
      ? field.fix
      : `Put the entries under a key such as roles:, or add a header such as ${createHeader("roles")}. ${adviseImport}`,
  });
}

/** A field that is misspelt, or one word with its value, as no space is after the colon. */
function likelyField(root: MapNode): { range: SourceRange; what: string; fix: string } | undefined {
  for (const { value } of root.entries) {
    const glued = findGluedField(value);
    if (glued) {
      return { range: value, what: `No space is after the colon of "${glued}:".`, fix: `Write "${glued}: …".` };
    }
    for (const { key, keyRange } of value.kind === "map" ? value.entries : []) {
      const near = findNearest(key, fieldWords);
      if (near && near !== key) {
        return {
          range: keyRange,
          what: `No entry has a field "${key}".${formatSuggestion(near)}`,
          fix: `Write "${near}".`,
        };
      }
    }
  }
  return undefined;
}
