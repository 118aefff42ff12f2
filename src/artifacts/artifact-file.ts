import { access, constants, open, readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { formatErrno, getErrno } from "../load/errno.ts";
import type { ArtifactKind, ArtifactOfSeveral } from "../model/artifact.ts";
import { type ArtifactBodies, artifactKinds, encodeArtifactOfSeveral, isArtifactText } from "./artifact.ts";
import { createCannotWriteMessage, writeDurably } from "./durable.ts";

// Files of gate-sync that the user names: saved plans and snapshots.

/**
 * Writes the file, or replaces one of its kind.
 *
 * @param cwd the current folder
 * @param key seals it, where there is one
 * @throws RunError `usage` where another file is there already, and where it cannot be written
 */
export async function writeArtifact<Kind extends ArtifactKind>(
  kind: Kind,
  { cwd, path }: { readonly cwd: string; readonly path: string },
  artifact: ArtifactOfSeveral<ArtifactBodies[Kind]>,
  key?: string,
): Promise<void> {
  const place = resolve(cwd, path);
  try {
    if (path === "") throw new Error("It names no file.");
    const beginning = await readBeginning(place);
    if (beginning.trim() !== "" && !isArtifactText(kind, beginning)) throw otherFile(kind, path);
    await writeDurably(place, encodeArtifactOfSeveral(kind, artifact, key));
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

/** The text of a file that is of the kind by how it begins; undefined for any other, and where there is none. */
export async function readArtifactText(kind: ArtifactKind, cwd: string, path: string): Promise<string | undefined> {
  try {
    const place = resolve(cwd, path);
    return isArtifactText(kind, await readBeginning(place)) ? await readFile(place, "utf8") : undefined;
  } catch {
    // Reading it as a state file reports why it cannot be read.
    return undefined;
  }
}

/** Why a file cannot be read: `it does not exist, …`; undefined where it can. */
export async function explainUnreadable(cwd: string, path: string): Promise<string | undefined> {
  try {
    const place = resolve(cwd, path);
    if (!(await stat(place)).isFile()) return "it is no regular file";
    await access(place, constants.R_OK);
    return undefined;
  } catch (error) {
    return formatErrno(error);
  }
}

/** What shows of what kind a file is, however it is indented; empty where there is none. */
async function readBeginning(place: string): Promise<string> {
  try {
    // Asked before opening: reading a named pipe would wait for ever.
    if (!(await stat(place)).isFile()) throw new Error("It is no regular file.");
  } catch (error) {
    if (getErrno(error) === "ENOENT") return "";
    throw error;
  }
  const file = await open(place, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

function otherFile(kind: ArtifactKind, path: string): RunError {
  return new RunError("usage", {
    what: `${path} is there already, and is no ${artifactKinds[kind].noun}.`,
    why: "What it holds would be lost.",
    fix: "Name another file, or take this one away first.",
  });
}
