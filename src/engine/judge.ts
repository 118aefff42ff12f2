import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { assumedRelease, dialectFor } from "../dialects/index.ts";
import { releaseNamed } from "../dialects/release.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { Target } from "../model/target.ts";
import { normalise } from "../normalise/desired.ts";
import { personasOf } from "../normalise/personas.ts";
import { validateReferences } from "../validate/references.ts";
import { validateValues } from "../validate/values.ts";
import type { OpenRepository } from "./open.ts";

export interface Judged {
  readonly desired: DesiredState;
  /** What is wrong with single entries. */
  readonly diagnostics: readonly Diagnostic[];
  /** What does not fit together: among the files alone, or with what the server will hold. */
  readonly references: (live?: LiveState) => readonly Diagnostic[];
}

/** The files in canonical form, and everything that can be said of them for one dialect. */
export function judge(
  { repository, whole }: Pick<OpenRepository, "repository" | "whole">,
  dialect: Dialect,
  target: Target,
): Judged {
  const { desired, diagnostics } = normalise(repository, dialect, target.families);
  const declared = whole === repository ? desired : normalise(whole, dialect, target.families).desired;
  return {
    desired,
    diagnostics: [...diagnostics, ...personasOf(whole).diagnostics, ...validateValues(repository, dialect)],
    references: (live) => validateReferences(desired, live, dialect, declared),
  };
}

/** Without a server: the stated dialect, else the newest of the product that does not say what it is. */
export function offlineDialect({ product = "gate", release }: Target): Dialect {
  const named = release === undefined ? undefined : releaseNamed(product, release);
  return dialectFor(product, named ?? assumedRelease[product]);
}
