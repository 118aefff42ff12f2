import { type FileHandle, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { compareByCodeUnit } from "../../json/canonical.ts";
import type { BeginRecord, Journal, JournalRecord } from "../../model/journal.ts";
import { syncFolder } from "../durable.ts";
import { readOwn } from "../own-file.ts";
import { createStateDir, listRecordsIn } from "../state-dir.ts";
import { isRecord } from "./shape.ts";

const suffix = ".jsonl";

export interface JournalFile {
  /** The path of the file, as messages show it. */
  readonly path: string;
  /** On the disk when it settles; rejects with what the file system says. */
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * The other addresses of which there are journals of a target of this name, in code-unit order.
 *
 * @throws RunError `usage` where the folder is there and cannot be read
 */
export async function listOtherAddresses(
  stateDir: string,
  { name, url }: { readonly name: string; readonly url: string },
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const file of await journalFiles(stateDir)) {
    const text = await textOf(join(stateDir, "journal", file));
    const begin = recordIn(text.slice(0, text.indexOf("\n")));
    if (begin?.record === "begin" && begin.target.name === name && begin.target.url !== url)
      found.add(begin.target.url);
  }
  return [...found].sort(compareByCodeUnit);
}

/**
 * A new file below `journal/`, named after its time and target, with these records on the disk.
 *
 * @throws RunError `failed` where it cannot be written: then nothing may be sent
 */
export async function createJournalFile(
  stateDir: string,
  begin: BeginRecord,
  more: readonly JournalRecord[],
): Promise<JournalFile> {
  const folder = join(stateDir, "journal");
  try {
    await createStateDir(stateDir, "journal");
    const { file, path } = await create(folder, nameFor(begin));
    const append = async (records: readonly JournalRecord[]) => {
      await file.appendFile(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
      await file.datasync();
    };
    try {
      await append([begin, ...more]);
      for (const above of [folder, stateDir, dirname(stateDir)]) await syncFolder(above).catch(() => {});
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    }
    return { path, append: (record) => append([record]), close: () => file.close() };
  } catch (error) {
    throw cannotBegin(stateDir, error);
  }
}

/**
 * The newest journal of the target, of those whose plan is on the disk: before that nothing is sent. One that goes on behind
 * a plan that cannot be read counts too, as one of which nothing more is known.
 *
 * @param tracked names of files that git keeps: who may change the repository wrote them, and they count for nothing
 * @throws RunError `usage` where the folder is there and cannot be read, and for a journal of which the beginning cannot
 */
export async function findNewestJournal(
  stateDir: string,
  { name, url }: { readonly name: string; readonly url: string },
  tracked: ReadonlySet<string> = new Set(),
): Promise<Journal | undefined> {
  for (const file of await journalFiles(stateDir)) {
    if (tracked.has(file)) continue;
    const path = join(stateDir, "journal", file);
    const text = await textOf(path);
    // A journal may be long, and others may be there by the hundred.
    const begin = recordIn(text.slice(0, text.indexOf("\n")));
    if (begin?.record !== "begin") {
      if (isTorn(text)) continue;
      throw damaged(path);
    }
    if (begin.target.name !== name || begin.target.url !== url) continue;
    const journal = parseJournal(file.slice(0, -suffix.length), text);
    const isPlanned = journal?.records.some(({ record }) => record === "plan");
    if (isPlanned || linesOf(text).length > 2) return journal;
  }
  return undefined;
}

/** Killed in the middle of a line, it ends with the one before. Undefined where not even the beginning is there. */
export function parseJournal(name: string, text: string): Journal | undefined {
  const lines = linesOf(text);
  const parsed = lines.map(recordIn);
  const bad = parsed.indexOf(undefined);
  const records = parsed.slice(0, bad === -1 ? undefined : bad).filter((record) => record !== undefined);
  const [begin] = records;
  if (begin?.record !== "begin") return undefined;
  return { name, begin, records, damaged: bad !== -1 && (bad < lines.length - 1 || text.endsWith("\n")) };
}

/** Killed while its first line was written: nothing was sent before that was on the disk. */
function isTorn(text: string): boolean {
  const start = '{"record":"begin",';
  return !text.includes("\n") && start.startsWith(text.slice(0, start.length));
}

/** Its target is unknown: it may be the newest journal of any. */
function damaged(path: string): RunError {
  return new RunError("usage", {
    what: `The first line of the journal ${path} cannot be read.`,
    why: "It is damaged, or of another version: which target its run was on, and what it did, is not known.",
    fix: "Take another copy of it, or move it away: then the run before it counts as the last one.",
  });
}

function linesOf(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** A line of another version, or of another shape, is one that we cannot read. */
function recordIn(line: string): JournalRecord | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `20261121T153138.123Z-prod`, as backups are named. */
function nameFor({ time, target }: BeginRecord): string {
  const word = target.name.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 80);
  return `${time.replace(/[-:]/g, "")}-${word}`;
}

async function create(folder: string, wanted: string): Promise<{ readonly file: FileHandle; readonly path: string }> {
  for (let number = 1; ; number++) {
    const path = join(folder, `${wanted}${number === 1 ? "" : `-${number}`}${suffix}`);
    try {
      return { file: await open(path, "ax", 0o600), path };
    } catch (error) {
      if (!hasCode(error, "EEXIST")) throw error;
    }
  }
}

/** Newest first. */
async function journalFiles(stateDir: string): Promise<readonly string[]> {
  try {
    const names = await readdir(await listRecordsIn(stateDir, "journal"));
    return names
      .filter((name) => name.endsWith(suffix))
      .sort(compareByCodeUnit)
      .reverse();
  } catch (error) {
    // Where a file is in its place, creating the journal reports it.
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return [];
    throw unreadable(join(stateDir, "journal"), error);
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readOwn(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function cannotBegin(stateDir: string, error: unknown): RunError {
  return new RunError("failed", {
    what: `The journal cannot be written to ${stateDir}.`,
    why: `${error instanceof Error ? error.message : String(error)}. Killed half-way, what was done would be unknown: nothing was sent.`,
    fix: "Make the folder writable, or name another one with --state-dir.",
  });
}

function unreadable(path: string, error: unknown): RunError {
  return new RunError("usage", {
    what: `The journal in ${path} cannot be read.`,
    why: error instanceof Error ? error.message : String(error),
    fix: "Make it readable, or name another folder with --state-dir.",
  });
}
