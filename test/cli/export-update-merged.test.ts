// `export --update` against what was applied last: what the server alone changed is taken, what the files changed stays.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json/value.ts";
import { commitAll } from "../support/committed.ts";
import { type Harness, onHarness } from "./harness.ts";

const config = `targets: { prod: { url: "URL", product: gate, state: [access/], families: { roles: { mode: manage } } } }\n`;
const path = "access/roles.yml";
const at = (folder: string) => readFileSync(join(folder, path), "utf8");
const write = (folder: string, text: string) => writeFileSync(join(folder, path), text);
const git = (folder: string, ...words: string[]) => execFileSync("git", words, { cwd: folder, stdio: "pipe" });
const unwrap = (text: string) => text.replace(/\s+/g, " ");

type Roles = Readonly<Record<string, JsonObject>>;
const holding = (harness: Harness, roles: Roles) => harness.emulator.replaceState({ roles });
const isIn = (...permissions: string[]) => ({ cluster_permissions: permissions });

/** Files and server are `base`, by a run on record, or by a commit alone. */
function onApplied(
  base: string,
  work: (harness: Harness) => Promise<void>,
  { isRecorded = true, isCommitted = true } = {},
): Promise<void> {
  return onHarness({ files: { [path]: base, ".gitignore": ".gate-sync/\n" } }, async (harness) => {
    writeFileSync(join(harness.folder, "gate-sync.yaml"), config.replace("URL", harness.url));
    if (isCommitted) commitAll(harness.folder);
    if (isRecorded) expect((await harness.run("apply --yes --no-access")).code).toBe(0);
    await work(harness);
  });
}

