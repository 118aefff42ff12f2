import type { TrapCode } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { Target } from "../model/target.ts";
import { accessTestsOf } from "../normalise/access-tests.ts";
import { normalise } from "../normalise/desired.ts";
import { personasOf } from "../normalise/personas.ts";
import { lintOf } from "../validate/lint.ts";
import { validateReferences } from "../validate/references.ts";
import { bareServer } from "../validate/shipped.ts";
import { findTraps, isDecided } from "../validate/traps/index.ts";
import { validateValues } from "../validate/values.ts";
import { misspeltIn } from "./access/misspelt.ts";
import { unaskable } from "./access/tests.ts";
import { unknownIn } from "./access/unknown-names.ts";
import type { OpenRepository } from "./open.ts";

export interface Judged {
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
export function judge(
  { repository, whole }: Pick<OpenRepository, "repository" | "whole">,
  dialect: Dialect,
  { families, lint, acceptFields }: Pick<Target, "families" | "lint"> & Partial<Pick<Target, "acceptFields">>,
): Judged {
  const { desired, diagnostics } = normalise(repository, dialect, families);
  const declared = whole === repository ? desired : normalise(whole, dialect, families).desired;
  const { kept, aboutIgnores } = lintOf(repository, lint);
  const [people, tests] = [personasOf(whole), accessTestsOf(whole)];
  const values = [
    ...diagnostics,
    ...people.diagnostics,
    ...tests.diagnostics,
    ...unaskable(tests.tests, people.personas, dialect.release),
    ...misspeltIn(tests.tests, people.personas, declared, dialect),
    ...validateValues(repository, dialect, { families, ...(acceptFields && { acceptFields }) }),
  ];
  const references = (live?: LiveState) => [
    ...validateReferences(desired, live, dialect, declared),
    ...unknownIn(tests.tests, people.personas, declared, live, dialect),
  ];
  const off = (code: TrapCode): boolean => lint?.[code] === "off";
  const together = (live?: LiveState) => [...references(live), ...findTraps({ desired, declared, live, dialect, off })];
  return {
    desired,
    declared,
    diagnostics: kept(values),
    references: (live) => kept(references(live)),
    together: (live) => {
      const found = together(live);
      // Nothing is decided by some families alone: the comment may be about what the others bring about.
      const isDecidedHere = (code: TrapCode) => whole === repository && isDecided(code, { desired, declared, dialect });
      const elsewhere = () => [...together(), ...together(bareServer(dialect))];
      return [...kept(found), ...aboutIgnores([...values, ...found], elsewhere, isDecidedHere)];
    },
  };
}
