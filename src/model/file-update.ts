import type { SourceRange } from "../diagnostics/source.ts";
import type { Change } from "./change.ts";
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
}

export interface TakenDifference {
  readonly address: Address;
  readonly kind: "changed" | "added" | "removed";
  /** Paths of the files that are edited, as users see them. */
  readonly files: readonly string[];
}

/** What the server holds, taken into the files. */
export interface FileUpdate {
  readonly edits: readonly FileEdit[];
  readonly taken: readonly TakenDifference[];
  readonly left: readonly LeftDifference[];
  readonly notices: readonly string[];
}
