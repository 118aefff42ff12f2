// What git is started for, and that nothing else starts with it: not what a branch brings, and not what a configuration names.
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { gateSyncWithin } from "../support/command.ts";
import { type Harness, onHarness } from "./harness.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: what it starts is not tested.");

const PATH = process.env.PATH ?? "";
const author = {
  GIT_AUTHOR_NAME: "Ann",
  GIT_AUTHOR_EMAIL: "a@x",
  GIT_COMMITTER_NAME: "Ann",
  GIT_COMMITTER_EMAIL: "a@x",
};

function tryGit(folder: string, words: readonly string[], input = "") {
  const env = { PATH, HOME: "/nonexistent", ...author };
  return spawnSync("git", words, { cwd: folder, encoding: "utf8", env, input });
}

function git(folder: string, words: string, input?: string): string {
  const { status, stdout, stderr } = tryGit(folder, words.split(" "), input);
  if (status !== 0) throw new Error(`git ${words}: ${stderr}`);
  return stdout.trim();
}

/**
 * Each setting by which git starts a program, from the pages of its documentation about the configuration, hooks,
 * attributes and remotes. PROGRAM is one that leaves its name behind.
 */
const settings: Readonly<Record<string, string>> = {
  "alias.canary": "!PROGRAM",
  "alias.blame": "!PROGRAM",
  "alias.cat-file": "!PROGRAM",
  "alias.ls-files": "!PROGRAM",
  "alias.rev-parse": "!PROGRAM",
  "alias.rev-list.command": "PROGRAM",
  "browser.x.cmd": "PROGRAM",
  "core.alternateRefsCommand": "PROGRAM",
  "core.askPass": "PROGRAM",
  "core.editor": "PROGRAM",
  "core.fsmonitor": "PROGRAM",
  "core.gitProxy": "PROGRAM",
  "core.hooksPath": "HOOKS",
  "core.pager": "PROGRAM",
  "core.sshCommand": "PROGRAM",
  "credential.helper": "!PROGRAM",
  "credential.https://x.example.helper": "!PROGRAM",
  "diff.canary.command": "PROGRAM",
  "diff.canary.textconv": "PROGRAM",
  "diff.external": "PROGRAM",
  "difftool.x.cmd": "PROGRAM",
  "filter.canary.clean": "PROGRAM",
  "filter.canary.process": "PROGRAM",
  "filter.canary.smudge": "PROGRAM",
  "gc.recentObjectsHook": "PROGRAM",
  "gpg.openpgp.program": "PROGRAM",
  "gpg.program": "PROGRAM",
  "gpg.ssh.defaultKeyCommand": "PROGRAM",
  "gpg.ssh.program": "PROGRAM",
  "gpg.x509.program": "PROGRAM",
  "guitool.x.cmd": "PROGRAM",
  "help.browser": "PROGRAM",
  "hook.canary.command": "PROGRAM",
  "hook.canary.event": "post-index-change",
  "imap.tunnel": "PROGRAM",
  "instaweb.httpd": "PROGRAM",
  "interactive.diffFilter": "PROGRAM",
  "log.showSignature": "true",
  "man.x.cmd": "PROGRAM",
  "merge.canary.driver": "PROGRAM",
  "mergetool.x.cmd": "PROGRAM",
  "pager.blame": "PROGRAM",
  "pager.config": "PROGRAM",
  "pager.log": "PROGRAM",
  "protocol.allow": "always",
  "receive.procReceiveRefs": "refs",
  "remote.origin.proxy": "PROGRAM",
  "remote.origin.receivepack": "PROGRAM",
  "remote.origin.uploadpack": "PROGRAM",
  "remote.origin.vcs": "ext",
  "sendemail.ccCmd": "PROGRAM",
  "sendemail.headerCmd": "PROGRAM",
  "sendemail.sendmailCmd": "PROGRAM",
  "sendemail.toCmd": "PROGRAM",
  "sequence.editor": "PROGRAM",
  "submodule.x.update": "!PROGRAM",
  "tar.tgz.command": "PROGRAM",
  "trailer.x.cmd": "PROGRAM",
  "trailer.x.command": "PROGRAM",
  "uploadpack.packObjectsHook": "PROGRAM",
  "web.browser": "PROGRAM",
};

const hooks =
  "pre-commit post-commit post-checkout post-index-change pre-auto-gc post-rewrite reference-transaction fsmonitor-watchman pre-push update post-merge";

