import { explainUncounted, findLastRun } from "../../artifacts/journal/file.ts";
import { listManagedUntil } from "../../artifacts/journal/plan-record.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { formatCount, getNoun } from "../../families/index.ts";
import { isInScope } from "../../families/scope.ts";
import { readState } from "../../live/read.ts";
import { type Family, isResourceFamily } from "../../model/names.ts";
import type { TargetSummary } from "../../model/plan.ts";
import type { Policies } from "../../model/policy.ts";
import type { ReadPort } from "../../model/ports.ts";
import type { PlanRequest } from "../pipeline/context.ts";

/** A family that was managed, and that no file declares any more, or that is only observed now. */
export interface CeasedFamilies {
  readonly family: Family;
  /** `origin/main`, or when the last run was. */
  readonly since: string;
}

/** What a saved plan managed, in place of runs; `since` names it. */
interface ManagedBefore {
  readonly families: readonly Family[];
  readonly since: string;
}

/** What a saved plan or runs from here declared of a target and no file declares now; nothing where none is known. */
export async function findCeased(
  { stateDir, env, managedBefore }: Pick<PlanRequest, "stateDir" | "env"> & { readonly managedBefore?: ManagedBefore },
  target: Pick<TargetSummary, "name" | "url">,
  now: readonly Family[],
): Promise<readonly CeasedFamilies[]> {
  const before = managedBefore
    ? managedBefore.families.map((family) => ({ family, since: managedBefore.since }))
    : stateDir === undefined
      ? []
      : await managedByRuns(stateDir, target, env);
  return before.filter(({ family }) => !now.includes(family));
}

/** Why earlier runs are left out where they would be asked, in sentences. */
export async function listUncountedRuns({
  baseline,
  appliedRef,
  stateDir,
  env,
}: Pick<PlanRequest, "baseline" | "appliedRef" | "stateDir" | "env">): Promise<readonly string[]> {
  const areAsked = stateDir !== undefined && baseline === undefined && appliedRef === undefined;
  return areAsked ? explainUncounted(stateDir, env) : [];
}

async function managedByRuns(
  stateDir: string,
  target: Pick<TargetSummary, "name" | "url">,
  env: PlanRequest["env"],
): Promise<readonly CeasedFamilies[]> {
  const run = await findLastRun(stateDir, target, env);
  if (!run?.plan) return [];
  const sinceWords = (time: string) => (time === run.begin.time ? `the last run (${time})` : `the run of ${time}`);
  return listManagedUntil(run).map(({ family, since }) => ({ family, since: sinceWords(since) }));
}

/** One sentence each: what is left on the server that nothing manages. */
export async function listCeasedNotes(
  ceased: readonly CeasedFamilies[],
  { reader, dialect, policies }: { readonly reader: ReadPort; readonly dialect: Dialect; readonly policies: Policies },
): Promise<readonly string[]> {
  if (ceased.length === 0) return [];
  const families = ceased.map(({ family }) => family).filter(isResourceFamily);
  const reference = families.filter((family) => family in dialect.collections);
  const { resources } = await readState(reader, dialect, { needed: [], reference });
  return ceased.map(({ family, since }) => {
    const held = isResourceFamily(family) ? resources.get(family) : undefined;
    const left = [...(held?.values() ?? [])].filter(
      ({ name, ownership }) => ownership === "open" && isResourceFamily(family) && isInScope(policies[family], name),
    );
    const is = isResourceFamily(family) ? "are" : "is";
    const what = held
      ? `${formatCount(left.length, family)} on the server ${left.length === 1 ? "is" : "are"} left as ${left.length === 1 ? "it is" : "they are"}, unmanaged.`
      : "What the server has stays as it is, unmanaged.";
    const name = getNoun(family, isResourceFamily(family) ? 2 : 1);
    const them = is === "are" ? "them" : "it";
    const isObserved = policies[family]?.mode === "observe";
    const why = isObserved ? `gate-sync.yaml says to observe ${them}` : `no file declares ${them}`;
    const meant = `If this is meant, write families: {${family}: {mode: observe}} for the target in gate-sync.yaml, and apply.`;
    return `Since ${since}, ${name} ${is} not managed any more: ${why}. ${what}${isObserved ? "" : ` ${meant}`}`;
  });
}
