// State files read from a commit, and authors of lines, by the git that is installed.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { Secret } from "../../../src/json/secret.ts";
import { findAuthors } from "../../../src/load/blame.ts";
import { openCommit } from "../../../src/load/commit.ts";
import { createGit } from "../../../src/load/git.ts";
import { loadRepository } from "../../../src/load/repository.ts";
import { findMapEntry } from "../../../src/model/node.ts";
import { randomFrom } from "../../fixtures/random.ts";
import { seeds } from "../../properties/seed.ts";
import { folderWith } from "./folder.ts";

const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: what is read from commits is not tested.");

const role = (name: string) => `roles:\n  ${name}: { cluster_permissions: [x] }\n`;

function git(folder: string, ...words: readonly string[]): string {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...author, ...words], { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

type Files = Readonly<Record<string, string>>;

/** A repository with one commit for each set of files; only what the last one wrote over is different. */
function repositoryOf(...commits: readonly Files[]): string {
  const folder = folderWith({});
  git(folder, "init", "-q", "-b", "main");
  for (const files of commits) {
    write(folder, files);
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "--allow-empty", "-m", "x");
  }
  return folder;
}

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function hashOf(folder: string, ref: string): Promise<string> {
  try {
    return (await openCommit(createGit(env), ref, { state: ["a.yml"], cwd: folder })).hash;
  } catch (error) {
    return (error as RunError).message;
  }
}

