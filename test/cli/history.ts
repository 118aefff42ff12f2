// A repository with a commit to compare with, and other files in its work tree.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { type Files, gateSyncWithin, type Run } from "../support/command.ts";
import { type Env, onHarness } from "./harness.ts";

export const hasGit = spawnSync("git", ["--version"]).status === 0;

export function git(folder: string, ...words: readonly string[]): string {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  return execFileSync("git", [...author, ...words], { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

/** `URL` in a file represents the server's; one that begins with `-> ` is a link. */
function write(folder: string, files: Files, url: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), join(folder, path));
    else writeFileSync(join(folder, path), text.replaceAll("URL", url));
  }
}

export interface History {
  readonly was: Files;
  readonly now: Files;
  readonly line?: string;
  /** What the server holds. */
  readonly state?: EmulatorOptions["state"];
}

export type Planner = (line: string, env?: Env) => Promise<Run>;

/** A repository of one commit, called `main`, with other files in its work tree, and a server. */
export function onHistory(
  { was, now, state = {} }: History,
  work: (run: Planner, folder: string) => Promise<void>,
): Promise<void> {
  return onHarness({ state }, async ({ folder, url }) => {
    write(folder, { "x.txt": "", ...was }, url);
    git(folder, "init", "-q", "-b", "main");
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "x");
    for (const path of Object.keys(was)) rmSync(join(folder, path));
    write(folder, now, url);
    const words = (line: string) => line.split(" ").map((word) => (word === "URL" ? url : word));
    const env = { PATH: process.env.PATH ?? "" };
    await work((line, more) => gateSyncWithin(words(line), { cwd: folder, env: { ...env, ...more } }), folder);
  });
}
