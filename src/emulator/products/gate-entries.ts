// Entries as the documentation shows them: kept as they were written, once it was looked whether they can be read.
import type { Dialect } from "../../dialects/dialect.ts";
import type { Field } from "../../families/facts.ts";
import { factsOf } from "../../families/index.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { EntryModel } from "../product.ts";
import { createEngineFailure } from "../reply.ts";
import type { StoredEntries, StoredFamily } from "../state.ts";
import { bindValue, searchGuardMapper } from "../values/binding.ts";
import type { Bean, BeanSlot } from "../values/classes.ts";
import { type Content, explainContentRefusal, type KeyType, searchGuardChecks } from "../values/content.ts";
import type { PatchStep } from "../values/patch.ts";
import type { Tree } from "../values/tree.ts";
import { findBadMasks, flagNames, noContent, omitLoweredFlags, readFlags } from "./class-entries.ts";
import { createBean, free, textSlot, textsSlot } from "./slots.ts";

/** Sections 2.2 and 2.3 list the flags for these two only; of the others a flag is shown where it is up. */
const showsFlags: ReadonlySet<StoredFamily> = new Set(["roles", "tenants"]);

/** Families whose reads show an empty list where nothing is stored. */
const fillsLists: ReadonlySet<StoredFamily> = new Set(["roles", "role_mappings", "action_groups"]);

/** Fields by their names on the wire. */
type FieldTable = ReadonlyMap<string, Field>;

export function createGateEntries(dialect: Dialect): EntryModel {
  const { list, bare } = dialect.actionGroup;
  const tables = new Map<StoredFamily, FieldTable>(
    resourceFamilies.map((family) => [family, tableOf(family, dialect)] as const),
  );
  const tableFor = (family: StoredFamily): FieldTable => tables.get(family) ?? new Map();
  const contents = Object.fromEntries(
    [...tables].map(([family, table]) => [family, contentOf(family, table, dialect)]),
  );
  const unflagged = (value: Tree, writeKind: string): Tree => (writeKind === "PUT" ? value : omitLoweredFlags(value));
  const shown = (family: StoredFamily, tree: Tree): Tree => showEntry(family, tree, tableFor(family));
  const group = (tree: Tree): Tree => (tree instanceof Map ? tree.get(list) : undefined) ?? [];
  return {
    contents,
    check: (value, { family, writeKind }, before) => {
      const tree = unflagged(value, writeKind);
      const content: Content = contents[family] ?? noContent;
      const newer = [...listNewerNames(before, tableFor(family)).top].map((name): [string, KeyType] => [name, "Any"]);
      return (
        explainContentRefusal(tree, content, searchGuardChecks, Object.fromEntries(newer)) ??
        (family === "roles"
          ? findBadMasks(tree, { looksForMasks: "in what it can", checks: searchGuardChecks })
          : undefined)
      );
    },
    // Below the keys nothing is checked: what the server's own types cannot hold makes it fail as a bug would.
    store: (value, { family, writeKind }, before) => {
      const tree = unflagged(value, writeKind);
      const read = bindValue(classOf(family, tableFor(family), before), tree, searchGuardMapper);
      if ("tree" in read) return { tree: keptFields(tree, tableFor(family)) };
      return { refusal: createEngineFailure(500, read.fault.type, read.fault.text(searchGuardMapper.nowhere)) };
    },
    load: (family, value) => {
      const tree = family === "action_groups" ? asGroup(value, list) : value;
      return tree instanceof Map ? tree : undefined;
    },
    show: (family, tree) => {
      const entry = shown(family, tree);
      // In 6.x a group is its list alone, unless there is more to say about it.
      const isList = bare && family === "action_groups" && entry instanceof Map && entry.size === 1;
      return isList ? group(entry) : entry;
    },
    // Sections 2, 2.4 and 2.5.
    showSingle: (family, name, tree) => {
      const entry = shown(family, tree);
      if (family === "blocks") return new Map([["block", entry]]);
      if (family === "action_groups") return new Map([[bare ? name : list, group(entry)]]);
      return new Map([[name, entry]]);
    },
    patchBase: shown,
    flags: readFlags,
  };
}

