import type { SourceRange } from "../diagnostics/source.ts";
import type { AccessDifferences } from "./access.ts";
import type { Change } from "./change.ts";
import type { ResourceFamily } from "./names.ts";

/** What two targets declare that is not the same, as changes from the first to the second. */
export interface TargetDifference {
  readonly from: ComparedTarget;
  readonly to: ComparedTarget;
  readonly changes: readonly ComparedEntry[];
  /** Families that one declares without any entry, so that all of the server are deleted, and the other leaves alone. */
  readonly emptied: readonly { readonly family: ResourceFamily; readonly in: "from" | "to" }[];
  /** Absent where access cannot be compared; `notes` say why. */
  readonly access?: AccessDifferences;
  /** What the two states go by, and what is not compared, in sentences. */
  readonly notes: readonly string[];
}

export interface ComparedTarget {
  readonly name: string;
  /** `opensearch 2.19 (assumed)` */
  readonly evaluatedFor: string;
}

/** An entry that only one of the two declares, or that differs. */
export interface ComparedEntry {
  /** `origin` is where the second target declares it. */
  readonly change: Change;
  readonly fromOrigin?: SourceRange;
}
