import { isUtf8 } from "node:buffer";
import { readFile, stat } from "node:fs/promises";
import { type Diagnostic, diagnosticAt, diagnosticOn } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";
import { inWords } from "./errno.ts";
import type { FoundFile } from "./files.ts";

const byteLimit = 64 * 1024 * 1024;

export type Read =
  | { readonly file: SourceFile; readonly problem?: undefined }
  | { readonly file?: undefined; readonly problem: Diagnostic };

/** The text of a file, a byte order mark removed. */
export async function readSource({ absolute, path }: FoundFile): Promise<Read> {
  try {
    // Asked before opening: reading a named pipe would wait for ever.
    const stats = await stat(absolute);
    if (!stats.isFile()) return { problem: unreadable(path, "it is no regular file") };
    if (stats.size > byteLimit) return { problem: tooLarge(path, stats.size) };
    const bytes = await readFile(absolute);
    if (!isUtf8(bytes)) return { problem: invalidUtf8(path, bytes) };
    return { file: { path, text: bytes.toString("utf8").replace(/^\ufeff/, "") } };
  } catch (error) {
    return { problem: unreadable(path, inWords(error)) };
  }
}

function unreadable(path: string, cause: string): Diagnostic {
  return diagnosticOn(path, "unreadable-file", {
    what: `${path} cannot be read: ${cause}.`,
    why: "What it declares is unknown, so the run stops.",
    fix: "Make it readable, or move it out of the state folder.",
  });
}

function tooLarge(path: string, bytes: number): Diagnostic {
  return diagnosticOn(path, "file-too-large", {
    what: `${path} has ${Math.ceil(bytes / 1024 / 1024)} MiB; the limit is ${byteLimit / 1024 / 1024} MiB.`,
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
