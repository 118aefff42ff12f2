import type { Places } from "../../access/explain/grant-path.ts";
import { type AccessModel, createAccessModel } from "../../access/model/access-model.ts";
import type { AccessState, HeldEntries } from "../../access/model/state.ts";
import { locateBackup } from "../../artifacts/backup/file.ts";
import { isFileThere } from "../../artifacts/snapshot.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { isEqual } from "../../json/value.ts";
import { type Base, openBase } from "../../load/base.ts";
import { chooseTarget } from "../../load/chosen-target.ts";
import { createGit } from "../../load/git.ts";
import { forSince } from "../../load/git-messages.ts";
import { listCommitsSince } from "../../load/listed-commits.ts";
import { readGivenVariables } from "../../load/variables.ts";
import type { AccessDifferences } from "../../model/access.ts";
import type { ListedCommit } from "../../model/listed-commit.ts";
import type { Target } from "../../model/target.ts";
import { readConfigThen, resolveSettingsThen } from "../history/config-then.ts";
import { openTarget } from "../open.ts";
import { findAccessChanges } from "../pipeline/access-diff.ts";
import type { RunRequest } from "../request.ts";
import type { Source } from "../source.ts";
import { type AskedSource, openAccess, refusePlanned } from "./asked-state.ts";
import { openBackedUp } from "./backed-up.ts";
import { formatMissing } from "./left-open.ts";
import { type OpenAccess, openEarlierAccess } from "./open.ts";

/** Who may do something now that could not then, or the reverse. */
export interface AccessSince {
  /** `commit v1 (1a2b3c4)`, `snapshot live.json`, `backup 20261121T153138.123Z-prod (…)` */
  readonly since: string;
  /** What of the earlier state is taken as it is now, in sentences: of a backup, which does not hold everything. */
  readonly asNow: readonly string[];
  readonly access: AccessDifferences;
  /** Those that changed the state files since, newest first; of a snapshot and a backup none are known. */
  readonly commits: readonly ListedCommit[];
  /** What the two states go by, and what is not known of them, in sentences. */
  readonly notes: readonly string[];
  readonly places: Places;
  readonly notices: readonly string[];
}

interface SinceRequest extends RunRequest {
  /** Where backups are, absolute. */
  readonly stateDir: string;
}

interface Earlier {
  readonly earlier: OpenAccess;
  readonly title: string;
  readonly commits?: readonly ListedCommit[];
  readonly asNow?: readonly string[];
}

interface BothStates extends Earlier {
  readonly now: OpenAccess;
}

/**
 * The access of two states, compared as a plan from one to the other would be: files with those of a commit, a server
 * or a snapshot with another snapshot, a server with what it held before a run. Files and a server are not compared, as
 * what products come with is in one alone.
 *
 * @param source of now; absent: the files alone
 */
export async function compareSince(
  request: SinceRequest,
  source: AskedSource | undefined,
  name: string,
): Promise<AccessSince> {
  refusePlanned(source);
  const { now, earlier: then, title, commits = [], asNow = [] } = await openBoth(request, source, name);
  return {
    since: title,
    asNow,
    access: findAccessChanges(
      { before: withSharedEntries(then.model, now.model.state), after: now.model },
      new Map([...then.personas, ...now.personas]),
    ),
    commits,
    notes: [
      ...now.notes,
      now.basis,
      ...formatMissing(now.missing),
      then.basis,
      ...formatMissing(then.missing).map((missing) => `Then: ${missing}`),
    ],
    places: now.places,
    notices: now.notices,
  };
}

async function openBoth(request: SinceRequest, source: Source | undefined, name: string): Promise<BothStates> {
  const backup = await locateBackup(request.cwd, request.stateDir, name);
  if (backup) {
    if (source && "connect" in source) return openBackedUp(request, source, backup);
    throw createServerNeededMessage(name);
  }
  const now = await openAccess(request, source);
  return { now, ...(source ? await openSnapshot(request, name, now) : await openCommitted(request, name, now)) };
}

function createServerNeededMessage(name: string): RunError {
  return new RunError("usage", {
    what: `${name} is a backup, and says what a server held.`,
    why: "It holds only what its run was about to change: all else is taken from the server as it is now.",
    fix: "Add --server, and leave --live out.",
  });
}

/** What is equal in both is one object: the comparison goes by that. */
export function withSharedEntries(
  model: AccessModel,
  { roles, mappings, groups, tenants, blocks }: AccessState,
): AccessModel {
  const { state } = model;
  const shared = (entries: HeldEntries, others: HeldEntries): HeldEntries =>
    new Map(
      [...entries].map(([name, value]) => {
        const other = others.get(name);
        return [name, other && isEqual(value, other) ? other : value];
      }),
    );
  return createAccessModel({
    ...state,
    roles: shared(state.roles, roles),
    mappings: shared(state.mappings, mappings),
    groups: shared(state.groups, groups),
    tenants: shared(state.tenants, tenants),
    blocks: shared(state.blocks, blocks),
  });
}

async function openSnapshot(request: RunRequest, name: string, { dialect }: OpenAccess): Promise<Earlier> {
  if (!(await isFileThere(request.cwd, name))) {
    throw new RunError("usage", {
      what: `There is no snapshot and no backup ${name}.`,
      why: "What a server holds is compared with what it, or another one, held: files and commits do not say what it came with.",
      fix: "Name a file that gate-sync export --snapshot wrote, or a backup that apply kept (--state-dir names its folder); or compare the files, without --server and --live.",
    });
  }
  return { earlier: await openEarlierAccess(request, { snapshot: name }, dialect), title: `snapshot ${name}` };
}

async function openCommitted(request: RunRequest, ref: string, { dialect }: OpenAccess): Promise<Earlier> {
  if (ref.endsWith(".json") && (await isFileThere(request.cwd, ref))) {
    throw new RunError("usage", {
      what: `${ref} is a file, and files are compared with those of a commit.`,
      why: "A snapshot has what its server came with, and files have not: each of these would be a difference.",
      fix: "Name a commit; or compare the server with its snapshot, by --server.",
    });
  }
  const { cwd, configPath, env } = request;
  const git = createGit(env);
  const target = await openTarget(request, "leave");
  const base = await openBase(git, ref, { cwd, configPath }, forSince);
  const { hash } = base;
  const title = hash.startsWith(ref) ? `commit ${hash.slice(0, 7)}` : `commit ${ref} (${hash.slice(0, 7)})`;
  const { vars, state } = await readThen(base, request, target, title);
  const named = request.flags.statePaths;
  const source = named.length > 0 ? base.named(named) : base.state(state);
  const files = { state: named.length > 0 ? named : state, title: `at ${title}`, source, vars };
  const earlier = await openEarlierAccess(request, files, dialect);
  return { earlier, title, commits: await listCommitsSince(git, hash, { state: target.state, cwd }) };
}

/** By gate-sync.yaml of then; where there was none, the paths of today are meant. */
async function readThen(
  base: Base,
  request: RunRequest,
  target: Target,
  title: string,
): Promise<Pick<Target, "vars" | "state">> {
  if (base.config === undefined) return { vars: readGivenVariables(request.flags.vars), state: target.state };
  const root = await readConfigThen(base);
  if (!root) {
    throw new RunError("invalid", {
      what: `gate-sync.yaml has errors at ${title}.`,
      why: "Which files were its state then is not known.",
      fix: "Name another commit.",
    });
  }
  const name = chooseTarget(root, request.flags);
  const { own, vars } = await resolveSettingsThen(base, root, name, request, title);
  // As they are written there: relative to the file.
  return { vars, state: own.state ?? [] };
}
