import type { SourceRange } from "../diagnostics/source.ts";
import type { Value } from "../json/value.ts";

/** A target of gate-sync.yaml with all that it ends up with. */
export interface ListedTarget {
  readonly name: string;
  /** It is taken where none is chosen. */
  readonly isUsual: boolean;
  readonly settings: readonly ListedSetting[];
}

/** A setting as it was written, references unresolved; a secret that is written out is asterisks. */
export interface ListedSetting {
  /** `tls`, `ca`; a list is one setting. */
  readonly path: readonly string[];
  readonly value: Value;
  /** A number as it was written, such as 1.10; texts have it like this. */
  readonly written?: string;
  /** Its key. */
  readonly origin: SourceRange;
  /** Not of the target itself, but of `defaults`. */
  readonly isInherited: boolean;
}
