import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import type { JsonObject } from "../json/value.ts";
import { formatErrno } from "../load/errno.ts";
import { fitsFleetSchema } from "../validate/fleet-schema.ts";

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
