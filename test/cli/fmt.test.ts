// `gate-sync fmt`: which files it lays out, what it leaves, and how it writes.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gateSyncWithin, inFolder } from "../support/command.ts";

const wild = "roles:\n    hr:   # the team\n        cluster_permissions:\n        - 'a'\n        -   b\n";
const tidy = "roles:\n  hr:   # the team\n    cluster_permissions:\n      - 'a'\n      - b\n";
const config = "targets:\n    prod: {url: 'https://127.0.0.1:1',state: [ access/ ]}\n";
const tidyConfig = "targets:\n  prod: { url: 'https://127.0.0.1:1', state: [access/] }\n";
const compose = "services:\n    web:\n        image: nginx\n";
const files = { "gate-sync.yaml": config, "access/roles.yml": wild, "access/docker-compose.yml": compose };
const at = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");
const fmt = (folder: string, ...words: string[]) => gateSyncWithin(["fmt", ...words], { cwd: folder });

describe("gate-sync fmt", () => {
  test("lays out gate-sync.yaml and the state of all targets, and nothing else", async () => {
    await inFolder({ ...files, "other.yml": wild, "access/r.json": '{"tenants":{  }}' }, async (folder) => {
      expect(await fmt(folder)).toEqual({
        code: 0,
        stdout: "gate-sync.yaml\naccess/roles.yml\n2 of 2 files were changed.\n",
        stderr: "",
      });
      expect(at(folder, "gate-sync.yaml")).toBe(tidyConfig);
      expect(at(folder, "access/roles.yml")).toBe(tidy);
      expect(at(folder, "access/docker-compose.yml")).toBe(compose);
      expect(at(folder, "other.yml")).toBe(wild);
      expect(await fmt(folder)).toEqual({ code: 0, stdout: "2 files: nothing to change.\n", stderr: "" });
    });
  });

  test("--check writes nothing, shows a diff that patch takes, and ends with 2", async () => {
    await inFolder(files, async (folder) => {
      const { code, stdout } = await fmt(folder, "--check", "access/");
      expect(code).toBe(2);
      expect(stdout).toMatch(/1 of 1 file would be changed\. Nothing was written; gate-sync fmt writes it\.\n$/);
      expect(at(folder, "access/roles.yml")).toBe(wild);
      const { status } = spawnSync("patch", ["-p0"], { cwd: folder, input: stdout });
      expect(status).toBe(0);
      expect(at(folder, "access/roles.yml")).toBe(tidy);
      expect((await fmt(folder, "--check", "access/")).code).toBe(0);
    });
  });

  test("a file with errors is reported and stays; the others are laid out", async () => {
    await inFolder({ ...files, "access/broken.yml": "roles:\n    a: [\n" }, async (folder) => {
      const { code, stdout, stderr } = await fmt(folder, "access/");
      expect(code).toBe(3);
      expect(stdout).toBe("access/roles.yml\n1 of 2 files was changed.\n");
      expect(stderr).toContain("access/broken.yml:2:8  error  syntax");
      expect(at(folder, "access/broken.yml")).toBe("roles:\n    a: [\n");
    });
  });

  test("no secret is in a diff", async () => {
    const secret =
      "config:\n    dynamic:\n        authc:\n            ldap: {authentication_backend: {config: {password: s3cretWord}}}\n";
    await inFolder({ "access/config.yml": secret }, async (folder) => {
      const { code, stdout } = await fmt(folder, "--check", "access/");
      expect(code).toBe(2);
      expect(stdout).toContain("password: ********");
      expect(stdout).not.toMatch(/s3cret|\*{9}/);
    });
  });

  test("permissions, a byte order mark, line ends and links stay; no draft is left", async () => {
    const text = `\ufeff${wild.replaceAll("\n", "\r\n")}`;
    await inFolder({ "access/roles.yml": "", "shared/roles.yml": text }, async (folder) => {
      chmodSync(join(folder, "shared/roles.yml"), 0o640);
      symlinkSync("../shared/roles.yml", join(folder, "access/linked.yml"));
      mkdirSync(join(folder, ".git"));
      expect((await fmt(folder, "access/linked.yml")).code).toBe(0);
      expect(at(folder, "shared/roles.yml")).toBe(`\ufeff${tidy.replaceAll("\n", "\r\n")}`);
      expect(statSync(join(folder, "shared/roles.yml")).mode & 0o777).toBe(0o640);
      expect(
        readdirSync(join(folder, "access"), { withFileTypes: true }).find((one) => one.isSymbolicLink())?.name,
      ).toBe("linked.yml");
      expect(readdirSync(join(folder, "shared"))).toEqual(["roles.yml"]);
    });
  });

  test("a link that leads out of the repository is refused", async () => {
    await inFolder({ "outside.yml": wild, "repo/access/x.yml": wild, "repo/.git/HEAD": "" }, async (folder) => {
      symlinkSync("../../outside.yml", join(folder, "repo/access/linked.yml"));
      const { code, stderr } = await fmt(join(folder, "repo"), "access/");
      expect(code).toBe(3);
      expect(stderr).toContain("access/linked.yml  error  outside-repository");
      expect(at(folder, "outside.yml")).toBe(wild);
      expect(at(folder, "repo/access/x.yml")).toBe(tidy);
    });
  });

  test("what has no layout is left with a warning; what nests too deep is an error", async () => {
    const explicit = "roles:\n    ? hr\n    : {}\n";
    const deep = `roles: ${"[".repeat(20_000)}\n`;
    await inFolder({ "a/explicit.yml": explicit, "a/deep.yml": deep }, async (folder) => {
      const { code, stderr } = await fmt(folder, "a/");
      expect(code).toBe(3);
      expect(stderr).toContain("a/explicit.yml:1:1  warning  unknown-layout");
      expect(stderr).toMatch(/a\/deep\.yml.* error {2}syntax/);
      expect(at(folder, "a/explicit.yml")).toBe(explicit);
      expect(at(folder, "a/deep.yml")).toBe(deep);
    });
  });

  test.each([
    [["-"], "gate-sync fmt does not read standard input."],
    [[], "There is no gate-sync.yaml in this folder, and no file is named."],
  ])("says what it needs: %j", async (words, message) => {
    await inFolder({}, async (folder) => {
      const { code, stderr } = await fmt(folder, ...words);
      expect(code).toBe(64);
      expect(stderr).toContain(message);
    });
  });
});
