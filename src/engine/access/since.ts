import { join } from "node:path";
import { createAccessMap, listMapColumns } from "../../access/questions/access-map.ts";
import {
  compareAccessMaps,
  type MapChanges,
  type MapDifference,
  narrowMap,
} from "../../access/questions/map-differences.ts";
import { createEntryPrincipal, getPrincipalKey, type Principal } from "../../access/questions/who.ts";
import { findBackup } from "../../artifacts/backup/file.ts";
import { isFileThere } from "../../artifacts/snapshot.ts";
import { listRecords } from "../../artifacts/state-dir.ts";
import { RunError } from "../../diagnostics/failure.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { findAuthors } from "../../load/blame.ts";
import { formatPath } from "../../load/files.ts";
import { createGit } from "../../load/git.ts";
import { forSince } from "../../load/git-messages.ts";
import type { ResourceFamily } from "../../model/names.ts";
import { openStateThen } from "../history/state-then.ts";
import { openTarget } from "../open.ts";
import type { RunRequest } from "../request.ts";
import { type OpenAccess, openEarlierAccess } from "./open.ts";
import { listPrincipalsWithPersonas } from "./principals.ts";

/** What a map is compared with. */
export interface EarlierState {
  /** A snapshot, the name of a backup, or a commit. */
  readonly name: string;
  /** Absolute: where backups are. */
  readonly stateDir: string;
}

/** The map of now, and what it has that another state has not. */
export async function compareSince(now: OpenAccess, request: RunRequest, since: EarlierState) {
  const { access: then, title } = await openThen(request, since, now.dialect);
  const [own, old] = [now, then].map((one) => listPrincipalsWithPersonas(one.model, one.personas));
  const [ofNow, ofThen] = [addMissing(own ?? [], old ?? [], now), addMissing(old ?? [], own ?? [], then)];
  const [columns, earlier] = [listMapColumns(now.model, own ?? []), listMapColumns(then.model, old ?? [])];
  const whole = createAccessMap(now.model, ofNow, now.release, now.places, earlier);
  const before = createAccessMap(then.model, ofThen, then.release, then.places, columns);
  const changes: MapChanges = {
    title,
    differences: await addAuthors(compareAccessMaps(before, whole), request),
    basis: then.basis,
  };
  return { map: narrowMap(whole, own ?? [], columns), changes };
}

function addMissing(some: readonly Principal[], others: readonly Principal[], { model }: OpenAccess) {
  const known = new Set(some.map(getPrincipalKey));
  const missing = others.filter((one) => !known.has(getPrincipalKey(one)));
  return [
    ...some,
    ...missing.map((one) => (one.kind === "entry" ? createEntryPrincipal(one.member, model.state) : one)),
  ];
}

async function addAuthors(differences: readonly MapDifference[], { env, cwd }: RunRequest) {
  const places = differences.map(({ after }) =>
    after.flatMap(({ chain }) => chain.flatMap(({ place }) => (place ? [place] : []))),
  );
  const authors = places.some(({ length }) => length > 0) ? await findAuthors(createGit(env), places, cwd) : [];
  return differences.map((difference, at) => {
    const author = authors[at];
    return author ? { ...difference, author } : difference;
  });
}

async function openThen(
  request: RunRequest,
  { name, stateDir }: EarlierState,
  dialect: Dialect,
): Promise<{ access: OpenAccess; title: string }> {
  if (await isFileThere(request.cwd, name))
    return {
      access: await openEarlierAccess(request, { snapshot: name }, dialect),
      title: `since the snapshot ${name}`,
    };
  if ((await listRecords(stateDir, "backup")).some((record) => record.name === name))
    return openBackedUp(request, { name, stateDir }, dialect);
  const target = await openTarget(request, "leave");
  const { hash, source } = await openStateThen(createGit(request.env), name, request, target, forSince);
  const title = hash.startsWith(name) ? `commit ${hash.slice(0, 7)}` : `commit ${name} (${hash.slice(0, 7)})`;
  const files = { state: target.state, title: `at ${title}`, source };
  return { access: await openEarlierAccess(request, files, dialect), title: `since ${title}` };
}

/** Without these nothing is known of who could do what. */
const needed: readonly ResourceFamily[] = ["roles", "role_mappings"];

async function openBackedUp(request: RunRequest, { name, stateDir }: EarlierState, dialect: Dialect) {
  const target = await openTarget(request, "leave");
  const { folder, manifest } = await findBackup(stateDir, target.name, name, request.env);
  const missing = needed.filter((family) => !manifest.families.includes(family));
  if (missing.length > 0) {
    throw new RunError("usage", {
      what: `The backup ${name} has no ${missing.join(" and no ")}.`,
      why: "A backup holds the families that its run changed, and no more: who could do what then is not in it.",
      fix: "Name a commit, or a snapshot (gate-sync export --snapshot).",
    });
  }
  const state = [formatPath(request.cwd, join(folder, "state"), folder)];
  return {
    access: await openEarlierAccess(request, { state, title: `of the backup ${name}` }, dialect),
    title: `since the backup ${name}`,
  };
}