function tableOf(family: ResourceFamily, { actionGroup, documentTypes }: Dialect): FieldTable {
  return new Map(
    Object.entries(factsOf[family].fields).map(([name, field]) => {
      const { document_types: types, ...element } = field.element ?? {};
      const known = { ...field, ...(field.element && { element: documentTypes ? field.element : element }) };
      return [family === "action_groups" && name === "allowed_actions" ? actionGroup.list : name, known];
    }),
  );
}

function elementsOf(field: Field): FieldTable {
  return new Map(Object.entries(field.element ?? {}));
}

/** Section 4.3: what a PUT must have. */
function contentOf(family: StoredFamily, table: FieldTable, { actionGroup, mappingLists }: Dialect): Content {
  const keys = [...table].map(([name, field]): [string, KeyType] => [name, typeOf(family, field)]);
  return {
    keys: Object.fromEntries(keys),
    ...(family === "action_groups" && { mandatory: actionGroup.list }),
    ...(family === "role_mappings" && { oneOf: mappingLists }),
    payload: family !== "tenants",
  };
}

/** The value of a block is documented as one string (section 2.5); real servers take a list. */
function typeOf(family: StoredFamily, { kind }: Field): KeyType {
  if (kind === "text" || kind === "word") return "String";
  return family === "blocks" ? "String or Array" : "Array";
}

/**
 * Names that entries have and the tables lack: a server knows the fields of what it holds, so a newer one can be
 * emulated by loading a state that has them. Found once for all entries, not for each that is written.
 */
interface NewerNames {
  readonly top: ReadonlySet<string>;
  /** Of the objects in each list of permissions, by the name of the list. */
  readonly inside: ReadonlyMap<string, ReadonlySet<string>>;
}

function listNewerNames(entries: StoredEntries, table: FieldTable): NewerNames {
  const found = known.get(entries) ?? findNewerNames([...entries.values()], table);
  known.set(entries, found);
  return found;
}

const known = new WeakMap<StoredEntries, NewerNames>();

function findNewerNames(entries: readonly Tree[], table: FieldTable): NewerNames {
  const inside = [...table].flatMap(([name, field]): [string, ReadonlySet<string>][] => {
    const lists = entries.map((entry) => (entry instanceof Map ? entry.get(name) : undefined));
    const elements = lists.flatMap((list) => (Array.isArray(list) ? list : []));
    return field.kind === "permissions" ? [[name, unknownNames(elements, elementsOf(field))]] : [];
  });
  return { top: unknownNames(entries, table), inside: new Map(inside) };
}

function unknownNames(trees: readonly Tree[], table: FieldTable): ReadonlySet<string> {
  const names = new Set(trees.flatMap((tree) => (tree instanceof Map ? [...tree.keys()] : [])));
  return new Set([...names].filter((name) => !table.has(name) && !flagNames.includes(name)));
}

/** The class that an entry is read into. */
function classOf(family: StoredFamily, table: FieldTable, before: StoredEntries): Bean {
  const newer = listNewerNames(before, table);
  const slots = [...table].map(([name, field]): [string, BeanSlot] => [
    name,
    field.kind === "permissions"
      ? { kind: "list", of: withFree(`${family}.${name}`, elementsOf(field), newer.inside.get(name)) }
      : slotOf(family, name, field),
  ]);
  return createBean(family, { ...Object.fromEntries(slots), ...freeSlots(newer.top) });
}

function withFree(name: string, table: FieldTable, newer: Iterable<string> = []): Bean {
  const slots = [...table].map(([field, { kind }]) => [field, kind === "set" ? textsSlot : textSlot] as const);
  return createBean(name, { ...Object.fromEntries(slots), ...freeSlots(newer) });
}

