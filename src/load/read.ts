import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { createDiagnostic, createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { createSourceFile, type SourceFile } from "../diagnostics/source.ts";
import { type Boundary, isOfTheKernel, leavesByLink, mayBeRead, type Readable, refuseToFollow } from "./boundary.ts";
import { formatErrno } from "./errno.ts";
import type { FoundFile, FoundFiles } from "./files.ts";

const mebibyte = 1024 * 1024;
const byteLimit = 64 * mebibyte;
/** Passwords, certificates and licenses are far smaller. */
const smallLimit = mebibyte;

export type ReadFiles =
  | { readonly file: SourceFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: Diagnostic };

/** Reads one file of the work tree. */
export type ReadSource = (place: FoundFile) => Promise<ReadFiles>;

/** Where state files come from: the work tree, or a commit. */
export interface FileSource {
  readonly find: () => Promise<FoundFiles>;
  readonly read: (file: FoundFile) => Promise<ReadFiles>;
  /** A file of items that a state file names, by its absolute path. */
  readonly readItems: (absolute: string, state: FoundFile) => Promise<ReadFiles>;
  /** A small file that a state file names, by its absolute path; undefined: it is read as it is today. */
  readonly beside?: (absolute: string) => string | undefined;
}

/** Should a named pipe replace the file meanwhile, opening it does not wait for a writer. */
const toRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** The text of a file, a byte order mark removed. */
export async function readSource(place: FoundFile): Promise<ReadFiles> {
  const { absolute, path, real: found } = place;
  let file: number | undefined;
  try {
    const real = found ?? (await realpath(absolute));
    const refused = refuseToFollow(place, real);
    if (refused) return { problem: refused };
    // Asked before opening as well: to open a device may be enough for it to do something.
    const obstacle = obstacleIn(await stat(real), byteLimit, real);
    if (obstacle?.large) return { problem: tooLarge(path, obstacle.cause) };
    if (obstacle) return { problem: createUnreadableDiagnostic(path, obstacle.cause) };
    // No more waiting: that takes longer than to read a small file, and once for each lets all else go on.
    file = openSync(absolute, toRead);
    const opened = pathOf(file, absolute);
    const moved = refuseToFollow(place, opened);
    if (moved) return { problem: moved };
    const changed = obstacleIn(fstatSync(file), byteLimit, opened);
    if (changed) return { problem: createUnreadableDiagnostic(path, changed.cause) };
    return createFileSource(path, readFileSync(file));
  } catch (error) {
    return { problem: createUnreadableDiagnostic(path, formatErrno(error)) };
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * All of standard input.
 *
 * @param open absent where there is none
 */
export async function readInput(path: string, open?: () => AsyncIterable<Uint8Array>): Promise<ReadFiles> {
  if (!open) return { problem: createUnreadableDiagnostic(path, "there is none") };
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of open()) {
      parts.push(part);
      size += part.length;
      if (size > byteLimit) return { problem: tooLarge(path, `more than ${byteLimit / mebibyte} MB`) };
    }
  } catch (error) {
    return { problem: createUnreadableDiagnostic(path, formatErrno(error)) };
  }
  const bytes = Buffer.concat(parts);
  const read = createFileSource(path, bytes);
  return read.file && holdsNothing(read.file.text) ? { problem: emptyInput(path, read.file.text) } : read;
}

/** Nothing but comments and the marks of documents, as templating tools print it where nothing is wanted. */
function holdsNothing(text: string): boolean {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end === -1 ? text.length : end).trim();
    if (!/^(?:#|$|(?:---|\.\.\.)(?:\s+#|$))/.test(line)) return false;
    if (end === -1) return true;
    start = end + 1;
  }
  return true;
}

function emptyInput(path: string, text: string): Diagnostic {
  return createFileDiagnostic(path, "missing-state", {
    what: text.trim() === "" ? "Standard input is empty." : "Standard input holds nothing but comments.",
    why: "The program that writes it has probably failed: what it was meant to declare would count as no longer declared.",
    fix: "Run that program alone. In a shell, `set -o pipefail` ends a pipe with its failure.",
  });
}

export async function isFolder(absolute: string): Promise<boolean> {
  return (await stat(absolute).catch(() => undefined))?.isDirectory() === true;
}

/** Its path with links followed. */
export async function locateRealFile(absolute: string): Promise<string> {
  return realpath(absolute);
}

/** The real path of the opened file, where the system shows it: a link may have led elsewhere when it was opened. */
function pathOf(file: number, absolute: string): string {
  try {
    return realpathSync.native(`/proc/self/fd/${file}`);
  } catch {
    return realpathSync.native(absolute);
  }
}

/** A state file of its bytes, or what is wrong with them. */
export function createFileSource(path: string, bytes: Buffer): ReadFiles {
  if (!isUtf8(bytes)) return { problem: invalidUtf8(path, bytes) };
  // Before it is decoded: with the mark, each character of the text would take two bytes.
  const marked = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return { file: createSourceFile(path, bytes.toString("utf8", marked ? byteOrderMark.length : 0)) };
}

const byteOrderMark = Buffer.from("\ufeff");

/**
 * The text of a small file that a setting or a reference names.
 *
 * @throws Error that `inWords` puts into words
 */
export function readSmall(absolute: string): string {
  return readSmallBytes(absolute).toString("utf8");
}

/** The text of a small file that a state file, or another input that a branch may bring, names. */
export function readConfined(absolute: string, readable: Readable): string {
  return readRegular(absolute, (real) => {
    if (!mayBeRead(real, readable)) throw new Error("it leads out of the repository");
  }).toString("utf8");
}

/** The text of a small file. It may be outside of the boundary by its own path, not by a link. */
export function readSmallNamed(absolute: string, within: Boundary = []): string {
  return readSmallBytes(absolute, within).toString("utf8");
}

/** The bytes of a small file; see {@link readSmallNamed}. */
export function readSmallBytes(absolute: string, within: Boundary = []): Buffer {
  if (leavesByLink(within, absolute))
    throw new Error("a link leads out of the repository; write the path of the file itself");
  return readRegular(absolute, () => {});
}

/** @param check throws for a real path that must not be read; asked of what was opened as well, as a link may have changed */
function readRegular(absolute: string, check: (real: string) => void): Buffer {
  const refuseObstacle = (stats: Stats, real: string) => {
    check(real);
    const obstacle = obstacleIn(stats, smallLimit, real);
    if (obstacle) throw new Error(obstacle.cause);
  };
  // Asked before opening as well: to open a device may be enough for it to do something.
  refuseObstacle(statSync(absolute), realpathSync(absolute));
  const file = openSync(absolute, toRead);
  try {
    refuseObstacle(fstatSync(file), pathOf(file, absolute));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

export function createUnreadableDiagnostic(path: string, cause: string): Diagnostic {
  return createFileDiagnostic(path, "unreadable-file", {
    what: `${path} cannot be read: ${cause}.`,
    why: "What it declares is unknown, so the run stops.",
    fix: "Make it readable, or move it out of the state folder.",
  });
}

function obstacleIn(
  stats: Stats,
  limit: number,
  real: string,
): { readonly cause: string; readonly large: boolean } | undefined {
  if (stats.isDirectory()) return { cause: "it is a folder", large: false };
  if (!stats.isFile() || isOfTheKernel(real)) return { cause: "it is no regular file", large: false };
  if (stats.size <= limit) return undefined;
  const size = Math.ceil(stats.size / mebibyte);
  return { cause: `it has ${size} MiB, and the limit is ${limit / mebibyte} MiB`, large: true };
}

function tooLarge(path: string, cause: string): Diagnostic {
  return createFileDiagnostic(path, "file-too-large", {
    what: `${path} is too large: ${cause}.`,
    why: "A state file of that size is most probably something else.",
    fix: "Split it, or move it out of the state folder.",
  });
}

function invalidUtf8(path: string, bytes: Buffer): Diagnostic {
  const text = bytes.toString("utf8");
  const at = firstReplaced(text, bytes);
  const offset = Buffer.byteLength(text.slice(0, at));
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return createDiagnostic({ file: createSourceFile(path, text), start: at, end: at + 1 }, "invalid-utf8", {
    what: wide
      ? "The file is UTF-16, not UTF-8."
      : `Byte ${offset} of the file (0x${(bytes[offset] ?? 0).toString(16).padStart(2, "0")}) is not valid UTF-8.`,
    why: "A name or pattern would reach the server as other characters than you see.",
    fix: "Save the file as UTF-8.",
  });
}

/** The first replacement character that the file does not hold itself. */
function firstReplaced(text: string, bytes: Buffer): number {
  const own = Buffer.from("\ufffd");
  let offset = 0;
  let from = 0;
  for (let at = text.indexOf("\ufffd"); at !== -1; at = text.indexOf("\ufffd", at + 1)) {
    offset += Buffer.byteLength(text.slice(from, at));
    if (!bytes.subarray(offset, offset + own.length).equals(own)) return at;
    offset += own.length;
    from = at + 1;
  }
  return 0;
}
