// The records of gate-sync are its own: for their owner alone, no links, and nothing that came with the repository.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type Env, type Harness, oneTenant, onHarness } from "./harness.ts";

const apply = "apply --yes --url URL access";
const word = "S3cr3tPassw0rd";

function applied(work: (harness: Harness, records: string) => Promise<void>) {
  return onHarness({ files: oneTenant }, async (harness) => {
    const { code, stderr } = await harness.run(apply);
    if (code !== 0) throw new Error(stderr);
    await work(harness, join(harness.folder, ".gate-sync"));
  });
}

function onlyIn(folder: string): string {
  const [name = ""] = readdirSync(folder);
  return join(folder, name);
}

const mode = (path: string) => statSync(path).mode & 0o777;

describe("the folder", () => {
  test("is for its owner alone, and one that is wider is narrowed", ({ expect }) =>
    onHarness({ files: oneTenant }, async ({ folder, run }) => {
      const folders = [".gate-sync", ".gate-sync/journal", ".gate-sync/backups"].map((name) => join(folder, name));
      for (const path of folders) mkdirSync(path);
      for (const path of folders) chmodSync(path, 0o777);
      expect((await run(apply)).code).toBe(0);
      expect(folders.map(mode)).toEqual([0o700, 0o700, 0o700]);
    }));

  test("that was named keeps its mode, and is refused where others may write", ({ expect }) =>
    onHarness({ files: oneTenant }, async ({ folder, run, writes }) => {
      const own = join(folder, "own");
      mkdirSync(own);
      chmodSync(own, 0o777);
      expect((await run(`${apply} --state-dir own`)).code).toBe(1);
      expect(writes()).toEqual([]);
      chmodSync(own, 0o755);
      expect((await run(`${apply} --state-dir own`)).code).toBe(0);
      expect([mode(own), mode(join(own, "journal"))]).toEqual([0o755, 0o700]);
    }));

  test.for([".gate-sync", ".gate-sync/journal", ".gate-sync/backups"])("%s is no link", (name, { expect }) =>
    onHarness({ files: oneTenant }, async ({ folder, run, writes }) => {
      mkdirSync(join(folder, "elsewhere"));
      if (name !== ".gate-sync") mkdirSync(join(folder, ".gate-sync"));
      symlinkSync(join(folder, "elsewhere"), join(folder, name));
      // The journal is read first, for the families that the last run managed.
      expect((await run(apply)).code).toBe(name === ".gate-sync/backups" ? 1 : 64);
      expect({ writes: writes(), written: readdirSync(join(folder, "elsewhere")) }).toEqual({
        writes: [],
        written: [],
      });
    }),
  );
});

