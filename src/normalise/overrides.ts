// `overrides:` of a state file: fields laid over entries that are declared elsewhere. What is laid over is the tree as it was
// written, before anything is checked: each value keeps its own place, and all checks are of what comes of it.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { copyPlace } from "../diagnostics/source.ts";
import { canonicaliseField } from "../families/canonical.ts";
import type { Field } from "../families/facts.ts";
import { factsOf, getNoun } from "../families/index.ts";
import { sixWordOf } from "../families/six-words.ts";
import { isEqual, type Value } from "../json/value.ts";
import { type Address, createAddress, isResourceFamily, type ResourceFamily } from "../model/names.ts";
import { findMapEntry, isNullNode, type MapEntry, type Node, toValue } from "../model/node.ts";
import type { Overridden, Repository, Section, StateDocument } from "../model/repository.ts";
import { type ConfigOverrides, layOverConfig } from "./config-overrides.ts";
import { getEntryRange } from "./entry-places.ts";
import {
  createConflictMessage,
  createIdleWarning,
  createMissingMessage,
  createNoListMessage,
  createNoMapMessage,
  createRemovalMessage,
  createShortFormMessage,
  createSignMessage,
  createSixWordMessage,
  createUndeclaredMessage,
} from "./override-messages.ts";

/** The fields of one entry, as one file lays them over. */
interface Override {
  readonly family: ResourceFamily;
  readonly entry: MapEntry;
}

/** What is laid over a value of a resource: with a sign before its name, some of a list. */
interface FieldOverride {
  readonly sign: "" | "+" | "-";
  readonly field: string;
  readonly entry: MapEntry;
}

/** The repository with all overrides laid over what they are about, and what is wrong with them. */
export function applyOverrides(repository: Repository): {
  readonly repository: Repository;
  readonly diagnostics: readonly Diagnostic[];
} {
  const overrides = repository.documents.flatMap(listOverrides);
  const ofConfig = repository.documents.flatMap((document) => findMapEntry(document.overrides, "config") ?? []);
  if (overrides.length === 0 && ofConfig.length === 0) return { repository, diagnostics: [] };
  const diagnostics: Diagnostic[] = [];
  const declared = listDeclared(repository);
  const touched = new Map<Address, Map<string, MapEntry>>();
  const replaced = new Map<MapEntry, MapEntry | undefined>();
  const overridden: Overridden[] = [];
  for (const { family, entry } of overrides) {
    const address = createAddress(family, entry.key);
    const base = declared.get(family)?.get(entry.key);
    if (!base) {
      diagnostics.push(
        createUndeclaredMessage(
          family,
          entry,
          diagnostics.length < mostSuggested ? [...(declared.get(family)?.keys() ?? [])] : [],
        ),
      );
      continue;
    }
    if (entry.value.kind !== "map") {
      diagnostics.push(createNoMapMessage(family, entry));
      continue;
    }
    const fields = entry.value.entries.map(parseField);
    // `READ: [a, b]`: of what it is short for nothing would be left.
    if (base.value.kind !== "map" && !isNullNode(base.value) && !fields.some(isRemoval)) {
      diagnostics.push(createShortFormMessage(family, entry, base));
      continue;
    }
    const known = touched.get(address) ?? new Map<string, MapEntry>();
    touched.set(address, known);
    const conflicts = findConflicts(known, fields, entry);
    diagnostics.push(...conflicts);
    if (conflicts.length > 0) continue;
    const laid = layOver(family, replaced.has(base) ? (replaced.get(base) ?? base) : base, fields, diagnostics);
    replaced.set(
      base,
      laid && {
        ...laid,
        keyRange: { ...laid.keyRange, overriddenAt: [...(laid.keyRange.overriddenAt ?? []), entry.keyRange] },
      },
    );
    overridden.push({ base: getEntryRange(base), by: getEntryRange(entry) });
  }
  const config = layOverConfig(repository, ofConfig);
  diagnostics.push(...config.diagnostics);
  const documents = repository.documents.map((document) => replaceIn(document, replaced, config));
  return { repository: { ...repository, documents, overridden: [...overridden, ...config.overridden] }, diagnostics };
}

