import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import type { JsonObject } from "../json/value.ts";
import { formatErrno } from "../load/errno.ts";
import { parseStatePattern } from "../load/state-pattern.ts";
import { fitsFleetSchema } from "../validate/fleet-schema.ts";

/**
 * The files that a path with wildcards matches, as in a container there is no shell that replaces it by them.
 *
 * @throws RunError `usage` where there are none
 */
export async function listFleetParts(cwd: string, path: string): Promise<readonly string[]> {
  const pattern = parseStatePattern(path);
  if (!pattern) return [path];
  const names = await readdir(resolve(cwd, pattern.base), { recursive: true }).catch(() => []);
  const found = names.filter((name) => pattern.matches(name)).sort(compareByCodeUnit);
  if (found.length > 0) return found.map((name) => join(pattern.base, name));
  throw new RunError("usage", {
    what: `No file matches ${path}.`,
    why: "What the runs found is unknown.",
    fix: "Name the files that runs wrote with --format json=FILE.",
  });
}

/**
 * What a run about several targets wrote as JSON.
 *
 * @throws RunError `usage` for a file that cannot be read, and for one that is something else
 */
export async function readFleetPart(cwd: string, path: string): Promise<JsonObject> {
  let text: string;
  try {
    text = await readFile(resolve(cwd, path), "utf8");
  } catch (error) {
    throw new RunError("usage", {
      what: `${path} cannot be read: ${formatErrno(error)}.`,
      why: "What its run found is unknown.",
      fix: "Name the files that runs wrote with --format json=FILE.",
    });
  }
  const document = parseJson(text);
  if (fitsFleetSchema(document)) return document as JsonObject;
  throw new RunError("usage", {
    what: `${path} is not what a run about several targets writes as JSON.`,
    why:
      text.trim() === ""
        ? "It is empty: the run that was to write it did not end."
        : "It cannot be a part of the report.",
    fix: "Name the files that runs of this version wrote with --format json=FILE.",
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