describe("a record", () => {
  const another = 54_321;
  const places: Readonly<Record<string, readonly [line: string, path: (records: string) => string]>> = {
    "the folder": ["status --url URL", (records) => records],
    "the folder of journals": ["status --url URL", (records) => join(records, "journal")],
    "a journal": ["status --url URL", (records) => onlyIn(join(records, "journal"))],
    "the folder of backups": ["rollback --yes --url URL", (records) => join(records, "backups")],
    "a backup": ["rollback --yes --url URL", (records) => onlyIn(join(records, "backups"))],
    "a manifest": ["rollback --yes --url URL", (records) => join(onlyIn(join(records, "backups")), "manifest.json")],
    "a state file of a backup": [
      "rollback --yes --url URL",
      (records) => onlyIn(join(onlyIn(join(records, "backups")), "state")),
    ],
  };

  // Only root may give a file to another user.
  test.skipIf(process.getuid?.() !== 0).for(Object.entries(places))(
    "of another user is refused, by its name: %s",
    ([, [line, path]], { expect }) =>
      applied(async ({ run, writes }, records) => {
        const [place, before] = [path(records), writes().length];
        chownSync(place, another, another);
        const { code, stderr } = await run(line);
        expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
          code: 64,
          stderr: expect.stringMatching(/belongs to another user \(uid 54321, .* chown -R 0 /),
        });
        expect(stderr.replace(/\s+/g, "")).toContain(place.replace(/\s+/g, ""));
        expect(writes().length).toBe(before);
      }),
  );

  test.skipIf(process.getuid?.() !== 0)("of another user makes no space for a new one", ({ expect }) =>
    onHarness({ files: oneTenant }, async ({ folder, run, writes }) => {
      mkdirSync(join(folder, ".gate-sync/backups"), { recursive: true });
      chownSync(join(folder, ".gate-sync/backups"), another, another);
      expect((await run(apply)).code).toBe(1);
      expect(writes()).toEqual([]);
    }),
  );

  test.for(["journal", "backup"])(
    "that is a link or a named pipe is refused, and nothing of it is shown: %s",
    (kind, { expect }) =>
      applied(async ({ folder, run }, records) => {
        const path =
          kind === "journal"
            ? onlyIn(join(records, "journal"))
            : join(onlyIn(join(records, "backups")), "manifest.json");
        const line = kind === "journal" ? "status --url URL" : "rollback --yes --url URL";
        renameSync(path, join(folder, "kept"));
        writeFileSync(join(folder, "netrc"), `${word}\n`);
        for (const replace of [
          () => symlinkSync(join(folder, "netrc"), path),
          () => symlinkSync(join(folder, "kept"), path),
          () => execFileSync("mkfifo", [path]),
          () => writeFileSync(path, `${word}\n`),
        ]) {
          replace();
          const { code, stdout, stderr } = await run(line);
          expect({ code, shown: (stdout + stderr).includes(word) }).toEqual({ code: 64, shown: false });
          execFileSync("rm", [path]);
        }
      }),
  );

  test.for(["", "{", "null", '{"record":"plan"}', '{"record":"begin"}', "\0\0"])(
    "with the damaged first line %j is an error, and no older one takes its place",
    (first, { expect }) =>
      applied(async ({ run }, records) => {
        const journal = onlyIn(join(records, "journal"));
        const [, ...rest] = readFileSync(journal, "utf8").split("\n");
        writeFileSync(journal.replace(/[^/]*$/, "29991231T000000.000Z-x.jsonl"), [first, ...rest].join("\n"));
        const { code, stderr } = await run("status --url URL");
        expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
          code: 64,
          stderr: expect.stringContaining("The first line of the journal"),
        });
      }),
  );

  test("that git keeps decides nothing", ({ expect }) =>
    applied(async ({ folder, run, writes }, records) => {
      const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: folder, stdio: "pipe" });
      git("init", "-q");
      const before = writes().length;
      expect((await run("status --url URL")).stdout).toContain("apply");
      git("add", "-f", records);
      expect((await run("status --url URL")).stdout.replace(/\s+/g, " ")).toContain("nothing is known of earlier runs");
      expect((await run("rollback --yes --url URL")).code).toBe(64);
      const name = onlyIn(join(records, "backups")).replace(/^.*\//, "");
      const named = await run(`rollback ${name} --yes --url URL`);
      expect(named).toMatchObject({ code: 64, stderr: expect.stringContaining("is in git") });
      expect(writes()).toHaveLength(before);
    }));

  const git = (folder: string, ...words: readonly string[]) =>
    execFileSync("git", words, { cwd: folder, stdio: "pipe" });
  const unknown =
    /Whether git tracks the records of earlier runs is unknown.* Install git, or keep them outside .*--state-dir/;
  /** Where records lie, what git can say of them, whether they count, and why not. */
  const repositories: Readonly<
    Record<string, { readonly lay: (folder: string) => unknown; readonly env?: Env; readonly why?: RegExp }>
  > = {
    "in a work tree, untracked": { lay: (folder) => git(folder, "init", "-q") },
    "in a work tree, tracked": {
      lay: (folder) => [git(folder, "init", "-q"), git(folder, "add", "-f", ".gate-sync")],
      why: /that git tracks do not count \(1 here\)/,
    },
    "in a work tree, tracked by a name in upper case": {
      lay: (folder) => {
        git(folder, "init", "-q");
        git(folder, "add", "-f", ".gate-sync");
        const listed = execFileSync("git", ["ls-files", "-s", "-z"], { cwd: folder, encoding: "utf8" });
        rmSync(join(folder, ".git/index"));
        const index = { cwd: folder, input: listed.replaceAll(".gate-sync/j", ".Gate-Sync/J").replaceAll("/b", "/B") };
        execFileSync("git", ["update-index", "-z", "--index-info"], index);
      },
      why: /that git tracks do not count/,
    },
    "in a work tree, beside all that a bare repository consists of": {
      lay: (folder) => {
        git(folder, "init", "-q");
        for (const inner of ["", "journal", "backups"]) git(folder, "init", "-q", "--bare", join(".gate-sync", inner));
        git(folder, "add", "-f", ".gate-sync");
      },
      why: /that git tracks do not count/,
    },
    "in a submodule, tracked there": {
      lay: (folder) => [
        git(join(folder, ".gate-sync"), "init", "-q"),
        git(join(folder, ".gate-sync"), "add", "-f", "."),
      ],
      why: /that git tracks do not count/,
    },
    ...Object.fromEntries(
      [".gate-sync", ".Gate-Sync", ".gate-sync/journal"].map((path) => [
        `in a submodule ${path} whose .git is not there`,
        {
          lay: (folder: string) => {
            git(folder, "init", "-q");
            for (const one of new Set([path, path.replace("journal", "backups")]))
              git(folder, "update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},${one}`);
          },
          why: /that git tracks do not count/,
        },
      ]),
    ),
    "in a work tree, beside a file of a like name that is tracked": {
      lay: (folder) => {
        git(folder, "init", "-q");
        writeFileSync(join(folder, ".gate-syncs"), "");
        mkdirSync(join(folder, "gate-sync"));
        writeFileSync(join(folder, "gate-sync/journal"), "");
        git(folder, "add", "-f", ".gate-syncs", "gate-sync");
      },
    },
    "in a work tree, and git is not installed": {
      lay: (folder) => git(folder, "init", "-q"),
      env: { PATH: "/nonexistent" },
      why: unknown,
    },
    "in a work tree, and git cannot read its index": {
      lay: (folder) => [git(folder, "init", "-q"), writeFileSync(join(folder, ".git/index"), "x".repeat(99))],
      why: unknown,
    },
    "below a .git that is none": { lay: (folder) => mkdirSync(join(folder, ".git")), why: unknown },
    "below a file .git that leads nowhere": {
      lay: (folder) => writeFileSync(join(folder, ".git"), "gitdir: nowhere\n"),
      why: unknown,
    },
    "in no work tree, and git is not installed": { lay: () => {}, env: { PATH: "/nonexistent" } },
    ...(process.getuid?.() === 0 && {
      "in a work tree of another user": {
        lay: (folder) => [git(folder, "init", "-q"), chownSync(join(folder, ".git"), another, another)],
        why: unknown,
      },
    }),
  };

  test.for(Object.entries(repositories))(
    "counts where git says that it does not track it: %s",
    ([, place], { expect }) =>
      applied(async ({ folder, emulator, run, writes }) => {
        place.lay(folder);
        const before = writes().length;
        // Another value than the one that the run wrote.
        emulator.replaceState({ tenants: { support: { description: "Second line" } } });
        const env = { HOME: "/nonexistent", ...place.env };
        const json = async (line: string) => {
          const { code, stdout } = await run(`${line} --format json`, env);
          const { notes, differences = [], run: last } = JSON.parse(stdout);
          return {
            code,
            notes: notes.join(" "),
            moved: differences.map(({ moved }: { moved: string }) => moved),
            last,
          };
        };
        const reason = expect.stringMatching(place.why ?? /^(?!.*(git tracks|do not count))/s);
        const counts = place.why === undefined;
        expect(await json("drift --url URL access")).toMatchObject({
          code: 2,
          moved: [counts ? "live" : "unknown"],
          notes: reason,
        });
        expect((await json("plan --url URL access")).notes).toEqual(reason);
        const status = await json("status --url URL");
        expect([status.notes, status.last !== undefined]).toEqual([reason, counts]);
        expect((await run("rollback --yes --url URL --allow deletions", env)).code).toBe(counts ? 0 : 64);
        expect(writes().length > before).toBe(counts);
      }),
  );
});