describe.concurrent("export --update after a run on record", () => {
  const desk = (first: string) => `roles:
  desk:
    cluster_permissions: [x]
    index_permissions:
      - { index_patterns: ["log-a*"], allowed_actions: [read] }
      - { index_patterns: ["log-b*"], allowed_actions: [${first}] }
`;

  test("keeps an edit that is not applied yet, takes what was made on the server, and is then at its end", () =>
    onApplied(desk("read, index"), async (harness) => {
      const { folder, run } = harness;
      const on = (pattern: string, ...actions: string[]) => ({ index_patterns: [pattern], allowed_actions: actions });
      holding(harness, {
        desk: {
          ...isIn("x"),
          index_permissions: [on("log-a*", "read"), on("log-b*", "read", "index"), on("hand-*", "crud")],
        },
      });
      write(folder, desk("read, index, create"));
      git(folder, "add", path);
      const { code, stdout } = await run("export --update");
      expect(at(folder)).toBe(
        `${desk("read, index, create")}      - index_patterns:\n          - hand-*\n        allowed_actions:\n          - crud\n`,
      );
      expect(code).toBe(0);
      expect(unwrap(stdout)).toContain("1 entry has edits of the files that are not applied yet: these stay.");
      const again = await run("export --update --format json");
      expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { files: [], left: [], ahead: ["roles/desk"] }]);
    }));

  test("leaves and lists what both changed, with both places", () =>
    onApplied("roles:\n  a: { cluster_permissions: [x], description: one }\n", async (harness) => {
      const { folder, run } = harness;
      holding(harness, { a: { ...isIn("y"), description: "two" } });
      write(folder, "roles:\n  a:\n    cluster_permissions: [z]\n    description: one\n");
      git(folder, "add", path);
      const { code, stdout } = await run("export --update");
      expect(code).toBe(2);
      expect(unwrap(stdout)).toContain(
        '? roles/a access/roles.yml:3 Not written: cluster_permissions was changed in the files and on the server. The server has ["y"].',
      );
      expect(at(folder)).toBe("roles:\n  a:\n    cluster_permissions: [z]\n    description: two\n");
      expect(JSON.parse((await run("export --update --format json")).stdout).left).toEqual([
        expect.objectContaining({ field: "cluster_permissions", place: "access/roles.yml:3", server: ["y"] }),
      ]);
    }));

  interface Case {
    readonly base?: string;
    readonly files?: string;
    readonly live?: string;
    /** Of the files after it, with and without --prune; absent: they stay as they are. */
    readonly after?: string | null;
    readonly pruned?: string | null;
    readonly code: number;
    readonly codePruned?: number;
  }
  const cases: Readonly<Record<string, Case>> = {
    "new on the server": { live: "p", after: "p", pruned: "p", code: 0 },
    "new in the files, and not on the server": { files: "p", code: 0 },
    "new on both, and the same": { files: "p", live: "p", code: 0 },
    "new on both, and not the same": { files: "p", live: "q", code: 2 },
    "gone on the server": { base: "p", files: "p", pruned: null, code: 2, codePruned: 0 },
    "gone on the server, and edited in the files": { base: "p", files: "q", code: 2 },
    "gone in the files": { base: "p", live: "p", code: 0 },
    "gone in the files, and edited on the server": { base: "p", live: "q", code: 2 },
    "gone on both": { base: "p", code: 0 },
    "edited on the server": { base: "p", files: "p", live: "q", after: "q", pruned: "q", code: 0 },
    "edited in the files": { base: "p", files: "q", live: "p", code: 0 },
    "edited on both to the same": { base: "p", files: "q", live: "q", code: 0 },
    "edited on both": { base: "p", files: "q", live: "r", code: 2 },
  };
  const rolesOf = (content: string | null | undefined) =>
    `roles:\n  other: {}\n${content === undefined || content === null ? "" : `  a: { cluster_permissions: [${content}] }\n`}`;
  const added = (content: string) => `roles:\n  other: {}\n  a:\n    cluster_permissions:\n      - ${content}\n`;

  test.each(Object.entries(cases))("an entry that is %s", (_, { base, files, live, after, pruned, code, codePruned }) =>
    onApplied(rolesOf(base), async (harness) => {
      const { folder, run } = harness;
      for (const [prune, wanted, ends] of [
        ["", after, code],
        [" --prune", pruned, codePruned ?? code],
      ] as const) {
        holding(harness, { other: {}, ...(live === undefined ? {} : { a: isIn(live) }) });
        write(folder, rolesOf(files));
        git(folder, "add", path);
        const result = await run(`export --update${prune}`);
        const written =
          wanted === undefined ? rolesOf(files) : files === undefined && wanted ? added(wanted) : rolesOf(wanted);
        expect({ code: result.code, files: at(folder) }, result.stdout).toEqual({ code: ends, files: written });
      }
    }),
  );

  test("goes by a stated commit instead, and by no other one", () =>
    onApplied("roles:\n  a: { cluster_permissions: [x] }\n", async (harness) => {
      const { folder, run } = harness;
      git(folder, "tag", "applied/prod");
      write(folder, "roles:\n  a: { cluster_permissions: [y] }\n");
      commitAll(folder);
      holding(harness, { a: { ...isIn("x"), description: "by hand" } });
      const { code } = await run("export --update --applied-ref applied/prod");
      expect([code, at(folder)]).toEqual([
        0,
        'roles:\n  a: { cluster_permissions: ["y"], description: by hand }\n'.replace('"y"', "y"),
      ]);
      expect((await run("export --update --applied-ref applied/stage")).code).toBe(64);
      expect((await run("export --update --applied-ref HEAD --baseline x.json")).code).toBe(64);
      git(folder, "mv", "access", "moved");
      const settings = join(folder, "gate-sync.yaml");
      writeFileSync(settings, readFileSync(settings, "utf8").replace("prod:", "production:"));
      commitAll(folder);
      const other = await run("export --update --dry-run --state-dir none --applied-ref HEAD moved");
      const lacking = await run("export --update --dry-run --state-dir none --applied-ref applied/prod moved");
      expect(unwrap(other.stderr)).toContain("Compared with what was declared at HEAD");
      expect(unwrap(lacking.stderr)).toContain("does not say what target production had");
      expect(unwrap(lacking.stderr)).not.toContain("Compared with");
    }));
});

test("settings of the config are merged each by itself, and no secret of theirs is shown", () => {
  const dynamic = (one: boolean, other: boolean, mode: string) =>
    `config:\n  dynamic:\n    do_not_fail_on_forbidden: ${one}\n    multi_rolespan_enabled: ${other}\n    hosts_resolver_mode: ${mode}\n    authc: { a: { http_enabled: true, order: 1, authentication_backend: { type: ldap, config: { password: "\${env:BIND}" } } } }\n`;
  const backend = { type: "ldap", config: { password: "bind-Tuesday-42" } };
  const live = {
    ...{ do_not_fail_on_forbidden: true, multi_rolespan_enabled: true, hosts_resolver_mode: "ip-hostname-lookup" },
    authc: { a: { http_enabled: true, order: 1, authentication_backend: backend } },
  };
  const files = {
    "access/config.yml": dynamic(false, true, "ip-only"),
    "gate-sync.yaml": "targets: { prod: { product: gate, state: [access/] } }\n",
  };
  return onHarness({ files, state: { config: { dynamic: live } } }, async ({ folder, run }) => {
    commitAll(folder);
    writeFileSync(join(folder, "access/config.yml"), dynamic(false, false, "ip-hostname"));
    const env = { BIND: "bind-Tuesday-42" };
    const { code, stdout, stderr } = await run("export --update --force --applied-ref HEAD --url URL", env);
    expect([code, readFileSync(join(folder, "access/config.yml"), "utf8")], stdout + stderr).toEqual([
      2,
      dynamic(true, false, "ip-hostname"),
    ]);
    expect(unwrap(stdout)).toMatch(
      /\? config access\/config\.yml:5 Not written: dynamic\.hosts_resolver_mode was changed in the files and on the server\. The server has "ip-hostname-lookup"\./,
    );
    const other = await run("export --update --force --applied-ref HEAD --url URL", { BIND: "another-Tuesday-42" });
    expect(other.code).toBe(2);
    expect(stdout + other.stdout + other.stderr).not.toMatch(/Tuesday/);
  });
});

