// Files of a repository that may be there already: they are added to, or left as they are.
import { existsSync } from "node:fs";
import { appendFile, lstat, mkdir, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { getErrno } from "../../load/errno.ts";
import { createCannotWriteMessage, type NewFile } from "../durable.ts";
import { writeNewFile } from "./files.ts";

/** By what a folder holds already; undefined where nothing speaks for one. */
export function guessForge(cwd: string): "github" | "gitlab" | undefined {
  if (existsSync(resolve(cwd, ".github"))) return "github";
  return existsSync(resolve(cwd, ".gitlab-ci.yml")) ? "gitlab" : undefined;
}

/** Whether editors find the schemas in `node_modules`. */
export function hasSchemas(cwd: string): boolean {
  return existsSync(resolve(cwd, "node_modules/gate-sync/schemas"));
}

/** With the folders above it; false where the file is there already: it is not changed. */
export async function writeFirstFile(cwd: string, file: NewFile): Promise<boolean> {
  try {
    await mkdir(dirname(resolve(cwd, file.name)), { recursive: true });
  } catch (error) {
    throw createCannotWriteMessage(file.name, error);
  }
  return writeNewFile(cwd, file);
}

/**
 * A line at the end of a file that git keeps to itself, such as `.gitignore`.
 *
 * @param same other forms of the line that do the same
 * @returns false where it is there already, or the file is a link: nothing is changed
 */
export async function addLine(cwd: string, name: string, line: string, same: readonly string[]): Promise<boolean> {
  const place = resolve(cwd, name);
  try {
    if (await writeNewFile(cwd, { name, text: `${line}\n` })) return true;
    if (!(await lstat(place)).isFile()) return false;
    const text = await readFile(place, "utf8");
    const lines = text.split(/\r?\n/).map((one) => one.trim());
    if ([line, ...same].some((one) => lines.includes(one))) return false;
    await appendFile(place, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
    return true;
  } catch (error) {
    if (getErrno(error) === undefined) throw error;
    throw createCannotWriteMessage(name, error);
  }
}
