// What is read of a commit by git, and what a checkout of the same commit has: the same gate-sync.yaml, files and texts.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openBase } from "../../../src/load/base.ts";
import { findConfigFile } from "../../../src/load/config-file.ts";
import { createConfigReader } from "../../../src/load/configured-file.ts";
import { findStateFiles } from "../../../src/load/files.ts";
import { createGit } from "../../../src/load/git.ts";
import { forBase } from "../../../src/load/git-messages.ts";
import { type FileSource, type ReadFiles, readSource } from "../../../src/load/read.ts";
import { toValue } from "../../../src/model/node.ts";
import { folderWith } from "./folder.ts";

const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: what is read from commits is not tested.");

function git(folder: string, ...words: readonly string[]): string {
  const author = ["-c", "user.name=a", "-c", "user.email=a@x", "-c", "commit.gpgsign=false"];
  return execFileSync("git", [...author, ...words], { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

/** Text; `-> target` is a link. */
type Layout = Readonly<Record<string, string>>;

function lay(folder: string, layout: Layout): void {
  for (const [path, text] of Object.entries(layout)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (text.startsWith("-> ")) symlinkSync(text.slice(3), join(folder, path));
    else writeFileSync(join(folder, path), text);
  }
}

const config = (more = "access", vars = "vars.yml") => `{ state: [${more}], vars_files: [${vars}] }\n`;
const plain = { "gate-sync.yaml": config(), "vars.yml": "a: b\n", "access/r.yml": "roles: {}\n" };
const inFolder = (folder: string, layout: Layout = plain): Layout =>
  Object.fromEntries(Object.entries(layout).map(([path, text]) => [`${folder}/${path}`, text]));
const { "gate-sync.yaml": _, ...withoutConfig } = plain;
const { "vars.yml": __, ...withoutVars } = plain;
const { "access/r.yml": ___, ...withoutState } = plain;

/** By `--config`, or in the folder itself. */
const layouts: Readonly<Record<string, readonly [layout: Layout, given?: string]>> = {
  plain: [plain],
  "in a subfolder": [inFolder("team"), "team/gate-sync.yaml"],
  "nested, by paths that lead up": [
    { ...inFolder("a/b"), "a/b/gate-sync.yaml": config("../access, access"), "a/access/t.yml": "tenants: {}\n" },
    "a/b/gate-sync.yaml",
  ],
  "gate-sync.yaml is a link": [{ ...withoutConfig, "gate-sync.yaml": "-> shared.yaml", "shared.yaml": config() }],
  "gate-sync.yaml is a link into another folder": [
    { ...inFolder("prod", withoutConfig), "prod/gate-sync.yaml": "-> ../all/x.yaml", "all/x.yaml": config() },
    "prod/gate-sync.yaml",
  ],
  "a chain of links": [
    {
      ...withoutConfig,
      "gate-sync.yaml": "-> one/x.yaml",
      "one/x.yaml": "-> ../two/x.yaml",
      "two/x.yaml": "-> three",
      "two/three": config(),
    },
  ],
  "the folder of gate-sync.yaml is a link": [
    { ...inFolder("real/deep"), linked: "-> real/deep" },
    "linked/gate-sync.yaml",
  ],
  "a folder above it is a link to a link": [
    { ...inFolder("real/deep"), linked: "-> again", again: "-> ./real/" },
    "linked/deep/gate-sync.yaml",
  ],
  "a link that leads up through another link": [
    { ...withoutConfig, "gate-sync.yaml": "-> in/../x.yaml", in: "-> a/b", "a/x.yaml": config(), "a/b/y": "" },
  ],
  "the state folder is a link": [{ ...withoutState, access: "-> real/access", "real/access/r.yml": "roles: {}\n" }],
  "a state path leads through a link": [
    { ...withoutState, "gate-sync.yaml": config("in/access"), in: "-> real", "real/access/r.yml": "roles: {}\n" },
  ],
  "a pattern leads through a link": [
    { ...withoutState, "gate-sync.yaml": config("in/*/r.yml"), in: "-> real", "real/a/r.yml": "roles: {}\n" },
  ],
  "links below the state folder": [
    { ...plain, "access/b": "-> ../more", "access/c.yml": "-> b/t.yml", "more/t.yml": "tenants: {}\n" },
  ],
  "one folder by two ways": [{ ...plain, "access/a": "-> z", "access/z/t.yml": "tenants: {}\n", "access/a.yml": "" }],
  "a link to the top": [{ "gate-sync.yaml": config("in"), "a.yml": "roles: {}\n", "vars.yml": "a: b\n", in: "-> ." }],
  "variables are a link": [{ ...withoutVars, "vars.yml": "-> v/x.yml", "v/x.yml": "a: c\n" }],
  "variables lead through a link": [
    { ...withoutVars, "gate-sync.yaml": config("access", "in/x.yml"), in: "-> v", "v/x.yml": "a: c\n" },
  ],
  "names that are patterns elsewhere": [
    { ...withoutVars, "gate-sync.yaml": config("access", '"v{a}*.yml"'), "v{a}*.yml": "a: c\n" },
  ],
  "names of other characters": [
    { ...withoutState, "gate-sync.yaml": config("zügänge"), "zügänge/ä😀.yml": "-> ../é.yml", "é.yml": "roles: {}\n" },
  ],
  "attributes by which a checkout could change texts": [
    { ...plain, "access/t.yml": "tenants: {}\r\n# $Id$\n", ".gitattributes": "vars.yml -text\n" },
  ],
  "variables out of the repository": [{ ...withoutVars, "vars.yml": "-> /outside.yml" }],
  "a state folder that holds itself": [{ ...plain, "access/x": "-> ../access" }],
  "a state file out of the repository": [{ ...plain, "access/x.yml": "-> ../../outside.yaml" }],
  "a folder of state out of the repository": [{ ...plain, "access/x": "-> /etc" }],
  "some state that leads nowhere": [{ ...plain, "access/x.yml": "-> nowhere" }],
};

/** What cannot be read in a checkout either. */
const unreadable: typeof layouts = {
  "a link out of the repository": [{ ...withoutConfig, "gate-sync.yaml": "-> ../outside.yaml" }],
  "a link to an absolute path": [{ ...withoutConfig, "gate-sync.yaml": "-> /outside.yaml" }],
  "a link that leads nowhere": [{ ...withoutConfig, "gate-sync.yaml": "-> nowhere.yaml" }],
  "links in a circle": [{ ...withoutConfig, "gate-sync.yaml": "-> x.yaml", "x.yaml": "-> gate-sync.yaml" }],
  "a link that becomes longer": [{ ...withoutConfig, "gate-sync.yaml": "-> a/x", a: "-> a/b" }],
  "a link to a file with a name below it": [{ ...withoutConfig, "gate-sync.yaml": "-> vars.yml/" }],
  "a link through a file": [{ ...withoutConfig, "gate-sync.yaml": "-> vars.yml/../x.yaml", "x.yaml": config() }],
  "a link to a folder": [{ ...withoutConfig, "gate-sync.yaml": "-> access" }],
  "gate-sync.yaml is a folder": [{ ...withoutConfig, "gate-sync.yaml/x": "" }],
  "gate-sync.yaml is no text": [{ ...withoutConfig, "gate-sync.yaml": "\ud800" }],
};

/** What else may be there today: plain files, and links that lead elsewhere. */
const todays: readonly ((given: string) => Layout)[] = [
  (given) => ({ [given]: "{ state: [y] }\n", y: "roles: {}\n" }),
  (given) => ({ [given]: "-> evil", [join(dirname(given), "evil")]: "{ state: [y] }\n", access: "-> .", y: "" }),
];

const shown = ({ file }: ReadFiles) => file?.text ?? "unreadable";
async function showFiles(source: Pick<FileSource, "find" | "read">) {
  const { files, diagnostics } = await source.find();
  const read = [];
  for (const file of files) read.push([file.path, shown(await source.read(file))]);
  const texts = read.filter(([, text]) => text !== "unreadable");
  return { texts, isWhole: diagnostics.length === 0 && texts.length === files.length };
}

/** Without its work tree, which is as the commit first. */
function replaceWorkTree(folder: string, layout: Layout): void {
  for (const name of readdirSync(folder)) if (name !== ".git") rmSync(join(folder, name), { recursive: true });
  lay(folder, layout);
}

describe.skipIf(!hasGit)("a commit is read as a checkout of it", () => {
  test.for(Object.entries({ ...layouts, ...unreadable }))("%s", async ([name, [layout, given = "gate-sync.yaml"]]) => {
    const folder = folderWith({});
    const [repository, checkout] = [join(folder, "repository"), join(folder, "checkout")];
    mkdirSync(repository);
    git(repository, "init", "-q", "-b", "main");
    lay(repository, layout);
    if (name.endsWith("no text")) writeFileSync(join(repository, given), Uint8Array.of(0xff));
    git(repository, "add", "-A");
    git(repository, "commit", "-qm", "x");
    git(repository, "worktree", "add", "-q", checkout, "HEAD", "--detach");
    const expected = await readSource({ absolute: join(checkout, given), path: given, within: [checkout] });
    const { found } = expected.file ? await findConfigFile(checkout, given) : {};
    const { state = [], vars_files = [] } = found ? (toValue(found.root) as Readonly<Record<string, string[]>>) : {};
    const here = { find: () => findStateFiles(state, dirname(join(checkout, given)), { within: [checkout] }) };
    const wanted = await showFiles({ ...here, read: readSource });
    const configPath = given === "gate-sync.yaml" ? undefined : given;
    for (const now of [undefined, ...todays]) {
      if (now) replaceWorkTree(repository, now(given));
      else if (!existsSync(join(repository, given))) continue;
      const base = await openBase(createGit(env), "main", { cwd: repository, configPath }, forBase);
      if (!base.config) throw new Error("nothing is said of a gate-sync.yaml that is there");
      expect(shown(base.config)).toBe(shown(expected));
      const read = await showFiles(base.state(state));
      expect(read.texts).toEqual(wanted.texts);
      // What is there and cannot be read is said.
      expect(read.isWhole).toBe(wanted.isWhole);
      const readNow = found && createConfigReader(found.root, checkout);
      for (const path of vars_files) expect(shown(await base.read(path))).toBe(readNow && shown(await readNow(path)));
    }
    expect([name, found !== undefined, wanted.texts.length > 0]).toEqual([name, name in layouts, name in layouts]);
  });
});

describe.skipIf(!hasGit)("a submodule that a branch brings is no base of it", () => {
  const brought: Layout = { "gate-sync.yaml": config(), "access/evil.yml": "roles: {}\n" };
  const bringers: Readonly<Record<string, (folder: string) => void>> = {
    "in place of a folder": (folder) => submodule(folder, "ops"),
    "that a link in place of a folder leads to": (folder) => {
      submodule(folder, "new");
      symlinkSync("new", join(folder, "ops"));
    },
    "below one": (folder) => {
      submodule(folder, "new", "new/ops");
      symlinkSync("new/ops", join(folder, "ops"));
    },
  };

  function submodule(folder: string, ...paths: readonly string[]): void {
    for (const path of paths) {
      const [, parent = ".", name = ""] = /^(?:(.*)\/)?(.*)$/.exec(path) ?? [];
      repositoryOf(join(folder, path), { ...brought, keep: "" });
      git(join(folder, parent), "-c", "advice.addEmbeddedRepo=false", "add", name);
      git(join(folder, parent), "commit", "-qm", "x");
    }
  }

  function repositoryOf(folder: string, layout: Layout): void {
    mkdirSync(folder, { recursive: true });
    git(folder, "init", "-q", "-b", "main");
    lay(folder, layout);
    git(folder, "add", "-A");
    git(folder, "commit", "-qm", "x");
  }

  const open = (cwd: string, configPath?: string) => openBase(createGit(env), "main", { cwd, configPath }, forBase);
  const stateOf = async (base: Awaited<ReturnType<typeof open>>) =>
    (await showFiles(base.state(["access"]))).texts.map(([path]) => path?.replace(/.*\//, ""));

  test.for(Object.entries(bringers))("%s", async ([, bring]) => {
    const folder = folderWith({});
    repositoryOf(folder, inFolder("ops"));
    const main = git(folder, "rev-parse", "HEAD");
    git(folder, "checkout", "-qb", "branch");
    git(folder, "rm", "-rq", "ops");
    bring(folder);
    for (const base of [await open(folder, "ops/gate-sync.yaml"), await open(join(folder, "ops"))]) {
      expect(base.hash).toBe(main);
      const all = base.config ? [base] : await base.moved();
      expect(await Promise.all(all.map(stateOf))).toEqual([["r.yml"]]);
    }
  });

  test("but one that was there is, and so is a repository that is no part of the one around it", async () => {
    const folder = folderWith({});
    repositoryOf(folder, { keep: "" });
    submodule(folder, "ops");
    for (const path of ["mine", "ops/mine"]) repositoryOf(join(folder, path), brought);
    for (const path of ["ops", "mine", "ops/mine"])
      expect(await stateOf(await open(join(folder, path)))).toEqual(["evil.yml"]);
  });
});

interface SubmoduleCase {
  /** Beside the submodules `infra`, which has gate-sync.yaml, and `vendor`, which has none. */
  readonly was?: Layout;
  /** What the branch does, in a clone of the repository with all submodules. */
  readonly bring: (folder: string, urls: Urls) => void;
  readonly given?: string;
  /** The state files of then, or why they cannot be read: by a path, and in its folder. */
  readonly expected: string;
  readonly within?: string;
}

interface Urls {
  readonly infra: string;
  readonly evil: string;
}

const missing = /is a submodule\. Its commit [0-9a-f]{40} is not in this clone/;
const submoduleCases: Readonly<Record<string, SubmoduleCase>> = {
  "that stays": { bring: () => {}, expected: "r.yml" },
  "at a later commit": { bring: (folder) => bump(folder, "infra", "later"), expected: "r.yml" },
  "at a commit of another repository": {
    bring: (folder, { evil }) => repoint(folder, "infra", evil),
    expected: "missing",
  },
  "that a link in place of a folder leads to": {
    was: inFolder("team"),
    bring: (folder, { evil }) => {
      repoint(folder, "vendor", evil);
      git(folder, "rm", "-rq", "team");
      symlinkSync("vendor", join(folder, "team"));
    },
    given: "team/gate-sync.yaml",
    expected: "r.yml",
    within: "missing",
  },
  "that a link leads to": {
    was: { team: "-> infra" },
    bring: (folder) => bump(folder, "infra", "later"),
    given: "team/gate-sync.yaml",
    expected: "r.yml",
  },
  "that a link led to, which is a folder now": {
    was: { team: "-> infra" },
    bring: (folder) => {
      rmSync(join(folder, "team"));
      lay(folder, inFolder("team", evil));
    },
    given: "team/gate-sync.yaml",
    expected: "r.yml",
  },
  "that a link led to, which leads to another one now": {
    was: { team: "-> infra" },
    bring: (folder, { evil }) => {
      repoint(folder, "vendor", evil);
      rmSync(join(folder, "team"));
      symlinkSync("vendor", join(folder, "team"));
    },
    given: "team/gate-sync.yaml",
    expected: "r.yml",
    within: "missing",
  },
  "that has another name now": {
    bring: (folder) => git(folder, "mv", "infra", "ops"),
    given: "ops/gate-sync.yaml",
    expected: "r.yml r.yml",
  },
  "that is a folder now": {
    bring: (folder) => {
      git(folder, "rm", "-rq", "infra");
      lay(folder, inFolder("infra", evil));
    },
    expected: "missing",
  },
  "that was a folder": {
    was: inFolder("team"),
    bring: (folder, { evil }) => {
      git(folder, "rm", "-rq", "team");
      add(folder, evil, "team");
    },
    given: "team/gate-sync.yaml",
    expected: "r.yml",
  },
  "in a submodule": {
    bring: (folder) => bump(folder, "infra/deep", "later"),
    given: "infra/deep/gate-sync.yaml",
    expected: "r.yml",
  },
  "of state alone": {
    was: { "gate-sync.yaml": config("infra/access, infra/deep") },
    bring: (folder) => bump(folder, "infra/deep", "later"),
    given: "gate-sync.yaml",
    expected: "r.yml r.yml vars.yml",
  },
  "below a folder of state": {
    was: { "gate-sync.yaml": config(".") },
    bring: (folder) => bump(folder, "infra/deep", "later"),
    given: "gate-sync.yaml",
    expected: "r.yml r.yml vars.yml vars.yml",
  },
};

const evil: Layout = { ...withoutState, "access/evil.yml": "roles: {}\n" };
const asFiles = ["-c", "protocol.file.allow=always"];

function add(folder: string, url: string, path: string): void {
  git(folder, ...asFiles, "submodule", "--quiet", "add", url, path);
}

/** Every submodule above is at a commit of that branch, too. */
function bump(folder: string, path: string, branch: string): void {
  git(join(folder, path), "checkout", "-q", `origin/${branch}`);
  const above = dirname(path);
  if (above === ".") return;
  git(join(folder, above), "commit", "-qam", "x");
  git(join(folder, above), "push", "-q", "origin", "HEAD:refs/heads/bumped");
}

function repoint(folder: string, path: string, url: string): void {
  git(folder, "config", "--file", ".gitmodules", `submodule.${path}.url`, url);
  git(join(folder, path), "fetch", "-q", url, "main");
  git(join(folder, path), "checkout", "-q", "FETCH_HEAD");
}

describe.skipIf(!hasGit)("a submodule counts as the commit had it, and by no name of its own", () => {
  function create(folder: string, name: string, layout: Layout, later?: Layout): string {
    const at = join(folder, name);
    mkdirSync(at);
    git(at, "init", "-q", "-b", "main");
    // Of another commit each, however fast they are made.
    const commit = () => [git(at, "add", "-A"), git(at, "commit", "-qm", name)];
    lay(at, layout);
    commit();
    if (!later) return at;
    git(at, "checkout", "-qb", "later");
    replaceWorkTree(at, later);
    commit();
    git(at, "checkout", "-q", "main");
    return at;
  }

  const stateOf = async (cwd: string, ref: string, configPath?: string) => {
    const base = await openBase(createGit(env), ref, { cwd, configPath }, forBase);
    const all = base.config ? [base] : await base.moved();
    const read = await Promise.all(all.map(readState));
    return read.flat().sort().join(" ");
  };
  const readState = async (base: Awaited<ReturnType<typeof openBase>>) => {
    const text = base.config?.file?.text ?? "";
    const [, state = ""] = /state: \[(.*?)\]/.exec(text) ?? [];
    const { texts } = await showFiles(base.state(state.split(", ")));
    return texts.map(([path]) => path?.replace(/.*\//, ""));
  };
  const answer = (read: Promise<string>) =>
    read.catch((error: Error) => (missing.test(error.message) ? "missing" : error.message));

  function createAll(was: Layout) {
    const folder = folderWith({});
    const deep = create(folder, "deep", plain, evil);
    const infra = create(folder, "infra", plain, evil);
    add(infra, deep, "deep");
    git(infra, "commit", "-qam", "x");
    const vendor = create(folder, "vendor", { keep: "" });
    const outer = create(folder, "outer", { ...was, keep: "" });
    for (const url of [infra, vendor]) add(outer, url, url.slice(folder.length + 1));
    git(outer, "commit", "-qam", "x");
    git(outer, ...asFiles, "submodule", "--quiet", "update", "--init", "--recursive");
    return { folder, outer, infra, evil: create(folder, "evil", evil) };
  }

  test("one that a sparse checkout leaves out was none that a run read", async () => {
    const { folder, outer, infra } = createAll({ "team/keep": "" });
    git(outer, "rm", "-rq", "infra", "vendor");
    add(outer, infra, "libs/infra");
    git(outer, "commit", "-qam", "x");
    const ci = join(folder, "ci");
    git(folder, "clone", "-q", "--no-checkout", outer, ci);
    git(ci, "sparse-checkout", "set", "--cone", "team");
    git(ci, "checkout", "-q", "main");
    expect(await answer(stateOf(ci, "origin/main"))).toBe("");
  });

  test.for(Object.entries(submoduleCases))("%s", async ([, one]) => {
    const { was = {}, bring, given = "infra/gate-sync.yaml", expected, within = expected } = one;
    const { folder, outer, ...urls } = createAll(was);
    git(outer, "checkout", "-qb", "branch");
    bring(outer, urls);
    git(outer, "add", "-A");
    git(outer, "commit", "-q", "--allow-empty", "-m", "x");
    const ci = join(folder, "ci");
    git(folder, ...asFiles, "clone", "-q", "--recurse-submodules", "-b", "branch", outer, ci);
    // Who brings it has the commits of before.
    expect(await answer(stateOf(outer, "main", given))).not.toMatch(/evil/);
    const inside = realpathSync(join(ci, dirname(given)));
    expect(await answer(stateOf(ci, "origin/main", given))).toBe(expected);
    expect(await answer(stateOf(inside, "origin/main"))).toBe(within);
    // As the message says.
    if (expected !== "missing") return;
    git(ci, "fetch", "-q", urls.infra, "main");
    expect(await stateOf(ci, "origin/main", given)).toBe("r.yml");
  });

  test("so a commit that only the submodule has is none", async () => {
    const { outer } = createAll({});
    const own = git(join(outer, "infra"), "rev-parse", "HEAD");
    for (const ref of ["origin/later", own])
      expect(await answer(stateOf(join(outer, "infra"), ref))).toContain(
        `The git repository around infra has no commit`,
      );
  });
});