test("a user that is gone is removed if its password or hash is known to be as it was applied", () => {
  const hash = (last: string) => `$2y$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ0123${last}`;
  const users = (last: string, name: string) =>
    `internal_users:\n  ana: { hash: "${hash(last)}" }\n  bob: { password: "\${env:${name}}" }\n  cid: { password: "\${env:ONE}" }\n  dan: {password: "\${env:ONE}" }\n`;
  const settings = `targets: { t: { product: opensearch, release: "2.19", state: [users.yml], families: { internal_users: { mode: manage } } } }\n`;
  const files = { "gate-sync.yaml": settings, "users.yml": users("4", "ONE") };
  const env = { ONE: "Tuesday-evening-42!", TWO: "Wednesday-evening-43!" };
  return onHarness({ product: "opensearch", files }, async ({ folder, run, emulator }) => {
    expect((await run("apply --yes --no-access --url URL", env)).code).toBe(0);
    const [, dan] = [...emulator.state().internal_users].find(([name]) => name === "dan") ?? [];
    emulator.replaceState({ internal_users: { dan: dan ?? {} } });
    writeFileSync(join(folder, "users.yml"), users("5", "TWO"));
    const { code } = await run("export --update --prune --url URL", env);
    expect([code, readFileSync(join(folder, "users.yml"), "utf8")]).toEqual([
      2,
      users("5", "TWO").replace(/ {2}cid: .*\n/, ""),
    ]);
  });
});

describe.concurrent("export --update without a run on record", () => {
  const base = "roles:\n  a: { cluster_permissions: [x] }\n  b: { cluster_permissions: [x] }\n";

  test("takes what the files did not change since HEAD, lists the rest, and names --applied-ref", () =>
    onApplied(
      base,
      async (harness) => {
        const { folder, run } = harness;
        holding(harness, { a: isIn("hand"), b: isIn("x") });
        write(folder, base.replace(/x\] }\n$/, "own] }\n  fresh: {}\n"));
        git(folder, "add", path);
        const { code, stdout, stderr } = await run("export --update --prune");
        expect(code).toBe(2);
        expect(at(folder)).toBe(
          "roles:\n  a: { cluster_permissions: [hand] }\n  b: { cluster_permissions: [own] }\n  fresh: {}\n",
        );
        expect(unwrap(stdout)).toMatch(/\? roles\/b access\/roles.yml:3 .* \? roles\/fresh access\/roles.yml:4 /);
        expect(unwrap(stderr)).toMatch(/HEAD is used instead\. .* --applied-ref/);
      },
      { isRecorded: false },
    ));

  test.each([
    ["without a commit", true],
    ["outside of a repository", false],
  ])("%s writes over nothing, removes nothing, and takes what only the server has", (_, isRepository) =>
    onApplied(
      base,
      async (harness) => {
        const { folder, run } = harness;
        if (isRepository) {
          git(folder, "init", "-q");
          git(folder, "add", "-A");
        }
        holding(harness, { a: isIn("hand"), fresh: isIn("x") });
        const { code, stdout, stderr } = await run("export --update --prune");
        expect(code).toBe(2);
        expect(at(folder)).toBe(`${base}  fresh:\n    cluster_permissions:\n      - x\n`);
        expect(unwrap(stdout)).toMatch(/\? roles\/a .* unknown.* \? roles\/b .* unknown/);
        expect(unwrap(stderr)).toMatch(/--applied-ref/);
        expect(unwrap(stderr).includes("in no git repository: whether it can be restored")).toBe(!isRepository);
      },
      { isRecorded: false, isCommitted: false },
    ),
  );

  test("reads no file of HEAD that is wrong, and lists what differs", () =>
    onApplied(
      "roles: { a: { cluster_permissions: [x] }, a: {} }\n",
      async (harness) => {
        write(harness.folder, base);
        git(harness.folder, "add", path);
        holding(harness, { a: isIn("hand"), b: isIn("x") });
        expect(await harness.run("export --update")).toMatchObject({
          code: 2,
          stderr: expect.stringMatching(/The state files at HEAD\s+have\s+errors/),
        });
        expect(at(harness.folder)).toBe(base);
      },
      { isRecorded: false },
    ));
});

