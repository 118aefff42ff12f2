import { isAbsolute } from "node:path";
import { explainUnreadable, readArtifactText } from "../../artifacts/artifact-file.ts";
import { restoreComparable } from "../../artifacts/desired.ts";
import { planKey } from "../../artifacts/plan-key.ts";
import { isSameCluster } from "../../artifacts/same-cluster.ts";
import { listDesired } from "../../artifacts/saved-plan/derived.ts";
import { openSavedPlan } from "../../artifacts/saved-plan/open.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { diffResources } from "../../diff/diff.ts";
import { withoutCredentials } from "../../families/credentials.ts";
import { collectSecrets } from "../../json/slots.ts";
import { type Fields, holdsSecret } from "../../json/value.ts";
import type { Artifact, RecordedTarget } from "../../model/artifact.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { Baseline } from "../../model/drift.ts";
import { type Address, createAddress, type Family, isResourceFamily } from "../../model/names.ts";
import type { SavedDesired, SavedPlan } from "../../model/plan-file.ts";
import { getDesiredValue } from "../../secrets/changed.ts";
import type { RunRequest } from "../request.ts";
import { type CommitQuestion, readCommit } from "./commit-then.ts";
import { type AppliedEntry, findRecordedBases, type RecordedBase } from "./recorded-bases.ts";

/** What is taken for applied: named by a flag, else what runs on record say. */
export interface BaselineFlags {
  /** The commit whose state files are taken for applied. */
  readonly appliedRef?: string;
  /** The reviewed plan that is taken for applied; instead of a commit. */
  readonly baseline?: string;
  /** Absolute: whose journals say what was applied, where neither of the two is named; absent: none is asked. */
  readonly stateDir?: string;
}

/** What is known of an entry as it was applied last. */
export interface AppliedBase {
  /** Canonical; absent where it was not there, and nothing declared it. */
  readonly declared?: Fields;
  /** Nothing of its type was declared. */
  readonly isUnmanaged?: true;
  /** A secret in it is not known, so that it is equal to no value of a server. */
  readonly isIncomparable?: true;
}

export interface Baselines {
  /** What they are of; absent where no flag names it and no run is on record. */
  readonly source?: Baseline;
  /** Whether that says anything of this target. */
  readonly isOfTarget: boolean;
  /** What they say of an entry that was asked for; undefined where nothing is known of it. */
  at(family: Family, name: string): AppliedBase | undefined;
  /** Everything that they declare, to compare with what a server holds. */
  readonly desired: DesiredState;
  /** Entries that a run was to delete, and did not, with digests of what they were then. */
  readonly unfinished?: ReadonlyMap<Address, string>;
  readonly notes: readonly string[];
}

/** With what the server has now. */
type WantedEntry = AppliedEntry & Pick<Change, "live">;

export interface BaselineQuestion extends CommitQuestion {
  readonly request: RunRequest & BaselineFlags;
  readonly cluster: RecordedTarget;
  /** Of today: secrets of then are found by their references. */
  readonly declared: DesiredState;
}

/**
 * What was declared at each of some addresses when it was applied last, by a flag or else by the runs on record.
 *
 * @throws RunError `usage` for two flags, for a commit or plan that is not there, and for a plan for another cluster; `invalid`
 *   where files of the commit have errors
 */
export async function findBaselines(question: BaselineQuestion, wanted: readonly WantedEntry[]): Promise<Baselines> {
  const { request, target, cluster, declared } = question;
  const { appliedRef, baseline: path, stateDir, env } = request;
  refuseTwoBaselines(request);
  if (path !== undefined) return fromPlanFile(path, await openBaseline(path, request), question);
  if (appliedRef !== undefined) return fromCommit(appliedRef, question);
  if (stateDir === undefined)
    return { isOfTarget: false, at: () => undefined, desired: { resources: new Map() }, notes: [] };
  const { bases, newest, older, isAnyDone, ...others } = await findRecordedBases(
    stateDir,
    env,
    cluster,
    target.families,
    wanted,
    compareWithLive(wanted, declared),
  );
  const run = newest && {
    journal: newest.name,
    run: newest.begin.run,
    time: newest.begin.time,
    ...(older > 0 && { older }),
  };
  const source = run && ({ kind: "journal", ...run } as const);
  return { ...(source && { source }), isOfTarget: isAnyDone, ...restore(bases, declared), ...others };
}

