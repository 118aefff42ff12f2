// What breaks things is an error where it would be written, and `fail_on: warning` makes every warning end a run with 3.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const element = (dls: string) => ({ index_patterns: ["hr"], allowed_actions: ["read"], dls });
const role = (dls: string) => ({ cluster_permissions: ["cluster:monitor/main"], index_permissions: [element(dls)] });
const files = (dls: string, lint?: object, comment = "") => ({
  "access.yml": `roles:\n  hr:\n    cluster_permissions: ["cluster:monitor/main"]\n    index_permissions:\n      - index_patterns: [hr]\n        allowed_actions: [read]\n        dls: '${dls}'${comment}\nrole_mappings: { hr: { users: [ana] } }\n`,
  "gate-sync.yaml": JSON.stringify({ targets: { a: { state: ["access.yml"], ...(lint && { lint }) } } }),
});
const mappings = { hr: { users: ["ana"] } };
const broken = [
  "team:red",
  '{"term": {"dept": "hr"}, "match": {"team": "x"}}',
  '{"term": {"dept": "hr", "team": "x"}}',
  '{"bool": {"filter": [{"terms": {"dept": "hr"}}]}}',
];
const releases = [
  ["opensearch", "2.19"],
  ["opensearch", "3.8"],
  ["search-guard", "7.x-38"],
  ["gate", "7.x-43.0.0"],
] as const;

describe.concurrent("a query that no server can run", () => {
  test.each(releases)("is an error of validate, of %s %s", (product, release) =>
    onHarness({ files: files("x") }, async ({ run, folder }) => {
      const { writeFileSync } = await import("node:fs");
      for (const query of broken) {
        writeFileSync(join(folder, "access.yml"), files(query)["access.yml"]);
        const { code, stdout } = await run(`validate --product ${product} --release ${release}`);
        expect([query, code]).toEqual([query, 3]);
        expect(stdout).toContain("access.yml:7:14  error  dls-not-json");
      }
    }),
  );

  test("is written by nothing, and stays where the server has it already", () =>
    onHarness(
      {
        product: "opensearch",
        release: "2.19.4",
        files: files(broken[1] as string),
        state: { roles: { hr: role(broken[1] as string) }, role_mappings: mappings },
      },
      async ({ run, writes, folder, emulator }) => {
        const { writeFileSync } = await import("node:fs");
        for (const line of ["plan --full", "apply --yes", "drift", "plan --out p.json"]) {
          const { code, stdout, stderr } = await run(`${line} --url URL`);
          expect([line, code, `${stdout}${stderr}`]).toEqual([line, 0, expect.any(String)]);
        }
        expect((await run("plan --full --url URL")).stderr).toContain("warning  dls-not-json");
        // Changed in another field, it would be written.
        writeFileSync(
          join(folder, "access.yml"),
          files(broken[1] as string)["access.yml"].replace("[read]", "[read, get]"),
        );
        for (const line of ["plan", "apply --yes", "drift"]) {
          const { code, stdout, stderr } = await run(`${line} --url URL`);
          expect([line, code]).toEqual([line, 3]);
          expect(stdout + stderr).toContain("error  dls-not-json");
        }
        expect(writes()).toEqual([]);
        expect(emulator.requests.length).toBeGreaterThan(0);
      },
    ));

  test("is exported and taken in, and said", () =>
    onHarness(
      { product: "opensearch", release: "2.19.4", state: { roles: { hr: role("team:red") }, role_mappings: mappings } },
      async ({ run, folder }) => {
        const exported = await run("export --url URL --out out");
        expect([exported.code, exported.stdout]).toEqual([0, expect.stringContaining("roles/hr: The document-level")]);
        expect(readFileSync(join(folder, "out/roles.yml"), "utf8")).toContain("team:red");
        const planned = await run("plan --url URL --full out");
        expect([planned.code, planned.stderr]).toEqual([0, expect.stringContaining("warning  dls-not-json")]);
      },
    ));

  test("is a warning where lint says so, and never off", () =>
    onHarness({ files: files("team:red", { "dls-not-json": "warning" }) }, async ({ run, folder, writes }) => {
      const { writeFileSync } = await import("node:fs");
      expect((await run("validate")).code).toBe(0);
      expect((await run("apply --yes --url URL")).code).toBe(0);
      expect(writes().length).toBeGreaterThan(0);
      writeFileSync(join(folder, "gate-sync.yaml"), files("x", { "dls-not-json": "off" })["gate-sync.yaml"]);
      const { code, stdout, stderr } = await run("validate");
      expect([code, stdout + stderr]).toEqual([3, expect.stringContaining("dls-not-json")]);
      writeFileSync(join(folder, "gate-sync.yaml"), files("x")["gate-sync.yaml"]);
      const silenced = files("team:red", undefined, " # gate-sync-ignore dls-not-json we know")["access.yml"];
      writeFileSync(join(folder, "access.yml"), silenced);
      expect((await run("validate")).code).toBe(3);
    }));

  test.each([
    ["2.19", undefined, "", 0, "warning  unknown-query"],
    ["3.5", undefined, "", 0, "warning  unknown-query"],
    ["3.6", undefined, "", 3, "error  unknown-query"],
    ["3", undefined, "", 3, "error  unknown-query"],
    ["2.19", "error", "", 3, "error  unknown-query"],
    ["3.6", "warning", "", 0, "warning  unknown-query"],
    ["3.6", "off", "", 0, "No problems"],
    ["3.6", undefined, " # gate-sync-ignore unknown-query our own plugin", 0, "No problems"],
    ["2.19", undefined, " # gate-sync-ignore unknown-query our own plugin", 0, "No problems"],
  ])(
    "with a name that only a plugin may bring: OpenSearch %s, lint %s%s",
    (release, severity, comment, code, shown) => {
      const lint = severity === undefined ? undefined : { "unknown-query": severity };
      return onHarness({ files: files('{"trem": {"dept": "hr"}}', lint, comment) }, async ({ run }) => {
        const run1 = await run(`validate --product opensearch --release ${release}`);
        expect([run1.code, run1.stdout]).toEqual([code, expect.stringContaining(shown)]);
      });
    },
  );
});