describe.skipIf(!hasGit)("a name of several refs", () => {
  test.each([
    ["origin/main", ["tag", "origin/main", "HEAD~1"], "refs/remotes/origin/main and refs/tags/origin/main"],
    ["origin/main", ["tag", "-a", "-m", "x", "origin/main", "HEAD~1"], "refs/remotes/origin/main"],
    ["origin/main", ["branch", "origin/main", "HEAD~1"], "refs/heads/origin/main and refs/remotes/origin/main"],
    ["origin/main^{commit}~0", ["tag", "origin/main", "HEAD~1"], "refs/remotes/origin/main"],
    ["origin", ["tag", "origin", "HEAD~1"], "refs/remotes/origin/HEAD and refs/tags/origin"],
    ["applied/prod", ["branch", "applied/prod", "HEAD~1"], "refs/heads/applied/prod and refs/tags/applied/prod"],
  ])("is refused where they differ: %s, %s", async (ref, words, named) => {
    const folder = repositoryOf({ "a.yml": "roles: {}\n" }, { "a.yml": "tenants: {}\n" });
    git(folder, "update-ref", "refs/remotes/origin/main", "HEAD");
    git(folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    git(folder, "tag", "applied/prod");
    const head = git(folder, "rev-parse", "HEAD");
    for (const one of [ref, "HEAD", "main", head]) expect(await hashOf(folder, one)).toBe(head);
    git(folder, "tag", "-a", "-m", "x", "main");
    expect(await hashOf(folder, "main")).toBe(head);
    git(folder, ...words);
    expect(await hashOf(folder, ref)).toContain(`is several commits in the git repository: `);
    expect(await hashOf(folder, ref)).toContain(named);
    for (const kind of ["tag", "branch"])
      git(folder, kind, "refs/remotes/origin/main", `HEAD${kind === "tag" ? "~1" : ""}`);
    expect(await hashOf(folder, "refs/remotes/origin/main")).toBe(head);
  });
});

describe.skipIf(!hasGit)("a name that is a part of a hash", () => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    tag: ["tag"],
    "tag with a text": ["tag", "-a", "-m", "x"],
    branch: ["branch"],
    "remote's branch": ["update-ref"],
    remote: ["update-ref"],
  };
  const refOf = (kind: string, name: string) =>
    ({ "remote's branch": `refs/remotes/${name}`, remote: `refs/remotes/${name}/HEAD` })[kind] ?? name;

  test.each(Object.keys(kinds))("is refused where a %s is called so", async (kind) => {
    const folder = repositoryOf({ "a.yml": "roles: {}\n" }, { "a.yml": "tenants: {}\n" });
    const [head, old] = [git(folder, "rev-parse", "HEAD"), git(folder, "rev-parse", "HEAD~1")];
    const parts = [head.slice(0, 7), head.slice(0, 4), `v1-0-g${head.slice(0, 9)}`, head.slice(0, 39)];
    for (const part of parts) {
      expect(await hashOf(folder, part)).toBe(head);
      git(folder, ...(kinds[kind] ?? []), refOf(kind, part), head);
      expect(await hashOf(folder, part)).toBe(head);
      git(
        folder,
        "update-ref",
        "-d",
        `refs/${{ branch: "heads/", tag: "tags/", "tag with a text": "tags/" }[kind] ?? ""}${refOf(kind, part).replace(/^refs\//, "")}`,
      );
      git(folder, ...(kinds[kind] ?? []), refOf(kind, part), old);
      for (const one of [part, `${part}~0`, `${part}^{commit}`]) {
        expect(await hashOf(folder, one)).toContain("is several commits in the git repository: refs/");
        expect(await hashOf(folder, one)).toContain(` and ${head}`);
      }
    }
    // Longer than the part above: that may be of digits alone, and would be the name that was just given.
    expect(await hashOf(folder, `v1-0-g${head.slice(0, 38).toUpperCase()}`)).toBe(head);
    // A whole hash, and a whole name, are one commit each.
    git(folder, ...(kinds[kind] ?? []), refOf(kind, head), old);
    git(folder, "tag", "-f", head, git(folder, "rev-parse", "HEAD~1^{tree}"));
    for (const one of [head, head.toUpperCase(), `${head}~0`]) expect(await hashOf(folder, one)).toBe(head);
    const [full = ""] = git(folder, "for-each-ref", "--format=%(refname)", `--points-at=${old}`, "refs").split("\n");
    expect(await hashOf(folder, full)).toBe(old);
    git(folder, "branch", "deadbeef", old);
    expect(await hashOf(folder, "deadbeef")).toBe(old);
    const none = "0123456789".repeat(4);
    git(folder, "branch", none, old);
    expect(await hashOf(folder, none)).toContain("has no commit");
  });

  test.each(["tag", "branch"])("and a whole name that is not there is no %s called so", async (kind) => {
    const folder = repositoryOf({ "a.yml": "roles: {}\n" });
    git(folder, kind, "refs/remotes/origin/main");
    for (const ref of ["refs/remotes/origin/main", "refs/remotes/origin/main~0", "refs/remotes/origin/main^{commit}"])
      expect(await hashOf(folder, ref)).toContain("has no commit");
    expect(await hashOf(folder, "refs/heads/main")).toBe(git(folder, "rev-parse", "HEAD"));
  });

  test.each(["tag", "branch"])("and what begins with the name of a remote is no %s called so", async (kind) => {
    for (const name of ["origin/main", "origin"]) {
      const folder = repositoryOf({ "a.yml": "roles: {}\n" });
      const head = git(folder, "rev-parse", "HEAD");
      git(folder, kind, name);
      for (const ref of [name, `${name}~0`]) expect(await hashOf(folder, ref)).toBe(head);
      git(folder, "remote", "add", "origin", "/nowhere");
      for (const ref of [name, `${name}~0`]) expect(await hashOf(folder, ref)).toContain("has no commit");
      git(folder, "update-ref", "refs/remotes/origin/main", head);
      git(folder, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
      for (const ref of [name, "main"]) expect(await hashOf(folder, ref)).toBe(head);
    }
  });
});

/** `path: names` for each file of a commit, with the codes of what is wrong. */
async function check(cwd: string, ref: string, state: readonly string[], expected: readonly string[]) {
  const { source } = await openCommit(createGit(env), ref, { state, cwd });
  const { repository, diagnostics } = await loadRepository({
    state,
    cwd,
    vars: new Map(),
    env: {},
    secrets: "leave",
    source,
  });
  const files = repository.documents.map(({ file, sections }) => {
    return `${file.path}: ${sections.flatMap(({ entries }) => entries.map(({ key }) => key)).join(" ")}`;
  });
  expect([...files, ...diagnostics.map(({ code }) => code)]).toEqual(expected);
}

async function userMessageOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RunError)) throw new Error(`No message: ${error}`);
  return `${error.kind}: ${error.userMessage.what} ${error.userMessage.fix}`;
}

