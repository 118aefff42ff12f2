import { type FileHandle, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Message, RunError } from "../../diagnostics/failure.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import { isTooDeep } from "../../json/depth.ts";
import { getErrno } from "../../load/errno.ts";
import { createGit } from "../../load/git.ts";
import { listTracked } from "../../load/tracked.ts";
import type { Artifact, RecordedTarget } from "../../model/artifact.ts";
import type { Journal, JournalRecord, RunBeginning } from "../../model/journal.ts";
import type { Surroundings } from "../../model/surroundings.ts";
import { fitsOwnSchema } from "../../validate/own-schema.ts";
import { decodeArtifact, deepestArtifact, encodeArtifact } from "../artifact.ts";
import { syncFolder } from "../durable.ts";
import { readOwn } from "../own-file.ts";
import { createStateDir, createUnreadableMessage, listRecordNames, listRecords, locateRecords } from "../state-dir.ts";
import { type KnownRun, parseKnownRun, type UnreadableRun } from "./known-run.ts";

const suffix = ".jsonl";

export interface JournalFile {
  /** The path of the file, as messages show it. */
  readonly path: string;
  /** Resolves once the record is on the disk; rejects with the error of the file system. */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes a new file below `journal/`, named after its time and target, with these records.
 *
 * @throws RunError `failed` where it cannot be written: then nothing may be sent
 */
export async function createJournalFile(
  stateDir: string,
  beginning: Artifact<RunBeginning>,
  records: readonly JournalRecord[],
): Promise<JournalFile> {
  const folder = locateRecords(stateDir, "journal");
  try {
    await createStateDir(stateDir, "journal");
    const names = listRecordNames(beginning.body.time, beginning.target.name);
    const { file, path } = await openNew(folder, names);
    const append = async (text: string) => {
      await file.appendFile(text);
      await file.datasync();
    };
    try {
      await append(encodeArtifact("journal", beginning) + records.map(encodeRecord).join(""));
      for (const above of [folder, stateDir, dirname(stateDir)]) await syncFolder(above);
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
    return { path, append: (record) => append(encodeRecord(record)), close: () => file.close() };
  } catch (error) {
    throw cannotBegin(stateDir, error);
  }
}

/**
 * The last run on the target of that name and URL.
 *
 * @param stateDir absolute
 * @throws RunError `usage` for a folder that cannot be read, and for a journal of which the first line cannot
 */
export async function findLastRun(
  stateDir: string,
  { name, url }: Pick<RecordedTarget, "name" | "url">,
  env: Surroundings["env"],
): Promise<KnownRun | UnreadableRun | undefined> {
  for await (const run of readRuns(stateDir, (target) => target.name === name && target.url === url, env)) return run;
  return undefined;
}

/**
 * The runs on the targets that are meant, newest first. Journals that git tracks do not count: anyone who may change the
 * repository may have written them. A run whose plan is not on the disk sent nothing and does not count either, unless its
 * journal goes on after a plan that cannot be read.
 *
 * @param stateDir absolute
 * @param isMeant is shown the whole text of a journal, too: decoding all of many costs seconds
 * @throws RunError as `findLastRun`
 */
export async function* readRuns(
  stateDir: string,
  isMeant: (target: RecordedTarget, text: string) => boolean,
  env: Surroundings["env"],
): AsyncGenerator<KnownRun | UnreadableRun> {
  for await (const { file, text, target } of readJournals(stateDir, env)) {
    if (!isMeant(target, text)) continue;
    const journal = parseJournal(file.slice(0, -suffix.length), text);
    const run = parseKnownRun(journal);
    // Before its plan is on the disk nothing is sent.
    if (run || linesOf(text).length > 2) yield run ?? { name: journal.name, target, begin: journal.begin };
  }
}

/**
 * The run that made a backup, by its journal; undefined where that is gone.
 *
 * @param backup its name
 * @throws RunError as `findLastRun`
 */
export async function findRunOfBackup(
  stateDir: string,
  backup: string,
  env: Surroundings["env"],
): Promise<RunBeginning | undefined> {
  for await (const { file, text } of readJournals(stateDir, env)) {
    // Few journals name it, and each may be long.
    if (!text.includes(JSON.stringify(backup))) continue;
    const { begin, records } = parseJournal(file.slice(0, -suffix.length), text);
    if (records.some((record) => record.record === "plan" && record.backup === backup)) return begin;
  }
  return undefined;
}

/**
 * The other URLs of which there are journals of a target of this name, in code-unit order.
 *
 * @throws RunError as `findLastRun`
 */
export async function listOtherUrls(
  stateDir: string,
  { name, url }: Pick<RecordedTarget, "name" | "url">,
  env: Surroundings["env"],
): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const { target } of readJournals(stateDir, env)) {
    if (target.name === name && target.url !== url) found.add(target.url);
  }
  return [...found].sort(compareByCodeUnit);
}

