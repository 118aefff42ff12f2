import { appendFile, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { createGit } from "../load/git.ts";
import { isTracked } from "../load/tracked.ts";
import type { Surroundings } from "../model/surroundings.ts";
import { createCannotWriteMessage } from "./durable.ts";

// Reports in files that the user names: what another program reads once, and nothing that gate-sync reads again.

/**
 * Nothing that a repository keeps is replaced by a report.
 *
 * @param path as the user wrote it
 * @throws RunError `usage`, also where it cannot be written
 */
export async function checkReportPath({ cwd, env }: Surroundings, path: string): Promise<void> {
  const place = resolve(cwd, path);
  if (/\.ya?ml$/i.test(path) || (await isTracked(createGit(env), place))) {
    throw new RunError("usage", {
      what: `A report would replace ${path}.`,
      why: "It is a file of YAML, or one that git keeps: reports replace neither.",
      fix: "Name another file after --format FORMAT=.",
    });
  }
  const [stats, folder] = await Promise.all([place, dirname(place)].map((one) => stat(one).catch(() => undefined)));
  if (stats?.isDirectory()) throw createCannotWriteMessage(path, new Error("It is a folder."));
  if (!folder?.isDirectory()) throw createCannotWriteMessage(path, new Error("Its folder does not exist."));
}

/** Writes the file, or replaces it, while the blocks are made. */
export async function writeReportFile(cwd: string, path: string, blocks: Iterable<string>): Promise<void> {
  try {
    await writeFile(resolve(cwd, path), blocks);
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

/** @param path absolute, as the service that runs us names it */
export async function writeAtEnd(path: string, text: string): Promise<void> {
  try {
    await appendFile(path, text);
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}
