import type { SourceRange } from "../diagnostics/source.ts";
import type { Fields } from "../json/value.ts";
import type { Change } from "./change.ts";
import type { Baseline } from "./drift.ts";
import type { FileEdit } from "./file-edit.ts";
import type { Address } from "./names.ts";

/** A difference that is not written into the files. */
export interface LeftDifference {
  readonly address: Address;
  readonly change: Change;
  /** The end of a sentence. */
  readonly why: string;
  /** Where it is declared; absent where it is nowhere. */
  readonly range?: SourceRange;
  /** Nothing of what the server has is shown: it may be a secret. */
  readonly isSecret?: boolean;
  /** What of the entry is left; absent: all of it. */
  readonly part?: LeftPart;
  /** --prune would remove its declaration. */
  readonly isPrunable?: boolean;
}

export interface LeftPart {
  /** Of a field, or a setting. */
  readonly path: readonly string[];
  /** Of a list of objects: the one on the server. */
  readonly element?: Fields;
}

export interface TakenDifference {
  readonly address: Address;
  readonly kind: "changed" | "added" | "removed";
  /** Paths of the files that are edited, as users see them. */
  readonly files: readonly string[];
}

export interface UnsavedFile {
  /** As users see it. */
  readonly path: string;
  /** Git's error, where it does not say what it has. */
  readonly reported?: string;
}

/** What the server holds, taken into the files. */
export interface FileUpdate {
  readonly edits: readonly FileEdit[];
  readonly taken: readonly TakenDifference[];
  readonly left: readonly LeftDifference[];
  /** Entries of which the files have edits that are not applied yet: these stay. */
  readonly ahead: readonly Address[];
  /** What was taken for applied; absent: nothing says it. */
  readonly baseline?: Baseline;
  /** Files to be written with text that git does not have; none are looked for with --force. */
  readonly unsaved: readonly UnsavedFile[];
  readonly notices: readonly string[];
}
