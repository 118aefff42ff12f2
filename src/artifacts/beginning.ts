import { open, stat } from "node:fs/promises";
import { RunError } from "../diagnostics/failure.ts";

/** The first bytes of a file, in which gate-sync's own files say what they are, however they are indented. */
const most = 256;

/**
 * What a file begins with; undefined where there is none, or what is there is no regular file.
 *
 * @param place absolute
 */
export async function readBeginning(place: string): Promise<string | undefined> {
  try {
    // Asked before opening: reading a named pipe would wait for ever.
    if (!(await stat(place)).isFile()) return undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const file = await open(place, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** What takes the place of one of its kind, and of nothing else: a state file is named by mistake. */
export function refuseToReplace(path: string, beginning: string | undefined, kind: RegExp, noun: string): void {
  if (beginning === undefined || beginning.trim() === "" || kind.test(beginning)) return;
  throw new RunError("usage", {
    what: `${path} is there already, and is no ${noun}.`,
    why: "What it holds would be lost.",
    fix: "Name another file, or take this one away first.",
  });
}
