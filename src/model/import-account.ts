import type { SourceRange } from "../diagnostics/source.ts";
import type { Family } from "./names.ts";

/** Something that import did not take, and why. Both are shown. */
export interface LeftOutPart {
  readonly what: string;
  readonly why: string;
  readonly place: SourceRange;
  /** Nothing is lost by it. */
  readonly declaresNothing?: true;
}

/** A variable that has to be set before planning, and each entry that needs it. */
export interface NeededVariable {
  readonly name: string;
  /** A text is no value for it. */
  readonly isList?: true;
  /** In the order in which they are written. */
  readonly uses: readonly {
    readonly address: string;
    readonly place: SourceRange;
    /** Where the value is: `Secret ana-pw, key password`. */
    readonly from?: string;
  }[];
}

/** What `gate-sync import` took of its inputs, and what it left. No secret is in it. */
export interface ImportAccount {
  /** The folder of the state files, as the user wrote it. */
  readonly folder: string;
  /** In that folder. */
  readonly files: readonly string[];
  readonly taken: readonly { readonly family: Family; readonly names: readonly string[] }[];
  readonly left: readonly LeftOutPart[];
  /** Of the environment, for secrets. */
  readonly secrets: readonly NeededVariable[];
  /** Of the target's `vars`. */
  readonly variables: readonly NeededVariable[];
  readonly notes: readonly string[];
  /** Addresses in Terraform of what was taken, quoted for a shell. */
  readonly letGo: readonly string[];
}
