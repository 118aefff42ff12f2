import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import type { Family } from "./names.ts";
import type { MapEntry, Node } from "./node.ts";

/** One YAML or JSON document of a state file, recognised: what it declares, still in its own format. */
export interface StateDocument {
  readonly file: SourceFile;
  /** `by-family`: top-level keys are families. `native`: one family as the server's own tools keep it. */
  readonly form: "by-family" | "native";
  readonly root: Node;
  /** One for each family the document has; a `by-family` document may hold several. */
  readonly sections: readonly Section[];
  /** The value of `waivers`. */
  readonly waivers?: Node;
  /** The value of `personas`. */
  readonly personas?: Node;
  /** The value of `access_tests`. */
  readonly accessTests?: Node;
  /** The value of `overrides`. */
  readonly overrides?: Node;
}

/** One family in one document. For config and license `entries` is empty and `node` is the document itself. */
export interface Section {
  readonly family: Family;
  readonly document: Omit<StateDocument, "sections">;
  /** The family's key, or the start of a native file. */
  readonly range: SourceRange;
  /** The map of entries (`roles:`), or the single document (the value of `config:` or `license:`). */
  readonly node: Node;
  /** Names and their bodies, headers such as `_meta` left out. */
  readonly entries: readonly MapEntry[];
}

/** From its name to the end of its value: an entry, and what is laid over it. */
export interface Overridden {
  readonly base: SourceRange;
  readonly by: SourceRange;
}

/** Everything the state paths hold. */
export interface Repository {
  readonly documents: readonly StateDocument[];
  /** One line each, for people: what was left aside on purpose (audit, nodes_dn …). */
  readonly notices: readonly string[];
  /** Files that were taken for another program's, at least in part: where something is deleted, the plan names them. */
  readonly foreignFiles?: readonly string[];
  /** Entries that others lay something over; absent before this was done. */
  readonly overridden?: readonly Overridden[];
  /** How many files were read. */
  readonly fileCount: number;
}
