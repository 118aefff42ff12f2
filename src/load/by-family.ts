import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { findNearest, formatSuggestion } from "../diagnostics/suggest.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { type Family, families, isResourceFamily, isSingleEntryFamily, singleEntryName } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type MapNode } from "../model/node.ts";
import type { Section, StateDocument } from "../model/repository.ts";
import { guessBodyKind, guessEntryKind, isBareBody } from "./evidence.ts";
import { isHeader } from "./header.ts";

/** Top-level keys that declare no family. */
const otherKeys = ["waivers", "personas", "access_tests", "overrides"];

/** How products and people spell the family keys otherwise. */
const otherSpellings: Readonly<Record<string, Family>> = {
  role: "roles",
  rolemapping: "role_mappings",
  role_mapping: "role_mappings",
  rolesmapping: "role_mappings",
  roles_mapping: "role_mappings",
  roles_mappings: "role_mappings",
  mappings: "role_mappings",
  tenant: "tenants",
  actiongroup: "action_groups",
  actiongroups: "action_groups",
  action_group: "action_groups",
  internal_user: "internal_users",
  internaluser: "internal_users",
  internalusers: "internal_users",
  block: "blocks",
};

/**
 * The document with the vendors' key for role mappings renamed to gate-sync's, where mappings are below it and no
 * other key is meant for them.
 */
export function withOwnKeys(root: MapNode): MapNode {
  const vendors = root.entries.filter(({ key, value }) => isVendorKey(key) && holdsEntriesOf("role_mappings", value));
  const [only] = vendors;
  if (only === undefined || vendors.length > 1 || findMapEntry(root, "role_mappings")) return root;
  const entries = root.entries.map((entry) => (entry === only ? { ...entry, key: "role_mappings" } : entry));
  return { ...root, entries };
}

function isVendorKey(key: string): boolean {
  return key === "roles_mapping" || key === "rolesmapping";
}

/** A family key with entries of that family below it: nothing else looks so. */
export function holdsSection(root: MapNode): boolean {
  return root.entries.some((entry) => isFamily(entry.key) && readKey(entry) === "section");
}

/** What the top-level keys of a document without a type in its header are. */
export type KeyReading = "families" | "names" | "undecided" | "neither";

/** `families`: the keys are families. `names`: at least one is a resource that has a family's word as its name. */
export function readKeys(root: MapNode): KeyReading {
  const keys = root.entries.filter((entry) => !isHeader(entry));
  const readings = keys.map(readKey);
  const known = readings.filter((reading, index) => {
    const { key = "" } = keys[index] ?? {};
    // Words of many programs: alone they say nothing.
    return isFamilyKey(key) && (reading === "section" || !isSingleEntryFamily(key));
  });
  if (known.length === 0) return readings.includes("section") ? "families" : "neither";
  if (readings.includes("either")) return "undecided";
  const entries = readings.includes("entry");
  if (known.includes("section")) return known.includes("entry") ? "undecided" : "families";
  if (known.includes("entry")) return "names";
  // `tenants: {}` beside what is clearly an entry: the family that is empty, or a role of that name?
  return entries ? "undecided" : "families";
}

/** The document of a file whose top-level keys are families. */
export function parseByFamily(
  file: SourceFile,
  root: MapNode,
): { readonly document: StateDocument; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const sections: Section[] = [];
  const whole = { file, form: "by-family", root } as const;
  for (const entry of root.entries) {
    if (isHeader(entry) || otherKeys.includes(entry.key)) continue;
    if (!isFamily(entry.key)) {
      diagnostics.push(refuseUnknownKey(entry));
      continue;
    }
    sections.push(sectionOf(entry.key, entry, whole));
    diagnostics.push(...evaluate(entry.key, entry));
  }
  const [waivers, personas, tests, overrides] = otherKeys.map((key) => findMapEntry(root, key)?.value);
  const others = {
    ...(waivers && { waivers }),
    ...(personas && { personas }),
    ...(tests && { accessTests: tests }),
    ...(overrides && { overrides }),
  };
  return { document: { ...whole, sections, ...others }, diagnostics };
}

function sectionOf(family: Family, entry: MapEntry, document: Section["document"]): Section {
  const entries = isResourceFamily(family) && entry.value.kind === "map" ? entry.value.entries : [];
  return { family, document, range: entry.keyRange, node: entry.value, entries: entries.filter((e) => !isHeader(e)) };
}

