/** A value as it is laid out in its file, with nothing resolved: what edits of the text go by. Offsets as of a `SourceRange`. */
export type Layout = LayoutMap | LayoutList | LayoutScalar | LayoutAlias;

interface Stretch {
  /** After an anchor and a tag. */
  readonly start: number;
  /** Of block collections and block texts with the last value in them. */
  readonly end: number;
}

export interface LayoutMap extends Stretch {
  readonly kind: "map";
  /** In brackets. */
  readonly isFlow: boolean;
  /** An anchor or a tag is before it. */
  readonly hasProperties: boolean;
  /** In the order of the file, keys that are written twice and merge keys included. */
  readonly items: readonly LayoutPair[];
}

export interface LayoutPair {
  readonly key: Layout | undefined;
  /** Absent where nothing is written. */
  readonly value: Layout | undefined;
}

export interface LayoutList extends Stretch {
  readonly kind: "list";
  readonly isFlow: boolean;
  readonly hasProperties: boolean;
  readonly items: readonly (Layout | undefined)[];
}

export interface LayoutScalar extends Stretch {
  readonly kind: "scalar";
  readonly style: "plain" | "single" | "double" | "literal" | "folded";
  readonly hasProperties: boolean;
  readonly value: string | number | boolean | null;
  readonly source: string;
}

export interface LayoutAlias extends Stretch {
  readonly kind: "alias";
  /** What is anchored by its name. */
  readonly of: Layout | undefined;
}
