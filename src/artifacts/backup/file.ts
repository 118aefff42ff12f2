import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { computeTextDigest } from "../../json/canonical.ts";
import { getErrno } from "../../load/errno.ts";
import { createGit } from "../../load/git.ts";
import { listTracked } from "../../load/tracked.ts";
import type { Artifact } from "../../model/artifact.ts";
import type { BackedUpChange, Backup, Manifest } from "../../model/backup.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { createEditedMessage, decodeArtifact, encodeArtifact } from "../artifact.ts";
import { type NewFile, syncFolder, writeDurably, writeFolderDurably } from "../durable.ts";
import { readOwn, refuseUnlessAllOwn, refuseUnlessOwnFolder } from "../own-file.ts";
import { createStateDir, createUnreadableMessage, listRecordNames, listRecords, locateRecords } from "../state-dir.ts";

const manifestFile = "manifest.json";
const stateFolder = "state";

/**
 * Writes a new folder below `backups/`, named after its time and target. It is on the disk before this returns, and is
 * complete or absent.
 *
 * @param files the state files, by their names
 * @throws RunError `failed` where it cannot be written
 */
export async function writeBackup(
  stateDir: string,
  { target, body }: Artifact<Omit<Manifest, "files">>,
  files: readonly NewFile[],
): Promise<Backup> {
  const digests = files.map(({ name, text }) => [name, computeTextDigest(text)]);
  const manifest: Manifest = { ...body, files: Object.fromEntries(digests) };
  const backups = locateRecords(stateDir, "backup");
  try {
    await createStateDir(stateDir, "backup");
    const name = await writeFolderDurably(backups, listRecordNames(manifest.time, target.name), [
      ...files.map(({ name, text }) => ({ name: join(stateFolder, name), text })),
      { name: manifestFile, text: encodeArtifact("backup", { target, body: manifest }) },
    ]);
    for (const above of [stateDir, dirname(stateDir)]) await syncFolder(above);
    return { name, folder: join(backups, name), target, manifest };
  } catch (error) {
    throw notWritten(stateDir, error);
  }
}

/**
 * The backup of that name, or the newest of the target.
 *
 * @param target its name
 * @throws RunError `usage` where there is none, or none that can be read, and where git cannot say whether it tracks them
 */
export async function findBackup(
  stateDir: string,
  target: string,
  name: string | undefined,
  env: Surroundings["env"],
): Promise<Backup> {
  const all = await listBackups(stateDir);
  // Who may change the repository wrote what git tracks.
  const tracked = all.length === 0 ? undefined : await listTracked(createGit(env), locateRecords(stateDir, "backup"));
  const isCommitted = (each: string) => tracked?.has(each.toLowerCase()) === true;
  const names = all.filter((each) => !isCommitted(each));
  if (name !== undefined) {
    if (isCommitted(name)) throw committedBackup(name);
    if (!names.includes(name)) throw unknownBackup(stateDir, name, names);
    return readBackup(stateDir, name);
  }
  for (const candidate of names.toReversed()) {
    const backup = await readBackup(stateDir, candidate);
    if (backup.target.name === target) return backup;
  }
  throw noBackup(stateDir, target, names);
}

/** Where a backup is, as `findBackup` takes it. */
export interface BackupPlace {
  readonly stateDir: string;
  readonly name: string;
}

/**
 * The place of a backup by its name, or by the path of its folder; undefined where there is no such folder.
 *
 * @param cwd the current folder
 */
export async function locateBackup(cwd: string, stateDir: string, name: string): Promise<BackupPlace | undefined> {
  const folder = /[\\/]/.test(name) ? resolve(cwd, name) : join(locateRecords(stateDir, "backup"), name);
  const place = { stateDir: dirname(dirname(folder)), name: basename(folder) };
  if (locateRecords(place.stateDir, "backup") !== dirname(folder)) return undefined;
  const isThere = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? place : undefined;
}