/** A map belongs under a family's key; null counts as an empty one, and gets a warning. */
function evaluate(family: Family, { keyRange, value }: MapEntry): readonly Diagnostic[] {
  if (value.kind === "map") return [];
  const isNull = isNullNode(value);
  if (isNull && !isResourceFamily(family)) return [nullDocument(family, keyRange)];
  if (isNull) {
    const userMessage = {
      what: `Nothing is below ${family}.`,
      why: `Either no ${family} at all are wanted, and all on the server are deleted, or the entries are missing.`,
      fix: `Write ${family}: {} if none are wanted, or remove the line.`,
    };
    return [createDiagnostic(keyRange, "null-entry", userMessage, "error")];
  }
  const is = value.kind === "list" ? "a list" : "a single value";
  const holds = isResourceFamily(family) ? "a map from names to their fields" : "a map of its fields";
  return [
    createDiagnostic(keyRange, "wrong-type", {
      what: `${family} holds ${holds}, but here it is ${is}.`,
      why: "None of it can be read.",
      fix: isResourceFamily(family) ? "Write each one as NAME: and its fields below it." : "Write its fields below it.",
    }),
  ];
}

function nullDocument(family: Family, range: MapEntry["keyRange"]): Diagnostic {
  return createDiagnostic(range, "null-entry", {
    what: `Nothing is under ${family}.`,
    why: "It declares nothing.",
    fix: "Write what is wanted below it, or remove the line.",
  });
}

export function refuseUnknownKey({ key, keyRange }: MapEntry): Diagnostic {
  if (isSingleEntryFamily(key)) {
    return createDiagnostic(keyRange, "unknown-field", {
      what: `Under ${key} there is no ${singleEntryName} with fields of an ${getNoun(key)}.`,
      why: "What is under it would be declared nowhere.",
      fix: `Write ${singleEntryName}: below ${key}:, and the fields below that.`,
    });
  }
  const near = findMeantFamily(key) ?? findNearest(key, [...otherKeys, "generate"]);
  return createDiagnostic(keyRange, "unknown-field", {
    what: `There is no resource type "${key}".${formatSuggestion(near)}`,
    why: "What is under it would be declared nowhere.",
    fix: `The resource types are ${families.join(", ")}.`,
  });
}

/** The family that a key is another word for, or nearly the word. */
export function findMeantFamily(key: string): Family | undefined {
  if (Object.hasOwn(otherSpellings, key)) return otherSpellings[key];
  const near = findNearest(key, families);
  return near !== undefined && isFamily(near) ? near : undefined;
}

export function isFamily(key: string): key is Family {
  return (families as readonly string[]).includes(key);
}

/** A family, or another key that a file with families may have. */
export function isFamilyKey(key: string): boolean {
  return isFamily(key) || otherKeys.includes(key);
}

/** Whether the value under a key is a map of entries, or an entry itself; undefined where the value shows neither. */
function readKey({ key, value }: MapEntry): "section" | "entry" | "either" | undefined {
  // Words of families, such as tenants, are fields of old entries too.
  if (key === "overrides" && value.kind === "map" && value.entries.every((entry) => isFamily(entry.key)))
    return "section";
  if (otherKeys.includes(key)) return value.kind === "map" && guessEntryKind(value) !== undefined ? "entry" : "section";
  const meant = findMeantFamily(key);
  const family = isFamily(key) ? key : meant && isResourceFamily(meant) ? meant : undefined;
  if (family && holdsEntriesOf(family, value)) {
    const isEntryToo = guessBodyKind(value) !== undefined;
    // `action_groups: {users: [a]}` is an action group of old, or a role mapping.
    if (isFamily(key)) return isEntryToo ? "either" : "section";
    if (!isEntryToo) return "section";
  }
  // A bare list is an action group of old, but under a family's key more likely a mistake.
  if (isFamily(key) && value.kind === "list") return undefined;
  // `roles: {users: }` is a role without fields, or a mapping without users: nothing of it says which.
  if (isFamily(key) && value.kind === "map" && value.entries.every((entry) => isNothing(entry.value))) return undefined;
  return guessEntryKind(value) !== undefined || isBareBody(value) ? "entry" : undefined;
}

function isNothing(value: MapEntry["value"]): boolean {
  return isNullNode(value) || (value.kind === "map" && value.entries.length === 0);
}

function holdsEntriesOf(family: Family, value: MapEntry["value"]): boolean {
  if (family === "config") return findMapEntry(value, "dynamic") !== undefined;
  if (family === "license") return (findMapEntry(value, "text") ?? findMapEntry(value, "file")) !== undefined;
  if (value.kind !== "map") return false;
  if (isSingleEntryFamily(family)) {
    if (value.entries.length === 0) return true;
    const body = findMapEntry(value, singleEntryName)?.value;
    return body?.kind === "map" && Object.keys(factsOf[family].fields).some((field) => findMapEntry(body, field));
  }
  if (family === "tenants" && value.entries.length > 0 && value.entries.every((entry) => isBareBody(entry.value))) {
    return true;
  }
  return value.entries.some((entry) => guessEntryKind(entry.value) === family);
}
