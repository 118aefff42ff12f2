// Entries as the documentation shows them: kept as they were written, once it was looked whether they can be read.
import type { Dialect } from "../../dialects/dialect.ts";
import type { Field } from "../../families/facts.ts";
import { factsOf } from "../../families/index.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { EntryModel, WriteSource } from "../product.ts";
import { createEngineFailure } from "../reply.ts";
import type { StoredEntries } from "../state.ts";
import { bindValue, searchGuardMapper } from "../values/binding.ts";
import { type BodyRules, explainBodyRefusal, searchGuardChecks } from "../values/body-rules.ts";
import { type ClassProperty, getInitialValue, type ServerClass } from "../values/classes.ts";
import type { PatchStep } from "../values/patch.ts";
import { getList, getMember, type Tree } from "../values/tree.ts";
import { emptyClass, findBadMasks, flagNames, listKeys, omitLoweredFlags, readFlags } from "./instance-entries.ts";
import { createClass, freeProperty, textProperty } from "./properties.ts";

/** Sections 2.2 and 2.3 list the flags for these two only; of the others a flag is shown where it is up. */
const showsFlags: ReadonlySet<ResourceFamily> = new Set(["roles", "tenants"]);

/** Families whose reads show an empty list where nothing is stored. */
const fillsLists: ReadonlySet<ResourceFamily> = new Set(["roles", "role_mappings", "action_groups"]);

