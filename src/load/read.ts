import { isUtf8 } from "node:buffer";
import { readFileSync, type Stats, statSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { type Diagnostic, diagnosticAt, diagnosticOn } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { inWords } from "./errno.ts";
import type { FoundFile, FoundFiles } from "./files.ts";

const mebibyte = 1024 * 1024;
const byteLimit = 64 * mebibyte;
/** Passwords, certificates and licenses are far smaller. */
const smallLimit = mebibyte;

export type Read =
  | { readonly file: SourceFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: Diagnostic };

/** Where state files come from: the work tree, or a commit. */
export interface FileSource {
  readonly find: () => Promise<FoundFiles>;
  readonly read: (file: FoundFile) => Promise<Read>;
  /** A small file that a state file goes with, by its absolute path; absent: `readSmall`. Throws as that does. */
  readonly beside?: (absolute: string) => string;
}

/** The text of a file, a byte order mark removed. */
export async function readSource({ absolute, path }: FoundFile): Promise<Read> {
  try {
    const obstacle = obstacleIn(await stat(absolute), byteLimit);
    if (obstacle)
      return { problem: obstacle.large ? tooLarge(path, obstacle.cause) : unreadable(path, obstacle.cause) };
    return sourceOf(path, await readFile(absolute));
  } catch (error) {
    return { problem: unreadable(path, inWords(error)) };
  }
}

/** The same of bytes that were read already. */
export function sourceOf(path: string, bytes: Buffer): Read {
  if (!isUtf8(bytes)) return { problem: invalidUtf8(path, bytes) };
  return { file: { path, text: bytes.toString("utf8").replace(/^\ufeff/, "") } };
}

/**
 * The text of a small file that a setting or a reference names.
 *
 * @throws Error that `inWords` puts into words
 */
export function readSmall(absolute: string): string {
  return readSmallBytes(absolute).toString("utf8");
}

/** The same, of a file that is no text. */
export function readSmallBytes(absolute: string): Buffer {
  const obstacle = obstacleIn(statSync(absolute), smallLimit);
  if (obstacle) throw new Error(obstacle.cause);
  return readFileSync(absolute);
}

export function unreadable(path: string, cause: string): Diagnostic {
  return diagnosticOn(path, "unreadable-file", {
    what: `${path} cannot be read: ${cause}.`,
    why: "What it declares is unknown, so the run stops.",
    fix: "Make it readable, or move it out of the state folder.",
  });
}

/** Asked before opening: reading a named pipe would wait for ever. */
function obstacleIn(stats: Stats, limit: number): { readonly cause: string; readonly large: boolean } | undefined {
  if (stats.isDirectory()) return { cause: "it is a folder", large: false };
  if (!stats.isFile()) return { cause: "it is no regular file", large: false };
  if (stats.size <= limit) return undefined;
  const size = Math.ceil(stats.size / mebibyte);
  return { cause: `it has ${size} MiB, and the limit is ${limit / mebibyte} MiB`, large: true };
}

function tooLarge(path: string, cause: string): Diagnostic {
  return diagnosticOn(path, "file-too-large", {
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
  return diagnosticAt({ file: { path, text }, start: at, end: at + 1 }, "invalid-utf8", {
    what: wide
      ? "The file is UTF-16, not UTF-8."
      : `Byte ${offset} of the file (0x${(bytes[offset] ?? 0).toString(16).padStart(2, "0")}) is not valid UTF-8.`,
    why: "A name or pattern would reach the server as other letters than you see.",
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
