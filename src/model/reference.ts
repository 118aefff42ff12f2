/** Groups of the reference, in the order in which they are listed. */
export const referenceGroups = ["codes", "rules", "guards", "exits", "keys", "topics"] as const;
export type ReferenceGroup = (typeof referenceGroups)[number];

/** One thing that `gate-sync explain` explains. */
export interface ReferenceEntry {
  readonly group: ReferenceGroup;
  /** What a person types: a code, a guard, a number, a dotted path of a key, the name of a guide. */
  readonly name: string;
  readonly title: string;
  /** Labels (`why`, `fix`, `set_by`) with what they say, in the order in which they are shown. */
  readonly facts: Readonly<Record<string, string>>;
  /** The whole guide of a topic, as Markdown. */
  readonly guide?: string;
}
