import { resolve } from "node:path";
import { isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { diff } from "../diff/diff.ts";
import { findDrift } from "../diff/drift.ts";
import { openBase } from "../load/base.ts";
import { findAuthors } from "../load/blame.ts";
import { openCommit, type StateCommit } from "../load/commit.ts";
import { createGit, type Git } from "../load/git.ts";
import { forDrift } from "../load/git-messages.ts";
import { hasPlace } from "../load/variables.ts";
import type { Change } from "../model/change.ts";
import type { DesiredState } from "../model/desired.ts";
import type { DriftDifference, DriftReport } from "../model/drift.ts";
import { isResourceFamily } from "../model/names.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import type { Target } from "../model/target.ts";
import { normalise } from "../normalise/desired.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { type AppliedPlan, fromJournal, fromPlanFile, listManagedIn, openBaseline } from "./history/baseline.ts";
import { readSettingsThen } from "./history/config-then.ts";
import { openRepository } from "./open.ts";
import { plan } from "./plan.ts";
import type { RunRequest } from "./request.ts";
import type { Source } from "./source.ts";

export interface DriftRequest extends RunRequest {
  /** The commit whose state files are taken for applied. */
  readonly appliedRef?: string;
  /** The reviewed plan that is taken for applied; instead of a commit. */
  readonly baseline?: string;
  /** Absolute: whose newest journal says what was applied, where neither of the two is named; absent: none is asked. */
  readonly stateDir?: string;
}

/** The report, and what there is to say of the files beside it. */
export interface DriftResult extends Pick<DecidedPlan, "diagnostics" | "notices" | "fileCount"> {
  readonly report: DriftReport;
}

/** Live against declared as a plan has it, and for each difference which of the two moved since the baseline. */
export async function reportDrift(request: DriftRequest, source: Source): Promise<DriftResult> {
  if (request.appliedRef !== undefined && request.baseline !== undefined) {
    throw new RunError("usage", {
      what: "Two baselines are named.",
      fix: "Name the commit by --applied-ref, or the plan by --baseline.",
    });
  }
  const { baseline, appliedRef, stateDir, ...others } = request;
  const saved = baseline === undefined ? undefined : { path: baseline, plan: await openBaseline(baseline, request) };
  const before = saved && { families: listManagedIn(saved.plan), since: `the plan ${saved.path}` };
  const planned = await plan(
    {
      ...others,
      ...(appliedRef !== undefined && { appliedRef }),
      ...(before ? { managedBefore: before } : stateDir !== undefined && { stateDir }),
      allowed: [],
      withoutAccess: true,
    },
    source,
  );
  const { target, changes } = planned.plan;
  const git = createGit(request.env);
  const applied = saved ? fromPlanFile(saved.path, saved.plan, planned) : await appliedThen(git, request, planned);
  const differences = findDrift(changes, applied.changes, applied.isExplained, planned.policies);
  const signed = await sign(git, differences, planned.desired, request.cwd);
  return {
    report: {
      target,
      ...(applied.baseline && { baseline: applied.baseline }),
      differences: signed.differences,
      changes,
      notes: [...planned.plan.notes, ...applied.notes, ...signed.notes],
      ...(planned.ceased && planned.ceased.length > 0 && { ceased: planned.ceased.length }),
    },
    diagnostics: planned.diagnostics,
    notices: planned.notices,
    fileCount: planned.fileCount,
  };
}

async function appliedThen(git: Git, request: DriftRequest, planned: DecidedPlan): Promise<AppliedPlan> {
  const { appliedRef, stateDir } = request;
  if (appliedRef !== undefined) return fromCommit(git, appliedRef, request, planned);
  return stateDir === undefined ? { notes: [] } : fromJournal(stateDir, planned, request.env);
}

/** What the state files declared at a commit, by the variables of then and the other settings of today. */
async function fromCommit(git: Git, ref: string, request: RunRequest, planned: DecidedPlan): Promise<AppliedPlan> {
  const { target, detected, live } = planned;
  const { hash, source, vars } = await openStateThen(git, ref, request, target);
  const { repository, diagnostics: shape } = await openRepository({ ...target, vars }, request, "resolve", source);
  const { desired, diagnostics } = normalise(repository, detected.dialect, target.families);
  // An entry that is out of the target's scope today may have been in scope then.
  const problems = [...shape, ...diagnostics.filter(({ code }) => code !== "out-of-scope")];
  if (problems.some(isError)) {
    const what = `The state files at ${ref} have errors.`;
    const why = `These are places in the files as they were at ${ref}, which is what the server is compared with. Name another commit by --applied-ref.`;
    throw new RunError("invalid", { what, why }, sortDiagnostics(problems.filter(isError)));
  }
  const baseline = { kind: "commit", ref, commit: hash } as const;
  const changes = diff(desired, live, target.families);
  if (repository.fileCount > 0) return { baseline, changes, notes: [] };
  // Otherwise a change on the server would be reported as a change in git.
  const nothing = `At ${ref} the state paths hold no files: the origin of changes is unknown.`;
  return { baseline, changes, isExplained: () => false, notes: [nothing] };
}

/**
 * The state files of the target at a commit: by the variables and the state paths of then, so that a folder that has got
 * another name since is the same; where none are known, of today.
 *
 * @throws RunError `invalid` where the variables of then have errors
 */
async function openStateThen(
  git: Git,
  ref: string,
  request: RunRequest,
  target: Target,
): Promise<StateCommit & Pick<Target, "vars">> {
  const { cwd, configPath, flags } = request;
  const { state } = target;
  const isNamed = flags.statePaths.length > 0;
  if (isNamed && ![...target.vars.values()].some(hasPlace)) {
    return { ...(await openCommit(git, ref, { state, cwd })), vars: target.vars };
  }
  const base = await openBase(git, ref, { cwd, configPath }, forDrift);
  const then = await readSettingsThen(base, target.name, request, ref);
  const vars = then?.vars ?? target.vars;
  const paths = isNamed ? undefined : then?.own.state;
  const today = state.map((path) => resolve(cwd, path));
  const isAsToday = paths?.length === today.length && paths.every((path) => today.includes(base.absolute(path)));
  return paths && !isAsToday
    ? { hash: base.hash, source: base.state(paths), vars }
    : { ...(await openCommit(git, ref, { state, cwd })), vars };
}

async function sign(
  git: Git,
  differences: readonly DriftDifference[],
  desired: DesiredState,
  cwd: string,
): Promise<Pick<DriftReport, "differences" | "notes">> {
  const { authors, notes } = await findAuthors(
    git,
    differences.map(({ change }) => rangesOf(change, desired)),
    cwd,
  );
  const signed = differences.map((difference, at) => {
    const author = authors[at];
    return author ? { ...difference, author } : difference;
  });
  return { differences: signed, notes };
}

/** What a difference is about in the files: the fields that differ, else the whole entry; nothing where none is declared. */
function rangesOf({ family, name, before, edits, origin }: Change, desired: DesiredState): readonly SourceRange[] {
  if (!origin) return [];
  const declared = isResourceFamily(family) ? desired.resources.get(family)?.get(name) : undefined;
  const node = family === "config" ? desired.config?.node : declared?.node;
  if (!node || node.file !== origin.file) return [origin];
  const fields = before === undefined ? [] : edits.flatMap(({ path }) => rangeOfField(node, path) ?? []);
  return fields.length > 0 ? fields : [{ ...origin, end: Math.max(origin.end, node.end) }];
}

/** The innermost key on a path, with its value; undefined where not even the first is written. */
function rangeOfField(node: Node, [token, ...rest]: readonly string[]): SourceRange | undefined {
  const entry = token === undefined ? undefined : findMapEntry(node, token);
  if (!entry) return undefined;
  const { keyRange, value } = entry;
  // The value of an alias, or of a merge key, is written elsewhere.
  const isBelow = value.file === keyRange.file && value.start >= keyRange.end;
  return rangeOfField(value, rest) ?? { ...keyRange, end: isBelow ? value.end : keyRange.end };
}