/**
 * Once a run is over, keeps in its backup only what the run wrote, as there is nothing else to revert. The backup of a run
 * that wrote nothing is removed, so that the newest backup is of a run that did. Where the disk refuses, it stays as it was.
 *
 * @param folder of the backup
 * @param written what the run wrote, or may have written
 */
export async function settleBackup(folder: string, written: ReadonlySet<Address>): Promise<void> {
  try {
    const place = join(folder, manifestFile);
    const { target, body } = decodeArtifact("backup", place, await readOwn(place));
    const changes = body.changes.filter(({ family, name }) => written.has(createAddress(family, name)));
    if (changes.length === body.changes.length) return;
    if (changes.length === 0) return await rm(folder, { recursive: true });
    const config = written.has("config") ? {} : { config_children: [], secrets_replaced: [] };
    await writeDurably(place, encodeArtifact("backup", { target, body: { ...body, changes, ...config } }));
  } catch (error) {
    if (getErrno(error) === undefined) throw error;
  }
}

/** Oldest first. */
async function listBackups(stateDir: string): Promise<readonly string[]> {
  const entries = await listRecords(stateDir, "backup");
  return entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith(".")).map(({ name }) => name);
}

async function readBackup(stateDir: string, name: string): Promise<Backup> {
  const folder = join(locateRecords(stateDir, "backup"), name);
  try {
    await refuseUnlessOwnFolder(folder);
    const place = join(folder, manifestFile);
    const { target, body: manifest } = decodeArtifact("backup", place, await readOwn(place));
    if (!manifest.changes.every((change) => hasStateFile(change, manifest))) {
      throw createEditedMessage("backup", place, "What it changes has no state files.");
    }
    await refuseEditedFiles(join(folder, stateFolder), manifest);
    return { name, folder, target, manifest };
  } catch (error) {
    throw error instanceof RunError ? error : createUnreadableMessage("backup", folder, error);
  }
}

/** @throws RunError `usage` where a state file was edited, added or removed: all of it would be written to the cluster */
async function refuseEditedFiles(folder: string, { families, files }: Manifest): Promise<void> {
  if (families.length === 0) return;
  await refuseUnlessAllOwn(folder);
  const found = await readdir(folder, { recursive: true });
  for (const name of [...new Set([...found, ...Object.keys(files)])].sort()) {
    const place = join(folder, name);
    const wrong = !found.includes(name)
      ? "It is gone, and what it held would be deleted."
      : files[name] === undefined
        ? "The manifest does not list it."
        : computeTextDigest(await readOwn(place)) !== files[name] && "Its digest is not the one in the manifest.";
    if (wrong) throw createEditedMessage("backup", place, wrong);
  }
}

/** Whether the family has a state file, without which nothing of it would be reverted. A license has none. */
function hasStateFile({ family, action }: BackedUpChange, { families }: Manifest): boolean {
  return families.includes(family) || family === "license" || (family === "config" && action === "create");
}

function notWritten(stateDir: string, error: unknown): RunError {
  return new RunError("failed", {
    what: `The backup cannot be written to ${stateDir}.`,
    why: `${error instanceof Error ? error.message : String(error)}. Without a backup nothing was sent.`,
    fix: "Name a folder with --state-dir in which you may write and others may not; gate-sync makes one that does not exist.",
  });
}

function unknownBackup(stateDir: string, name: string, names: readonly string[]): RunError {
  return new RunError("usage", { what: `There is no backup "${name}" in ${stateDir}.`, fix: listed(names) });
}

function committedBackup(name: string): RunError {
  return new RunError("usage", {
    what: `The backup "${name}" is in git.`,
    why: "Who may change the repository may have written it, and what it holds would count as what the cluster held.",
    fix: "Use a backup that apply left behind. To use this one all the same, copy it to a folder that git does not keep and name that with --state-dir.",
  });
}

function noBackup(stateDir: string, target: string, names: readonly string[]): RunError {
  return new RunError("usage", {
    what: `There is no backup of ${target} in ${stateDir}.`,
    why: "apply makes one there before it writes.",
    fix: listed(names),
  });
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "Name the folder that has it with --state-dir." : `Backups: ${names.join(", ")}.`;
}