describe.skipIf(!hasGit)("the files of a commit", () => {
  test("are those of then, whatever the work tree holds", async () => {
    const folder = repositoryOf(
      { "access/a.yml": role("old"), "access/sub/b.yaml": role("b") },
      { "access/a.yml": "" },
    );
    write(folder, { "access/a.yml": role("uncommitted"), "access/new.yml": role("new") });
    const before = git(folder, "status", "--porcelain");
    await check(folder, "HEAD~1", ["access"], ["access/a.yml: old", "access/sub/b.yaml: b"]);
    await check(folder, "HEAD", ["access/sub/", "access/a.yml"], ["access/sub/b.yaml: b"]);
    expect(git(folder, "status", "--porcelain")).toBe(before);
  });

  test("are found and left out as those of the work tree are", async () => {
    const folder = repositoryOf({
      "s/.hidden/a.yml": role("h"),
      "s/.b.yml": role("h"),
      "s/node_modules/a.yml": role("n"),
      "s/gate-sync.yaml": "{",
      "s/README.md": "x",
      "s/b.yml": "\ufeff" + role("b"),
      "s/a/z.json": '{ "roles": { "z": {} } }',
      "s/B.yml": role("B"),
      "other/x.yml": role("x"),
    });
    await check(folder, "main", ["s"], ["s/B.yml: B", "s/a/z.json: z", "s/b.yml: b"]);
    // The last is reached twice, and counts once.
    await check(folder, "main", ["s/a", "s"], ["s/a/z.json: z", "s/B.yml: B", "s/b.yml: b"]);
    await check(join(folder, "s"), "main", ["."], ["B.yml: B", "a/z.json: z", "b.yml: b"]);
    await check(join(folder, "s"), "main", ["../other/x.yml"], ["../other/x.yml: x"]);
  });

  test("that match a pattern", async () => {
    const folder = repositoryOf(
      {
        "t/hr/access/a.yml": role("hr"),
        "t/hr/b.yml": role("b"),
        "t/pay/access/a.yml": role("pay"),
        "x.yml": role("x"),
      },
      { "t/it/access/a.yml": role("it") },
    );
    const both = ["t/hr/access/a.yml: hr", "t/pay/access/a.yml: pay"];
    await check(folder, "HEAD~1", ["t/*/access"], both);
    await check(folder, "HEAD", ["t/*/access"], ["t/hr/access/a.yml: hr", "t/it/access/a.yml: it", both[1] ?? ""]);
    await check(
      join(folder, "t"),
      "HEAD~1",
      ["*/access", "../*.yml"],
      ["hr/access/a.yml: hr", "pay/access/a.yml: pay", "../x.yml: x"],
    );
  });

  test("with waivers in any of them, but without those of today beside gate-sync.yaml", async () => {
    const folder = repositoryOf({ "waivers.yaml": role("beside"), "s/waivers.yaml": role("a") });
    const { source } = await openCommit(createGit(env), "main", { state: ["."], cwd: folder });
    const input = { state: ["."], cwd: folder, vars: new Map(), env: {}, secrets: "leave", source } as const;
    const { repository, diagnostics } = await loadRepository({ ...input, waivers: "waivers.yaml" });
    expect(repository.documents.map(({ file }) => file.path)).toEqual(["s/waivers.yaml"]);
    expect([repository.fileCount, diagnostics]).toEqual([1, []]);
  });

  test("with names that hurt", async () => {
    const names = ["-n.yml", "ü.yml", 'a"b.yml', "a\tb.yml", ":(top)x.yml", "*.yml"];
    const inside = Object.fromEntries(names.map((name, at) => [`s/${name}`, role(`r${at}`)]));
    const folder = repositoryOf({ ...inside, ":(top)s/x.yml": role("top") });
    await check(folder, "main", [":(top)s/x.yml"], [":(top)s/x.yml: top"]);
    await check(folder, "main", ["s/?.yml", "s/-n.yml"], ["s/*.yml: r5", "s/ü.yml: r1", "s/-n.yml: r0"]);
    const { source } = await openCommit(createGit(env), "main", { state: ["s"], cwd: folder });
    expect((await source.find()).files.map(({ path }) => path)).toEqual(names.map((name) => `s/${name}`).sort());
  });

  test("behind links, as long as these stay in the repository", async () => {
    const folder = repositoryOf({ "shared/roles.yml": role("shared"), "s/a.yml": role("a") });
    symlinkSync("../shared", join(folder, "s/link"));
    symlinkSync("../shared/roles.yml", join(folder, "s/same.yml"));
    symlinkSync("..", join(folder, "s/up"));
    symlinkSync("/etc/hosts.yml", join(folder, "s/out.yml"));
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "links");
    rmSync(join(folder, "s/out.yml"));
    // One leads out, one up to a folder that holds it.
    const unread = ["unreadable-file", "unreadable-file"];
    await check(folder, "HEAD", ["s"], ["s/a.yml: a", "s/link/roles.yml: shared", ...unread]);
    symlinkSync("s", join(folder, "today"));
    await check(folder, "HEAD~1", ["today"], ["today/a.yml: a"]);
  });

  test("name a license that is read of the same commit, or as it is today where git does not keep it", async () => {
    const licenseOf = async (cwd: string, ref: string) => {
      const state = ["s/a.yml"];
      const { source } = await openCommit(createGit(env), ref, { state, cwd });
      const loaded = await loadRepository({ state, cwd, vars: new Map(), env: {}, secrets: "resolve", source });
      expect(loaded.diagnostics).toEqual([]);
      const written = findMapEntry(loaded.repository.documents[0]?.sections[0]?.node, "text")?.value;
      return written?.kind === "scalar" && written.value instanceof Secret ? written.value.reveal() : undefined;
    };
    const declared = { "s/a.yml": "license: { file: ../keys/license.txt }\n", ".gitignore": "ignored/\n" };
    const folder = repositoryOf({ ...declared, "keys/license.txt": "old\n" }, { "keys/license.txt": "new\n" });
    write(folder, { "keys/license.txt": "uncommitted\n" });
    expect([await licenseOf(folder, "HEAD~1"), await licenseOf(folder, "HEAD")]).toEqual(["old", "new"]);
    write(folder, { "s/a.yml": "license: { file: ../ignored/license.txt }\n", "ignored/license.txt": "today\n" });
    git(folder, "commit", "-qam", "x");
    expect(await licenseOf(folder, "HEAD")).toBe("today");
  });

  test("behind links as they were then", async () => {
    const folder = repositoryOf({ "v1/a.yml": role("one"), "v2/a.yml": role("two") });
    for (const to of ["v1", "v2"]) {
      rmSync(join(folder, "s"), { force: true });
      symlinkSync(to, join(folder, "s"));
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", to);
    }
    await check(folder, "HEAD~1", ["s"], ["s/a.yml: one"]);
    await check(folder, "HEAD~1", ["s/a.yml", "s/*.yml"], ["s/a.yml: one"]);
    await check(folder, "HEAD", ["s"], ["s/a.yml: two"]);
    await check(folder, "HEAD~2", ["s"], ["s/a.yml: two"]);
  });

  test("whatever a clone has in place of a commit, or for its parents", async () => {
    const folder = repositoryOf(...["one", "two", "three"].map((name) => ({ "a.yml": role(name) })));
    git(folder, "config", "core.useReplaceRefs", "true");
    git(folder, "replace", "HEAD~1", "HEAD");
    git(folder, "replace", git(folder, "rev-parse", "HEAD~2:a.yml"), git(folder, "rev-parse", "HEAD:a.yml"));
    const [head = "", first = ""] = git(folder, "--no-replace-objects", "rev-list", "HEAD")
      .split("\n")
      .filter((_, at) => at !== 1);
    write(folder, { ".git/info/grafts": `${head} ${first}\n` });
    await check(folder, "HEAD~1", ["a.yml"], ["a.yml: two"]);
    await check(folder, "HEAD~2", ["a.yml"], ["a.yml: one"]);
  });

  test("that did not exist yet declare nothing", async () => {
    const folder = repositoryOf({ "x.txt": "" }, { "access/a.yml": role("a") });
    await check(folder, "HEAD~1", ["access"], []);
  });

  test("that are not UTF-8 or not YAML are reported like any others", async () => {
    const folder = repositoryOf({ "s/b.yml": "roles: [" });
    writeFileSync(join(folder, "s/a.yml"), Uint8Array.of(0x72, 0xff));
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "x");
    await check(folder, "HEAD", ["s"], ["invalid-utf8", "syntax"]);
  });
});