export function refuseTwoBaselines({ appliedRef, baseline }: BaselineFlags): void {
  if (appliedRef === undefined || baseline === undefined) return;
  throw new RunError("usage", {
    what: "Two baselines are named.",
    fix: "Name the commit by --applied-ref, or the plan by --baseline.",
  });
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

/** What the state files declared, by the variables of then and the other settings of today. */
async function fromCommit(ref: string, question: BaselineQuestion): Promise<Baselines> {
  const { hash, desired, isEmpty, isOther } = await readCommit(ref, question);
  const source = { kind: "commit", ref, commit: hash } as const;
  if (isEmpty) {
    // Otherwise a change on the server would be reported as a change in git.
    const nothing = `At ${ref} the state paths hold no files: the origin of changes is unknown.`;
    return { source, isOfTarget: false, at: () => undefined, desired, notes: [nothing] };
  }
  const at = (family: Family, name: string): AppliedBase => {
    const declared = getDesiredValue(desired, family, name);
    return declared ? { declared } : declares(desired, family) ? {} : { isUnmanaged: true };
  };
  return { source, isOfTarget: !isOther, at, desired, notes: [] };
}

function declares({ resources, config, license }: DesiredState, family: Family): boolean {
  if (isResourceFamily(family)) return resources.has(family);
  return (family === "config" ? config : license) !== undefined;
}

/** What a reviewed plan declares: the entries that it changes and those that they refer to. */
function fromPlanFile(
  path: string,
  { target, body: saved }: Artifact<SavedPlan>,
  { cluster, declared }: BaselineQuestion,
): Baselines {
  refuseOtherCluster(path, target, cluster);
  const bases = new Map<Address, RecordedBase>();
  for (const entry of listDesired(saved)) bases.set(createAddress(entry.family, entry.name), entry);
  for (const { family, name, action } of saved.changes)
    if (action === "delete") bases.set(createAddress(family, name), "absent");
  const families = new Set(saved.changes.map(({ family }) => family).filter(isResourceFamily));
  const seen = new Set(saved.seen);
  // What was not there, and was not made, was not declared.
  const isUnseen = ({ family, name }: AppliedEntry) =>
    !saved.only && isResourceFamily(family) && families.has(family) && !seen.has(createAddress(family, name));
  const source = { kind: "plan-file", path, fingerprint: saved.fingerprint } as const;
  return { source, isOfTarget: true, ...restore(bases, declared, isUnseen), notes: [] };
}

/** Of a run that was killed: an entry is its own where it is as that run would have left it. */
function compareWithLive(wanted: readonly WantedEntry[], now: DesiredState) {
  const entries = new Map(wanted.map((entry) => [createAddress(entry.family, entry.name), entry]));
  return ({ family, name }: AppliedEntry, left: SavedDesired | "absent"): boolean => {
    const entry = entries.get(createAddress(family, name));
    if (!entry || !isResourceFamily(family) || left === "absent") return entry !== undefined && !entry.live;
    const { at, desired } = restore(new Map([[createAddress(family, name), left]]), now);
    const [value, live] = [desired.resources.get(family), entry.live];
    if (!value || !live || at(family, name)?.isIncomparable) return false;
    return diffResources(family, value, new Map([[name, live]]), undefined).every(({ edits }) => edits.length === 0);
  };
}

/** @param isAbsent of entries that have no base: whether they are known not to have been there */
function restore(
  bases: ReadonlyMap<Address, RecordedBase>,
  now: DesiredState,
  isAbsent: (entry: AppliedEntry) => boolean = () => false,
): Pick<Baselines, "at" | "desired"> {
  const held = [...bases.values()].filter((base): base is SavedDesired => typeof base === "object");
  const families = [...bases].flatMap(([address, base]) =>
    base === "unmanaged" ? [] : [(address.split("/", 1)[0] ?? "") as Family],
  );
  const written = { declared: [...new Set(families)], desired: held };
  const { desired, withoutSecret } = restoreComparable(written, secretsNow(now));
  const at = (family: Family, name: string): AppliedBase | undefined => {
    const address = createAddress(family, name);
    const base = bases.get(address);
    if (base === undefined) return isAbsent({ family, name }) ? {} : undefined;
    if (base === "unmanaged") return { isUnmanaged: true };
    const value = base === "absent" ? undefined : getDesiredValue(desired, family, name);
    if (!value) return {};
    const isIncomparable = withoutSecret.has(address) && holdsSecret(withoutCredentials(family, value));
    return { declared: value, ...(isIncomparable && { isIncomparable }) };
  };
  return { at, desired };
}

/** By their references: the environment and the files behind them are those of today. */
function secretsNow(desired: DesiredState) {
  const values = [
    ...[...desired.resources.values()].flatMap((entries) => [...entries.values()].map(({ value }) => value)),
    ...(["config", "license"] as const).flatMap((family) => getDesiredValue(desired, family, family) ?? []),
  ];
  return new Map([...collectSecrets(values).values()].map((secret) => [secret.reference, secret]));
}

function refuseOtherCluster(path: string, then: RecordedTarget, now: RecordedTarget): void {
  if (isSameCluster(then, now)) return;
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
    why: "The server is compared with what the baseline declared. Nothing was compared.",
    fix: "Name the file that gate-sync plan --out saved and apply applied last; in CI, fetch it first. Or name a commit: --applied-ref REF.",
  });
}
