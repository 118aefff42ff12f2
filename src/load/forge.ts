import { realpath } from "node:fs/promises";
import { posix, relative, resolve, sep } from "node:path";
import type { SourceRange } from "../diagnostics/source.ts";
import { findMapEntry, type Node } from "../model/node.ts";
import { findRepository } from "./boundary.ts";
import { findConfigFile } from "./config-file.ts";
import { createGit } from "./git.ts";

interface ForgeQuestion {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configPath?: string;
}

/**
 * Where a forge has the files: their paths from the root of the git repository (from the current folder outside of one),
 * the line of gate-sync.yaml that declares the target, and the commit that is
 * checked out.
 */
export async function findForgePlaces(
  { cwd, env, configPath }: ForgeQuestion,
  target: string,
): Promise<{
  readonly toForgePath: (path: string) => string | undefined;
  readonly target?: SourceRange;
  readonly commit?: string;
}> {
  const folder = await realpath(cwd);
  const root = findRepository(folder);
  const head =
    root === undefined ? undefined : await createGit(env).ask(root, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const { found } = await findConfigFile(cwd, configPath).catch(() => ({ found: undefined }));
  const place = found && findKey(found.root, ["targets", target]);
  return {
    toForgePath: (path) => {
      const below = relative(root ?? folder, resolve(folder, path))
        .split(sep)
        .join(posix.sep);
      return below === "" || below === ".." || below.startsWith("../") ? undefined : below;
    },
    ...(place && { target: place }),
    ...(head?.ok && { commit: head.bytes.toString("utf8").trim() }),
  };
}

function findKey(root: Node, [key, ...rest]: readonly string[]): SourceRange | undefined {
  const entry = findMapEntry(root, key ?? "");
  if (!entry) return undefined;
  return rest.length === 0 ? entry.keyRange : findKey(entry.value, rest);
}
