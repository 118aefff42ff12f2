// The nightly job of examples/ as a runner does it: its shell steps in order, in a clone, against a server.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Harness, onHarness } from "../cli/harness.ts";
import { bin, start } from "../support/command.ts";

const workflow = parse(readFileSync(new URL("../../examples/ci/github-drift.yml", import.meta.url), "utf8"));
const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const canRun = has("git") && has("bash");
if (!canRun) console.warn("git or bash is not installed: the nightly job of examples/ is not tested.");

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const steps: readonly Step[] = workflow.jobs.drift.steps;

function git(folder: string, ...words: readonly string[]): void {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  execFileSync("git", [...author, ...words], { cwd: folder, env, stdio: "pipe" });
}

interface Job {
  /** Of the first step that fails, else 0. */
  readonly code: number | undefined;
  /** What the log has. */
  readonly reported: string;
  /** In the report that the job keeps. */
  readonly failures: number;
}

/** npx gives what was built here, and nothing is installed. */
async function runJob({ folder }: Harness): Promise<Job> {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  writeFileSync(
    join(programs, "npx"),
    `#!/bin/sh\n[ "$1 $2 $3" = "--no -- gate-sync" ] || exit 1\nshift 3\nexec "${process.execPath}" "${bin}" "$@"\n`,
  );
  writeFileSync(join(programs, "npm"), "#!/bin/sh\nexit 0\n");
  for (const name of ["npx", "npm"]) chmodSync(join(programs, name), 0o755);
  const env = {
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    GATE_SYNC_USERNAME: "nightly",
    GATE_SYNC_PASSWORD: "Tuesday-9",
  };
  let failed: number | undefined = 0;
  let reported = "";
  for (const step of steps) {
    if (step.run === undefined || failed !== 0) continue;
    // As GitHub starts it.
    const done = await start("bash", ["--noprofile", "--norc", "-e", "-c", step.run], { cwd: folder, env }).ended;
    reported += done.stdout + done.stderr;
    failed ||= done.code;
  }
  const kept = readFileSync(join(folder, "drift.xml"), "utf8");
  return { code: failed, reported, failures: kept.split("<failure ").length - 1 };
}

/** A clone whose tag says that all of it was applied, and a server that holds it, or something else. */
function check(description: string, expected: Omit<Job, "reported"> & { reported: unknown }): Promise<void> {
  const files = { "access/tenants.yml": "tenants:\n  support: { description: First line }\n" };
  const users = [{ name: "nightly", password: "Tuesday-9", rights: "read" }] as const;
  const state = { tenants: { support: { description } } };
  return onHarness({ files, users, state, product: "search-guard" }, async (harness) => {
    const config = `targets: { prod: { url: "${harness.url}", state: [access/] } }\n`;
    writeFileSync(join(harness.folder, "gate-sync.yaml"), config);
    git(harness.folder, "init", "-q");
    git(harness.folder, "add", "-A");
    git(harness.folder, "commit", "-q", "-m", "x");
    git(harness.folder, "tag", "applied/prod");
    expect(await runJob(harness)).toEqual(expected);
    expect(harness.writes()).toEqual([]);
  });
}

describe("the nightly job of examples/", () => {
  test("fetches the whole history", () => {
    const checkout = steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkout?.with).toMatchObject({ "fetch-depth": 0 });
  });
  test.skipIf(!canRun)("is green where nothing moved", () =>
    check("First line", { code: 0, reported: expect.stringMatching(/no drift/i), failures: 0 }),
  );
  test.skipIf(!canRun)("is red, and shows it, where the cluster was changed by hand", () =>
    check("By hand", {
      code: 2,
      reported: expect.stringMatching(/Changed on the server[\s\S]*- First line/i),
      failures: 1,
    }),
  );
});
