// Which files a state file may have read, at random paths, held to a walk that resolves each name by itself.
import { lstatSync, mkdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { Secret } from "../../src/json/secret.ts";
import { createReadable } from "../../src/load/boundary.ts";
import { loadRepository } from "../../src/load/repository.ts";
import { findMapEntry } from "../../src/model/node.ts";
import { randomFrom } from "../fixtures/random.ts";
import { inFolder } from "../support/command.ts";
import { seeds } from "./seed.ts";

const names = ["a", "b", ".d", "..data", "link", "up", "out", "keys", ".git"];

/** A repository with a second one in it, something beside it, and links in all directions. */
function build(folder: string, pick: <T>(of: readonly T[]) => T): readonly string[] {
  const folders = [
    "repo",
    "repo/access",
    "repo/access/sub",
    "repo/a",
    "repo/.d",
    "repo/sub/own",
    "repo/keys",
    "outer",
    "outer/a",
    "outer/.d",
  ];
  for (const path of folders) mkdirSync(join(folder, path), { recursive: true });
  mkdirSync(join(folder, "repo/.git"));
  mkdirSync(join(folder, "repo/sub/own/.git"));
  for (const path of [...folders, "repo/.git", "repo/sub/own/.git"])
    for (const name of ["f", ".f"]) writeFileSync(join(folder, path, name), `text of ${path}/${name}`);
  for (const path of folders) {
    const to = pick([
      "..",
      ".",
      "../..",
      join(folder, "outer"),
      join(folder, "repo"),
      "../outer/a",
      join(folder, "repo/.d"),
      "f",
      ".f",
      "nowhere",
      join(folder, "repo/a/f"),
    ]);
    symlinkSync(to, join(folder, path, pick(["link", "up", "out"])));
  }
  return folders;
}

/** The path without links, one name after the other; undefined where nothing is there, or links never end. */
function walk(path: string, left = 40): string | undefined {
  let at = "/";
  const rest = path.split("/");
  while (rest.length > 0) {
    const name = rest.shift() ?? "";
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    if (!lstatSync(at).isDirectory()) return undefined;
    const stats = lstatSync(next, { throwIfNoEntry: false });
    if (!stats || left-- === 0) return undefined;
    if (!stats.isSymbolicLink()) at = next;
    else {
      const to = readlinkSync(next);
      if (to.startsWith("/")) at = "/";
      rest.unshift(...to.split("/"));
    }
  }
  return at;
}

function isExpected(real: string, roots: readonly string[], secretFiles: readonly string[]): boolean {
  const below = (root: string) => real === root || real.startsWith(`${root}/`);
  return (
    secretFiles.some((path) => below(path)) ||
    roots.some(
      (root) =>
        below(root) &&
        !relative(root, real)
          .split("/")
          .some((name) => /^\./.test(name)),
    )
  );
}

test.each(seeds(60))("seed %i", (each) =>
  inFolder({}, async (folder) => {
    const random = randomFrom(`named-files ${each}`);
    const pick = <T>(of: readonly T[]) => random.pick(of);
    const folders = build(folder, pick);
    const repo = join(folder, "repo");
    const secretFiles = [
      [],
      [join(folder, "outer/a")],
      [join(repo, "keys"), join(folder, "outer/.d/.f")],
      [join(repo, ".d")],
    ];
    const listed = pick(secretFiles);
    const own = pick(["access", "access/sub", "sub/own"]);
    for (let round = 0; round < 15; round++) {
      const middle = Array.from({ length: random.below(4) }, () => pick([...names, "..", "..", "sub"]));
      const start = pick(["", `${folder}/`, `${repo}/`, `${join(folder, pick(folders))}/`]);
      const path = start + [...middle, pick(["f", ".f", "link", "out"])].join("/");
      for (const written of [`license: { text: "\${file:${path}}" }`, `license: { file: "${path}" }`]) {
        const state = join(repo, own, "state.yml");
        writeFileSync(state, written);
        const { repository, diagnostics } = await loadRepository({
          state: [state],
          cwd: repo,
          vars: new Map(),
          env: {},
          secrets: "resolve",
          readable: createReadable(repo, undefined, listed),
        });
        const value = findMapEntry(repository.documents[0]?.sections[0]?.node, "text")?.value;
        const secret = value?.kind === "scalar" && value.value instanceof Secret ? value.value : undefined;
        // A path is written: what it leads to by its names alone is what is opened.
        const real = walk(resolve(repo, own, path));
        const roots = own === "sub/own" ? [repo, join(repo, own)] : [repo];
        const isFile = real !== undefined && lstatSync(real).isFile();
        const codes = diagnostics.map(({ code }) => code);
        if (real === undefined) expect([path, codes.length, secret?.resolved]).toEqual([path, 1, false]);
        else if (!isExpected(real, roots, listed))
          expect([path, codes, secret?.resolved]).toEqual([path, ["outside-repository"], false]);
        else if (!isFile) expect([path, codes]).toEqual([path, ["unset-secret"]]);
        else expect([path, codes, secret?.reveal()]).toEqual([path, [], `text of ${relative(folder, real)}`]);
      }
    }
  }),
);
