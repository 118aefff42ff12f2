import type { Tree } from "./tree.ts";

/** One property of a class of the server, with its value where it was never set. */
export type ClassProperty =
  | { readonly kind: "text"; readonly initial?: string }
  | { readonly kind: "flag"; readonly initial?: boolean }
  /** `most`: a larger number is held as this one. */
  | { readonly kind: "number"; readonly initial?: number; readonly most?: number }
  /** One of a few words, known to complaints by the name of its class. */
  | { readonly kind: "word"; readonly name: string; readonly of: readonly string[] }
  /** `orText`: one text is taken as well as a list; `hidesEmpty`: shown unless it is empty. */
  | {
      readonly kind: "texts";
      readonly initial?: readonly string[] | null;
      readonly orText?: true;
      readonly hidesEmpty?: true;
    }
  /** Some of a few words, in upper or lower case. */
  | {
      readonly kind: "words";
      readonly name: string;
      readonly of: readonly string[];
      readonly initial: readonly string[];
    }
  | { readonly kind: "list"; readonly of: ServerClass; readonly initial?: null }
  /** Lists by names that the user chose: of texts, or of some of a few words. */
  | { readonly kind: "lists"; readonly name: string; readonly of?: readonly string[]; readonly hidesEmpty?: true }
  | { readonly kind: "object"; readonly of: ServerClass }
  /** Names that the user chose, in a class of its own. */
  | { readonly kind: "named"; readonly name: string; readonly of: ServerClass }
  /** Shown as an empty text. */
  | { readonly kind: "secret" }
  /** Settings that the server does not look into. */
  | { readonly kind: "free" };

/** A class that the server reads entries into, with its properties in the order in which it prints them. */
export interface ServerClass {
  readonly name: string;
  readonly properties: Readonly<Record<string, ClassProperty>>;
  /** The order in which complaints list the properties. */
  readonly known: readonly string[];
  /** Properties of former releases that are read over. */
  readonly ignored?: readonly string[];
}

export function findProperty(type: ServerClass, name: string): ClassProperty | undefined {
  return Object.hasOwn(type.properties, name) ? type.properties[name] : undefined;
}

/** What a property holds until it is set. */
export function getInitialValue(property: ClassProperty): Tree {
  switch (property.kind) {
    case "text":
      return property.initial ?? null;
    case "word":
      return null;
    case "flag":
      return property.initial ?? false;
    case "number":
      return property.initial ?? 0;
    case "texts":
      return property.initial === null ? null : [...(property.initial ?? [])];
    case "words":
      return [...property.initial];
    case "list":
      return property.initial === null ? null : [];
    case "secret":
      return "";
    case "object":
      return createInstance(property.of);
    default:
      return new Map();
  }
}

export function createInstance(type: ServerClass): Tree {
  return new Map(Object.entries(type.properties).map(([name, property]) => [name, getInitialValue(property)]));
}

/** As GET shows it: everything but what is null. */
export function showInstance(type: ServerClass, tree: Tree): Tree {
  return eachProperty(type, tree, (property, value) =>
    value === null || isHidden(property, value) ? undefined : inside(property, value, showInstance),
  );
}

function isHidden(property: ClassProperty, value: Tree): boolean {
  return (
    (property.kind === "texts" || property.kind === "lists") && property.hidesEmpty === true && isTypeDefault(value)
  );
}

/**
 * What a patch is applied to. A value equal to the default of its type (null, false, 0, "", empty) is left out,
 * whatever the class starts with: a stored `false` of an option that starts as `true` is lost on the way back. Fixed
 * servers keep such a `false`.
 */
export function patchBase(type: ServerClass, tree: Tree, keepsFalse: boolean): Tree {
  const nested = (of: ServerClass, value: Tree): Tree => patchBase(of, value, keepsFalse);
  return eachProperty(type, tree, (property, value) => {
    if (keepsFalse && property.kind === "flag" && property.initial === true) return value;
    const empty = property.kind === "object" || property.kind === "named" ? false : isTypeDefault(value);
    return empty ? undefined : inside(property, value, nested);
  });
}

function isTypeDefault(value: Tree): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof Map) return value.size === 0;
  return value === null || value === false || value === 0 || value === "";
}

function eachProperty(
  type: ServerClass,
  tree: Tree,
  kept: (property: ClassProperty, value: Tree) => Tree | undefined,
): Tree {
  if (!(tree instanceof Map)) return tree;
  const result = new Map<string, Tree>();
  for (const [name, property] of Object.entries(type.properties)) {
    const value = kept(property, tree.get(name) ?? null);
    if (value !== undefined) result.set(name, value);
  }
  return result;
}

function inside(property: ClassProperty, value: Tree, of: (type: ServerClass, tree: Tree) => Tree): Tree {
  if (property.kind === "secret") return "";
  if (property.kind === "object") return of(property.of, value);
  if (property.kind === "list" && Array.isArray(value)) return value.map((item) => of(property.of, item));
  if (property.kind === "named" && value instanceof Map) {
    return new Map([...value].map(([name, item]) => [name, of(property.of, item)]));
  }
  return value;
}
