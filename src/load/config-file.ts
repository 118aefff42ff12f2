import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { findRepositoryAround, isWithin } from "./boundary.ts";
import { type FoundConfigFile, parseConfigFile } from "./config-document.ts";
import { createConfigReader } from "./configured-file.ts";
import { type FoundFile, formatPath } from "./files.ts";
import { addInventory } from "./inventory.ts";
import { type ReadSource, readSource } from "./read.ts";

export const configNames = ["gate-sync.yaml", "gate-sync.yml"];

/**
 * gate-sync.yaml of the folder, or the file that was named, parsed.
 *
 * @throws RunError `usage` where the named file does not exist, or the folder has two
 */
export async function findConfigFile(
  cwd: string,
  given?: string,
  readFile: ReadSource = readSource,
): Promise<{ readonly found?: FoundConfigFile; readonly diagnostics: readonly Diagnostic[] }> {
  const place = locateConfigFile(cwd, given);
  if (!place) return { diagnostics: [] };
  const { file, problem } = await readFile(place);
  if (problem) return { diagnostics: [problem] };
  const { found, diagnostics } = parseConfigFile(file);
  if (!found) return { diagnostics };
  const added = await addInventory(found.root, createConfigReader(found.root, cwd, readFile));
  return { found: { file, root: added.root }, diagnostics: [...diagnostics, ...added.diagnostics] };
}

/** Where gate-sync.yaml is; undefined where the folder has none. Throws as `findConfigFile` does. */
export function locateConfigFile(cwd: string, given: string | undefined): FoundFile | undefined {
  if (given !== undefined) {
    const absolute = resolve(cwd, given);
    if (existsSync(absolute)) return { absolute, path: formatPath(cwd, absolute, given) };
    throw new RunError("usage", {
      what: `The configuration file ${given} does not exist.`,
      fix: "Correct --config, or leave it out to use gate-sync.yaml of this folder.",
    });
  }
  const [first, second] = configNames.filter((name) => existsSync(join(cwd, name)));
  if (second !== undefined) {
    throw new RunError("usage", {
      what: `Both ${first} and ${second} exist in this folder.`,
      why: "Which of them is meant is unknown.",
      fix: "Remove one, or choose one with --config.",
    });
  }
  return first === undefined
    ? undefined
    : { absolute: join(cwd, first), path: first, within: findRepositoryAround(cwd) };
}

/** Where the folder has no gate-sync.yaml, and one above it does. */
export function createConfigAboveError(above: string): RunError {
  return new RunError("usage", {
    what: `There is no gate-sync.yaml in this folder. There is ${above}.`,
    why: "gate-sync reads the one of the folder that it runs in, and no other.",
    fix: `Run gate-sync there, or add --config ${above}.`,
  });
}

/** gate-sync.yaml of a folder above in the same git work tree, where this folder has none: it is not read, but may be meant. */
export function locateConfigAbove(cwd: string): string | undefined {
  const boundary = findRepositoryAround(cwd);
  for (let folder = cwd; isWithin(boundary, folder); folder = dirname(folder)) {
    const name = configNames.find((name) => existsSync(join(folder, name)));
    if (name !== undefined) return folder === cwd ? undefined : formatPath(cwd, join(folder, name));
    if (folder === dirname(folder)) return undefined;
  }
  return undefined;
}
