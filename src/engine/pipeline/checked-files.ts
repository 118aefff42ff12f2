import type { Code, LintCode } from "../../diagnostics/catalogue.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { isDecided, runLintRules } from "../../lint/run.ts";
import { createLint, type LintResult } from "../../lint/settings.ts";
import { findOwnedVariables } from "../../load/shares.ts";
import type { AccessTest } from "../../model/access-test.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { Persona } from "../../model/persona.ts";
import type { Lint, Target } from "../../model/target.ts";
import { parseAccessTests } from "../../normalise/access-tests.ts";
import { normalise } from "../../normalise/desired.ts";
import { addEntryPlaces } from "../../normalise/entry-places.ts";
import { parsePersonas } from "../../normalise/personas.ts";
import { findMisspelt } from "../../questions/misspelt.ts";
import { findUnaskable } from "../../questions/tests.ts";
import { findUnknownTestNames } from "../../questions/unknown-names.ts";
import { createBareServer, type StatedServer } from "../../validate/builtin.ts";
import { weighOptInDiagnostics } from "../../validate/opt-in.ts";
import { findNeverCreated } from "../../validate/ownership.ts";
import { validateReferences } from "../../validate/references.ts";
import type { WriteChecks } from "../../validate/refusals.ts";
import { validateShares } from "../../validate/shares.ts";
import { validateUsers } from "../../validate/users.ts";
import { validateValues } from "../../validate/values.ts";
import { validateWrites } from "../../validate/writes.ts";
import type { OpenRepository } from "../open.ts";

/** The files in canonical form for one dialect, and what their later checks need. */
export interface CheckedFiles extends Pick<OpenRepository, "repository" | "whole"> {
  readonly dialect: Dialect;
  /** What says which product that is. */
  readonly stated: StatedServer;
  readonly lint: Lint;
  readonly policies?: Target["families"] | undefined;
  /** How grave warnings are, by the target's settings and the comments in the files. */
  readonly settings: LintResult;
  /** Of the families that the run is about. */
  readonly desired: DesiredState;
  /** All that the files declare, whichever families the run is about. */
  readonly declared: DesiredState;
  readonly tests: readonly AccessTest[];
  readonly personas: ReadonlyMap<string, Persona>;
  /** What is wrong with single entries, `gate-sync-ignore` comments not yet taken into account. */
  readonly found: readonly Diagnostic[];
  /** What is wrong with single entries. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Brings the files into canonical form and checks each entry by itself.
 *
 * @param asWritten as if each entry would be written; absent: a server may hold it already, so that what is an error only where
 *   it is written is a warning here, and `checkWrites` finds the errors
 */
export function checkFiles(
  { repository, whole }: Pick<OpenRepository, "repository" | "whole">,
  dialect: Dialect,
  {
    families,
    lint = {},
    acceptFields,
    product,
    release,
    ...reached
  }: Pick<Target, "families" | "lint" | "product" | "release"> &
    Partial<Pick<Target, "acceptFields" | "url" | "otherUrls">>,
  { asWritten } = { asWritten: false },
): CheckedFiles {
  const { desired, diagnostics } = normalise(repository, dialect, families);
  const declared = whole === repository ? desired : normalise(whole, dialect, families).desired;
  const [people, { tests, diagnostics: aboutTests }] = [parsePersonas(whole), parseAccessTests(whole)];
  const { personas } = people;
  const found = [
    ...diagnostics,
    ...people.diagnostics,
    ...aboutTests,
    ...findUnaskable(tests, personas, dialect.release),
    ...findMisspelt(tests, personas, declared, dialect),
    ...(dialect.internalUsers ? validateUsers(desired, reached, dialect) : []),
    ...validateValues(repository, dialect, { families, ...(acceptFields && { acceptFields }) }),
  ];
  const settings = createLint(repository, lint);
  const kept: LintResult["kept"] = (all) => settings.kept(weighOptInDiagnostics(all, whole, families));
  return {
    repository,
    whole,
    dialect,
    stated: { ...(product && { product }), ...(release !== undefined && { release }) },
    lint,
    policies: families,
    settings: { ...settings, kept },
    desired,
    declared,
    tests,
    personas,
    found,
    diagnostics: addEntryPlaces(asWritten ? kept(found) : kept(found).map(asHeld), whole),
  };
}

function asHeld(found: Diagnostic): Diagnostic {
  return ofWrites.has(found.code) ? { ...found, severity: "warning" } : found;
}

/** What servers may hold, and must not be given. */
const ofWrites: ReadonlySet<Code> = new Set<Code>([
  "dls-not-json",
  "unknown-query",
  "lost-name",
  "incomplete-mapping",
  "incomplete-action-group",
  "incomplete-block",
]);

/** Checks the entries that are written. */
export function checkWrites(
  { settings, whole, desired, declared, dialect }: CheckedFiles,
  writes: Pick<WriteChecks, "changes" | "live">,
): readonly Diagnostic[] {
  return addEntryPlaces(settings.kept(validateWrites({ ...writes, desired, declared, dialect })), whole);
}

/**
 * Checks that what entries refer to exists.
 *
 * @param live what the server holds, or will hold; absent: only the files and built-in entries count
 */
export function checkReferences(files: CheckedFiles, live?: LiveState): readonly Diagnostic[] {
  return files.settings.kept(findReferenceProblems(files, live));
}

/** Checks references as {@link checkReferences} does, runs the lint rules, and names unused `gate-sync-ignore` comments. */
export function checkTogether(files: CheckedFiles, live?: LiveState): readonly Diagnostic[] {
  const { repository, whole, dialect, settings } = files;
  const findAll = (state?: LiveState) => [
    ...findReferenceProblems(files, state),
    ...(state ? [] : findNeverCreated(files.desired)),
    ...lint(files, state),
  ];
  const found = findAll(live);
  // A run about some families decides nothing of the others: a comment may be about what those bring about.
  const isDecidedHere = (code: LintCode) => whole === repository && isDecided(code, files);
  const findElsewhere = () => [...findAll(), ...findAll(createBareServer(dialect))];
  const kept = [
    ...settings.kept(found),
    ...settings.aboutIgnores([...files.found, ...found], findElsewhere, isDecidedHere),
  ];
  return addEntryPlaces(kept, whole);
}

/** Checks that the files of a team are about nothing else than what is the team's. */
export function checkShares(
  { whole, dialect, declared, tests }: CheckedFiles,
  { findShare, vars, families }: Pick<Target, "findShare" | "vars" | "families">,
): readonly Diagnostic[] {
  if (!findShare) return [];
  const found = [
    ...findOwnedVariables(vars, findShare),
    ...validateShares(whole, { declared, tests, policies: families }, dialect, findShare),
  ];
  return addEntryPlaces(found, whole);
}

function findReferenceProblems(
  { desired, declared, tests, personas, dialect, stated }: CheckedFiles,
  live: LiveState | undefined,
): readonly Diagnostic[] {
  return [
    ...validateReferences(desired, live, dialect, { declared, stated }),
    ...findUnknownTestNames(tests, personas, declared, live, dialect),
  ];
}

function lint({ desired, declared, dialect, policies, lint }: CheckedFiles, live?: LiveState): readonly Diagnostic[] {
  return runLintRules({ desired, declared, live, dialect, policies, off: (code) => lint[code] === "off" });
}
