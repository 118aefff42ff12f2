// Entries as instances of classes, defaults and all: Search Guard 7 and OpenSearch.
import type { ResourceFamily } from "../../model/names.ts";
import type { EntryModel, FamilyBodyRules, Flags, MetaModel, WriteSource } from "../product.ts";
import type { Reply } from "../reply.ts";
import { type BindingFault, bindValue, type ClassMapper } from "../values/binding.ts";
import {
  type BodyChecks,
  type BodyRules,
  explainBodyRefusal,
  findBadMask,
  type KeyType,
  refuseNonObject,
} from "../values/body-rules.ts";
import { type ClassProperty, patchBase, type ServerClass, showInstance } from "../values/classes.ts";
import { getList, getMember, type Tree } from "../values/tree.ts";

export interface ClassFacts {
  readonly classes: EntryClasses;
  readonly bodyRules: FamilyBodyRules;
  readonly checks: BodyChecks;
  readonly mapper: ClassMapper;
  /** Keys that an administrator may send besides, where the class has them. */
  readonly adminKeys: Readonly<Record<string, KeyType>>;
  /** A stored `false` survives a patch where its option starts as `true`. */
  readonly keepsFalse: boolean;
  /** Elements of permissions must be objects before anything else is checked. */
  readonly looksForMasks: "in what it can" | "in every element";
  /** A null is stored: it is an instance of no class, and nothing checks that. */
  readonly storesNull: boolean;
  /** How a fault of the mapper is answered. */
  readonly failed: (fault: BindingFault, by: WriteSource) => Reply;
  readonly meta?: MetaModel;
}

export type EntryClasses = Partial<Readonly<Record<ResourceFamily, ServerClass>>>;

export const flagNames: readonly string[] = ["reserved", "hidden", "static"];

export const noBodyRules: BodyRules = { keys: {}, payload: true };
export const emptyClass: ServerClass = { name: "", properties: {}, known: [] };

/** What a body may have at its top: all that the class knows, but for the flags. */
export function listKeys({ properties }: ServerClass): Readonly<Record<string, KeyType>> {
  const keys = Object.entries(properties).filter(([name]) => !flagNames.includes(name));
  return Object.fromEntries(keys.map(([name, property]) => [name, keyTypeOf(property)]));
}

function keyTypeOf(property: ClassProperty): KeyType {
  switch (property.kind) {
    case "text":
    case "word":
    case "secret":
      return "String";
    case "texts":
      return property.orText ? "String or Array" : "Array";
    case "list":
      return "Array";
    default:
      return "Any";
  }
}

export function createInstanceEntries(facts: ClassFacts): EntryModel {
  const { bodyRules, checks, mapper } = facts;
  const classOfFamily = (family: ResourceFamily): ServerClass => facts.classes[family] ?? emptyClass;
  const read = (family: ResourceFamily, value: Tree) =>
    value === null && facts.storesNull ? { tree: null } : bindValue(classOfFamily(family), value, mapper);
  const keysOfAdmin = (family: ResourceFamily) => {
    const { properties } = classOfFamily(family);
    return Object.fromEntries(Object.entries(facts.adminKeys).filter(([key]) => Object.hasOwn(properties, key)));
  };
  return {
    bodyRules,
    check: (value, { family, admin }) =>
      explainBodyRefusal(value, bodyRules[family] ?? noBodyRules, checks, admin ? keysOfAdmin(family) : {}) ??
      (family === "roles" ? findBadMasks(value, checks, facts.looksForMasks) : undefined),
    store: (value, by) => {
      const result = read(by.family, value);
      return "tree" in result ? result : { refusal: facts.failed(result.fault, by) };
    },
    load: (family, value) => {
      const result = read(family, value);
      return "tree" in result ? result.tree : undefined;
    },
    show: (family, tree) => showInstance(classOfFamily(family), tree),
    patchBase: (family, tree) => patchBase(classOfFamily(family), tree, facts.keepsFalse),
    flags: readFlags,
    ...(facts.meta && { meta: facts.meta }),
  };
}

/** What is wrong with the masking expressions of a role, or undefined. */
export function findBadMasks(
  role: Tree,
  checks: BodyChecks,
  looksForMasks: ClassFacts["looksForMasks"],
): Reply | undefined {
  for (const element of getList(role, "index_permissions")) {
    const refusal =
      element instanceof Map
        ? findBadMask(element.get("masked_fields"), checks)
        : looksForMasks === "in every element"
          ? refuseNonObject(element)
          : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function readFlags(tree: Tree): Flags {
  const states = (flag: string): boolean => getMember(tree, flag) === true;
  return { reserved: states("reserved"), hidden: states("hidden"), static: states("static") };
}

/** Flags that are down say nothing: a patch may carry them back as reads show them. */
export function omitLoweredFlags(tree: Tree): Tree {
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].filter(([name, value]) => value !== false || !flagNames.includes(name)));
}