/**
 * Reads a journal. After a run that was killed while it wrote a line, it ends with the line before.
 *
 * @param name of its file, without `.jsonl`
 * @throws RunError `usage` where its first line cannot be read
 */
export function parseJournal(name: string, text: string): Journal {
  const [first = "", ...lines] = linesOf(text);
  const { target, body: begin } = decodeArtifact("journal", name, first);
  const parsed = lines.map(decodeRecord);
  const bad = parsed.indexOf(undefined);
  const records = parsed.slice(0, bad === -1 ? undefined : bad).filter((record) => record !== undefined);
  return { name, target, begin, records, damaged: bad !== -1 && (bad < lines.length - 1 || text.endsWith("\n")) };
}

/** Why journals that are there do not count, in sentences; none where all of them do. */
export async function explainUncounted(stateDir: string, env: Surroundings["env"]): Promise<readonly string[]> {
  const { tracked, unknown } = await listCounted(stateDir, env);
  if (unknown) return [[unknown.what, unknown.why, unknown.fix].join(" ")];
  if (tracked === 0) return [];
  return [
    `Journals of earlier runs that git tracks do not count (${tracked} here): anyone who may change the repository may have written them. ` +
      "Take them out of git (git rm --cached), or keep records outside of the repository: --state-dir.",
  ];
}

/** The journals of which git says that it does not track them, newest first, and what is known of the others. */
async function listCounted(
  stateDir: string,
  env: Surroundings["env"],
): Promise<{ readonly files: readonly string[]; readonly tracked: number; readonly unknown?: Message }> {
  const all = await listJournals(stateDir);
  if (all.length === 0) return { files: [], tracked: 0 };
  try {
    const tracked = await listTracked(createGit(env), locateRecords(stateDir, "journal"));
    const files = all.filter((file) => !tracked.has(file.toLowerCase()));
    return { files, tracked: all.length - files.length };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { files: [], tracked: 0, unknown: error.userMessage };
  }
}

/** Those that count. Only first lines are decoded: journals are long, and may be many. */
async function* readJournals(stateDir: string, env: Surroundings["env"]) {
  for (const file of (await listCounted(stateDir, env)).files) {
    const path = join(locateRecords(stateDir, "journal"), file);
    const text = await readJournal(path);
    if (isTorn(text)) continue;
    yield { file, text, target: decodeTarget(path, text) };
  }
}

/** Fails for a first line that cannot be read: the journal may be the newest of any target. */
function decodeTarget(path: string, text: string): RecordedTarget {
  const [first = ""] = text.split("\n", 1);
  try {
    return decodeArtifact("journal", path, first).target;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { why = "", fix } = error.userMessage;
    throw new RunError("usage", {
      what: `The first line of the journal ${path} cannot be read.`,
      why: `${why} Which target its run was on, and what it did, is unknown.`,
      ...(fix !== undefined && { fix }),
    });
  }
}

/** Killed while its first line was written: nothing was sent before that was on the disk. */
function isTorn(text: string): boolean {
  const start = '{"format":"gate-sync/journal",';
  return !text.includes("\n") && start.startsWith(text.slice(0, start.length));
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

function encodeRecord(record: JournalRecord): string {
  return `${JSON.stringify(record)}\n`;
}

/** Undefined for a line of another version, or of another shape. */
function decodeRecord(line: string): JournalRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord =
      !isTooDeep(value, deepestArtifact) && Object.hasOwn(value as object, "record") && fitsOwnSchema("journal", value);
    return isRecord ? (value as JournalRecord) : undefined;
  } catch {
    return undefined;
  }
}

async function openNew(
  folder: string,
  names: Iterable<string>,
): Promise<{ readonly file: FileHandle; readonly path: string }> {
  for (const name of names) {
    const path = join(folder, `${name}${suffix}`);
    try {
      return { file: await open(path, "ax", 0o600), path };
    } catch (error) {
      if (getErrno(error) !== "EEXIST") throw error;
    }
  }
  throw new Error("No name is free.");
}

async function listJournals(stateDir: string): Promise<readonly string[]> {
  const entries = await listRecords(stateDir, "journal");
  return entries
    .map(({ name }) => name)
    .filter((name) => name.endsWith(suffix))
    .reverse();
}

async function readJournal(path: string): Promise<string> {
  try {
    return await readOwn(path);
  } catch (error) {
    throw createUnreadableMessage("journal", path, error);
  }
}

function cannotBegin(stateDir: string, error: unknown): RunError {
  return new RunError("failed", {
    what: `The journal cannot be written to ${stateDir}.`,
    why: `${error instanceof Error ? error.message : String(error)}. Killed half-way, what was done would be unknown: nothing was sent.`,
    fix: "Name a folder with --state-dir in which you may write and others may not; gate-sync makes one that does not exist.",
  });
}
