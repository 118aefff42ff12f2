import { open, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { createGit } from "../load/git.ts";
import { listTracked } from "../load/tracked.ts";
import type { Surroundings } from "../model/surroundings.ts";
import { createCannotWriteMessage } from "./durable.ts";

/** What a run reads and writes besides its reports. */
export interface OtherPlaces {
  /** As the user wrote them: files and folders. */
  readonly named: readonly string[];
  /** Absolute. */
  readonly stateDir: string;
}

/**
 * Nothing is replaced by a report but an older report: nothing that a repository keeps, that git or gate-sync keeps for
 * itself, or that the run reads or writes otherwise.
 *
 * @param reports each path as the user wrote it
 * @throws RunError `usage`, also where one cannot be written
 */
export async function checkReportPlaces(
  { cwd, env }: Surroundings,
  reports: readonly { readonly format: string; readonly path: string }[],
  { named, stateDir }: OtherPlaces,
): Promise<void> {
  const listPlaces = (path: string) => listRealPlaces(resolve(cwd, path));
  const taken = new Set((await Promise.all(named.map(listPlaces))).flat());
  const reported = new Set<string>();
  const ownFolders = await listRealPlaces(stateDir);
  for (const { format, path } of reports) {
    const place = resolve(cwd, path);
    await refuseUnlessFile(path, place);
    const places = await listPlaces(path);
    if (/\.ya?ml$/i.test(path) || (await isTracked(env, place)))
      throw refuse(path, "It is a file of YAML, or one that git keeps: reports replace neither.");
    if (places.some((one) => one.split(sep).some((name) => name.toLowerCase() === ".git")))
      throw refuse(path, "It is in the folder that git keeps for itself.");
    if (places.some((one) => ownFolders.some((folder) => isWithin(one, folder))))
      throw refuse(path, "It is in the folder of gate-sync's own records.");
    if (places.some((one) => taken.has(one)))
      throw refuse(path, "The same command line names it as what is read or written otherwise.");
    if (places.some((one) => reported.has(one))) throw refuse(path, "Another report goes to the same file.");
    if (!(await mayReplace(path, place, format)))
      throw refuse(path, `It is not empty, and does not begin as a report of gate-sync in ${format} does.`);
    for (const one of places) reported.add(one);
  }
}

/** No file of which git does not say so: what it begins with is looked at all the same. */
async function isTracked(env: Surroundings["env"], place: string): Promise<boolean> {
  try {
    return (await listTracked(createGit(env), dirname(place), basename(place))).has(basename(place).toLowerCase());
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return false;
  }
}

/** A device or a pipe is no file that can be replaced, and to replace its name would take it from everybody. */
async function refuseUnlessFile(path: string, place: string): Promise<void> {
  const [stats, folder] = await Promise.all([place, dirname(place)].map((one) => stat(one).catch(() => undefined)));
  if (stats?.isDirectory()) throw createCannotWriteMessage(path, new Error("It is a folder."));
  if (!folder?.isDirectory()) throw createCannotWriteMessage(path, new Error("Its folder does not exist."));
  const [named = place] = await listRealPlaces(place);
  if ((stats && !stats.isFile()) || /^\/(dev(\/fd)?\/[^/]*$|proc\/)/.test(named))
    throw createCannotWriteMessage(path, new Error("It is no file. A format without = goes to standard output."));
}

/** Where the name is, and where a link of that name leads to. */
async function listRealPlaces(place: string): Promise<readonly string[]> {
  const folder = await realpath(dirname(place)).catch(() => dirname(place));
  const named = join(folder, basename(place));
  return [named, await realpath(place).catch(() => named)];
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}${sep}`);
}

/**
 * How reports of gate-sync begin: backups, saved plans and snapshots begin with "format". One in text begins with a
 * target and its product, a target in sync, a message, a result of tests, or what `validate` says.
 */
const beginnings: Readonly<Record<string, RegExp>> = {
  json: /^\{\s*"format_version"/,
  sarif: /^\{\s*"\$schema":\s*"[^"]*sarif/,
  html: /^<!doctype html>/i,
  junit: /^<\?xml/,
  "code-quality": /^\[/,
  csv: /^(?:principal,kind,on|principals,change,what),/,
  dotenv: /^GATE_SYNC_RESULT=/,
  markdown: /^(?:`.*`: \*\*|\*\*\d+ targets?\b|\*\*gate-sync stopped\.|\*\*The files have )/,
  text: /^(?:.* {2}.*\n {2,}(?:gate|search-guard|opensearch) |.*: in sync\b|! |.*(?:^| {2})(?:error|warning) {2}[a-z]|(?:pass|FAIL|unknown).* {2}|No problems in \d|There are no access tests|\d+ (?:targets?|access tests?|errors?|warnings?|more)\b)/,
};

async function mayReplace(path: string, place: string, format: string): Promise<boolean> {
  const isThere = await stat(place).catch(() => undefined);
  if (!isThere) return true;
  try {
    const file = await open(place, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(500), 0, 500, 0);
      return bytesRead === 0 || beginnings[format]?.test(buffer.toString("utf8", 0, bytesRead)) === true;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

function refuse(path: string, why: string): RunError {
  return new RunError("usage", {
    what: `A report would replace ${path}.`,
    why,
    fix: "Name another file after --format FORMAT=.",
  });
}
