// The hooks of .pre-commit-hooks.yaml, as pre-commit runs them: by itself where it is installed, and as it documents.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { inFolder, start } from "../support/command.ts";
import { builtNpx, git, writePrograms } from "../support/jobs.ts";

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly always_run: boolean;
  readonly pass_filenames: boolean;
}

const manifest = readFileSync(new URL("../../.pre-commit-hooks.yaml", import.meta.url), "utf8");
const hooks: readonly Hook[] = parse(manifest);
const hasPreCommit = spawnSync("pre-commit", ["--version"]).status === 0;
if (!hasPreCommit) console.warn("pre-commit is not installed: its hooks are run without it.");

const role = (actions: string) =>
  `roles:\n  hr:\n    index_permissions: [{ index_patterns: [hr-*], allowed_actions: ['${actions}'] }]\n` +
  "role_mappings:\n  hr: { backend_roles: [hr] }\n";
const files = {
  "gate-sync.yaml": "targets: { prod: { url: https://127.0.0.1:1, product: gate, state: [access/] } }\n",
  "access/hr.yml": role("indices:data/read/*"),
  "access/tests.yml":
    "access_tests:\n  - { as: { backend_roles: [hr] }, action: search, index: hr-1, expect: allowed }\n",
};
const misspelt = { ...files, "access/hr.yml": files["access/hr.yml"].replace("index_p", "idnex_p") };
const untrue = { ...files, "access/hr.yml": role("indices:admin/get") };

const untidy = { ...files, "access/hr.yml": files["access/hr.yml"].replaceAll("  hr:", "   hr:") };

const rows = [
  ["files that are right", files, { "gate-sync-validate": 0, "gate-sync-fmt": 0, "gate-sync-test": 0 }],
  ["a misspelt field", misspelt, { "gate-sync-validate": 3, "gate-sync-fmt": 0, "gate-sync-test": 3 }],
  ["an access test that fails", untrue, { "gate-sync-validate": 4, "gate-sync-fmt": 0, "gate-sync-test": 4 }],
  ["a file laid out otherwise", untidy, { "gate-sync-validate": 0, "gate-sync-fmt": 2, "gate-sync-test": 0 }],
] as const;

function envOf(folder: string) {
  writePrograms(join(folder, "programs"), { npx: builtNpx });
  return { PATH: `${join(folder, "programs")}${delimiter}${process.env.PATH}`, HOME: folder };
}

describe("hooks for pre-commit", () => {
  test("are run by each commit, whatever it changes, and are handed no file", () => {
    expect(hooks.map(({ id }) => id)).toEqual(["gate-sync-validate", "gate-sync-fmt", "gate-sync-test"]);
    for (const { id, entry, language, always_run, pass_filenames } of hooks)
      expect({ id, language, always_run, pass_filenames }).toEqual({
        id: `gate-sync-${/gate-sync (\w+)/.exec(entry)?.[1]}`,
        language: "system",
        always_run: true,
        pass_filenames: false,
      });
  });

  test.each(rows)("end with the code of the command: %s", async (_, given, codes) => {
    await inFolder(given, async (folder) => {
      const env = envOf(folder);
      for (const { id, entry } of hooks) {
        const [program = "", ...words] = entry.split(" ");
        const { code } = await start(program, words, { cwd: folder, env }).ended;
        expect({ id, code }).toEqual({ id, code: codes[id as keyof typeof codes] });
      }
    });
  });

  test.skipIf(!hasPreCommit).each(rows)("are what pre-commit runs: %s", async (_, given, codes) => {
    const own = { "hooks/.pre-commit-hooks.yaml": manifest };
    await inFolder({ ...given, ...own }, async (folder) => {
      const env = { ...envOf(folder), PRE_COMMIT_HOME: join(folder, "kept") };
      const commit = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "commit", "-qm", "x"];
      for (const words of [["init", "-q"], ["add", "-A"], commit]) git(join(folder, "hooks"), ...words);
      git(folder, "init", "-q");
      const words = ["try-repo", join(folder, "hooks"), "--verbose"];
      const { code, stdout, stderr } = await start("pre-commit", words, { cwd: folder, env }).ended;
      const ended = [...stdout.matchAll(/hook id: (\S+)\n(?:- duration: .*\n)?(?:- exit code: (\d+))?/g)];
      expect({ code, stderr: stderr.includes("rror") }).toEqual({
        code: Object.values(codes).some((each) => each > 0) ? 1 : 0,
        stderr: false,
      });
      expect(Object.fromEntries(ended.map(([, id, each = "0"]) => [id, Number(each)]))).toEqual(codes);
    });
  });
});