export function createGateEntries(dialect: Dialect): EntryModel {
  const { list, bare } = dialect.actionGroup;
  const families = resourceFamilies.map((family) => {
    const known = classOf(family, dialect);
    // Once for all entries, not for each that is written.
    const extend = memoiseByObject((entries: StoredEntries) => extendClass(known, [...entries.values()]));
    return [family, { known, extend }] as const;
  });
  const classes: Partial<Record<ResourceFamily, (typeof families)[number][1]>> = Object.fromEntries(families);
  const classAmong = (family: ResourceFamily, before: StoredEntries) => classes[family]?.extend(before) ?? emptyClass;
  const unflagged = (value: Tree, { writeKind }: WriteSource): Tree =>
    writeKind === "PUT" ? value : omitLoweredFlags(value);
  const shown = (family: ResourceFamily, tree: Tree): Tree =>
    showEntry(family, tree, classes[family]?.known ?? emptyClass);
  const group = (tree: Tree): Tree => getMember(tree, list) ?? [];
  return {
    bodyRules: Object.fromEntries(families.map(([family, { known }]) => [family, bodyRulesOf(family, known, dialect)])),
    check: (value, by, before) => {
      const tree = unflagged(value, by);
      const content = bodyRulesOf(by.family, classAmong(by.family, before), dialect);
      return (
        explainBodyRefusal(tree, content, searchGuardChecks) ??
        (by.family === "roles" ? findBadMasks(tree, searchGuardChecks, "in what it can") : undefined)
      );
    },
    // Below the keys nothing is checked: what the server's own types cannot hold makes it fail as a bug would.
    store: (value, by, before) => {
      const tree = unflagged(value, by);
      const read = bindValue(classAmong(by.family, before), tree, searchGuardMapper);
      if ("tree" in read) return { tree: omitDefaults(read.tree, tree) };
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

/** The class that an entry is read into, by the facts of its family. */
function classOf(family: ResourceFamily, { actionGroup, documentTypes }: Dialect): ServerClass {
  const properties = Object.entries(factsOf[family].fields).map(([name, field]) => [
    family === "action_groups" && name === "allowed_actions" ? actionGroup.list : name,
    propertyOf(`${family}.${name}`, field, documentTypes),
  ]);
  return createClass(family, Object.fromEntries(properties));
}

const words: Readonly<Record<string, readonly string[]>> = {
  "blocks.type": ["ip", "name", "net_mask"],
  "blocks.verdict": ["allow", "disallow"],
};

/** Lists that are not documented are not shown where nothing is stored. */
function propertyOf(name: string, { kind, element = {}, documented }: Field, documentTypes: boolean): ClassProperty {
  // Documented as one string (section 2.5); real servers take a list.
  if (name === "blocks.value") return { kind: "texts", orText: true };
  const initial = documented ? {} : { initial: null };
  const of = words[name];
  if (of !== undefined) return { kind: "word", name, of };
  if (kind === "set") return { kind: "texts", ...initial };
  if (kind !== "permissions") return textProperty;
  const inner = Object.entries(element)
    .filter(([field]) => field !== "document_types" || documentTypes)
    .map(([field, facts]) => [field, propertyOf(`${name}.${field}`, facts, documentTypes)]);
  return { kind: "list", of: createClass(name, Object.fromEntries(inner)), ...initial };
}

/**
 * The class with the names that entries have and it lacks: a server knows the fields of what it holds, so a newer one
 * can be emulated by loading a state that has them.
 */
function extendClass({ name, properties }: ServerClass, entries: readonly Tree[]): ServerClass {
  const known = Object.entries(properties).map(([field, property]): [string, ClassProperty] => {
    if (property.kind !== "list") return [field, property];
    const elements = entries.flatMap((entry) => getList(entry, field));
    return [field, { ...property, of: extendClass(property.of, elements) }];
  });
  const names = new Set(entries.flatMap((entry) => (entry instanceof Map ? [...entry.keys()] : [])));
  const newer = [...names].filter((field) => !Object.hasOwn(properties, field) && !flagNames.includes(field));
  return createClass(name, Object.fromEntries([...known, ...newer.map((field) => [field, freeProperty] as const)]));
}

/** Section 4.3: what a PUT must have. */
function bodyRulesOf(family: ResourceFamily, known: ServerClass, { actionGroup, mappingLists }: Dialect): BodyRules {
  return {
    keys: listKeys(known),
    ...(family === "action_groups" && { mandatory: actionGroup.list }),
    ...(family === "role_mappings" && { oneOf: mappingLists }),
    payload: family !== "tenants",
  };
}

/** Of an instance what was given: scalars turned into text, fields that are null gone. */
function omitDefaults(instance: Tree, given: Tree): Tree {
  if (instance === given) return given;
  if (Array.isArray(instance)) {
    return Array.isArray(given) ? instance.map((item, at) => omitDefaults(item, given[at] ?? null)) : instance;
  }
  if (!(instance instanceof Map) || !(given instanceof Map)) return instance;
  const kept = [...given].filter(([, value]) => value !== null);
  return new Map(kept.map(([name, value]) => [name, omitDefaults(instance.get(name) ?? null, value)]));
}

/** An entry with its defaults: what GET of its family shows, and what a patch is applied to. */
function showEntry(family: ResourceFamily, tree: Tree, known: ServerClass): Tree {
  if (!(tree instanceof Map)) return tree;
  const flags = flagNames.flatMap((flag): [string, Tree][] => {
    const isUp = tree.get(flag) === true;
    return isUp || showsFlags.has(family) ? [[flag, isUp]] : [];
  });
  const fields = fillsLists.has(family) ? fillDefaults(tree, known) : tree;
  return new Map([...flags, ...[...fields].filter(([name, value]) => value !== null && !flagNames.includes(name))]);
}

/** Documented lists that are not stored are shown empty; texts that are not stored are not shown. */
function fillDefaults(tree: ReadonlyMap<string, Tree>, { properties }: ServerClass): Map<string, Tree> {
  const fields = Object.entries(properties).map(([name, property]): [string, Tree] => {
    const value = tree.get(name) ?? getInitialValue(property);
    if (property.kind !== "list" || !Array.isArray(value)) return [name, value];
    return [name, value.map((item) => (item instanceof Map ? fillDefaults(item, property.of) : item))];
  });
  const others = [...tree].filter(([name]) => !Object.hasOwn(properties, name));
  return new Map([...fields, ...others].filter(([, value]) => value !== null));
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
