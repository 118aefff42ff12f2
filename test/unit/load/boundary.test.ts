import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { createReadable, findRepository, isOutOfReach, isWithin, mayBeRead } from "../../../src/load/boundary.ts";
import { inFolder } from "../../support/command.ts";

/** A repository, a folder beside it, and links in them. */
function inFolders(links: Readonly<Record<string, string>>, work: (at: string) => void): Promise<void> {
  return inFolder({}, async (folder) => {
    const at = realpathSync(folder);
    for (const path of ["repo/.git", "repo/sub", "run/one", "run/two/deep"])
      mkdirSync(join(at, path), { recursive: true });
    for (const path of ["repo/sub/f", "run/one/f", "run/two/f", "run/two/deep/f"]) writeFileSync(join(at, path), path);
    for (const [path, to] of Object.entries(links)) symlinkSync(to.replace("AT", at), join(at, path));
    work(at);
  });
}

describe("the repository of a folder", () => {
  it("is above what a link leads to, not above the link", () =>
    inFolders({ "run/link": "../repo/sub", "repo/out": "../run/one" }, (at) => {
      expect(findRepository(join(at, "run/link"))).toBe(join(at, "repo"));
      expect(findRepository(join(at, "repo/out"))).toBe(undefined);
    }));

  it("may be the root of the file system: all is in it, and nothing of it may be read", () => {
    expect(isWithin(["/"], "/etc/passwd")).toBe(true);
    const whole = { within: ["/"], secretFiles: ["/run/secrets"], directory: "/" };
    expect(["/etc/passwd", "/run/secrets/key"].map((path) => mayBeRead(path, whole))).toEqual([false, true]);
  });
});

/** Links, the path that is named, and whether a link of the repository is on the way to it. */
const leading: readonly (readonly [
  about: string,
  links: Readonly<Record<string, string>>,
  path: string,
  isReached: boolean,
])[] = [
  ["a file", {}, "run/one/f", false],
  ["links beside the repository", { "run/a": "one", "run/b": "AT/run/a" }, "run/b/f", false],
  ["a link of the repository", { "repo/a": "../run/one/f" }, "repo/a", true],
  ["a folder of the repository that is a link", { "repo/a": "AT/run/one" }, "repo/a/f", true],
  ["a link to one of the repository", { "run/a": "../repo/a", "repo/a": "../run/one" }, "run/a/f", true],
  [
    "a link that is itself behind a link",
    { "run/a": "two/deep", "run/two/deep/b": "../../../repo/a", "repo/a": "AT/run/one" },
    "run/a/b/f",
    true,
  ],
  [
    "`..` over a link",
    { "run/one/up": "AT/repo/sub", "run/a": "one/up/../b", "repo/b": "AT/run/two" },
    "run/a/f",
    true,
  ],
  [
    "`..` that stays beside the repository",
    { "run/one/up": "AT/run/two/deep", "run/a": "one/up/../f" },
    "run/a",
    false,
  ],
  ["a link into nothing", { "repo/a": "AT/run/none" }, "repo/a", true],
  ["a circle", { "run/a": "b", "run/b": "a" }, "run/a", false],
];

test.for(leading)("a path leads over a link of a repository, or not: %s", ([, links, path, isReached]) =>
  inFolders(links, (at) => {
    const named = join(at, path);
    expect(createReadable(join(at, "run"), undefined, [named]).secretFiles.length).toBe(isReached ? 0 : 1);
    expect(isOutOfReach(named, [])).toBe(!isReached);
  }),
);

test.each([
  ["a file of a repository", "repo/sub/f"],
  ["a file of a repository, by a link beside it", "run/a"],
  ["a file that is not there yet", "repo/sub/none/f"],
  ["what is no repository, and has gate-sync.yaml", "run/two/f"],
  ["a link there", "run/two/a"],
])("a branch can bring %s", (_, path) =>
  inFolders({ "run/a": "../repo/sub/f", "run/two/a": "../one/f" }, (at) => {
    expect(isOutOfReach(join(at, path), [join(at, "run/two")])).toBe(false);
  }),
);