test("what servers refuse to be given is an error of validate, and a warning beside one that has it", () =>
  onHarness(
    { files: { "a.yml": "role_mappings: { all_access: { description: x } }\n" }, product: "opensearch" },
    async ({ run }) => {
      const { code, stdout } = await run("validate a.yml --product opensearch");
      expect([code, stdout]).toEqual([3, expect.stringContaining("error  incomplete-mapping")]);
    },
  ));

describe("a name that the server loses", () => {
  const entry = { cluster_permissions: ["cluster_monitor"] };
  const files = { "access.yml": `roles: { empty: ${JSON.stringify(entry)} }\n` };

  test("stops before anything is sent", () =>
    onHarness({ files, product: "opensearch", release: "3.7" }, async ({ run, writes }) => {
      for (const line of [
        "validate --product opensearch --release 3.7",
        "plan --url URL",
        "apply --yes --url URL",
        "drift --url URL",
      ]) {
        const { code, stdout, stderr } = await run(`${line} access.yml`);
        expect([line, code, stdout + stderr]).toEqual([line, 3, expect.stringContaining("error  lost-name")]);
      }
      expect(writes()).toEqual([]);
    }));

  test("is one like any other before", () =>
    onHarness({ files, product: "opensearch", release: "3.6" }, async ({ run }) => {
      for (const line of ["validate --product opensearch --release 3.6", "apply --yes --url URL", "drift --url URL"])
        expect([line, (await run(`${line} access.yml`)).code]).toEqual([line, 0]);
    }));

  test("is a warning where the server lists it", () =>
    onHarness({ files, product: "opensearch", release: "3.6", state: { roles: { empty: entry } } }, async ({ run }) => {
      const { code, stdout, stderr } = await run("plan --url URL --product opensearch --release 3.7 access.yml");
      expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("warning  lost-name")]);
    }));
});

/** A network among the hosts: a warning. */
const odd = (settings: object = {}) => ({
  "access.yml":
    "tenants: { support: {} }\nroles: { r: { cluster_permissions: ['cluster:monitor/main'] } }\nrole_mappings: { r: { hosts: [10.0.0.0/8] } }\n",
  "gate-sync.yaml": JSON.stringify({ defaults: settings, targets: { a: { state: ["access.yml"] } } }),
});
const words = "The files have 1 warning, and warnings fail this run (fail_on).";