/** A file of overrides that meets another repository than it is for has thousands of wrong names. */
const mostSuggested = 50;

function listOverrides({ overrides }: StateDocument): readonly Override[] {
  if (overrides?.kind !== "map") return [];
  return overrides.entries.flatMap(({ key, value }) =>
    isResourceFamily(key) && value.kind === "map" ? value.entries.map((entry) => ({ family: key, entry })) : [],
  );
}

/** The first entry of each name. */
function listDeclared({ documents }: Repository): ReadonlyMap<ResourceFamily, ReadonlyMap<string, MapEntry>> {
  const declared = new Map<ResourceFamily, Map<string, MapEntry>>();
  for (const { family, entries } of documents.flatMap(({ sections }) => sections)) {
    if (!isResourceFamily(family)) continue;
    const known = declared.get(family) ?? new Map<string, MapEntry>();
    declared.set(family, known);
    for (const entry of entries) if (!known.has(entry.key)) known.set(entry.key, entry);
  }
  return declared;
}

function parseField(entry: MapEntry): FieldOverride {
  const [, sign = "", field = ""] = /^([+-]?)(.*)$/s.exec(entry.key) ?? [];
  return { sign: sign as FieldOverride["sign"], field, entry };
}

const removal = "remove";

function isRemoval({ sign, field }: FieldOverride): boolean {
  return sign === "" && field === removal;
}

/** Of one field one entry decides; `+` and `-` of it stand beside each other. */
function findConflicts(
  known: Map<string, MapEntry>,
  fields: readonly FieldOverride[],
  entry: MapEntry,
): readonly Diagnostic[] {
  const removes = fields.find(isRemoval);
  const replaces = new Set(fields.flatMap(({ sign, field }) => (sign === "" ? [field] : [])));
  const within = fields.flatMap((one) =>
    (removes && fields.length > 1 && !isRemoval(one)) || (one.sign !== "" && replaces.has(one.field))
      ? [createConflictMessage(one.entry, findMapEntry(entry.value, removes ? removal : one.field) ?? entry)]
      : [],
  );
  const earlier = fields.flatMap((one) => {
    const other = known.get(removal) ?? known.get(one.field) ?? (isRemoval(one) ? [...known.values()][0] : undefined);
    return other ? [createConflictMessage(one.entry, other)] : [];
  });
  for (const one of fields) known.set(one.field, one.entry);
  return [...within, ...earlier];
}

function layOver(
  family: ResourceFamily,
  base: MapEntry,
  fields: readonly FieldOverride[],
  diagnostics: Diagnostic[],
): MapEntry | undefined {
  const removes = fields.find(isRemoval);
  if (removes) {
    if (toValue(removes.entry.value) === true) return undefined;
    diagnostics.push(createRemovalMessage(removes.entry));
    return base;
  }
  let entries = base.value.kind === "map" ? base.value.entries : [];
  for (const one of fields) {
    const six = Object.hasOwn(sixWordOf, one.field) && findMapEntry(base.value, sixWordOf[one.field] ?? "");
    if (six && one.field !== "reserved") {
      diagnostics.push(createSixWordMessage(one.entry, one.field, six));
      continue;
    }
    const at = entries.findIndex(({ key }) => key === one.field);
    const old = entries[at];
    const value = layOverField(family, base, old, one, diagnostics);
    if (!value) continue;
    const laid: MapEntry = {
      key: one.field,
      keyRange: one.sign === "" || !old ? one.entry.keyRange : old.keyRange,
      value,
    };
    entries = at === -1 ? [...entries, laid] : entries.with(at, laid);
  }
  return { ...base, value: { ...copyPlace(base.value), kind: "map", entries } };
}

