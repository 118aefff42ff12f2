// The single executable, moved away from where it was built, on a PATH where nothing is: it does what the package does.
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bin, type Files, inFolder, type Running, readUrl, start } from "../support/command.ts";

const built = process.env.GATE_SYNC_BINARY;
if (!built) console.warn("GATE_SYNC_BINARY names no executable that npm run build:binary made: none is tested.");

const role = (index: string) =>
  `roles: { r: { index_permissions: [{ index_patterns: ["${index}"], allowed_actions: ["indices:data/read/*"] }] } }\n` +
  "role_mappings: { r: { backend_roles: [hr] } }\n";
const rightTest = "access_tests: [{ as: { backend_roles: [hr] }, action: search, index: hr-1, expect: allowed }]\n";

/** What is loaded only where it is needed is needed here: for wildcards, CSV, files that are no YAML, writing YAML. */
const filesFor = (url: string): Files => ({
  "gate-sync.yaml": `targets: { dev: { url: "${url}", product: gate, state: ["teams/*/access"] } }\n`,
  "teams/hr/access/hr.yml": role("hr-*"),
  "teams/hr/access/tests.yml": rightTest,
  "teams/hr/access/tenants.yml":
    'generate: { for_each: tenants.csv, as: row, tenants: { "${each:row.name}": { description: "${each:row.note}" } } }\n',
  "teams/hr/access/tenants.csv": "name,note\nhr,Human resources\n",
  "broken/roles.yml": "roles: { r: [ }\n",
});

const rows: readonly (readonly [words: string, code: number, shown: string])[] = [
  ["--version", 0, "."],
  ["validate", 0, "No problems in 3 files."],
  ["validate broken", 3, "broken/roles.yml:1"],
  ["test", 0, "1 access test"],
  ["plan", 0, "2 to change, in 2 requests."],
  ["plan --format json", 0, '"fingerprint"'],
  ["plan --format html", 0, "<!doctype html>"],
  ["plan --format markdown=plan.md --format sarif=plan.sarif --format junit=plan.xml", 0, "Fingerprint"],
  ["drift", 2, "Drift:"],
  ["drift --format junit", 2, "<testsuite"],
  ["access map --format html", 0, "<!doctype html>"],
  ["access can-i --backend-role hr search hr-1", 0, "yes"],
  ["export --out exported", 0, "exported"],
  ["targets", 0, "dev"],
  ["render", 0, "hr-*"],
  ["validate --all-targets", 0, "1 target"],
  ["doctor", 0, "gate"],
  ["init --ci github", 0, "Wrote .github/workflows/access.yml"],
  ["schema", 0, "gate-sync"],
  ["schema plan", 0, '"$schema"'],
  ["explain exits", 0, "64"],
  ["explain drift", 0, "--applied-ref"],
  ["guards", 0, "deletions"],
  ["complete bash", 0, "gate-sync"],
  ["complete -- access can", 0, "can-i"],
];

/** Where git is needed, that is what is reported; nowhere else is it missed. */
const gitRows = ["drift --applied-ref main", "plan --base main"];

describe.skipIf(!built)("the single executable", () => {
  let place: string;
  let emulator: Running;
  let files: Files;
  const executable = () => [join(place, "moved")];
  const packaged = () => [process.execPath, bin];

  const run = ([program = "", ...before]: readonly string[], words: string, cwd: string, env = {}) =>
    start(program, [...before, ...words.split(" ")], { cwd, env: { PATH: join(place, "nothing"), ...env } });

  /** Of a run in a folder of its own, and the files that it wrote. */
  const outcomeOf = (program: readonly string[], words: string, within = files) =>
    inFolder(within, async (cwd) => ({ ...(await run(program, words, cwd).ended), written: readFiles(cwd) }));

  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), "gate-sync-binary-"));
    mkdirSync(join(place, "nothing"));
    copyFileSync(built ?? "", join(place, "moved"));
    writeFileSync(join(place, "live.yml"), `${role("pay-*")}tenants: { hr: {} }\n`);
    emulator = run(executable(), "emulator live.yml --port 0 --format json", place);
    files = filesFor(await readUrl(emulator));
  });

  afterAll(async () => {
    emulator.child.kill();
    expect(await emulator.ended).toMatchObject({ code: 0, stderr: "" });
    rmSync(place, { recursive: true });
  });

  test.for(rows)("does what the package does: %s", async ([words, code, shown], { expect }) => {
    const outcome = await outcomeOf(executable(), words);
    expect(outcome).toEqual(await outcomeOf(packaged(), words));
    expect(outcome.code).toBe(code);
    expect(outcome.stdout + outcome.stderr).toContain(shown);
  });

  test.for(gitRows)("misses git as the package does: %s", async (words, { expect }) => {
    const inRepository = { ...files, ".git/HEAD": "ref: refs/heads/main\n" };
    const outcome = await outcomeOf(executable(), words, inRepository);
    expect(outcome).toEqual(await outcomeOf(packaged(), words, inRepository));
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining("! git is not found.") });
  });

  test("runs nothing that NODE_OPTIONS names", async () => {
    writeFileSync(join(place, "other.cjs"), "console.log('other')");
    const env = { NODE_OPTIONS: `--require ${join(place, "other.cjs")}` };
    expect(await run(executable(), "--version", place, env).ended).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^[\d.]+\n$/),
    });
    expect((await run(packaged(), "--version", place, env).ended).stdout).toMatch(/^other\n/);
  });

  test("applies, and then all is in sync", () =>
    inFolder(files, async (cwd) => {
      expect(await run(executable(), "apply --yes", cwd).ended).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("Read back: in sync."),
      });
      expect((await run(packaged(), "plan", cwd).ended).stdout).toContain("in sync");
      expect((await run(executable(), "status", cwd).ended).stdout).toContain("Nothing is left to do.");
    }));
});

function readFiles(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}
