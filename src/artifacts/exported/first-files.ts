// Files of a repository that may be there already: they are added to, or left as they are.
import { existsSync, readFileSync } from "node:fs";
import { appendFile, lstat, mkdir, readFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import { createFolderBoundary, findRepositoryAround, isWithin, leavesByLink } from "../../load/boundary.ts";
import { getErrno } from "../../load/errno.ts";
import { locateNewFile } from "../../load/new-file.ts";
import { createCannotWriteMessage, type NewFile } from "../durable.ts";
import { writeNewFile } from "./files.ts";

/** By where the repository is pushed to, else by what a folder holds already; undefined where nothing speaks for one. */
export function guessForge(cwd: string, remoteHost = ""): "github" | "gitlab" | undefined {
  if (/github/i.test(remoteHost)) return "github";
  if (/gitlab/i.test(remoteHost)) return "gitlab";
  if (existsSync(resolve(cwd, ".github"))) return "github";
  return existsSync(resolve(cwd, ".gitlab-ci.yml")) ? "gitlab" : undefined;
}

/** By the jobs of gate-sync that are there. */
export function guessWrittenForge(cwd: string): "github" | "gitlab" | undefined {
  if (includesText(cwd, ".gitlab/gate-sync.yml", "gate-sync")) return "gitlab";
  return includesText(cwd, ".github/workflows/access.yml", "gate-sync") ? "github" : undefined;
}

export function isThere(cwd: string, name: string): boolean {
  return existsSync(resolve(cwd, name));
}

/** Of a file that is there; not where it cannot be read. */
export function includesText(cwd: string, name: string, text: string): boolean {
  try {
    return readFileSync(resolve(cwd, name), "utf8").includes(text);
  } catch {
    return false;
  }
}

/** Whether everyone who has the repository finds a file by the path in gate-sync.yaml. */
export function isInRepository(cwd: string, path: string): boolean {
  if (isAbsolute(path)) return false;
  const place = resolve(cwd, path);
  const around = findRepositoryAround(cwd);
  return existsSync(place) && isWithin(around, place) && !leavesByLink(around, place);
}

/** Whether editors find the schemas in `node_modules`. */
export function hasSchemas(cwd: string): boolean {
  return existsSync(resolve(cwd, "node_modules/gate-sync/schemas"));
}

/**
 * Whether the folder of state files is one that git keeps and gate-sync reads.
 *
 * @throws RunError `usage`
 */
export async function refuseStateFolder(cwd: string, folder: string): Promise<void> {
  const why = "Nothing was written.";
  if (/^(\.\/)?\.gate-sync(\/|$)/.test(folder)) {
    throw new RunError("usage", {
      what: `${folder} is where gate-sync keeps the records of runs, which git leaves out.`,
      why,
      fix: "Name another folder.",
    });
  }
  const { folder: above } = await locateNewFile(resolve(cwd, folder, "x"));
  if (isWithin(findRepositoryAround(cwd), above)) return;
  throw new RunError("usage", {
    what: `${folder} is outside of the repository, or a link leads there.`,
    why: `State files are read within it. ${why}`,
    fix: "Name a folder below the current one.",
  });
}

/** Whether jobs that are written into a folder are run: forges look for them at the top of the repository. */
export function isTopOfRepository(cwd: string): boolean {
  return isWithin(createFolderBoundary(cwd), findRepositoryAround(cwd)[0] ?? "");
}

/**
 * With the folders above it.
 *
 * @returns why it was not written: it is there already, and not changed, or a link leads elsewhere
 */
export async function writeFirstFile(cwd: string, file: NewFile): Promise<"there" | "elsewhere" | undefined> {
  const { folder } = await locateNewFile(resolve(cwd, file.name));
  if (!isWithin(createFolderBoundary(cwd), folder)) return "elsewhere";
  try {
    await mkdir(dirname(resolve(cwd, file.name)), { recursive: true });
  } catch (error) {
    throw createCannotWriteMessage(file.name, error);
  }
  return (await writeNewFile(cwd, file)) ? undefined : "there";
}

/**
 * A line at the end of a file that git keeps to itself, such as `.gitignore`.
 *
 * @param same other forms of the line that do the same
 * @returns why nothing is changed: it is there already, or the file is a link or a folder
 */
export async function addLine(
  cwd: string,
  name: string,
  line: string,
  same: readonly string[],
): Promise<"there" | "no-file" | undefined> {
  const place = resolve(cwd, name);
  try {
    if (await writeNewFile(cwd, { name, text: `${line}\n` })) return undefined;
    if (!(await lstat(place)).isFile()) return "no-file";
    const text = await readFile(place, "utf8");
    const lines = text.split(/\r?\n/).map((one) => one.trim());
    if ([line, ...same].some((one) => lines.includes(one))) return "there";
    await appendFile(place, `${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`);
    return undefined;
  } catch (error) {
    if (getErrno(error) === undefined) throw error;
    throw createCannotWriteMessage(name, error);
  }
}
