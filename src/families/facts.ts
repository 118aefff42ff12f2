import type { Value } from "../json/value.ts";

/** What kind of value a field holds; everything that compares, shows or sends one goes by this. */
export type FieldKind =
  | "text" // "" is the same as absent
  | "set" // of strings: order and repetition mean nothing
  | "permissions" // multiset of objects, described by `element`
  | "word" // a text that cannot be emptied, only removed
  | "map" // strings by names that users choose
  | "credential" // a secret that no server shows again
  // Of documents that servers complete: what is absent has `default`, and nothing is the same as absent.
  | "flag"
  | "names" // strings: order and repetition mean nothing
  | "lists" // such lists by names that users choose
  | "settings"; // an object, described by `element`

export interface Field {
  readonly kind: FieldKind;
  /** Fields of the objects in a multiset, or of an object. */
  readonly element?: Readonly<Record<string, Field>>;
  /** What servers take where a document does not have the field. */
  readonly default?: Value;
  /** Servers take the strings in lower case too, and show them in upper case. */
  readonly upperCase?: true;
  /** Whether the API documentation of `gate` has it; where not, a plan for `gate` carries a note. */
  readonly documented: boolean;
  /** Sent even when empty, because every release documents it for a PUT. */
  readonly always?: boolean;
  /** What the strings name: checked against the repository and the server. */
  readonly refersTo?: "roles" | "tenants" | "action_groups";
  /** The strings are names, wildcards or regular expressions. */
  readonly patterns?: boolean;
}

/** What is true of a family whatever the product. */
export interface FamilyFacts {
  readonly fields: Readonly<Record<string, Field>>;
  /** A PUT or create without any of these is refused by servers. */
  readonly mandatory: readonly (readonly string[])[];
  /** What fields are called in files of 6.x, where otherwise. */
  readonly sixWords?: readonly string[];
  /** One, and several, in a sentence. */
  readonly noun: readonly [one: string, several: string];
}
