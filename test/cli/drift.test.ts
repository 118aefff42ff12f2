// gate-sync drift as a user runs it: who moved, what makes it exit 2, and every format.
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/json/value.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { type Harness, onHarness } from "./harness.ts";

const schema = readSchema("drift");
const ajv = createAjv({ isStrict: false });
const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: drift with a baseline is not tested.");

const canary = "Canary-7f3a";

/** Roles by name, each with one permission. */
type Roles = Readonly<Record<string, string>>;

const bodies = (roles: Roles) =>
  Object.fromEntries(Object.entries(roles).map(([name, action]) => [name, { cluster_permissions: [action] }]));

function rolesFile(roles: Roles): string {
  const lines = Object.entries(bodies(roles)).map(([name, body]) => `  ${name}: ${JSON.stringify(body)}`);
  return ["roles:", ...lines, ""].join("\n");
}

function git(folder: string, ...words: readonly string[]): string {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  return execFileSync("git", [...author, ...words], { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

/** A repository of two commits, the first of them tagged `applied`, and a server. */
function onHistory(
  { was, now, live, config }: { was: Roles; now: Roles; live: Roles; config?: string },
  work: (harness: Harness) => Promise<void>,
): Promise<void> {
  const files = { "access/roles.yml": rolesFile(was), ...(config !== undefined && { "gate-sync.yaml": config }) };
  return onHarness({ files, state: { roles: bodies(live) } }, async (harness) => {
    git(harness.folder, "init", "-q", "-b", "main");
    git(harness.folder, "add", "-A");
    git(harness.folder, "commit", "-q", "-m", "applied");
    git(harness.folder, "tag", "applied");
    writeFileSync(join(harness.folder, "access/roles.yml"), rolesFile(now));
    git(harness.folder, "commit", "-q", "--allow-empty", "-a", "-m", "later");
    await work(harness);
  });
}

/** Everything at once: `g` moved in git, `l` on the server, `b` on both, `h` was made by hand, `s` stayed. */
const all = {
  was: { b: "cluster:1", g: "cluster:1", l: "cluster:1", s: "cluster:1" },
  now: { b: "cluster:2", g: "cluster:2", l: "cluster:1", s: "cluster:1" },
  live: { b: "cluster:3", g: "cluster:1", h: "cluster:1", l: "cluster:3", s: "cluster:1" },
};

const scenarios: Readonly<
  Record<string, readonly [scenario: Parameters<typeof onHistory>[0], code: number, moved: string]>
> = {
  "nothing differs": [{ was: { a: "c:1" }, now: { a: "c:1" }, live: { a: "c:1" } }, 0, ""],
  "only changed in git": [{ was: { a: "c:1" }, now: { a: "c:2", n: "c:1" }, live: { a: "c:1" } }, 0, "a git, n git"],
  "the server moved": [{ was: { a: "c:1" }, now: { a: "c:1" }, live: { a: "c:2" } }, 2, "a live"],
  "an entry was made by hand": [{ was: { a: "c:1" }, now: { a: "c:1" }, live: { a: "c:1", h: "c:1" } }, 2, "h live"],
  "changed in both": [{ was: { a: "c:1" }, now: { a: "c:2" }, live: { a: "c:3" } }, 2, "a both"],
  "all of it": [all, 2, "b both, g git, h live, l live"],
  "git took over what was done by hand": [{ was: { a: "c:1" }, now: { a: "c:2" }, live: { a: "c:2" } }, 0, ""],
  "the family is observed": [
    {
      was: { a: "c:1" },
      now: { a: "c:1" },
      live: { a: "c:2" },
      config: "defaults: { families: { roles: { mode: observe } } }\n",
    },
    0,
    "a live left",
  ],
};

interface Difference {
  readonly name: string;
  readonly moved: string;
  readonly counts: boolean;
}

function movedIn(stdout: string): string {
  const { differences } = JSON.parse(stdout) as { differences: readonly Difference[] };
  return differences.map(({ name, moved, counts }) => `${name} ${moved}${counts ? "" : " left"}`).join(", ");
}

describe.skipIf(!hasGit).concurrent("gate-sync drift --applied-ref", () => {
  test.for(Object.entries(scenarios))("%s", ([, [scenario, code, moved]], { expect }) =>
    onHistory(scenario, async ({ run, writes }) => {
      const done = await run("drift --url URL access --applied-ref applied --format json");
      expect({ code: done.code, moved: movedIn(done.stdout) }).toEqual({ code, moved });
      ajv.validate(schema, JSON.parse(done.stdout));
      expect(ajv.errors ?? []).toEqual([]);
      expect(writes()).toEqual([]);
    }),
  );

  test("follows a folder that has got another name since", ({ expect }) =>
    onHistory({ ...all, now: all.was, config: "defaults: { state: [access/] }\n" }, async ({ run, folder, url }) => {
      git(folder, "mv", "access", "renamed");
      writeFileSync(join(folder, "gate-sync.yaml"), "defaults: { state: [renamed/] }\n");
      git(folder, "commit", "-q", "-a", "-m", "renamed");
      const drifted = await run(`drift --url ${url} --applied-ref applied --format json`);
      expect([drifted.code, movedIn(drifted.stdout)]).toEqual([2, "b live, h live, l live"]);
    }));

  test("calls a variable that git changed changed in git, wherever the paths are named", ({ expect }) => {
    const same = { a: "${var:action}" };
    const config = "defaults: { state: [access/], vars_files: [access/../vars.yaml] }\n";
    return onHistory({ was: same, now: same, live: { a: "c:1" }, config }, async ({ run, folder }) => {
      writeFileSync(join(folder, "vars.yaml"), "action: c:1\n");
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "variables");
      git(folder, "tag", "-f", "applied");
      writeFileSync(join(folder, "vars.yaml"), "action: c:2\n");
      for (const paths of ["", "access"]) {
        const drifted = await run(`drift --url URL ${paths} --applied-ref applied --format json`);
        expect([drifted.code, movedIn(drifted.stdout)]).toEqual([0, "a git"]);
      }
    });
  });

  test("names the commit whose file of variables is not there", ({ expect }) =>
    onHistory(
      { ...all, now: all.was, config: "defaults: { state: [access/], vars_files: [vars.yaml] }\n" },
      async ({ run, folder }) => {
        writeFileSync(join(folder, "vars.yaml"), "a: b\n");
        const { code, stderr } = await run("drift --url URL --applied-ref applied");
        expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([
          3,
          expect.stringMatching(/gate-sync\.yaml:1:44 error .*There is no file vars\.yaml at applied\..*files of then/),
        ]);
      },
    ));

  test("does not call git's what the server did, where the commit declares nothing", ({ expect }) =>
    onHistory({ ...all, now: all.was }, async ({ run, folder, url }) => {
      git(folder, "mv", "access", "renamed");
      git(folder, "commit", "-q", "-a", "-m", "renamed");
      const drifted = await run(`drift --url ${url} renamed --applied-ref applied --format json`);
      expect([drifted.code, movedIn(drifted.stdout)]).toEqual([2, "b unknown, h unknown, l unknown"]);
    }));

  test("shows the declaring line, who changed it last, and what differs, as text", () =>
    onHistory(all, async ({ run, folder }) => {
      const { code, stdout } = await run("drift --url URL access --applied-ref applied");
      const [then, now] = ["applied", "HEAD"].map((ref) => git(folder, "rev-parse", ref).slice(0, 12));
      expect(code).toBe(2);
      expect(stdout.slice(stdout.indexOf("Compared")).split("\n")).toEqual([
        `Compared with what was declared at applied (${then}).`,
        "+ is what the side that changed added, - what it removed; where that is not one",
        "side, + is on the server only, - is declared only.",
        "",
        "Roles            4 differ, 1 in sync",
        `  ~ b${"access/roles.yml:2".padStart(75)}`,
        `      changed in both; declared by Ann Lee (${now})`,
        "      cluster_permissions",
        "        - cluster:2",
        "        + cluster:3",
        `  ~ g${"access/roles.yml:3".padStart(75)}`,
        `      changed in git; declared by Ann Lee (${now})`,
        "      cluster_permissions",
        "        - cluster:1",
        "        + cluster:2",
        `  + h${"not declared".padStart(75)}`,
        "      changed on the server: added on the server",
        "      cluster_permissions",
        "        + cluster:1",
        `  ~ l${"access/roles.yml:4".padStart(75)}`,
        `      changed on the server; declared by Ann Lee (${then})`,
        "      cluster_permissions",
        "        - cluster:1",
        "        + cluster:3",
        "",
        "Drift: 2 changed on the server, 1 changed in both. 1 change of git not applied",
        "yet.",
        "",
      ]);
    }));

  test("names who changed the lines that declare what differs, else those of the entry", ({ expect }) => {
    const file = (...lines: readonly string[]) =>
      ["roles:", "  r:", ...lines.map((line) => `    ${line}`), ""].join("\n");
    const clusters = ["cluster_permissions:", "  - cluster:1"];
    const tenants = ["tenant_permissions:", "  - tenant_patterns: [t]", "    allowed_actions: [SGS_KIBANA_ALL_READ]"];
    const others = ["index_permissions: [{ index_patterns: [a], allowed_actions: [read] }]"];
    const authors = async (live: Json) => {
      let names: readonly string[] = [];
      await onHarness(
        { files: { "access/roles.yml": file(...clusters) }, state: { roles: { r: live } } },
        async (on) => {
          git(on.folder, "init", "-q", "-b", "main");
          const commit = (name: string, second: number, text: string) => {
            writeFileSync(join(on.folder, "access/roles.yml"), text);
            git(on.folder, "add", "-A");
            git(
              on.folder,
              "commit",
              "-q",
              `--author=${name} <x@y.example>`,
              `--date=${1_700_000_000 + second} +0000`,
              "-m",
              "x",
            );
          };
          commit("Ann", 1, file(...clusters));
          commit("Ben", 2, file(...clusters, ...tenants));
          commit("Cy", 3, file(...clusters, ...tenants, ...others));
          const { stdout } = await on.run("drift --url URL access --format json");
          const { differences } = JSON.parse(stdout) as { differences: readonly { author?: { name: string } }[] };
          names = differences.map(({ author }) => author?.name ?? "");
        },
      );
      return names;
    };
    const all = {
      cluster_permissions: ["cluster:1"],
      tenant_permissions: [{ tenant_patterns: ["t"], allowed_actions: ["SGS_KIBANA_ALL_READ"] }],
      index_permissions: [{ index_patterns: ["a"], allowed_actions: ["read"] }],
    };
    return Promise.all(
      [
        [{ ...all, cluster_permissions: [] }, "Ann"],
        [{ ...all, tenant_permissions: [] }, "Ben"],
        [{ ...all, index_permissions: [] }, "Cy"],
        [{ ...all, cluster_permissions: [], tenant_permissions: [] }, "Ben"],
        [{ ...all, description: "by hand" }, "Cy"],
      ].map(async ([live, name]) => expect(await authors(live as Json)).toEqual([name])),
    );
  });

  test("in Markdown", () =>
    onHistory(all, async ({ run }) => {
      const { code, stdout } = await run("drift --url URL access --applied-ref applied --format markdown");
      expect(code).toBe(2);
      expect(stdout).toContain(
        ": **Drift: 2 changed on the server, 1 changed in both. 1 change of git not applied yet.**",
      );
      expect(stdout).toContain("\n+ h    (not declared)\n    changed on the server: added on the server\n");
    }));

  test("in JUnit, with places: what moved on the server fails, what changed in git passes", () =>
    onHistory(all, async ({ run }) => {
      const line = "drift --url URL access --applied-ref applied --format junit";
      const managed = await run(line);
      expect(managed.stdout).toContain('<testsuite name="roles" tests="4" failures="3" errors="0" skipped="0">');
      expect(managed.stdout).toMatch(/name="roles\/l" file="access\/roles.yml" line="4">\s*<failure type="live"/);
      expect(managed.stdout).toMatch(/name="roles\/g" file="access\/roles.yml" line="3">\s*<system-out>changed in git/);
      expect(managed.code).toBe(2);
    }));

  test("by the settings of today, though the files are those of then", () =>
    onHistory({ ...all, config: "defaults: { families: { roles: { exclude: [h] } } }\n" }, async ({ run, folder }) => {
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        "defaults: { families: { roles: { exclude: [h], include: [l, g, b, s] } } }\n",
      );
      const { stdout } = await run("drift --url URL access --applied-ref applied --format json");
      expect(movedIn(stdout)).toBe("b both, g git, l live");
    }));

  test("of a commit whose files are broken: they are named, and nothing else is", () =>
    onHistory(all, async ({ run, folder }) => {
      writeFileSync(join(folder, "access/roles.yml"), "roles: [\n");
      git(folder, "commit", "-qam", "broken");
      writeFileSync(join(folder, "access/roles.yml"), rolesFile(all.now));
      const { code, stdout, stderr } = await run("drift --url URL access --applied-ref HEAD");
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr.replace(/\s+/g, " ")).toContain("as they were at HEAD");
    }));

  test.for([
    ["--applied-ref nope", 64, /no commit "nope"/],
    ["--applied-ref=--all", 64, /no commit "--all"/],
  ] as const)("%s is refused", ([flag, code, reported], { expect }) =>
    onHistory(all, async ({ run }) => {
      const done = await run(`drift --url URL access ${flag}`);
      expect(done).toMatchObject({ code, stdout: "", stderr: expect.stringMatching(reported) });
    }),
  );

  test("without git there is a message", () =>
    onHistory(all, async ({ run, folder }) => {
      const done = await run("drift --url URL access --applied-ref applied", { PATH: folder });
      expect(done).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("git is not found") });
    }));

  test("without git and without a baseline there are no authors, and nothing else is missing", () =>
    onHistory(all, async ({ run, folder }) => {
      const without = await run("drift --url URL access --format json", { PATH: folder });
      expect(without.code).toBe(2);
      expect(movedIn(without.stdout)).toBe("b unknown, g unknown, h unknown, l unknown");
      expect(without.stdout).not.toContain("Ann Lee");
    }));

  test.for(["text", "json", "markdown", "junit"])("no secret is shown, as %s", (format, { expect }) => {
    const config = (secret: string) =>
      `config:\n  dynamic:\n    authc:\n      ldap:\n        http_enabled: true\n        order: 1\n        http_authenticator: { type: basic }\n        authentication_backend: { type: ldap, config: { bind_dn: cn=a, password: "${secret}" } }\n`;
    const live = JSON.parse(
      JSON.stringify({
        dynamic: {
          authc: {
            ldap: {
              http_enabled: true,
              order: 1,
              http_authenticator: { type: "basic" },
              authentication_backend: { type: "ldap", config: { bind_dn: "cn=b", password: `${canary}-live` } },
            },
          },
        },
      }),
    );
    return onHarness(
      { files: { "access/config.yml": config("${env:BIND}") }, state: { config: live } },
      async ({ run, folder }) => {
        git(folder, "init", "-q");
        git(folder, "add", "-A");
        git(folder, "commit", "-q", "-m", "x");
        const env = { BIND: `${canary}-env` };
        const done = await run(`drift --url URL access --applied-ref HEAD --full --verbose --format ${format}`, env);
        expect(done.code).toBe(2);
        expect(done.stdout).toContain("bind_dn");
        expect(done.stdout + done.stderr).not.toContain(canary);
      },
    );
  });
});

test("the schema's own example is as the schema says, and so is a server in sync", () =>
  onHarness(
    { files: { "access/roles.yml": rolesFile({ a: "c:1" }) }, state: { roles: bodies({ a: "c:1" }) } },
    async (g) => {
      const { code, stdout } = await g.run("drift --url URL access --format json");
      expect(code).toBe(0);
      for (const value of [...(schema.examples as Json[]), JSON.parse(stdout)]) {
        ajv.validate(schema, value);
        expect(ajv.errors ?? []).toEqual([]);
      }
    },
  ));
