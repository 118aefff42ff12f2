import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { digest, keyedDigest } from "../json/canonical.ts";
import type { FiledPlan, PlanFile } from "../model/plan-file.ts";
import { beginningOf, refuseToReplace } from "./beginning.ts";
import { cannotWrite } from "./cannot-write.ts";
import { writeDurably } from "./durable.ts";

/** How a plan file begins, however it was indented. */
const planFile = /^\s*\{\s*"format_version":[^,]*,\s*"kind":\s*"plan-file"/;

/** @param key seals it, where there is one */
export async function writePlanFile(cwd: string, path: string, file: PlanFile, key: string | undefined): Promise<void> {
  const place = resolve(cwd, path);
  try {
    if (path === "" || (await isOther(place))) throw new Error("It is no regular file.");
    refuseToReplace(path, await beginningOf(place), planFile, "plan file");
    await writeDurably(place, textOf(key === undefined ? file : { ...file, seal: sealOf(file, key) }));
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

/**
 * The text of a file that is a plan file by how it begins; undefined for any other, and where there is none.
 *
 * @param cwd where the user stands
 */
export async function readPlanFile(cwd: string, path: string): Promise<string | undefined> {
  try {
    const place = resolve(cwd, path);
    const beginning = await beginningOf(place);
    return beginning !== undefined && planFile.test(beginning) ? await readFile(place, "utf8") : undefined;
  } catch {
    // Whoever reads it as a state file says why it cannot be read.
    return undefined;
  }
}

/** The one spelling of a plan file: whatever is spelled otherwise was edited. */
export function textOf(file: PlanFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function digestOf(plan: FiledPlan): string {
  return digest(JSON.stringify(plan));
}

export function sealOf({ seal: _, ...file }: PlanFile, key: string): string {
  return keyedDigest(`plan file\n${textOf(file)}`, key);
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
