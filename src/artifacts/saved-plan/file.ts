import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { computeDigest, computeKeyedDigest } from "../../json/canonical.ts";
import type { PlanFile, SavedPlan } from "../../model/plan-file.ts";
import { readBeginning, refuseToReplace } from "../beginning.ts";
import { createCannotWriteMessage } from "../cannot-write.ts";
import { writeDurably } from "../durable.ts";

/** How a plan file begins, however it was indented. */
const planFile = /^\s*\{\s*"format_version":[^,]*,\s*"kind":\s*"plan-file"/;

/** @param key seals it, where there is one */
export async function writePlanFile(cwd: string, path: string, file: PlanFile, key: string | undefined): Promise<void> {
  const place = resolve(cwd, path);
  try {
    if (path === "" || (await isOther(place))) throw new Error("It is no regular file.");
    refuseToReplace(path, await readBeginning(place), planFile, "plan file");
    await writeDurably(place, encodePlanFile(key === undefined ? file : { ...file, seal: computeSeal(file, key) }));
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

/**
 * The text of a file that is a plan file by how it begins; undefined for any other, and where there is none.
 *
 * @param cwd the current folder
 */
export async function readPlanFile(cwd: string, path: string): Promise<string | undefined> {
  try {
    const place = resolve(cwd, path);
    const beginning = await readBeginning(place);
    return beginning !== undefined && planFile.test(beginning) ? await readFile(place, "utf8") : undefined;
  } catch {
    // Reading it as a state file reports why it cannot be read.
    return undefined;
  }
}

/** The one encoding of a plan file: a file with another encoding was edited. */
export function encodePlanFile(file: PlanFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function computePlanDigest(plan: SavedPlan): string {
  return computeDigest(JSON.stringify(plan));
}

export function computeSeal({ seal: _, ...file }: PlanFile, key: string): string {
  return computeKeyedDigest(`plan file\n${encodePlanFile(file)}`, key);
}

/** A folder, a pipe, a device: nothing to be replaced by a file. */
async function isOther(place: string): Promise<boolean> {
  try {
    return !(await stat(place)).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
