import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import type { Artifact } from "../model/artifact.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { artifactKinds, decodeArtifact } from "./artifact.ts";
import { writeArtifact } from "./artifact-file.ts";

/** @param cwd the current folder */
export async function writeSnapshot(cwd: string, path: string, snapshot: Artifact<Snapshot>): Promise<void> {
  const { target, ...others } = snapshot;
  await writeArtifact("snapshot", { cwd, path }, { targets: [target], ...others });
}

export async function readSnapshot(cwd: string, path: string): Promise<Artifact<Snapshot>> {
  return decodeArtifact("snapshot", path, await readText(resolve(cwd, path), path));
}

/** Whether a name is that of a file, and so of a snapshot where something else may be meant as well. */
export async function isFileThere(cwd: string, path: string): Promise<boolean> {
  return stat(resolve(cwd, path)).then(
    (found) => found.isFile(),
    () => false,
  );
}

async function readText(place: string, path: string): Promise<string> {
  try {
    // Asked before opening: reading a named pipe would wait for ever.
    if (!(await stat(place)).isFile()) throw new Error("It is no regular file.");
    return await readFile(place, "utf8");
  } catch (error) {
    throw new RunError("usage", {
      what: `The snapshot ${path} cannot be read.`,
      why: error instanceof Error ? error.message : String(error),
      fix: artifactKinds.snapshot.fix,
    });
  }
}
