import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findStateFiles } from "../../../src/load/files.ts";
import { parseStatePattern } from "../../../src/load/state-pattern.ts";
import { folderWith } from "./folder.ts";

const files = {
  "teams/hr/access/a.yml": "",
  "teams/hr/access/deep/b.yml": "",
  "teams/hr/notes.yml": "",
  "teams/pay/access/a.yml": "",
  "teams/pay/access/.hidden.yml": "",
  "teams/.dev/access/a.yml": "",
  "base/roles.yml": "",
  "base/tenants.json": "",
  "x (1)/a.yml": "",
  "x (1)/b[2].yml": "",
  "x (1)/b2.yml": "",
};

async function found(paths: readonly string[], folder = folderWith(files), within?: readonly string[]) {
  const { files: all, diagnostics } = await findStateFiles(paths, folder, { within });
  return [...all.map(({ path }) => path), ...diagnostics.map(({ code, path }) => `${code} ${path}`)];
}

describe("a state path with wildcards", () => {
  it.each<[paths: readonly string[], expected: readonly string[]]>([
    // Below a folder that matches all is state.
    [["teams/*/access"], ["teams/hr/access/a.yml", "teams/hr/access/deep/b.yml", "teams/pay/access/a.yml"]],
    [["teams/*/access/"], ["teams/hr/access/a.yml", "teams/hr/access/deep/b.yml", "teams/pay/access/a.yml"]],
    [["teams/*/access/*.yml"], ["teams/hr/access/a.yml", "teams/pay/access/a.yml"]],
    [["teams/**/b.yml"], ["teams/hr/access/deep/b.yml"]],
    [["teams/{hr,it}/*.yml"], ["teams/hr/notes.yml"]],
    [["teams/h?/notes.yml"], ["teams/hr/notes.yml"]],
    [["*/roles.yml"], ["base/roles.yml"]],
    [["./b*"], ["base/roles.yml", "base/tenants.json"]],
    // All else is a part of a name.
    [["x (1)/b[2]*"], ["x (1)/b[2].yml"]],
    [["x (1)/*"], ["x (1)/a.yml", "x (1)/b2.yml", "x (1)/b[2].yml"]],
    // What another path has found is found once, in the order of the paths.
    [
      ["teams/*/access/deep", "teams/hr", "teams/*/access"],
      ["teams/hr/access/deep/b.yml", "teams/hr/access/a.yml", "teams/hr/notes.yml", "teams/pay/access/a.yml"],
    ],
    [
      ["teams/hr/access", "teams/*/access/a.yml"],
      ["teams/hr/access/a.yml", "teams/hr/access/deep/b.yml", "teams/pay/access/a.yml"],
    ],
    [["teams/*/accss"], ["missing-state teams/*/accss"]],
    [["nowhere/*.yml"], ["missing-state nowhere/*.yml"]],
    [["base/*.txt"], ["missing-state base/*.txt"]],
  ])("%s", async (paths, expected) => expect(await found(paths)).toEqual(expected));

  it("leads out of the repository by no link", async () => {
    const folder = folderWith({ "in/teams/hr/a.yml": "", "out/a.yml": "" });
    symlinkSync("../../out", join(folder, "in/teams/pay"));
    const within = [join(folder, "in")];
    expect(await found(["teams/*/a.yml"], join(folder, "in"), within)).toEqual([
      "teams/hr/a.yml",
      "outside-repository teams/pay",
    ]);
    expect(await found(["../out/*.yml"], join(folder, "in"), within)).toEqual(["outside-repository ../out"]);
  });

  it("has none where nothing is a wildcard", () => {
    for (const path of ["a/b.yml", "a (b)/{c}.yml", "[a]/!b", "a+(b).yml", ""])
      expect(parseStatePattern(path)).toBe(undefined);
  });
});
