import type { Tree } from "./tree.ts";

/** One property of a class of the server, with its value where it was never set. */
export type BeanSlot =
  | { readonly kind: "text"; readonly initial?: string }
  | { readonly kind: "flag"; readonly initial?: boolean }
  | { readonly kind: "number"; readonly initial?: number }
  /** One of a few words, known to complaints by the name of its class. */
  | { readonly kind: "word"; readonly name: string; readonly of: readonly string[] }
  | { readonly kind: "texts"; readonly initial?: readonly string[] | null }
  | { readonly kind: "list"; readonly of: Bean }
  | { readonly kind: "bean"; readonly of: Bean }
  /** Names that the user chose, in a class of its own. */
  | { readonly kind: "named"; readonly name: string; readonly of: Bean }
  /** Shown as an empty text. */
  | { readonly kind: "secret" }
  /** Settings that the server does not look into. */
  | { readonly kind: "free" };

/** A class that the server reads entries into, with its properties in the order in which it prints them. */
export interface Bean {
  readonly name: string;
  readonly slots: Readonly<Record<string, BeanSlot>>;
  /** The order in which complaints list the properties. */
  readonly known: readonly string[];
  /** Properties of former releases that are read over. */
  readonly ignored?: readonly string[];
}

export function findSlot(bean: Bean, name: string): BeanSlot | undefined {
  return Object.hasOwn(bean.slots, name) ? bean.slots[name] : undefined;
}

/** What a property holds until it is set. */
export function getInitialValue(slot: BeanSlot): Tree {
  switch (slot.kind) {
    case "text":
      return slot.initial ?? null;
    case "word":
      return null;
    case "flag":
      return slot.initial ?? false;
    case "number":
      return slot.initial ?? 0;
    case "texts":
      return slot.initial === null ? null : [...(slot.initial ?? [])];
    case "list":
      return [];
    case "secret":
      return "";
    case "bean":
      return createFreshBean(slot.of);
    default:
      return new Map();
  }
}

export function createFreshBean(bean: Bean): Tree {
  return new Map(Object.entries(bean.slots).map(([name, slot]) => [name, getInitialValue(slot)]));
}

/** As GET shows it: everything but what is null. */
export function showBean(bean: Bean, tree: Tree): Tree {
  return eachSlot(bean, tree, (slot, value) => (value === null ? undefined : inside(slot, value, showBean)));
}

/**
 * What a patch is applied to. A value equal to the default of its type (null, false, 0, "", empty) is left out,
 * whatever the class starts with: a stored `false` of an option that starts as `true` is lost on the way back. Fixed
 * servers keep such a `false`.
 */
export function patchBase(bean: Bean, tree: Tree, fixed: boolean): Tree {
  const nested = (of: Bean, value: Tree): Tree => patchBase(of, value, fixed);
  return eachSlot(bean, tree, (slot, value) => {
    if (fixed && slot.kind === "flag" && slot.initial === true) return value;
    const empty = slot.kind === "bean" || slot.kind === "named" ? false : isTypeDefault(value);
    return empty ? undefined : inside(slot, value, nested);
  });
}

function isTypeDefault(value: Tree): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return value === null || value === false || value === 0 || value === "";
}

function eachSlot(bean: Bean, tree: Tree, kept: (slot: BeanSlot, value: Tree) => Tree | undefined): Tree {
  if (!(tree instanceof Map)) return tree;
  const result = new Map<string, Tree>();
  for (const [name, slot] of Object.entries(bean.slots)) {
    const value = kept(slot, tree.get(name) ?? null);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

function inside(slot: BeanSlot, value: Tree, of: (bean: Bean, tree: Tree) => Tree): Tree {
  if (slot.kind === "secret") return "";
  if (slot.kind === "bean") return of(slot.of, value);
  if (slot.kind === "list" && Array.isArray(value)) return value.map((item) => of(slot.of, item));
  if (slot.kind === "named" && value instanceof Map) {
    return new Map([...value].map(([name, item]) => [name, of(slot.of, item)]));
  }
  return value;
}
