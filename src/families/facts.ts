/** What kind of value a field holds; everything that compares, shows or sends one goes by this. */
export type FieldKind =
  | "text" // "" is the same as absent
  | "set" // of strings: order and repetition mean nothing
  | "permissions" // multiset of objects, described by `element`
  | "word" // a text that cannot be emptied, only removed
  | "map" // strings by names that users choose
  | "credential"; // a secret that no server shows again

export interface Field {
  readonly kind: FieldKind;
  /** Fields of the objects in a multiset. */
  readonly element?: Readonly<Record<string, Field>>;
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
