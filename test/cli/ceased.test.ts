// A family that no file declares any more is no longer managed: plan and drift say so.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gateSyncWithin, type Run } from "../support/command.ts";
import { onGround } from "./ground.ts";

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
) {
  return onGround({ state }, async ({ folder, url }) => {
    mkdirSync(join(folder, "access"));
    writeFileSync(join(folder, "gate-sync.yaml"), `targets: { prod: { url: "${url}", state: [access] } }\n`);
    writeFileSync(
      join(folder, "access/roles.yml"),
      "roles: { reader: { cluster_permissions: ['cluster:monitor/main'] } }\n",
    );
    writeFileSync(join(folder, "access/role_mappings.yml"), mappings);
    const run = (line: string) =>
      gateSyncWithin(line.split(" "), { cwd: folder, env: { PATH: process.env.PATH ?? "" } });
    await work(run, () => rmSync(join(folder, "access/role_mappings.yml")), folder);
  });
}

function text({ stdout }: Run): string {
  return stdout.replaceAll(/\s+/g, " ");
}

const said =
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
      expect(text(planned)).toContain(`Since main, ${said}`);
      const json = JSON.parse((await run("plan --base main --format json")).stdout);
      expect(json.since.no_longer_managed).toEqual(["role_mappings"]);
      const drifted = await run("drift --applied-ref main");
      expect(text(drifted)).toContain(`Since main, ${said}`);
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
    expect(drifted.code).toBe(2);
  }));