describe.skipIf(!hasGit)("a commit that cannot be read", () => {
  const open = (cwd: string, ref: string, state = ["s"], handed: typeof env = env) =>
    userMessageOf(openCommit(createGit(handed), ref, { state, cwd }));

  test.each(["nope", "", "-h", "--all", "--end-of-options", "main:s", "HEAD --all", "main..main", "a\nb"])(
    "because it has no such name: %j",
    async (ref) => {
      const folder = repositoryOf({ "s/a.yml": role("a") });
      expect(await open(folder, ref)).toContain(`usage: The git repository has no commit ${JSON.stringify(ref)}.`);
    },
  );

  test("because its name is longer than git can be given", async () => {
    const folder = repositoryOf({ "s/a.yml": role("a") });
    expect(await open(folder, "x".repeat(200_000))).toContain("usage: The git repository has no commit");
  });

  test("because only a part of the history is here", async () => {
    const folder = repositoryOf({ "s/a.yml": role("a") }, {});
    const old = git(folder, "rev-parse", "HEAD~1");
    git(folder, "clone", "-q", "--depth", "1", `file://${folder}`, "shallow");
    expect(await open(join(folder, "shallow"), old)).toMatch(/^usage: .* only a part of its history.*fetch-depth: 0/);
  });

  test("because there is no repository, or more than one", async () => {
    const folder = folderWith({ "s/a.yml": "", "t/a.yml": "" });
    expect(await open(folder, "HEAD")).toContain("usage: The path s is in no git repository.");
    git(join(folder, "s"), "init", "-q");
    git(join(folder, "t"), "init", "-q");
    expect(await open(folder, "HEAD", ["s", "t"])).toContain("are in different git repositories");
  });

  test("because there is no git", async () => {
    const folder = repositoryOf({ "s/a.yml": role("a") });
    expect(await open(folder, "HEAD", ["s"], { ...env, PATH: folder })).toContain("failed: git is not found.");
  });

  test("because the files are in a submodule", async () => {
    const folder = repositoryOf({ "s/a.yml": role("a") });
    git(folder, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},s/sub`);
    git(folder, "commit", "-q", "-m", "x");
    const { source } = await openCommit(createGit(env), "HEAD", { state: ["s"], cwd: folder });
    expect(await userMessageOf(source.find())).toContain("At HEAD, s/sub is a submodule.");
  });
});

describe.skipIf(!hasGit)("git", () => {
  test("gets no password of ours, and is not sent to another repository", async () => {
    const folder = folderWith({ ".git/x": "", "bin/git": "#!/bin/sh\nenv | tr '\\n' ' ' >&2\nexit 1\n" });
    chmodSync(join(folder, "bin/git"), 0o755);
    const PATH = `${join(folder, "bin")}:${process.env.PATH}`;
    const handed = { ...env, PATH, GATE_SYNC_PASSWORD: "Tuesday-9", GIT_DIR: "/elsewhere", GIT_CONFIG_COUNT: "1" };
    const answer = await createGit(handed).ask(folder, ["rev-parse", "HEAD"]);
    expect(answer).toMatchObject({ ok: false, reported: expect.stringContaining("GIT_OPTIONAL_LOCKS=0") });
    expect(JSON.stringify(answer)).not.toMatch(/Tuesday-9|elsewhere|GIT_CONFIG/);
  });

  test.each(["", ".", `:${process.env.PATH}`])("is no program of the repository, with %j as PATH", async (PATH) => {
    const folder = folderWith({ ".git/x": "", git: "#!/bin/sh\n: > ran\n" });
    chmodSync(join(folder, "git"), 0o755);
    await createGit({ PATH }).ask(folder, ["rev-parse", "HEAD"]);
    createGit({ PATH }).askNow(folder, ["rev-parse", "HEAD"]);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

describe.skipIf(!hasGit)("the author of a line", () => {
  const authors = async (cwd: string, path: string, text: string, lines: readonly number[], handed = env) => {
    const starts = text.split("\n").map((_, at, all) => all.slice(0, at).join("\n").length + (at === 0 ? 0 : 1));
    const ranges = lines.map((line) => ({ file: { path, text }, start: starts[line - 1] ?? 0, end: 0 }));
    const groups = ranges.map((range) => [range]);
    return (await findAuthors(createGit(handed), groups, cwd)).authors;
  };

  test("is who changed it last; no one where it is not committed", async () => {
    const folder = repositoryOf({ "s/-a.yml": "one\ntwo\n" });
    git(folder, "-c", "author.name=Ben", "commit", "-q", "--allow-empty", "-m", "x");
    write(folder, { "s/-a.yml": "one\nTWO\nthree\n" });
    git(folder, "-c", "author.name=Ben", "-c", "author.email=b@x", "commit", "-qam", "x");
    const ben = { name: "Ben", commit: git(folder, "rev-parse", "HEAD") };
    const ann = { name: "Ann Lee", commit: git(folder, "rev-parse", "HEAD~2") };
    const text = "one\nTWO\nthree\nfour\n";
    write(folder, { "s/-a.yml": text });
    expect(await authors(folder, "s/-a.yml", text, [3, 1, 2, 3, 4])).toEqual([ben, ann, ben, ben, undefined]);
  });

  test("of several is who changed one of them last; no one where one is not committed", async () => {
    const commit = (folder: string, name: string, second: number) => {
      const at = { GIT_COMMITTER_DATE: `2026-01-01T00:00:0${second}Z` };
      git(folder, "add", "-A");
      execFileSync("git", ["-c", `user.name=${name}`, "-c", "user.email=a@x", "commit", "-qm", "x"], {
        cwd: folder,
        env: { ...env, ...at },
      });
    };
    const folder = repositoryOf({ "a.yml": "" });
    write(folder, { "a.yml": "one\n\nthree\n" });
    commit(folder, "Ben", 1);
    write(folder, { "a.yml": "one\ntwo\n\nthree\n" });
    commit(folder, "Cy", 2);
    const text = "one\ntwo\n\nthree\nfour\n";
    write(folder, { "a.yml": text });
    const range = (from: string, to: string) => ({
      file: { path: "a.yml", text },
      start: text.indexOf(from),
      end: text.indexOf(to),
    });
    const groups = [
      [range("one", "two")],
      [range("one", "three")],
      [range("three", "four"), range("one", "two")],
      [range("three", "four"), range("two", "three")],
      [{ ...range("three", "four"), end: text.length }],
      [],
    ];
    const { authors: found } = await findAuthors(createGit(env), groups, folder);
    expect(found.map((author) => author?.name)).toEqual(["Ben", "Cy", "Ben", "Cy", undefined, undefined]);
  });

  test("is no one without git, outside of a repository, and before the history that was fetched", async () => {
    const folder = repositoryOf({ "a.yml": "one\n" }, { "a.yml": "one\ntwo\n" }, { "a.yml": "one\ntwo\nthree\n" });
    expect(await authors(folder, "a.yml", "one\n", [1], { ...env, PATH: folder })).toEqual([undefined]);
    expect(await authors(folderWith({ "a.yml": "one\n" }), "a.yml", "one\n", [1])).toEqual([undefined]);
    git(folder, "clone", "-q", "--depth", "2", `file://${folder}`, "shallow");
    const [one, three] = await authors(join(folder, "shallow"), "a.yml", "one\ntwo\nthree\n", [1, 3]);
    expect([one, three?.name]).toEqual([undefined, "Ann Lee"]);
  });

  test("is found of more lines than a command takes", async () => {
    const text = Array.from({ length: 80_000 }, (_, at) => `line ${at}\n`).join("");
    const folder = repositoryOf({ "a.yml": text });
    const file = { path: "a.yml", text };
    const groups = [...text.matchAll(/line/g)].map(({ index }) => [{ file, start: index, end: index + 1 }]);
    const found = await findAuthors(createGit(env), groups, folder);
    expect([found.notes, found.authors.filter((author) => author?.name === "Ann Lee").length]).toEqual([[], 80_000]);
  });

  // Each line says which commit made it, and no two are equal: so whose each is has one answer.
  test.each(seeds(6))(
    "is that of the same line of HEAD, whatever the work tree adds, removes or ends lines with: seed %i",
    async (at) => {
      const random = randomFrom(at);
      const folder = folderWith({});
      git(folder, "init", "-q", "-b", "main");
      let lines: readonly string[] = [];
      const edit = (by: string) => {
        const kept = lines.filter(() => random.chance(0.8));
        return Array.from({ length: 8 }).reduce<readonly string[]>((all, _, line) => {
          const place = random.below(all.length + 1);
          return all.toSpliced(place, 0, `# ${by}-${line}`);
        }, kept);
      };
      for (const by of ["c1", "c2", "c3"]) {
        lines = edit(by);
        write(folder, { "a.yml": `${lines.join("\n")}\n` });
        git(folder, "add", "-A");
        git(folder, "-c", `user.name=${by}`, "commit", "-q", "-m", by);
      }
      lines = edit("now");
      const text = `${lines.join(at % 2 === 0 ? "\n" : "\r\n")}\n`;
      write(folder, { "a.yml": text });
      const numbers = lines.map((_, index) => index + 1);
      const found = await authors(folder, "a.yml", text, numbers);
      const expected = lines.map((line) => line.slice(2, line.indexOf("-")));
      expect(found.map((author) => author?.name)).toEqual(expected.map((by) => (by === "now" ? undefined : by)));
    },
  );
});