describe.concurrent("fail_on", () => {
  test.each([
    ["by default", {}, "", 0],
    ["as stated", { fail_on: "warning" }, "", 3],
    ["by the flag", {}, " --fail-on warning", 3],
    ["by the flag before the setting", { fail_on: "warning" }, " --fail-on error", 0],
  ])("%s", (_, settings, flag, code) =>
    onHarness({ files: odd(settings) }, async ({ run, writes, folder }) => {
      for (const line of [`validate${flag}`, `test --product gate${flag}`]) {
        const { code: ended, stderr } = await run(line);
        expect([line, ended]).toEqual([line, code]);
        expect(stderr.includes(words)).toBe(code === 3);
      }
      for (const line of [`plan --out p.json --url URL${flag}`, `plan --quiet --url URL${flag}`]) {
        const { code: ended, stdout, stderr } = await run(line);
        expect([line, ended]).toEqual([line, code]);
        expect(stdout).toContain("support");
        expect(stderr.includes(words)).toBe(code === 3);
      }
      expect(existsSync(join(folder, "p.json"))).toBe(code === 0);
      // Who reads a comment or a report does not see the exit code.
      expect((await run(`plan --format markdown --url URL${flag}`)).stdout.includes(words)).toBe(code === 3);
      for (const line of [
        `plan --format json --url URL${flag}`,
        ...(code === 3 ? ["apply --format json --yes --url URL"] : []),
      ]) {
        const { stdout } = await run(line + (line.startsWith("apply") ? flag : ""));
        const { applicable, notes } = JSON.parse(stdout);
        expect([line, applicable, notes.includes(words)]).toEqual([line, code === 0, code === 3]);
      }
      const applied = await run(`apply --yes --url URL${flag}`);
      expect([applied.code, applied.stdout]).toEqual([code, expect.stringContaining("support")]);
      expect(writes().length > 0).toBe(code === 0);
      // What is there already is a warning, too, though it is not shown.
      if (code === 0) expect((await run("plan --fail-on warning --url URL")).code).toBe(3);
    }),
  );

  test("is not asked for by drift, rollback, export and a saved plan", () =>
    onHarness({ files: odd() }, async ({ run, folder }) => {
      const { writeFileSync } = await import("node:fs");
      expect((await run("plan --out p.json --url URL")).code).toBe(0);
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        odd({ fail_on: "warning" })["gate-sync.yaml"].replace("URL", "http://127.0.0.1:9"),
      );
      expect((await run("drift --url URL")).code).toBe(2);
      expect((await run("apply p.json --url URL")).code).toBe(0);
      expect((await run("drift --url URL")).code).toBe(0);
      expect((await run("export --url URL --out out")).code).toBe(0);
      const undone = await run("rollback --yes --url URL --allow deletions");
      expect([undone.code, undone.stderr]).toEqual([0, expect.any(String)]);
    }));

  test("says nothing of a silenced warning, and goes before a guard", () =>
    onHarness({ files: odd() }, async ({ run, folder }) => {
      const { writeFileSync } = await import("node:fs");
      const wild = "roles: { r: { cluster_permissions: ['*'] } }\nrole_mappings: { r: { users: ['*'] } }\n";
      writeFileSync(join(folder, "access.yml"), wild);
      expect((await run("plan --url URL")).code).toBe(4);
      expect((await run("plan --url URL --fail-on warning")).code).toBe(3);
      const silenced = odd()["access.yml"].replace(
        "[10.0.0.0/8] } }\n",
        "[10.0.0.0/8] } } # gate-sync-ignore cidr-in-hosts the proxy reads it\n",
      );
      writeFileSync(join(folder, "access.yml"), silenced);
      expect((await run("plan --url URL --fail-on warning")).code).toBe(0);
    }));

  test("of several targets, one that fails keeps all from being written, unless --max-failures admits it", () =>
    onHarness({}, ({ url }) =>
      onHarness({}, async ({ run, folder, url: other, writes }) => {
        const { writeFileSync } = await import("node:fs");
        const targets = {
          a: { url, product: "gate", state: ["odd.yml"], auth: { username: "a", password: "${env:P}" } },
          b: { url: other, product: "gate", state: ["even.yml"], auth: { username: "a", password: "${env:P}" } },
        };
        writeFileSync(join(folder, "gate-sync.yaml"), JSON.stringify({ defaults: { fail_on: "warning" }, targets }));
        writeFileSync(join(folder, "odd.yml"), odd()["access.yml"]);
        writeFileSync(join(folder, "even.yml"), "tenants: { support: {} }\n");
        const env = { P: "x" };
        const planned = await run("plan --all-targets", env);
        expect([planned.code, planned.stdout]).toEqual([3, expect.stringContaining("invalid files")]);
        expect(planned.stdout).toContain(words);
        expect((await run("validate --all-targets", env)).code).toBe(3);
        expect((await run("test --all-targets", env)).code).toBe(3);
        expect((await run("apply --yes --all-targets", env)).code).toBe(3);
        expect(writes()).toEqual([]);
        expect((await run("apply --yes --all-targets --max-failures 1", env)).code).toBe(3);
        expect(writes().length).toBeGreaterThan(0);
      }),
    ));
});