describe.concurrent("text that git does not have", () => {
  const base = "roles:\n  a: { cluster_permissions: [x] }\n";
  const edited = base.replace("{ c", "{ description: mine, c");
  const merged = edited.replace("[x]", "[hand]");
  const onEdited = (work: (harness: Harness) => Promise<void>) =>
    onApplied(base, async (harness) => {
      holding(harness, { a: isIn("hand") });
      write(harness.folder, edited);
      await work(harness);
    });

  test("is not written over, and git add is enough", () =>
    onEdited(async ({ folder, run }) => {
      const refused = await run("export --update");
      expect(refused.code).toBe(64);
      expect(unwrap(refused.stderr)).toContain("git add access/roles.yml");
      expect(at(folder)).toBe(edited);
      const dry = await run("export --update --dry-run");
      expect([dry.code, dry.stdout.includes("+  a: { description: mine, cluster_permissions: [hand] }")]).toEqual([
        64,
        true,
      ]);
      git(folder, "add", path);
      expect((await run("export --update --dry-run")).code).toBe(0);
      expect([(await run("export --update")).code, at(folder)]).toEqual([0, merged]);
    }));

  test("is written over with --force, which takes away no conflict", () =>
    onEdited(async (harness) => {
      const { folder, run } = harness;
      holding(harness, { a: { ...isIn("hand"), description: "theirs" } });
      expect((await run("export --update --force")).code).toBe(2);
      expect(at(folder)).toBe(merged);
    }));

  test("keeps a whole run from writing, new files too", () =>
    onEdited(async (harness) => {
      const { folder, run } = harness;
      holding(harness, { a: isIn("hand"), fresh: {} });
      expect((await run("export --update --into access/new.yml")).code).toBe(64);
      expect(existsSync(join(folder, "access/new.yml"))).toBe(false);
    }));

  test.each<[what: string, prepare: (folder: string) => void, code: number]>([
    ["the text of HEAD, with other line ends", (folder) => write(folder, base.replaceAll("\n", "\r\n")), 0],
    [
      "the text of HEAD, while something else is staged",
      (folder) => {
        write(folder, edited);
        git(folder, "add", path);
        write(folder, base);
      },
      0,
    ],
    [
      "a file that git does not track",
      (folder) => {
        git(folder, "rm", "--cached", "-q", path);
        write(folder, `# mine\n${base}`);
      },
      64,
    ],
    [
      "a file with a name that git takes for a pattern",
      (folder) => {
        git(folder, "mv", path, "access/[a]*.yml");
        writeFileSync(join(folder, "access/[a]*.yml"), `# mine\n${base}`);
      },
      64,
    ],
  ])("%s", (_, prepare, code) =>
    onApplied(base, async (harness) => {
      const { folder, run } = harness;
      holding(harness, { a: isIn("hand") });
      prepare(folder);
      const ran = await run("export --update");
      expect({ code: ran.code, stderr: ran.stderr }).toMatchObject({ code });
    }),
  );

  test("is unknown where git does not say what it has", () =>
    onApplied(
      base,
      async (harness) => {
        const { folder, run } = harness;
        const records = `--state-dir ${folder}-records`;
        try {
          expect((await run(`apply --yes --no-access ${records}`)).code).toBe(0);
          holding(harness, { a: isIn("hand") });
          rmSync(join(folder, ".git/HEAD"));
          const { code, stderr } = await run(`export --update ${records}`);
          expect([code, unwrap(stderr)]).toEqual([
            64,
            expect.stringContaining("Whether git has the text of access/roles.yml is unknown: "),
          ]);
          expect((await run(`export --update --force ${records}`)).code).toBe(0);
        } finally {
          rmSync(`${folder}-records`, { recursive: true, force: true });
        }
      },
      { isRecorded: false },
    ));

  test.each(["--force", "--applied-ref HEAD", "--baseline x", "--state-dir x"])(
    "export %s goes with --update",
    (flag) =>
      onApplied(
        base,
        async ({ run }) => {
          expect((await run(`export --out x ${flag}`)).code).toBe(64);
        },
        { isRecorded: false },
      ),
  );
});