function freeSlots(names: Iterable<string>): Readonly<Record<string, BeanSlot>> {
  return Object.fromEntries([...names].map((name) => [name, free]));
}

const words: Readonly<Record<string, readonly string[]>> = {
  type: ["ip", "name", "net_mask"],
  verdict: ["allow", "disallow"],
};

function slotOf(family: StoredFamily, name: string, { kind }: Field): BeanSlot {
  if (family !== "blocks") return kind === "set" ? textsSlot : textSlot;
  if (kind === "word") return { kind: "word", name: `${family}.${name}`, of: words[name] ?? [] };
  return kind === "set" ? free : textSlot;
}

/** An entry as it is kept: scalars turned into text, fields that are null gone. */
function keptFields(tree: Tree, table: FieldTable): Tree {
  if (!(tree instanceof Map)) return tree;
  const kept = [...tree].flatMap(([name, value]): [string, Tree][] => {
    const field = table.get(name);
    if (field === undefined) return [[name, value]];
    return value === null ? [] : [[name, keptValue(value, field)]];
  });
  return new Map(kept);
}

function keptValue(value: Tree, field: Field): Tree {
  if (!Array.isArray(value)) return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (field.kind === "permissions") return value.map((item) => keptFields(item, elementsOf(field)));
  return value.map((item) => (item === null ? null : String(item)));
}

/** An entry with its defaults: what GET of its family shows, and what a patch is applied to. */
function showEntry(family: StoredFamily, tree: Tree, table: FieldTable): Tree {
  if (!(tree instanceof Map)) return tree;
  const flags = flagNames.flatMap((flag): [string, Tree][] => {
    const isUp = tree.get(flag) === true;
    return isUp || showsFlags.has(family) ? [[flag, isUp]] : [];
  });
  const fields = fillsLists.has(family) ? filled(tree, table) : [...tree];
  return new Map([...flags, ...fields.filter(([name, value]) => value !== null && !flagNames.includes(name))]);
}

/** Documented lists that are not stored are shown empty; texts that are not stored are not shown. */
function filled(tree: ReadonlyMap<string, Tree>, table: FieldTable): [string, Tree][] {
  const fields = [...table].flatMap(([name, field]): [string, Tree][] => {
    const isList = field.kind === "set" || field.kind === "permissions";
    const value = tree.get(name) ?? (field.documented && isList ? [] : undefined);
    if (value === undefined) return [];
    if (field.kind !== "permissions" || !Array.isArray(value)) return [[name, value]];
    return [[name, value.map((item) => filledElement(item, elementsOf(field)))]];
  });
  return [...fields, ...[...tree].filter(([name]) => !table.has(name))];
}

function filledElement(item: Tree, table: FieldTable): Tree {
  return item instanceof Map ? new Map(filled(item, table).filter(([, value]) => value !== null)) : item;
}

/** A group in the one form that the release stores, whatever form it came in. */
function asGroup(value: Tree, list: string): Tree {
  if (Array.isArray(value)) return new Map([[list, value]]);
  const other = list === "permissions" ? "allowed_actions" : "permissions";
  if (!(value instanceof Map) || !value.has(other) || value.has(list)) return value;
  return new Map([...value].map(([field, item]) => [field === other ? list : field, item]));
}

/**
 * Two forms of section 4.3: in 6.x a group is a bare list; in 7.x adding `/<name>/allowed_actions` makes the group.
 * Real servers know neither, so both are understood everywhere and turned into theirs.
 */
export function convertGroupStep(step: PatchStep, root: Tree, list: string): PatchStep {
  const [name = "", field] = step.path;
  const value = new Map([[list, step.value]]);
  if (step.path.length === 1 && Array.isArray(step.value)) return { ...step, value };
  const creates = step.op === "add" && step.path.length === 2 && field === list;
  return creates && root instanceof Map && !root.has(name) ? { ...step, path: [name], value } : step;
}
