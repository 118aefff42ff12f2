import { expect } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { findConfigFile } from "../../../src/load/config-file.ts";
import { type ConfigFile, readTarget, type TargetFlags, type TargetInput } from "../../../src/load/target.ts";
import { toValue } from "../../../src/model/node.ts";
import { folderWith } from "./folder.ts";

export interface Given {
  readonly yaml?: string;
  readonly flags?: Partial<TargetFlags>;
  readonly env?: TargetInput["env"];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly secrets?: "leave";
}

/** What comes of a gate-sync.yaml, flags and environment, in a folder with these files. */
export async function target({ yaml, flags = {}, env = {}, files = {}, secrets }: Given) {
  const cwd = folderWith({ ...files, ...(yaml !== undefined && { "gate-sync.yaml": yaml }) });
  const { found } = await findConfigFile(cwd);
  const config = found && { ...found, value: toValue(found.root) as ConfigFile };
  return readTarget({ config, flags: { statePaths: [], ...flags }, env, cwd, ...(secrets && { secrets }) });
}

/** It ends so: the kind of failure and a word of it; the code and place in the file where there is one. */
export async function fails(given: Given, kind: string, word: string, place?: string) {
  const error = await target(given).catch((thrown: unknown) => thrown);
  if (!(error instanceof RunError)) throw new Error(`It did not end in a RunError: ${String(error)}`);
  expect(error.kind).toBe(kind);
  expect(JSON.stringify(error.userMessage)).toContain(word);
  expect(error.diagnostics.map(({ code, range }) => `${code} ${range && formatLocation(range)}`)).toEqual(
    place ? [place] : [],
  );
}
