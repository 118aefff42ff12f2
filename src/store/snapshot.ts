import { readFile, writeFile } from "node:fs/promises";
import { RunError } from "../diagnostics/failure.ts";
import { isObject, type Value } from "../json/value.ts";
import type { Snapshot } from "../model/snapshot.ts";

export async function writeSnapshot(path: string, snapshot: Snapshot): Promise<void> {
  await writeFile(path, `${JSON.stringify(snapshot, null, 2)}\n`, { mode: 0o600 });
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
  const { format_version, answers, server } = value as Record<string, Value>;
  return format_version === 1 && isObject(answers) && isObject(server) && typeof server.product === "string";
}
