import { restoreComparable } from "../artifacts/desired.ts";
import { explainUncounted, findLastRun, listOtherUrls } from "../artifacts/journal/file.ts";
import { countOutcomes, type KnownRun } from "../artifacts/journal/known-run.ts";
import { listOpenPasswords } from "../artifacts/journal/open-passwords.ts";
import { blankSecrets, digestBefore } from "../artifacts/journal/plan-record.ts";
import { mayBeSameCluster } from "../artifacts/same-cluster.ts";
import { RunError } from "../diagnostics/failure.ts";
import { diff } from "../diff/diff.ts";
import type { Edit } from "../json/patch.ts";
import { holdsSecret, isEqual } from "../json/value.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { type Change, isPending } from "../model/change.ts";
import type { JournaledChange } from "../model/journal.ts";
import type { LiveState } from "../model/live.ts";
import { type Address, families as allFamilies, createAddress, type Family, isResourceFamily } from "../model/names.ts";
import type { TargetSummary } from "../model/plan.ts";
import type { ReadPort } from "../model/ports.ts";
import type { BegunRun, LastRun, LiveMatch, Status, UnfinishedEntry } from "../model/status.ts";
import type { Target } from "../model/target.ts";
import { withOldTextsHidden } from "../secrets/moved.ts";
import { redactChange } from "../secrets/redact.ts";
import { openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";
import { manageAll } from "./saved-plan.ts";
import { summariseSource } from "./source.ts";

export interface StatusRequest extends RunRequest {
  /** Absolute. */
  readonly stateDir: string;
}

/**
 * What the newest journal of the target holds about its run and, for everything that is not done, what the server
 * holds now. No state file is read, and nothing is written. Where the server cannot be asked, the journal is reported
 * all the same.
 */
export async function readStatus(
  request: StatusRequest,
  connect: (target: Target) => ReadPort,
): Promise<Omit<Status, "stateDir">> {
  const target = await openTarget(request);
  const summary = summariseSource(target, request);
  const run = await findLastRun(request.stateDir, summary, request.env);
  const explained = {
    target: { name: summary.name, url: summary.url },
    notes: [
      ...(await explainUncounted(request.stateDir, request.env)),
      ...(run ? [] : await elsewhere(request, summary)),
    ],
  };
  if (!run) return { ...explained, unfinished: [] };
  if (!run.plan) return { ...explained, unreadable: beginningOf(run), unfinished: [] };
  const damaged = run.damaged ? ["A line of the journal cannot be read: what came after it counts as unknown."] : [];
  const notes = [...explained.notes, ...damaged];
  const known = { ...explained, run: explainedOf(run), notes };
  const open = openChangeOutcomes(run, request.families);
  if (open.length === 0) return { ...known, unfinished: [] };
  try {
    const found = await foundNow(run, open, { target, summary }, connect);
    return { ...known, unfinished: open.map((entry) => ({ ...entry, found: found(entry.address) })) };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { ...known, unfinished: open.map((entry) => ({ ...entry, found: "not-read" })), unread: error.userMessage };
  }
}

function beginningOf({ name, begin, target: { identity } }: Pick<KnownRun, "name" | "begin" | "target">): BegunRun {
  const { command, run, time } = begin;
  return { journal: name, command, run, ...(identity !== undefined && { identity }), began: time };
}

function explainedOf(run: KnownRun): LastRun {
  const { begin, plan, ending, time } = run;
  return {
    ...beginningOf(run),
    fingerprint: plan.fingerprint,
    ...(plan.backup !== undefined && { backup: plan.backup }),
    reviewed: begin.command === "apply" && plan.scope.of === "changes",
    last: time,
    ending,
    counts: countOutcomes(run),
  };
}

/** A target whose URL was changed has not lost its past. */
async function elsewhere(
  { stateDir, env }: StatusRequest,
  target: Pick<TargetSummary, "name" | "url">,
): Promise<readonly string[]> {
  const urls = await listOtherUrls(stateDir, target, env);
  if (urls.length === 0) return [];
  const most = urls.slice(0, 3).join(", ");
  const more = urls.length > 3 ? ` and ${urls.length - 3} more` : "";
  return [`There are journals of a target of this name at another URL: ${most}${more}.`];
}

function openChangeOutcomes(
  run: KnownRun,
  families: readonly Family[] = allFamilies,
): readonly Omit<UnfinishedEntry, "found">[] {
  const passwords = listOpenPasswords(run);
  const own = [...run.changeOutcomes].filter(([, { kind }]) => kind !== "done");
  const earlier = passwords.filter((address) => !own.some(([open]) => open === address));
  const detail = "an earlier run was to write its password";
  return [...own, ...earlier.map((address) => [address, { kind: "unknown", detail }] as const)]
    .filter(([address]) => families.includes(familyOf(address)))
    .map(([address, { kind, detail }]) => ({
      address,
      outcome: kind,
      ...(detail !== undefined && { detail }),
      ...(passwords.includes(address) && { rotates: true }),
    }));
}

/** Reads the families concerned and lays what they hold beside what the run wanted and what it was made from. */
async function foundNow(
  run: KnownRun,
  open: readonly Omit<UnfinishedEntry, "found">[],
  { target, summary }: { readonly target: Target; readonly summary: Omit<TargetSummary, "server"> },
  connect: (target: Target) => ReadPort,
): Promise<(address: Address) => LiveMatch> {
  const needed = [...new Set(open.map(({ address }) => familyOf(address)))];
  const reader = memoiseReads(connect(target));
  try {
    const { product, release } = run.target.server;
    // Known from the run: on some servers finding it out takes rights and requests that reading does not.
    const stated = target.product === undefined ? { product, release, how: "the journal" } : target;
    const { server, dialect } = await detect(reader, stated, needed.filter(isResourceFamily));
    if (!mayBeSameCluster(run.target, { ...summary, server })) throw otherCluster(run);
    // No principal can read whether a license was taken.
    const read = needed.filter((family) => family !== "license");
    return findInLive(run, await readState(reader, dialect, { needed: read, reference: [] }));
  } finally {
    await reader.close();
  }
}

/** Decided by the same differ as the plan. */
export function findInLive({ plan }: KnownRun, live: LiveState): (address: Address) => LiveMatch {
  const { desired } = restoreComparable(plan);
  const { license: _, ...comparable } = desired;
  const now = new Map(
    diff(comparable, live, manageAll).map((change) => [createAddress(change.family, change.name), change]),
  );
  const before = new Map(plan.changes.map((change) => [createAddress(change.family, change.name), change]));
  return (address) => {
    if (familyOf(address) === "license") return "unknown";
    const change = now.get(address);
    // Where the user is gone, the next apply creates it with its password.
    if (plan.passwords?.includes(address)) return change?.before ? "unknown" : "as-wanted";
    const was = before.get(address);
    // What was to be deleted is gone.
    if (!change || !differs(change)) return wroteSecretsAlone(was, change) ? "unknown" : "as-wanted";
    if (isForSecretsAlone(change)) return "unknown";
    // The run may have known one of its strings as a secret of another entry, and the journal holds no secrets.
    const digests = [change, withOldTextsHidden(change)].map(digestBefore);
    const isBefore = digests.includes(was?.before);
    const isIntermediate = was?.intermediate?.some((left) => digests.includes(left)) ?? false;
    // A part that wrote a secret alone leaves what looks as before.
    if (isBefore) return isIntermediate ? "unknown" : "as-before";
    return isIntermediate ? "in-part" : "otherwise";
  };
}

function differs(change: Change): boolean {
  return isPending(change) || change.edits.length > 0;
}

/** What was to be changed looked before as it does now: only a password, which no server shows, was to be written. */
function wroteSecretsAlone(was: JournaledChange | undefined, now: Change | undefined): boolean {
  return was?.action === "update" && now !== undefined && was.before === digestBefore(now);
}

/** The journal holds no secrets, so that none of them is ever the one on the server. */
function isForSecretsAlone(change: Change): boolean {
  const { edits } = redactChange(change);
  const areSecrets = ({ before, after }: Edit) =>
    before !== undefined &&
    after !== undefined &&
    holdsSecret(after) &&
    isEqual(blankSecrets(before), blankSecrets(after));
  return edits.length > 0 && edits.every(areSecrets);
}

function familyOf(address: Address): Family {
  const [first = ""] = address.split("/", 1);
  return allFamilies.find((family) => family === first) ?? "roles";
}

function otherCluster({ name, target }: KnownRun): RunError {
  return new RunError("failed", {
    what: `The journal ${name} is of another cluster than the one that answers now.`,
    why: `Its run was on ${target.server.clusterName ?? target.url} (${target.server.clusterUuid ?? target.server.product}): what is there now says nothing of it.`,
    fix: "Look with gate-sync plan.",
  });
}
