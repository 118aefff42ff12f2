import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { products } from "../dialects/index.ts";
import { isTooDeep } from "../json/depth.ts";
import { isObject, type Value } from "../json/value.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { readBeginning, refuseToReplace } from "./beginning.ts";
import { createCannotWriteMessage } from "./cannot-write.ts";

/** How a snapshot begins. */
const snapshotFile = /^\s*\{\s*"format_version":[^,]*,\s*"url":/;

/** @param cwd the current folder */
export async function writeSnapshot(cwd: string, path: string, snapshot: Snapshot): Promise<void> {
  const place = resolve(cwd, path);
  try {
    refuseToReplace(path, await readBeginning(place), snapshotFile, "snapshot");
    await writeFile(place, `${JSON.stringify(snapshot, null, 2)}\n`, { mode: 0o600 });
    // An existing file keeps its mode unless chmod is called.
    await chmod(place, 0o600);
  } catch (error) {
    throw createCannotWriteMessage(path, error);
  }
}

export async function readSnapshot(cwd: string, path: string): Promise<Snapshot> {
  const value = await parsed(cwd, path);
  if (!isSnapshot(value)) {
    throw new RunError("usage", {
      what: `${path} is not a snapshot that this version can read.`,
      fix: "Make one with gate-sync export --snapshot FILE.",
    });
  }
  return value;
}

async function parsed(cwd: string, path: string): Promise<unknown> {
  const place = resolve(cwd, path);
  try {
    // Asked before opening: reading a named pipe would wait for ever.
    if (!(await stat(place)).isFile()) throw new Error("It is no regular file.");
    return JSON.parse(await readFile(place, "utf8"));
  } catch (error) {
    throw new RunError("usage", {
      what: `The snapshot ${path} cannot be read.`,
      why: error instanceof Error ? error.message : String(error),
      fix: "Make one with gate-sync export --snapshot FILE.",
    });
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  if (!isObject(value as Value)) return false;
  const { format_version, url, answers, server } = value as Record<string, Value>;
  if (format_version !== 1 || typeof url !== "string" || !isObject(answers) || !isObject(server)) return false;
  const isKnown = products.some((product) => product === server.product) && typeof server.release === "string";
  return isKnown && Object.values(answers).every(isAnswer);
}

function isAnswer(answer: Value): boolean {
  return isObject(answer) && typeof answer.status === "number" && !isTooDeep(answer.body);
}
