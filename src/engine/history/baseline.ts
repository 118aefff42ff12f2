import { isAbsolute } from "node:path";
import { explainUnreadable, readArtifactText } from "../../artifacts/artifact-file.ts";
import { restoreComparable } from "../../artifacts/desired.ts";
import { findLastRun } from "../../artifacts/journal/file.ts";
import { isWhollyDone, type KnownRun } from "../../artifacts/journal/known-run.ts";
import { planKey } from "../../artifacts/plan-key.ts";
import { isSameCluster, mayBeSameCluster } from "../../artifacts/same-cluster.ts";
import { listDesired } from "../../artifacts/saved-plan/derived.ts";
import { openSavedPlan } from "../../artifacts/saved-plan/open.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { diff } from "../../diff/diff.ts";
import { collectSecrets } from "../../json/slots.ts";
import type { Artifact, RecordedTarget } from "../../model/artifact.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { Baseline } from "../../model/drift.ts";
import type { JournalScope } from "../../model/journal.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import type { SavedDesired, SavedPlan } from "../../model/plan-file.ts";
import type { DecidedPlan } from "../../plan/decided-plan.ts";
import { getDesiredValue } from "../../secrets/changed.ts";
import type { RunRequest } from "../request.ts";

/** What is taken for applied, laid beside what is live. */
export interface AppliedPlan {
  /** Absent where there is nothing that could be taken for it. */
  readonly baseline?: Baseline;
  /** From live to what was declared then. */
  readonly changes?: readonly Change[];
  /** False for what the baseline says nothing of. */
  readonly isExplained?: (change: Pick<Change, "family" | "name">) => boolean;
  readonly notes: readonly string[];
}

/** @throws RunError for what is no whole plan file */
export async function openBaseline(path: string, request: RunRequest): Promise<Artifact<SavedPlan>> {
  const text = await readArtifactText("plan-file", request.cwd, path);
  if (text === undefined) throw noPlanFile(path, request.cwd, await explainUnreadable(request.cwd, path));
  return openSavedPlan(path, text, planKey(request));
}

/** The families that a saved plan manages; one without a list of them manages at least those that it changes. */
export function listManagedIn({ body: { declared, changes } }: Artifact<SavedPlan>): readonly Family[] {
  return declared ?? [...new Set(changes.map(({ family }) => family))];
}

/**
 * What a reviewed plan declares: the entries that it changes and those that they refer to.
 *
 * @throws RunError for a plan for another cluster
 */
export function fromPlanFile(
  path: string,
  { target, body: saved }: Artifact<SavedPlan>,
  planned: DecidedPlan,
): AppliedPlan {
  refuseOtherCluster(path, target, planned);
  const desired = listDesired(saved);
  const written = { ...saved, desired, declared: [...new Set(saved.changes.map(({ family }) => family))] };
  return {
    baseline: { kind: "plan-file", path, fingerprint: saved.fingerprint },
    ...asOf(written, { of: "changes", seen: saved.seen }, planned),
    notes: [],
  };
}

/** What the last run declared, where it is known to have done all of it; else a note says why not. Nothing without a journal. */
export async function fromJournal(
  stateDir: string,
  planned: DecidedPlan,
  env: RunRequest["env"],
): Promise<AppliedPlan> {
  const { target } = planned.plan;
  const run = await findLastRun(stateDir, target, env);
  if (!run || !mayBeSameCluster(run.target, target)) return { notes: [] };
  const unfit = (why: string) => ({ notes: [`The last run (${run.name}) ${why}`] });
  if (!run.plan) return unfit("left a journal that cannot be read: it is no baseline. gate-sync status shows more.");
  const why = whyUnfit(run);
  if (why !== undefined) return unfit(why);
  return {
    baseline: { kind: "journal", journal: run.name, run: run.begin.run, time: run.begin.time },
    ...asOf(run.plan, run.plan.scope, planned),
    notes: [],
  };
}

function whyUnfit(run: KnownRun): string | undefined {
  if (run.begin.command === "rollback") return "undid another one: it says nothing about what the files declared.";
  if (isWhollyDone(run)) return undefined;
  return "did not apply its whole plan: it is no baseline. gate-sync status shows more.";
}

interface Written {
  readonly declared: readonly Family[];
  readonly desired: readonly SavedDesired[];
  readonly changes: readonly Pick<Change, "family" | "name">[];
}

function asOf(
  written: Written,
  scope: JournalScope,
  planned: DecidedPlan,
): Required<Pick<AppliedPlan, "changes" | "isExplained">> {
  const { desired, withoutSecret } = restoreComparable(written, secretsNow(planned.desired));
  const covers = coverageOf(written, scope);
  return {
    changes: diff(desired, planned.live, planned.policies),
    isExplained: ({ family, name }) => !withoutSecret.has(createAddress(family, name)) && covers(family, name),
  };
}

/** By their references: the environment and the files behind them are those of today. */
function secretsNow(desired: DesiredState) {
  const values = [
    ...[...desired.resources.values()].flatMap((entries) => [...entries.values()].map(({ value }) => value)),
    ...(["config", "license"] as const).flatMap((family) => getDesiredValue(desired, family, family) ?? []),
  ];
  return new Map([...collectSecrets(values).values()].map((secret) => [secret.reference, secret]));
}

function coverageOf({ changes, desired }: Written, scope: JournalScope): (family: Family, name: string) => boolean {
  if (scope.of === "all") return () => true;
  if (scope.of === "families") return (family) => scope.families.includes(family);
  const named = new Set<Address>([...changes, ...desired].map(({ family, name }) => createAddress(family, name)));
  const changed = new Set(changes.map(({ family }) => family).filter(isResourceFamily));
  const seen = new Set(scope.seen);
  return (family, name) => {
    const address = createAddress(family, name);
    // What was not there, and was not made, was not declared.
    return named.has(address) || (isResourceFamily(family) && changed.has(family) && !seen.has(address));
  };
}

function refuseOtherCluster(path: string, then: RecordedTarget, { plan }: DecidedPlan): void {
  if (isSameCluster(then, plan.target)) return;
  throw new RunError("usage", {
    what: `The plan in ${path} is for another cluster: for ${then.name} at ${then.url}.`,
    why: "What was applied there says nothing of this one.",
    fix: "Name the plan that was applied to this target, or choose its target.",
  });
}

function noPlanFile(path: string, cwd: string, unreadable: string | undefined): RunError {
  const where = isAbsolute(path) ? "" : ` in the folder ${cwd}`;
  const what =
    unreadable === undefined
      ? `The baseline ${path} is not a saved plan: gate-sync plan --out did not write it.`
      : `The baseline ${path} cannot be read${where}: ${unreadable}.`;
  return new RunError("usage", {
    what,
    why: "drift compares the server with what the baseline declared. Nothing was compared.",
    fix: "Name the file that gate-sync plan --out saved and apply applied last; in CI, fetch it first. Or name a commit: --applied-ref REF.",
  });
}
