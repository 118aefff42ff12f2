// Twenty teams cut from one pattern: what is generated is like what is written out, and each place names its item.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { createAjv, readSchema } from "../support/schemas.ts";
import { onHarness } from "./harness.ts";

const each = (path: string) => `\${each:team.${path}}`;

const files = {
  "gate-sync.yaml": `targets:
  dev: { product: gate, state: [access] }
`,
  "access/teams.yml": `generate:
  for_each: teams.csv
  as: team
  roles:
    "${each("name")}_reader":
      index_permissions:
        - { index_patterns: ["${each("indices")}"], allowed_actions: ["indices:data/read/search"] }
  role_mappings:
    "${each("name")}_reader": { backend_roles: ["${each("name")}"] }
`,
  "access/teams.csv": "name,indices[]\npay,pay-*|ledger-*\nsearch,search-*\n",
};

const compact = (text: string) => text.replace(/\s+/g, " ");

describe.concurrent("generate", () => {
  test("declares an entry for each item, and every place names the template and the item", ({ expect }) =>
    onHarness({ files }, async ({ run, emulator }) => {
      const { stdout } = await run("plan --url URL");
      expect(stdout).toMatch(/\+ pay_reader\s+access\/teams\.yml:5, generated for access\/teams\.csv:2\n/);
      expect(stdout).toMatch(/\+ search_reader\s+access\/teams\.yml:9, generated for access\/teams\.csv:3\n/);
      const json = JSON.parse((await run("plan --url URL --format json")).stdout);
      const ajv = createAjv({ isStrict: true });
      ajv.validate(readSchema("plan"), json);
      expect(ajv.errors ?? []).toEqual([]);
      const role = json.changes.find(({ address }: { address: string }) => address === "roles/search_reader");
      expect(role).toMatchObject({
        origin: { path: "access/teams.yml", line: 5 },
        generated_for: { path: "access/teams.csv", line: 3 },
      });
      for (const format of ["markdown", "html"])
        expect((await run(`plan --url URL --format ${format}`)).stdout).toContain("generated for access/teams.csv:3");
      await run("plan --url URL --out teams.plan");
      const applied = await run("apply teams.plan --yes --url URL");
      expect(applied.code).toBe(0);
      expect(applied.stdout).toContain("access/teams.yml:5, generated for access/teams.csv:2");
      expect(emulator.state().roles.get("pay_reader")).toMatchObject({
        index_permissions: [{ index_patterns: ["ledger-*", "pay-*"] }],
      });
      expect(await run("plan --url URL --detailed-exitcode")).toMatchObject({ code: 0 });
      const answer = compact((await run("access can-i --backend-role pay search pay-1")).stdout);
      expect(answer).toContain("mapping pay_reader (access/teams.yml:9, generated for access/teams.csv:2)");
      expect(answer).toContain("role pay_reader on pay-* (access/teams.yml:7, generated for access/teams.csv:2)");
    }));

  test("says what is wrong with a template once, and for how many items, in every format", ({ expect }) =>
    onHarness(
      {
        files: {
          ...files,
          "access/teams.yml": files["access/teams.yml"].replace("allowed_actions:", "allowed_action:"),
          "access/teams.csv": `name,indices[]\n${Array.from({ length: 500 }, (_, at) => `team${at},t${at}-*`).join("\n")}\n`,
        },
      },
      async ({ run }) => {
        const { code, stdout, stderr } = await run("validate");
        expect(code).toBe(3);
        const shown = compact(stdout + stderr);
        expect(shown).toContain("access/teams.yml:7:55 error unknown-field");
        expect(shown).toContain("access/teams.csv:2:1: generated for this item");
        expect(shown).toContain("access/teams.csv:5:1: the same for this item and 496 more");
        expect(shown).toContain("1 error in 1 file");
        const { diagnostics } = JSON.parse((await run("validate --format json")).stdout);
        expect(diagnostics).toHaveLength(1);
        expect(diagnostics[0].related[0]).toMatchObject({ path: "access/teams.csv", line: 2 });
        expect((await run("validate --format sarif")).stdout).toContain("access/teams.csv");
      },
    ));

  test("of items that generate one name names both rows", ({ expect }) =>
    onHarness({ files: { ...files, "access/teams.csv": "name,indices[]\npay,a\npay,b\n" } }, async ({ run }) => {
      const { code, stdout, stderr } = await run("validate");
      expect(code).toBe(3);
      expect(compact(stdout + stderr)).toMatch(
        /error duplicate-name .* access\/teams\.csv:3:1: generated for this item .*generated here first, generated for access\/teams\.csv:2:1/,
      );
    }));

  test("reads no list of items as state, whatever its ending, and warns where there is none", ({ expect }) =>
    onHarness(
      {
        files: {
          ...files,
          "access/teams.yml": files["access/teams.yml"].replace("teams.csv", "list/teams.json"),
          "access/list/teams.json": '[{ "name": "pay", "indices": ["pay-*"] }]',
        },
      },
      async ({ run, folder }) => {
        const { code, stdout } = await run("validate");
        expect(stdout).not.toContain("teams.json");
        expect(code).toBe(0);
        writeFileSync(join(folder, "access/list/teams.json"), "[]");
        expect(compact((await run("validate")).stdout)).toContain("access/teams.yml:2:13 warning nothing-generated");
      },
    ));

  test.for([
    "name,password\npay,Kanarivogel\n",
    'name,password\n"pay,Kanarivogel\n',
    "name,password\npay,Kanarivogel,x\n",
  ])("shows no cell of a column of passwords: %j", (text, { expect }) =>
    onHarness({ files: { ...files, "access/teams.csv": text } }, async ({ run }) => {
      const { code, stdout, stderr } = await run("validate");
      expect(code).toBe(3);
      expect(stdout + stderr).not.toContain("Kanarivogel");
    }),
  );

  test("shows templates whose names only look like secrets", ({ expect }) =>
    onHarness(
      {
        files: {
          ...files,
          "access/teams.yml": files["access/teams.yml"].replace('_reader":\n', '_token": { x: 1 }\n    more:\n'),
        },
      },
      async ({ run }) => {
        const { stdout, stderr } = await run("validate");
        expect(stdout + stderr).toContain(`5|     "${each("name")}_token": { x: 1 }`);
      },
    ));

  test("reads items of the repository alone", ({ expect }) =>
    onHarness(
      { files: { ...files, "access/teams.yml": files["access/teams.yml"].replace("teams.csv", "../out/teams.csv") } },
      async ({ run, folder }) => {
        const missing = await run("validate");
        expect(compact(missing.stdout + missing.stderr)).toMatch(
          /access\/teams\.yml:2:13 error unreadable-file .* out\/teams\.csv cannot be read/,
        );
        mkdirSync(join(folder, "elsewhere"));
        symlinkSync("/etc", join(folder, "out"));
        writeFileSync(join(folder, "access/teams.yml"), files["access/teams.yml"].replace("teams.csv", "../out/x.csv"));
        symlinkSync("/etc/passwd", join(folder, "elsewhere/x.csv"));
        writeFileSync(
          join(folder, "access/teams.yml"),
          files["access/teams.yml"].replace("teams.csv", "../elsewhere/x.csv"),
        );
        const outside = await run("validate");
        expect(outside.code).toBe(3);
        expect(compact(outside.stdout + outside.stderr)).toMatch(/access\/teams\.yml:2:13 error outside-repository/);
      },
    ));

  test("compares with the items of a commit", ({ expect }) =>
    onHarness({ files }, async ({ run, folder }) => {
      const git = (...words: readonly string[]) =>
        execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: folder, stdio: "pipe" });
      git("init", "-q");
      symlinkSync("teams.csv", join(folder, "access/link.csv"));
      writeFileSync(join(folder, "access/teams.yml"), files["access/teams.yml"].replace("teams.csv", "link.csv"));
      git("add", ".");
      git("commit", "-qm", "two teams");
      writeFileSync(join(folder, "access/teams.csv"), `${files["access/teams.csv"]}ops,ops-*\n`);
      const { code, stdout } = await run("access map --since HEAD --format json");
      expect(code).toBe(0);
      expect(stdout).toContain("ops-*");
      expect(JSON.stringify(JSON.parse(stdout).since ?? stdout)).not.toMatch(/lost.*pay/);
      writeFileSync(join(folder, "access/new.csv"), "name,indices[]\nops,ops-*\n");
      writeFileSync(join(folder, "access/teams.yml"), files["access/teams.yml"].replace("teams.csv", "new.csv"));
      expect(await run("access map --since HEAD --format json")).toMatchObject({ code: 0 });
    }));
});