/** The value that the field ends up with; undefined where it stays. */
function layOverField(
  family: ResourceFamily,
  base: MapEntry,
  old: MapEntry | undefined,
  { sign, field, entry }: FieldOverride,
  diagnostics: Diagnostic[],
): Node | undefined {
  const facts = Object.hasOwn(factsOf[family].fields, field) ? factsOf[family].fields[field] : undefined;
  const subject = `${field} of the ${getNoun(family)} ${JSON.stringify(base.key)}`;
  if (sign === "") {
    if (facts && isSame(old?.value, entry.value, facts))
      diagnostics.push(createIdleWarning(entry, `${subject} is so already`, old ?? base));
    return entry.value;
  }
  if (facts?.kind !== "set" && facts?.kind !== "permissions") {
    diagnostics.push(createSignMessage(entry, field, family));
    return undefined;
  }
  if (entry.value.kind !== "list") {
    diagnostics.push(createNoListMessage(entry));
    return undefined;
  }
  const items = listItems(old?.value);
  const place = old?.value ?? entry.value;
  const list = (found: readonly Node[]): Node => ({
    ...copyPlace(place),
    kind: "list",
    items: found,
  });
  const isItem = (one: Node) => (other: Node) => isSameItem(one, other, facts);
  if (sign === "+") {
    for (const item of entry.value.items) {
      const there = items.find(isItem(item));
      if (there) diagnostics.push(createIdleWarning(item, `This is in ${subject} already`, there));
    }
    return list([...items, ...entry.value.items]);
  }
  for (const item of entry.value.items)
    if (!items.some(isItem(item))) diagnostics.push(createMissingMessage(item, items, subject, facts));
  const gone = entry.value.items;
  return list(items.filter((item) => !gone.some(isItem(item))));
}

/** A single value is a list of one, as old loaders have it. */
function listItems(value: Node | undefined): readonly Node[] {
  if (value === undefined || isNullNode(value)) return [];
  return value.kind === "list" ? value.items : [value];
}

/** @param one absent: it has its default */
function isSame(one: Node | undefined, other: Node, facts: Field): boolean {
  return isEqual(one && canonicaliseField(toValue(one), facts), canonicaliseField(toValue(other), facts));
}

function isSameItem(one: Node, other: Node, facts: Field): boolean {
  const alone = (node: Node): Value | undefined => canonicaliseField([toValue(node)], facts);
  return isEqual(alone(one), alone(other));
}

/** The document with other entries in the place of some; those without are taken out. */
function replaceIn(
  document: StateDocument,
  entries: ReadonlyMap<MapEntry, MapEntry | undefined>,
  { replaced: configs, overriddenAt }: ConfigOverrides,
): StateDocument {
  const isTouched = document.sections.some(
    (section) => configs.has(section.node) || section.entries.some((entry) => entries.has(entry)),
  );
  if (!isTouched) return document;
  const listNew = (some: readonly MapEntry[]): readonly MapEntry[] =>
    some.flatMap((entry) => (entries.has(entry) ? (entries.get(entry) ?? []) : [entry]));
  const makeNew = (node: Node): Node =>
    configs.get(node) ?? (node.kind === "map" ? { ...node, entries: listNew(node.entries) } : node);
  const sectionNodes = new Set(document.sections.map(({ node }) => node));
  const { sections: _, ...old } = document;
  const root =
    document.form === "by-family" && document.root.kind === "map"
      ? {
          ...document.root,
          entries: document.root.entries.map((entry) =>
            sectionNodes.has(entry.value) ? { ...entry, value: makeNew(entry.value) } : entry,
          ),
        }
      : makeNew(document.root);
  const whole = { ...old, root };
  const sections = document.sections.map(
    (section): Section => ({
      ...section,
      document: whole,
      node: makeNew(section.node),
      entries: listNew(section.entries),
      ...(configs.has(section.node) && { range: { ...section.range, overriddenAt } }),
    }),
  );
  return { ...whole, sections };
}
