import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import type { Value } from "../../json/value.ts";
import type { BackedUpChange, Backup, Manifest } from "../../model/backup.ts";
import { type Address, createAddress } from "../../model/names.ts";
import { writeDurably } from "../durable.ts";
import type { NewFile } from "../folder.ts";
import { readOwnJson, refuseOthersIn, refuseUnlessOwnFolder } from "../own-file.ts";
import {
  fitsList,
  fitsObject,
  fitsOneOf,
  fitsOptional,
  isAddress,
  isKnownFamily,
  isString,
  isTarget,
} from "../shapes.ts";
import { createStateDir, listRecordsIn } from "../state-dir.ts";

const manifestFile = "manifest.json";

/**
 * A new folder below `backups/`, named after its time and target: on the disk before this returns, and whole or not
 * there at all.
 *
 * @throws RunError `failed` where it cannot be written
 */
export async function writeBackup(stateDir: string, manifest: Manifest, files: readonly NewFile[]): Promise<Backup> {
  const backups = join(stateDir, "backups");
  let unfinished: string | undefined;
  try {
    await createStateDir(stateDir, "backups");
    const name = await freeName(backups, nameFor(manifest));
    unfinished = join(backups, `.${name}.unfinished`);
    await mkdir(join(unfinished, "state"), { recursive: true, mode: 0o700 });
    for (const file of files) await writeSynced(join(unfinished, "state", file.name), file.text);
    await writeSynced(join(unfinished, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const folder of [join(unfinished, "state"), unfinished]) await sync(folder);
    const folder = join(backups, name);
    await rename(unfinished, folder);
    for (const above of [backups, stateDir, dirname(stateDir)]) await sync(above);
    return { name, folder, manifest };
  } catch (error) {
    if (unfinished !== undefined) await rm(unfinished, { recursive: true, force: true }).catch(() => {});
    throw notWritten(stateDir, error);
  }
}

/**
 * The backup of that name, or the newest of the target.
 *
 * @param tracked files below `backups/` that git keeps: who may change the repository wrote them, and they count for nothing
 * @throws RunError `usage` where there is none, or none that can be read
 */
export async function findBackup(
  stateDir: string,
  target: string,
  name: string | undefined,
  tracked: ReadonlySet<string> = new Set(),
): Promise<Backup> {
  const committed = new Set([...tracked].map((path) => path.split("/", 1)[0]));
  const names = (await namesIn(stateDir)).filter((each) => !committed.has(each));
  if (name !== undefined) {
    if (committed.has(name)) throw committedBackup(name);
    if (!names.includes(name)) throw unknownBackup(stateDir, name, names);
    return readBackup(stateDir, name);
  }
  for (const candidate of names.toReversed()) {
    const backup = await readBackup(stateDir, candidate);
    if (backup.manifest.target.name === target) return backup;
  }
  throw noBackup(stateDir, target, names);
}

/**
 * Once a run is over: what it did not write is nothing to take back, and a backup of a run that wrote nothing goes, so that
 * the newest one is of a run that did. Where that cannot be written, the backup holds what the run was about to do.
 *
 * @param folder of the backup
 * @param written what the run wrote, or may have written
 */
export async function settleBackup(folder: string, written: ReadonlySet<Address>): Promise<void> {
  try {
    const place = join(folder, manifestFile);
    const manifest = (await readOwnJson(place)) as Manifest;
    const changes = manifest.changes.filter(({ family, name }) => written.has(createAddress(family, name)));
    if (changes.length === manifest.changes.length) return;
    if (changes.length === 0) return await rm(folder, { recursive: true });
    const config = written.has("config") ? {} : { config_children: [], secrets_replaced: [] };
    await writeDurably(place, `${JSON.stringify({ ...manifest, changes, ...config }, null, 2)}\n`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}

/** `20261121T153138.123Z-prod`: by code units, the order of time. A target may be called anything. */
function nameFor({ time, target }: Manifest): string {
  const word = target.name.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 80);
  return `${time.replace(/[-:]/g, "")}-${word}`;
}

async function freeName(backups: string, wanted: string): Promise<string> {
  const taken = await readdir(backups);
  const isFree = (name: string) => !taken.includes(name) && !taken.includes(`.${name}.unfinished`);
  for (let number = 2, name = wanted; ; number++) {
    if (isFree(name)) return name;
    name = `${wanted}-${number}`;
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name is on the disk once its folder is. */
async function sync(folder: string): Promise<void> {
  const opened = await open(folder, "r").catch(() => undefined);
  try {
    await opened?.sync();
  } catch {
    // Some file systems cannot; they store names otherwise, or not durably.
  } finally {
    await opened?.close();
  }
}

/** Oldest first. */
async function namesIn(stateDir: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(await listRecordsIn(stateDir, "backups"), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort(compareByCodeUnit);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw unreadable(stateDir, error);
  }
}

async function readBackup(stateDir: string, name: string): Promise<Backup> {
  const folder = join(stateDir, "backups", name);
  try {
    for (const place of [folder, join(folder, "state")]) await refuseUnlessOwnFolder(place);
    await refuseOthersIn(join(folder, "state"));
    const manifest = await readOwnJson(join(folder, manifestFile));
    if (!isManifest(manifest)) throw new Error(`Its ${manifestFile} is not one that this version can read.`);
    return { name, folder, manifest };
  } catch (error) {
    throw unreadable(folder, error);
  }
}

const fitsManifest = fitsObject({
  format_version: fitsOneOf(1),
  time: isString,
  target: isTarget,
  families: fitsList(isKnownFamily),
  changes: fitsList(
    fitsObject({
      family: isKnownFamily,
      name: isString,
      action: fitsOneOf("create", "update", "delete"),
      after: fitsOptional(isString),
      intermediate: fitsOptional(fitsList(isString)),
      unknown_fields: fitsOptional(fitsList(isString)),
    }),
  ),
  config_children: fitsList(isString),
  secrets_replaced: fitsList(isString),
  secret: fitsOptional(fitsList(isAddress)),
});

/** Of every family with a change there is a state file: without it nothing of it would be taken back. No license has one. */
function isManifest(value: unknown): value is Manifest {
  if (!fitsManifest(value as Value)) return false;
  const { families, changes } = value as Manifest;
  const isHeld = ({ family, action }: BackedUpChange) =>
    families.includes(family) || family === "license" || (family === "config" && action === "create");
  return changes.every(isHeld);
}

function notWritten(stateDir: string, error: unknown): RunError {
  return new RunError("failed", {
    what: `The backup cannot be written to ${stateDir}.`,
    why: `${error instanceof Error ? error.message : String(error)}. Without a backup nothing was sent.`,
    fix: "Make the folder writable, or name another one with --state-dir.",
  });
}

function unreadable(path: string, error: unknown): RunError {
  return new RunError("usage", {
    what: `The backup in ${path} cannot be read.`,
    why: error instanceof Error ? error.message : String(error),
    fix: "Name another backup, or another folder with --state-dir.",
  });
}

function unknownBackup(stateDir: string, name: string, names: readonly string[]): RunError {
  return new RunError("usage", { what: `There is no backup "${name}" in ${stateDir}.`, fix: listed(names) });
}

function committedBackup(name: string): RunError {
  return new RunError("usage", {
    what: `The backup "${name}" is in git.`,
    why: "Who may change the repository may have written it: what it holds would be written to the cluster.",
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
