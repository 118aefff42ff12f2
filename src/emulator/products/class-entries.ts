// Entries as instances of classes, defaults and all: Search Guard 7 and OpenSearch.
import type { Contents, EntryModel, Flags, MetaModel, WriteSource } from "../product.ts";
import type { Reply } from "../reply.ts";
import type { StoredFamily } from "../state.ts";
import { type BindingFault, bindValue, type ClassMapper } from "../values/binding.ts";
import { type Bean, patchBase, showBean } from "../values/classes.ts";
import {
  type Content,
  type ContentChecks,
  explainContentRefusal,
  findBadMask,
  findNonObject,
  type KeyType,
} from "../values/content.ts";
import type { Tree } from "../values/tree.ts";

export interface ClassFacts {
  readonly beans: Beans;
  readonly contents: Contents;
  readonly checks: ContentChecks;
  readonly mapper: ClassMapper;
  /** Keys that an administrator may send besides. */
  readonly adminKeys: Readonly<Record<string, KeyType>>;
  /** A stored `false` survives a patch where its option starts as `true`. */
  readonly fixed: boolean;
  /** Elements of permissions must be objects before anything else is checked. */
  readonly looksForMasks: "in what it can" | "in every element";
  /** A null is stored: it is an instance of no class, and nothing checks that. */
  readonly storesNull: boolean;
  /** How a fault of the mapper is answered. */
  readonly failed: (fault: BindingFault, by: WriteSource) => Reply;
  readonly meta?: MetaModel;
}

export type Beans = Partial<Readonly<Record<StoredFamily, Bean>>>;

export const noContent: Content = { keys: {}, payload: true };
const noBean: Bean = { name: "", slots: {}, known: [] };

export function createClassEntries(facts: ClassFacts): EntryModel {
  const { contents, checks, mapper } = facts;
  const beanOf = (family: StoredFamily): Bean => facts.beans[family] ?? noBean;
  const read = (family: StoredFamily, value: Tree) =>
    value === null && facts.storesNull ? { tree: null } : bindValue(beanOf(family), value, mapper);
  return {
    contents,
    check: (value, { family, admin }) =>
      explainContentRefusal(value, contents[family] ?? noContent, checks, admin ? facts.adminKeys : {}) ??
      (family === "roles" ? findBadMasks(value, facts) : undefined),
    store: (value, by) => {
      const result = read(by.family, value);
      return "tree" in result ? result : { refusal: facts.failed(result.fault, by) };
    },
    load: (family, value) => {
      const result = read(family, value);
      return "tree" in result ? result.tree : undefined;
    },
    show: (family, tree) => showBean(beanOf(family), tree),
    patchBase: (family, tree) => patchBase(beanOf(family), tree, facts.fixed),
    flags: readFlags,
    ...(facts.meta && { meta: facts.meta }),
  };
}

/** What is wrong with the masking expressions of a role, or undefined. */
export function findBadMasks(
  role: Tree,
  { looksForMasks, checks }: Pick<ClassFacts, "looksForMasks" | "checks">,
): Reply | undefined {
  const list = role instanceof Map ? role.get("index_permissions") : undefined;
  for (const element of Array.isArray(list) ? list : []) {
    const refusal =
      element instanceof Map
        ? findBadMask(element.get("masked_fields"), checks)
        : looksForMasks === "in every element"
          ? findNonObject(element)
          : undefined;
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

export function readFlags(tree: Tree): Flags {
  const states = (flag: string): boolean => tree instanceof Map && tree.get(flag) === true;
  return { reserved: states("reserved"), hidden: states("hidden"), static: states("static") };
}

export const flagNames: readonly string[] = ["reserved", "hidden", "static"];

/** Flags that are down say nothing: a patch may carry them back as reads show them. */
export function omitLoweredFlags(tree: Tree): Tree {
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].filter(([name, value]) => value !== false || !flagNames.includes(name)));
}