describe.skipIf(!hasGit)("the repository of a path", () => {
  const was = { "access/a.yml": role("then") };
  /** Opens HEAD from a folder that holds `access`, in which the file has changed since. */
  const opens = async (folder: string, state = "access") => {
    write(folder, { [`${state}/a.yml`]: role("now") });
    await check(folder, "HEAD", [state], [`${state}/a.yml: then`]);
  };

  test("is that of a folder above, a linked work tree, a submodule and what a link leads to", async () => {
    const above = repositoryOf({ "team/access/a.yml": role("then") });
    await opens(join(above, "team"));

    const own = repositoryOf(was);
    git(own, "worktree", "add", "-q", "linked");
    await opens(join(own, "linked"));

    git(own, "checkout", "-q", "access");
    git(own, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", above, "sub");
    await opens(join(own, "sub/team"));
    await opens(own);

    const linked = folderWith({});
    symlinkSync(join(own, "access"), join(linked, "access"));
    git(own, "checkout", "-q", "access");
    await opens(linked);
  });

  test("is another user's only where the user says so", async () => {
    if (process.getuid?.() !== 0) return;
    const folder = repositoryOf(was);
    chownSync(join(folder, ".git"), 54_321, 54_321);
    await expect(
      userMessageOf(openCommit(createGit(env), "HEAD", { state: ["access"], cwd: folder })),
    ).resolves.toMatch(/^usage: git does not trust the repository of access.* safe\.directory/);
    const home = folderWith({ ".gitconfig": `[safe]\n\tdirectory = ${folder}\n` });
    const { hash } = await openCommit(createGit({ ...env, HOME: home }), "HEAD", { state: ["access"], cwd: folder });
    expect(hash).toMatch(/^[0-9a-f]{40}$/);
    const named = { ...env, GIT_CONFIG_GLOBAL: join(home, ".gitconfig") };
    await openCommit(createGit(named), "HEAD", { state: ["access"], cwd: folder });
    write(folder, { ".git/mine": `[safe]\n\tdirectory = ${folder}\n` });
    const relative = { ...env, GIT_CONFIG_GLOBAL: ".git/mine" };
    expect(await userMessageOf(openCommit(createGit(relative), "HEAD", { state: ["access"], cwd: folder }))).toContain(
      "git does not trust",
    );
  });

  test("is none where its work tree is elsewhere, or where it is bare", async () => {
    const folder = repositoryOf(was);
    git(folder, "config", "core.worktree", "../access");
    const open = () => userMessageOf(openCommit(createGit(env), "HEAD", { state: ["access"], cwd: folder }));
    expect(await open()).toContain("git fails.");
    execFileSync("git", ["config", "--file", ".git/config", "--unset", "core.worktree"], { cwd: folder, env });
    execFileSync("git", ["config", "--file", ".git/config", "core.bare", "true"], { cwd: folder, env });
    expect(await open()).toContain("git fails.");
  });
});
