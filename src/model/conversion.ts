import type { SourceRange } from "../diagnostics/source.ts";
import type { AccessDifferences } from "./access.ts";
import type { Family } from "./names.ts";

/** What became of an entry of the source. */
export type ConversionOutcome =
  /** It is in the files, as it is or with what notes say. */
  | "converted"
  /** The source comes with it, the other product does not: it is in the files as an entry of your own. */
  | "written-out"
  /** The other product comes with it. */
  | "built-in"
  /** The other product has no place for it. */
  | "left";

export interface ConvertedEntry {
  readonly family: Family;
  readonly name: string;
  /** Where it is declared; of a built-in one, an entry that is about it. */
  readonly origin: SourceRange;
  readonly outcome: ConversionOutcome;
  /** What it is called in the other product, where it has another name there. */
  readonly newName?: string;
}

/** What is said of one entry besides. */
export interface ConversionNote {
  readonly family: Family;
  readonly name: string;
  readonly origin: SourceRange;
  /**
   * `left`: something has no place in the other product. `changed`: it is written otherwise. `unknown`: whether the other
   * product does the same with it is unknown.
   */
  readonly kind: "left" | "changed" | "unknown";
  /** A sentence. */
  readonly text: string;
}

/** A state of one product as one of another, and what that does to access. */
export interface Conversion {
  /** `search-guard 7.x-38` */
  readonly from: string;
  /** `opensearch 2.19` */
  readonly to: string;
  readonly entries: readonly ConvertedEntry[];
  readonly notes: readonly ConversionNote[];
  readonly access: AccessDifferences;
  /** What of the input is in no file, beside entries, in sentences: files of what is not declared here, secrets. */
  readonly leftOut: readonly string[];
  /** What the comparison goes by, in sentences. */
  readonly basis: readonly string[];
}
