import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { RunError } from "../diagnostics/failure.ts";

export interface NewFile {
  readonly name: string;
  readonly text: string;
}

/** Writes files into a folder that has none yet: nothing of anybody's is ever overwritten. */
export async function writeToEmptyFolder(folder: string, files: readonly NewFile[]): Promise<void> {
  await refuseUnlessEmpty(folder);
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) await writeFile(join(folder, name), text, { flag: "wx" });
}

/** @throws RunError `usage` for a folder that holds something: better said before a server is asked than after */
export async function refuseUnlessEmpty(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
    throw new RunError("usage", {
      what: `${folder} cannot be written to.`,
      why: error instanceof Error ? error.message : String(error),
      fix: "Name a folder that does not exist yet, or an empty one.",
    });
  }
  throw new RunError("usage", {
    what: `The folder ${folder} is not empty.`,
    why: "Files in it might be overwritten, or be taken for part of the export.",
    fix: "Name a folder that does not exist yet, or an empty one.",
  });
}
