import { readRuns } from "../../artifacts/journal/file.ts";
import type { KnownRun } from "../../artifacts/journal/known-run.ts";
import { mayBeSameCluster } from "../../artifacts/same-cluster.ts";
import { isInScope } from "../../families/scope.ts";
import type { RecordedTarget } from "../../model/artifact.ts";
import type { JournaledChange, PlanRecord } from "../../model/journal.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import type { SavedDesired } from "../../model/plan-file.ts";
import type { Policies } from "../../model/policy.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { foreignDeletions } from "../../plan/guards/foreign-deletions.ts";

export interface AppliedEntry {
  readonly family: Family;
  readonly name: string;
}

/** What a run says of an entry: what it declared, that it was not there, or that nothing managed its type. */
export type RecordedBase = SavedDesired | "absent" | "unmanaged";

export interface RecordedBases {
  readonly bases: ReadonlyMap<Address, RecordedBase>;
  /** The newest run of this cluster; absent where none is known. */
  readonly newest?: KnownRun;
  /** Whether any run wrote an entry, or found one in sync. */
  readonly isAnyDone: boolean;
  /** How many other runs some entry's base is of. */
  readonly older: number;
  /** Entries that a run was to delete, and did not, with digests of what they were then. */
  readonly unfinished: ReadonlyMap<Address, string>;
  readonly notes: readonly string[];
}

/**
 * For each entry the newest run on record that wrote it, or looked at it and had nothing to send. Of what a run may have
 * written, or not, it says nothing unless it is so now: else an older one counts.
 *
 * @param stateDir absolute
 * @param policies of the target
 * @param isAsLeft whether an entry is now as a run would have left it
 */
export async function findRecordedBases(
  stateDir: string,
  env: Surroundings["env"],
  cluster: Pick<RecordedTarget, "url" | "server">,
  policies: Policies,
  wanted: readonly AppliedEntry[],
  isAsLeft: (entry: AppliedEntry, left: SavedDesired | "absent") => boolean,
): Promise<RecordedBases> {
  const bases = new Map<Address, RecordedBase>();
  const unmanaged = new Set<Address>();
  const unfinished = new Map<Address, string>();
  const notes: string[] = [];
  let open = wanted;
  let newest: KnownRun | undefined;
  let older = 0;
  let isAnyDone = false;
  // A run that names none of the types that are left says no more of them than a newer one that managed none.
  const mayMatter = (text: string) =>
    !newest ||
    !text.includes('"record":"plan"') ||
    open.some((one) => !unmanaged.has(createAddress(one.family, one.name)) || text.includes(`"${one.family}"`));
  const isMeant = (target: RecordedTarget, text: string) => mayBeSameCluster(target, cluster) && mayMatter(text);
  for await (const run of readRuns(stateDir, isMeant, env)) {
    if (!run.plan) {
      notes.push(
        `The run ${run.name} left a journal that cannot be read: it is no baseline, nor is any run before it. gate-sync status shows more.`,
      );
      break;
    }
    const isFirst = newest === undefined;
    newest ??= run;
    const count = open.length;
    const baseOf = createLookup(run, isAsLeft);
    isAnyDone ||= hasDone(run, baseOf, policies);
    const doomed = listDoomed(run.plan);
    open = open.filter((entry) => {
      const address = createAddress(entry.family, entry.name);
      const base = baseOf(entry);
      if (base === "unmanaged") unmanaged.add(address);
      else if (base) bases.set(address, base);
      const digest = doomed.get(address);
      if (!base && digest !== undefined && !unfinished.has(address)) unfinished.set(address, digest);
      return !bases.has(address);
    });
    if (!isFirst && open.length < count) older += 1;
    if (open.length === 0) break;
  }
  for (const address of unmanaged) if (!bases.has(address)) bases.set(address, "unmanaged");
  return { bases, ...(newest && { newest }), isAnyDone, older, unfinished, notes };
}

/** Undefined where the run says nothing of the entry. */
type Lookup = (entry: AppliedEntry) => RecordedBase | undefined;

function createLookup(run: KnownRun, isAsLeft: Parameters<typeof findRecordedBases>[5]): Lookup {
  const { plan, replaced, changeOutcomes } = run;
  const { declared, scope, left = [], names = {} } = plan;
  const [now, ...before] = [plan, ...replaced].map(indexPlan);
  const [unwritten, only] = [new Set(left), scope.of === "changes" && scope.only && new Set(scope.only)];
  const [seen, changed] = [new Set(scope.of === "changes" ? scope.seen : []), listChangedFamilies(plan)];
  return ({ family, name }) => {
    const address = createAddress(family, name);
    const outcome = changeOutcomes.get(address);
    if (outcome) {
      const by = [now, ...before].find((one) => one?.changes.has(address));
      const left = by?.changes.get(address)?.action === "delete" ? "absent" : by?.desired.get(address);
      const maybe = outcome.kind === "unknown" || outcome.kind === "in-part";
      return left && (outcome.kind === "done" || (maybe && isAsLeft({ family, name }, left))) ? left : undefined;
    }
    if ((only && !only.has(address)) || unwritten.has(address) || !isInScope(names[family], name)) return undefined;
    if (scope.of === "families" && !scope.families.includes(family)) return undefined;
    if (scope.of !== "changes" && !declared.includes(family)) return "unmanaged";
    const found = now?.desired.get(address);
    // A saved plan has entries that its changes refer to, and its run looks at none of them.
    if (found) return scope.of !== "changes" || only ? found : undefined;
    const isUnknown = scope.of === "changes" && (seen.has(address) || !(only || changed.has(family)));
    return isUnknown || !isResourceFamily(family) ? undefined : "absent";
  };
}

/** @param policies of the target: a run about other names of the cluster, of another target, is none of it */
function hasDone(
  { plan: { changes, desired }, changeOutcomes }: KnownRun,
  baseOf: Lookup,
  policies: Policies,
): boolean {
  const isMeant = ({ family, name }: AppliedEntry) => isInScope(policies[family], name);
  const isDone = ({ family, name }: AppliedEntry) => changeOutcomes.get(createAddress(family, name))?.kind === "done";
  return changes.some((one) => isMeant(one) && isDone(one)) || desired.some((one) => isMeant(one) && baseOf(one));
}

/** What a run was to delete without a waiver: it had no baseline, or it was ours. */
function listDoomed({ changes, waived }: PlanRecord): ReadonlyMap<Address, string> {
  const addresses = waived.flatMap((one) => (one.rule === foreignDeletions.rule ? one.addresses : []));
  const doomed = changes.flatMap(({ family, name, action, before }): [Address, string][] =>
    action === "delete" && before !== undefined ? [[createAddress(family, name), before]] : [],
  );
  return new Map(doomed.filter(([address]) => !addresses.includes(address)));
}

function listChangedFamilies({ changes }: PlanRecord): ReadonlySet<Family> {
  return new Set(changes.map(({ family }) => family));
}

interface IndexedPlan {
  readonly changes: ReadonlyMap<Address, JournaledChange>;
  readonly desired: ReadonlyMap<Address, SavedDesired>;
}

function indexPlan({ changes, desired }: PlanRecord): IndexedPlan {
  const index = <T extends AppliedEntry>(entries: readonly T[]) =>
    new Map(entries.map((entry) => [createAddress(entry.family, entry.name), entry]));
  return { changes: index(changes), desired: index(desired) };
}
