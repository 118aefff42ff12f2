import { dirname, resolve } from "node:path";
import type { Node } from "../model/node.ts";
import { findRepositoryAround } from "./boundary.ts";
import { formatPath } from "./files.ts";
import { type ReadFiles, type ReadSource, readSource } from "./read.ts";

/** Reads a file that gate-sync.yaml names, by its path relative to that. */
export type ReadConfigured = (path: string) => Promise<ReadFiles>;

/** From the work tree. */
export function createConfigReader(root: Node, cwd: string, readFile: ReadSource = readSource): ReadConfigured {
  const directory = dirname(resolve(cwd, root.file.path));
  const within = findRepositoryAround(directory);
  return async (path) => {
    const absolute = resolve(directory, path);
    const found = await readFile({ absolute, path: formatPath(cwd, absolute, path), within });
    if (found.problem?.code !== "unreadable-file") return found;
    const why = "What gate-sync.yaml takes from it is unknown.";
    return { problem: { ...found.problem, why, fix: "Correct the path, which is relative to gate-sync.yaml." } };
  };
}
