import { expect } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { chooseTarget } from "../../../src/load/chosen-target.ts";
import { findConfigFile } from "../../../src/load/config-file.ts";
import { readTarget, type TargetFlags, type TargetInput } from "../../../src/load/target.ts";
import { combineSettings } from "../../../src/load/target-settings.ts";
import type { Node } from "../../../src/model/node.ts";
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
  return readFoundTarget(found?.root, { cwd, env, flags: { statePaths: [], ...flags }, ...(secrets && { secrets }) });
}

/** @param root gate-sync.yaml */
export function readFoundTarget(root: Node | undefined, input: Omit<TargetInput, "name" | "config">) {
  const name = chooseTarget(root, input.flags);
  return readTarget({ ...input, name, config: root && { root, settings: combineSettings(root, name) } });
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
