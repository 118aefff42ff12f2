import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { RunError } from "../diagnostics/failure.ts";
import { products } from "../dialects/index.ts";
import { isObject, type Value } from "../json/value.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { cannotWrite } from "./cannot-write.ts";

export async function writeSnapshot(path: string, snapshot: Snapshot): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(snapshot, null, 2)}\n`, { mode: 0o600 });
    // One that was there before keeps its mode unless told otherwise.
    await chmod(path, 0o600);
  } catch (error) {
    throw cannotWrite(path, error);
  }
}

export async function readSnapshot(path: string): Promise<Snapshot> {
  const value = await parsed(path);
  if (!isSnapshot(value)) {
    throw new RunError("usage", {
      what: `${path} is not a snapshot that this version can read.`,
      fix: `Make one with gate-sync export --snapshot ${path}.`,
    });
  }
  return value;
}

async function parsed(path: string): Promise<unknown> {
  try {
    // Asked before opening: reading a named pipe would wait for ever.
    if (!(await stat(path)).isFile()) throw new Error("It is no regular file.");
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new RunError("usage", {
      what: `The snapshot ${path} cannot be read.`,
      why: error instanceof Error ? error.message : String(error),
      fix: `Make one with gate-sync export --snapshot ${path}.`,
    });
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  if (!isObject(value as Value)) return false;
  const { format_version, url, answers, server } = value as Record<string, Value>;
  if (format_version !== 1 || typeof url !== "string" || !isObject(answers) || !isObject(server)) return false;
  const isKnown = products.some((product) => product === server.product) && typeof server.release === "string";
  return isKnown && Object.values(answers).every((answer) => isObject(answer) && typeof answer.status === "number");
}
