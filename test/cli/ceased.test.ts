// A family that no file declares any more is no longer managed: plan and drift say so.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gateSyncWithin, type Run } from "../support/command.ts";
import { onHarness } from "./harness.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: families that are managed no longer are not tested by commits.");

const state = {
  roles: { reader: { cluster_permissions: ["cluster:monitor/main"] } },
  role_mappings: { reader: { users: ["ana"] }, by_hand: { users: ["bo"] } },
};
const mappings = "role_mappings: { reader: { users: [ana] }, by_hand: { users: [bo] } }\n";

function git(folder: string, ...words: readonly string[]): void {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=ann@lee.example", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...author, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: "/x" },
    stdio: "pipe",
  });
}

/** Roles and mappings, and a way to take the file of the mappings away. */
function onFolder(
  work: (run: (line: string) => Promise<Run>, removeMappings: () => void, folder: string) => Promise<void>,
  declared = mappings,
) {
  return onHarness({ state }, async ({ folder, url }) => {
    mkdirSync(join(folder, "access"));
    writeFileSync(join(folder, "gate-sync.yaml"), `targets: { prod: { url: "${url}", state: [access] } }\n`);
    writeFileSync(
      join(folder, "access/roles.yml"),
      "roles: { reader: { cluster_permissions: ['cluster:monitor/main'] } }\n",
    );
    writeFileSync(join(folder, "access/role_mappings.yml"), declared);
    const run = (line: string) =>
      gateSyncWithin(line.split(" "), { cwd: folder, env: { PATH: process.env.PATH ?? "" } });
    await work(run, () => rmSync(join(folder, "access/role_mappings.yml")), folder);
  });
}

function text({ stdout }: Run): string {
  return stdout.replaceAll(/\s+/g, " ");
}

const reported =
  "role mappings are not managed any more: no file declares them. 2 role mappings on the server are left as they are, unmanaged.";

describe.skipIf(!hasGit)("since a commit", () => {
  it("plan --base and drift --applied-ref name the family and what is left", () =>
    onFolder(async (run, removeMappings, folder) => {
      git(folder, "init", "-q", "-b", "main");
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "x");
      expect(text(await run("plan --base main"))).not.toContain("any more");
      expect((await run("drift --applied-ref main")).code).toBe(0);
      removeMappings();
      const planned = await run("plan --base main");
      expect(text(planned)).toContain(`Since main, ${reported}`);
      const json = JSON.parse((await run("plan --base main --format json")).stdout);
      expect(json.since.no_longer_managed).toEqual(["role_mappings"]);
      const drifted = await run("drift --applied-ref main");
      expect(text(drifted)).toContain(`Since main, ${reported}`);
      expect(drifted.code).toBe(2);
    }));
});

it("after a run that is on record, a plan says it without a commit, and drift ends with 2", () =>
  onFolder(async (run, removeMappings, folder) => {
    writeFileSync(join(folder, "access/role_mappings.yml"), mappings.replace("ana", "ana, eve"));
    expect((await run("apply --yes")).code).toBe(0);
    removeMappings();
    expect(text(await run("plan"))).toMatch(/Since the last run \(.*\), role mappings are not managed any more/);
    const drifted = await run("drift");
    expect(text(drifted)).toContain("role mappings are not managed any more");
    expect(text(drifted)).toContain("Drift: 1 resource type no longer managed.");
    expect(drifted.code).toBe(2);
  }));

it("records in another folder count where it is named, in apply too", () =>
  onFolder(
    async (run, removeMappings, folder) => {
      expect((await run("apply --yes --state-dir records --format json")).code).toBe(0);
      removeMappings();
      expect(text(await run("plan"))).not.toContain("any more");
      expect(text(await run("plan --state-dir records"))).toContain("role mappings are not managed any more");
      expect(text(await run("apply --yes --state-dir records"))).toContain("role mappings are not managed any more");
      // A run that did not manage it either is no reason to forget it; that it is meant, gate-sync.yaml says.
      for (const line of ["plan --state-dir records", "apply --yes --state-dir records --family roles"])
        await run(line);
      expect(text(await run("apply --yes --state-dir records"))).toContain("role mappings are not managed any more");
      expect((await run("drift --state-dir records")).code).toBe(2);
      const settings = readFileSync(join(folder, "gate-sync.yaml"), "utf8");
      const observed = settings.replace("state:", "families: { role_mappings: { mode: observe } }, state:");
      writeFileSync(join(folder, "gate-sync.yaml"), observed);
      expect(text(await run("plan --state-dir records"))).toContain("gate-sync.yaml says to observe them");
      expect((await run("apply --yes --state-dir records")).code).toBe(0);
      expect(text(await run("plan --state-dir records"))).not.toContain("any more");
      expect((await run("drift --state-dir records")).code).toBe(0);
    },
    mappings.replace("ana", "ana, eve"),
  ));

it("drift since a saved plan says it, of a family that the plan did not change, too", () =>
  onFolder(async (run, removeMappings, folder) => {
    writeFileSync(
      join(folder, "access/roles.yml"),
      "roles: { reader: { cluster_permissions: ['cluster:monitor/health'] } }\n",
    );
    expect((await run("plan --out plan.json")).code).toBe(0);
    expect((await run("apply plan.json")).code).toBe(0);
    expect((await run("drift --baseline plan.json")).code).toBe(0);
    removeMappings();
    const drifted = await run("drift --baseline plan.json");
    expect(text(drifted)).toContain(`Since the plan plan.json, ${reported}`);
    expect(drifted.code).toBe(2);
  }));

describe.skipIf(!hasGit)("records in git", () => {
  it("decide nothing, by whichever user they were made", () =>
    onFolder(
      async (run, removeMappings, folder) => {
        expect((await run("apply --yes --state-dir records")).code).toBe(0);
        removeMappings();
        git(folder, "init", "-q", "-b", "main");
        git(folder, "add", "-f", "-A");
        git(folder, "commit", "-q", "-m", "x");
        expect(text(await run("plan --state-dir records"))).not.toContain("any more");
      },
      mappings.replace("ana", "ana, eve"),
    ));
});

it("a journal of which the beginning cannot be read ends plan, apply, drift and status alike, with nothing sent", () =>
  onFolder(
    async (run, _, folder) => {
      expect((await run("apply --yes")).code).toBe(0);
      const [journal = ""] = readdirSync(join(folder, ".gate-sync/journal"));
      writeFileSync(join(folder, ".gate-sync/journal", journal), "no JSON\n");
      writeFileSync(join(folder, "access/role_mappings.yml"), mappings);
      for (const line of [
        "plan",
        "drift",
        "status",
        "apply --yes",
        "apply --yes --quiet",
        "apply --yes --format json",
      ]) {
        const { code, stdout, stderr } = await run(line);
        expect([line, code]).toEqual([line, 64]);
        expect(`${stdout}${stderr}`.replaceAll(/\s+/g, " ")).toContain("The first line of the journal");
      }
    },
    mappings.replace("ana", "ana, eve"),
  ));

it("where something is deleted, the plan names the file that was skipped as another program's", async () => {
  await onFolder(async (run, _, folder) => {
    const note = "access/api.yml was skipped as a file of another program.";
    writeFileSync(join(folder, "access/api.yml"), "openapi: 3.0.0\npaths: {/hr: {get: {}}}\n");
    expect(text(await run("plan"))).not.toContain(note);
    writeFileSync(join(folder, "access/role_mappings.yml"), "role_mappings: { reader: { users: [ana] } }\n");
    expect(text(await run("plan"))).toContain(note);
    expect((await run("plan --format markdown")).stdout).toContain(note);
  });
});