/** The settings as a file, with their programs in a folder; each writes its name into `ran` there. */
function writePrograms(folder: string): { readonly config: string; readonly ran: () => readonly string[] } {
  mkdirSync(join(folder, "hooks"), { recursive: true });
  const program = (path: string) => {
    writeFileSync(path, `#!/bin/sh\necho "\${0##*/}" >> '${folder}/ran'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  for (const name of hooks.split(" ")) program(join(folder, "hooks", name));
  const lines = Object.entries(settings).map(([key, value]) => {
    const [, section, sub, name] = /^(\w+)\.(?:(.*)\.)?([\w-]+)$/.exec(key) ?? [];
    const path = program(join(folder, key.replaceAll("/", "_")));
    const written = value.replace("PROGRAM", path).replace("HOOKS", join(folder, "hooks"));
    return `[${section}${sub === undefined ? "" : ` "${sub}"`}]\n\t${name} = ${written}\n`;
  });
  const ran = () =>
    existsSync(join(folder, "ran")) ? readFileSync(join(folder, "ran"), "utf8").trim().split("\n") : [];
  return { config: lines.join(""), ran };
}

const gateSyncYaml = (url: string) => `targets:\n  prod: { url: "${url}", product: gate, state: [access] }\n`;
const roles = (action: string) =>
  `roles:\n  r: { cluster_permissions: [${action}] }\n  s: { cluster_permissions: [x] }\n`;

/** Every command that starts git, what it ends with, and with what where git takes the folder for no repository. */
const lines: readonly (readonly [line: string, code: number, without?: number])[] = [
  ["drift --target prod", 2],
  ["drift --target prod --applied-ref HEAD~1", 2, 64],
  ["plan --target prod --base HEAD~1 --format sarif", 0, 64],
  ["plan --target prod --format json=report.json", 0],
  ["apply --target prod --yes", 0],
  ["status --target prod", 0],
  ["rollback --target prod --yes", 0, 64],
  ["access map --target prod --since HEAD~1", 0, 64],
  ["export --target prod --update", 0],
  ["validate --format code-quality", 0],
  ["test --format sarif", 0],
  ["fmt --check", 0],
  ["init --ci github", 0],
];

/** What each of them ends with. */
async function runAll({ folder }: Harness, path = PATH): Promise<readonly (readonly [string, number | undefined])[]> {
  const ends: [string, number | undefined][] = [];
  for (const [line] of lines) {
    const { code } = await gateSyncWithin(line.split(" "), { cwd: folder, env: { PATH: path, HOME: "/nonexistent" } });
    ends.push([line, code]);
  }
  return ends;
}

/** A repository of two commits, the last one signed, with a record of a run and a server that was changed since. */
function onRepository(work: (harness: Harness) => Promise<void>): Promise<void> {
  return onHarness({ files: { "access/roles.yml": roles("a") } }, async (harness) => {
    const { folder, url, emulator } = harness;
    writeFileSync(join(folder, "gate-sync.yaml"), gateSyncYaml(url));
    const { code, stderr } = await harness.run("apply --target prod --yes");
    if (code !== 0) throw new Error(stderr);
    git(folder, "init -q -b main");
    for (const action of ["a", "b"]) {
      writeFileSync(join(folder, "access/roles.yml"), roles(action));
      git(folder, "add access gate-sync.yaml");
      git(folder, `commit -q -m ${action}`);
    }
    const signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
    const signed = git(folder, "cat-file commit HEAD").replace("\n\n", `\n${signature}`);
    git(folder, `update-ref HEAD ${git(folder, "hash-object -t commit -w --stdin", `${signed}\n`)}`);
    emulator.replaceState({ roles: { r: { cluster_permissions: ["c"] }, s: { cluster_permissions: ["c"] } } });
    // Newer than the index: what compares with the work tree has to read it.
    writeFileSync(join(folder, "access/roles.yml"), roles("d"));
    await work(harness);
  });
}

const attributes = "* filter=canary diff=canary merge=canary\n";

/** Where the settings lie. Each gives the program's `ran`. */
const places: Readonly<Record<string, (folder: string) => ReturnType<typeof writePrograms>["ran"]>> = {
  "the configuration of the repository": (folder) => {
    const { config, ran } = writePrograms(join(folder, "programs"));
    writeFileSync(join(folder, ".git/config"), `${readFileSync(join(folder, ".git/config"), "utf8")}${config}`);
    mkdirSync(join(folder, ".git/info"), { recursive: true });
    writeFileSync(join(folder, ".git/info/attributes"), attributes);
    git(folder, "-c core.fsmonitor=/bin/true -c core.hooksPath= update-index --fsmonitor");
    rmSync(join(folder, "programs/ran"), { force: true });
    return ran;
  },
  "a file that the configuration includes": (folder) => {
    const { config, ran } = writePrograms(join(folder, "programs"));
    writeFileSync(join(folder, "brought.conf"), config);
    writeFileSync(join(folder, ".gitattributes"), attributes);
    git(folder, "config include.path ../brought.conf");
    return ran;
  },
  "a bare repository that a branch brings in its state folder, and where records are": (folder) => {
    const { config, ran } = writePrograms(join(folder, "programs"));
    for (const brought of ["access", ".gate-sync", ".gate-sync/journal"]) bring(folder, join(folder, brought), config);
    git(folder, "add access");
    return ran;
  },
  "a folder that a file .git names": (folder) => {
    const { config, ran } = writePrograms(join(folder, "programs"));
    renameSync(join(folder, ".git"), join(folder, "access/evil"));
    writeFileSync(join(folder, ".git"), "gitdir: access/evil\n");
    const own = join(folder, "access/evil/config");
    writeFileSync(own, `${readFileSync(own, "utf8")}${config}`);
    writeFileSync(join(folder, ".gitattributes"), attributes);
    return ran;
  },
  "the root itself, whose .git is no repository": (folder) => {
    const { config, ran } = writePrograms(join(folder, "programs"));
    bring(folder, folder, config.replace("[core]", "[core]\n\tworktree = .\n[core]"));
    rmSync(join(folder, ".git"), { recursive: true });
    mkdirSync(join(folder, ".git"));
    return ran;
  },
};

/** All that a bare repository consists of, as files that any branch may have. */
function bring(folder: string, to: string, config: string): void {
  for (const name of ["objects", "refs", "index"])
    cpSync(join(folder, ".git", name), join(to, name), { recursive: true });
  writeFileSync(join(to, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(to, "config"), `[core]\n\trepositoryformatversion = 0\n\tworktree = ..\n${config}`);
  writeFileSync(join(to, ".gitattributes"), attributes);
}

describe.skipIf(!hasGit)("nothing but git starts", () => {
  test.for(Object.entries(places))("with programs in %s", ([place, lay], { expect }) =>
    onRepository(async (harness) => {
      const ran = lay(harness.folder);
      const ends = await runAll(harness);
      const isNone = place.includes("no repository");
      const expected = lines.map(([line, code, without = code]) => [line, isNone ? without : code]);
      expect({ ran: ran(), ends }).toEqual({ ran: [], ends: expected });
    }),
  );

  test.for(
    [
      "blame.ignoreRevsFile=ignored",
      "blame.ignoreRevsFile=lists/ignored",
      "blame.ignoreRevsFile=none",
      "blame.ignoreRevsFile=none,ignored,../ignored,lists/ignored,~/none,/nonexistent",
      "blame.markIgnoredLines=true",
      "blame.markUnblamableLines=true",
      "blame.blankBoundary=true",
      "blame.showRoot=true",
      "blame.showEmail=true",
      "blame.date=short",
      "blame.coloring=highlightRecent",
      "color.ui=always",
      "i18n.logOutputEncoding=UTF-16",
      "i18n.logOutputEncoding=latin1",
      "mailmap.blob=HEAD:none",
      "mailmap.file=none",
      "diff.algorithm=patience",
      "core.abbrev=4",
      "core.quotePath=false",
      "core.autocrlf=true",
    ].map((setting) => setting.split("=") as [string, string]),
  )("and %s %s silences no author", ([name, value], { expect }) =>
    onRepository(async ({ folder, run }) => {
      git(folder, "config user.name Zoë");
      writeFileSync(join(folder, "access/roles.yml"), roles("b2"));
      tryGit(folder, ["-c", "user.name=Zoë", "commit", "-qam", "x", "--author=Zoë <z@x>"]);
      const head = git(folder, "rev-parse HEAD");
      mkdirSync(join(folder, "lists"));
      for (const list of ["ignored", "lists/ignored"]) writeFileSync(join(folder, list), `${head}\n`);
      for (const each of value.split(",")) git(folder, `config --add ${name} ${each}`);
      // Nothing is written for it.
      const env = { HOME: "/nonexistent", TMPDIR: "/nonexistent" };
      const { stdout } = await run("drift --target prod --format json", env);
      const { differences, notes } = JSON.parse(stdout);
      const names = differences.map(({ author }: { author?: { name: string } }) => author?.name);
      expect({
        names: [...new Set(names)],
        silenced: notes.filter((note: string) => note.includes("Who changed")),
      }).toEqual({
        names: expect.arrayContaining(["Zoë"]),
        silenced: [],
      });
    }),
  );

  // Otherwise the test above would see nothing, whatever ran.
  test.for([
    ["the configuration of the repository", ".", "blame access/roles.yml", "filter.canary.process"],
    ["the configuration of the repository", ".", "status", "core.fsmonitor"],
    ["the configuration of the repository", ".", "log -1", "gpg.program"],
    ["the configuration of the repository", ".", "diff HEAD", "diff.canary.command"],
    ["the configuration of the repository", ".", "show HEAD", "diff.canary.textconv"],
    ["the configuration of the repository", ".", "commit --allow-empty -m x", "pre-commit"],
    ["the configuration of the repository", ".", "add access", "post-index-change"],
    ["the configuration of the repository", ".", "canary", "alias.canary"],
    ["a file that the configuration includes", ".", "blame access/roles.yml", "filter.canary.process"],
    ["a folder that a file .git names", ".", "blame access/roles.yml", "filter.canary.process"],
    [
      "a bare repository that a branch brings in its state folder, and where records are",
      "access",
      "blame roles.yml",
      "filter.canary.process",
    ],
    ["the root itself, whose .git is no repository", ".", "blame access/roles.yml", "filter.canary.process"],
  ] as const)("and it would be seen: %s, git in %s, %s", ([place, where, words, program], { expect }) =>
    onRepository(async ({ folder }) => {
      const ran = places[place]?.(folder);
      tryGit(join(folder, where), words.split(" "));
      expect(ran?.()).toContain(program);
    }),
  );

  test("where the clone lacks an object: nothing is fetched, and the message says so", ({ expect }) =>
    onRepository(async ({ folder, run }) => {
      const ran = places["the configuration of the repository"]?.(folder);
      git(folder, "config core.repositoryformatversion 1");
      git(folder, "config extensions.partialClone origin");
      const then = git(folder, "rev-parse HEAD~1:access/roles.yml");
      rmSync(join(folder, ".git/objects", then.slice(0, 2), then.slice(2)));
      for (const url of [
        `ext::${join(folder, "programs/core.pager")}`,
        "ssh://x.example/y",
        "git://x.example/y",
        "https://x.example/y",
        "/nowhere",
      ]) {
        git(folder, `config remote.origin.url ${url}`);
        for (const line of ["drift --target prod --applied-ref HEAD~1", "plan --target prod --base HEAD~1"]) {
          const { code, stderr } = await run(line);
          expect({ line, url, code, ran: ran?.() }).toEqual({ line, url, code: 64, ran: [] });
          expect(stderr.replace(/\s+/g, " ")).toMatch(/lacks an object .* git fetch --refetch --no-filter/);
        }
      }
      const { code, stdout } = await run("drift --target prod");
      expect({ code, reported: stdout.replace(/\s+/g, " ") }).toEqual({
        code: 2,
        reported: expect.stringContaining(
          "Who changed what is unknown. This clone of the git repository lacks an object",
        ),
      });
    }));

  test("and git neither, where there is no .git", ({ expect }) =>
    onRepository(async (harness) => {
      const { folder } = harness;
      const path = `${join(folder, "bin")}:${PATH}`;
      const started = join(folder, "started");
      mkdirSync(join(folder, "bin"));
      writeFileSync(join(folder, "bin/git"), `#!/bin/sh\necho "$PWD" >> ${started}\nPATH='${PATH}' exec git "$@"\n`);
      chmodSync(join(folder, "bin/git"), 0o755);
      await runAll(harness, path);
      const places = new Set(readFileSync(started, "utf8").trim().split("\n"));
      expect([...places].sort()).toEqual([folder, join(folder, ".git")]);
      rmSync(started);
      rmSync(join(folder, ".git"), { recursive: true });
      // What git would take for a repository, and find.
      git(folder, "init -q --bare access");
      await runAll(harness, path);
      expect(existsSync(started)).toBe(false);
    }));
});
