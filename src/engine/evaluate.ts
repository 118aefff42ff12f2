import type { LintCode } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { Target } from "../model/target.ts";
import { parseAccessTests } from "../normalise/access-tests.ts";
import { normalise } from "../normalise/desired.ts";
import { parsePersonas } from "../normalise/personas.ts";
import { createBareServer } from "../validate/builtin.ts";
import { findLintRules, isDecided } from "../validate/lint/index.ts";
import { createLint } from "../validate/lint-settings.ts";
import { validateReferences } from "../validate/references.ts";
import { validateValues } from "../validate/values.ts";
import { findMisspelt } from "./access/misspelt.ts";
import { findUnaskable } from "./access/tests.ts";
import { findUnknownTestNames } from "./access/unknown-names.ts";
import type { OpenRepository } from "./open.ts";

export interface EvaluatedPlan {
  readonly desired: DesiredState;
  /** All that the files declare, whichever families the run is about. */
  readonly declared: DesiredState;
  /** What is wrong with single entries. */
  readonly diagnostics: readonly Diagnostic[];
  /** What does not fit together: among the files alone, or with what the server will hold. */
  readonly references: (live?: LiveState) => readonly Diagnostic[];
  /** These, and what does not do what it seems to. */
  readonly together: (live?: LiveState) => readonly Diagnostic[];
}

/** The files in canonical form, and everything that can be said of them for one dialect. */
export function evaluateChanges(
  { repository, whole }: Pick<OpenRepository, "repository" | "whole">,
  dialect: Dialect,
  { families, lint, acceptFields }: Pick<Target, "families" | "lint"> & Partial<Pick<Target, "acceptFields">>,
): EvaluatedPlan {
  const { desired, diagnostics } = normalise(repository, dialect, families);
  const declared = whole === repository ? desired : normalise(whole, dialect, families).desired;
  const { kept, aboutIgnores } = createLint(repository, lint);
  const [people, tests] = [parsePersonas(whole), parseAccessTests(whole)];
  const values = [
    ...diagnostics,
    ...people.diagnostics,
    ...tests.diagnostics,
    ...findUnaskable(tests.tests, people.personas, dialect.release),
    ...findMisspelt(tests.tests, people.personas, declared, dialect),
    ...validateValues(repository, dialect, { families, ...(acceptFields && { acceptFields }) }),
  ];
  const references = (live?: LiveState) => [
    ...validateReferences(desired, live, dialect, declared),
    ...findUnknownTestNames(tests.tests, people.personas, declared, live, dialect),
  ];
  const off = (code: LintCode): boolean => lint?.[code] === "off";
  const together = (live?: LiveState) => [
    ...references(live),
    ...findLintRules({ desired, declared, live, dialect, off }),
  ];
  return {
    desired,
    declared,
    diagnostics: kept(values),
    references: (live) => kept(references(live)),
    together: (live) => {
      const found = together(live);
      // Nothing is decided by some families alone: the comment may be about what the others bring about.
      const isDecidedHere = (code: LintCode) => whole === repository && isDecided(code, { desired, declared, dialect });
      const elsewhere = () => [...together(), ...together(createBareServer(dialect))];
      return [...kept(found), ...aboutIgnores([...values, ...found], elsewhere, isDecidedHere)];
    },
  };
}
