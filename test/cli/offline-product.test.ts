// Questions of the files are not answered for a product that is not named.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { onHarness } from "./harness.ts";

const plain =
  '{"roles":{"r":{"index_permissions":[{"index_patterns":["logs-*"],"allowed_actions":["indices:data/read*"]}]}},"role_mappings":{"r":{"users":["ana"]}}}';
const target = "targets: { prod: { state: [access/] } }\n";
const tests =
  "- { as: { user: ana }, action: search, index: logs-1, expect: allowed }\n- { as: { user: ana }, action: search, index: hr-1, expect: allowed }\n";
const files = { "gate-sync.yaml": target, "access/a.yml": plain, "access/t.access-test.yml": tests };

it("questions and tests end with 64 and the line to add", () =>
  onHarness({ files }, async ({ run }) => {
    for (const line of [
      "access can-i search logs-1 --user ana",
      "access who-can search logs-1",
      "access what-can ana",
      "test",
    ]) {
      const { code, stdout, stderr } = await run(line);
      expect([line, code, stdout]).toEqual([line, 64, ""]);
      expect(stderr.replace(/\s+/g, " ")).toContain(
        "Add this line to the target prod in gate-sync.yaml: `product: opensearch` (or search-guard)",
      );
    }
  }));

it("validate checks the files all the same, and says that the access tests were not run", () =>
  onHarness({ files }, async ({ run }) => {
    const { code, stdout } = await run("validate");
    expect(stdout.replace(/\s+/g, " ")).toContain("2 access tests were not run: nothing says for which product.");
    expect(code).toBe(0);
    const json = JSON.parse((await run("validate --format json")).stdout);
    expect(json).toMatchObject({ access_tests_not_run: 2 });
    expect((await run("validate --product opensearch")).code).toBe(4);
  }));

it("a stated product answers, and so do files that show theirs", () =>
  onHarness({ files: { ...files, "access/a.yml": plain.replace("indices:data/read*", "read") } }, async ({ run }) => {
    const { code, stdout } = await run("access can-i search logs-1 --user ana");
    expect(stdout).toContain("opensearch 2 (by access/a.yml: read)");
    expect(code).toBe(0);
    expect((await run("access can-i search logs-1 --user ana --product search-guard")).code).toBe(2);
  }));

it("built-in groups of other products are reported where a flag or the target states the product", () =>
  onHarness(
    { files: { ...files, "access/a.yml": plain.replace("indices:data/read*", "SGS_READ") } },
    async ({ run, folder }) => {
      const reported =
        'There is no action group "SGS_READ" in these files, and opensearch ships none. Did you mean "read"?';
      const validate = async (flags = "") => (await run(`validate${flags}`)).stdout.replace(/\s+/g, " ");
      expect(await validate(" --product opensearch")).toContain(reported);
      expect(await validate(" --product search-guard")).not.toContain("There is no action group");
      expect(await validate()).not.toContain("There is no action group");
      writeFileSync(
        join(folder, "gate-sync.yaml"),
        target.replace("state:", "product: opensearch, release: '2.19', state:"),
      );
      expect(await validate()).toContain(reported.replace("opensearch", "opensearch 2.19"));
    },
  ));

it("a stated product without a release is checked as of the release that the files show", () =>
  onHarness(
    { files: { "a.yml": "role_mappings: {r: {ips: [10.0.0.0/8], users: [ana]}}\nroles: {r: {}}\n" } },
    async ({ run }) => {
      const line = "validate a.yml --product search-guard";
      expect((await run(line)).stdout.replace(/\s+/g, " ")).toContain("hecked for search-guard FLX (by a.yml: ips)");
      expect((await run(`${line} --release 7`)).stdout.replace(/\s+/g, " ")).toContain("hecked for search-guard 7");
    },
  ));

it("export writes a gate-sync.yaml that names the product, and never over one that is there", () =>
  onHarness(
    {
      product: "opensearch",
      release: "2.19",
      state: { roles: { r: { cluster_permissions: ["cluster:monitor/main"] } } },
    },
    async ({ run, folder, url }) => {
      expect((await run("export --url URL --out access")).stdout).toContain("Wrote gate-sync.yaml");
      const written = readFileSync(join(folder, "gate-sync.yaml"), "utf8");
      expect(parse(written)).toEqual({
        targets: { "127.0.0.1": { url, product: "opensearch", release: "2.19", state: ["access"] } },
      });
      const { code, stdout } = await run("access can-i health --user ana");
      expect([code, stdout]).toEqual([2, expect.stringContaining("for opensearch 2.19; no server")]);
      expect((await run("export --target 127.0.0.1 --out other")).stdout).not.toContain("gate-sync.yaml");
      expect(readFileSync(join(folder, "gate-sync.yaml"), "utf8")).toBe(written);
    },
  ));

const ofOpenSearch =
  "_meta: { type: roles, config_version: 2 }\nr: { cluster_permissions: [cluster_composite_ops], typo: 1 }\n";

it("a plan that ends before a server is asked checks for the product that the files show, and for none where nothing does", () =>
  onHarness({ files: { "access/roles.yml": ofOpenSearch } }, async ({ run, folder }) => {
    const shown = await run("plan --url http://127.0.0.1:1 access");
    expect([shown.code, shown.stdout]).toEqual([3, ""]);
    expect(shown.stderr).toContain("1 error in 1 file. Checked for opensearch 2 (by access/roles.yml:");
    writeFileSync(join(folder, "access/roles.yml"), "roles: { r: { cluster_permissions: [a], typo: 1 } }\n");
    const none = await run("plan --url http://127.0.0.1:1 access");
    expect(none.stderr).toContain("1 error in 1 file. Nothing was planned.");
  }));

it("the emulator is the product that the files show", () =>
  onHarness({ files: { "access/roles.yml": ofOpenSearch.replace(", typo: 1", "") } }, async ({ start }) => {
    const running = start("emulator --port 0 access");
    await running.reported("opensearch 2: 1 role");
    running.child.kill("SIGINT");
    await running.ended;
  }));
