// What GitHub Actions shows of an apply: annotations below the text, a summary of the step, outputs for later steps.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Harness, onHarness } from "./harness.ts";

const two = "tenants: { t: { description: d } }\nroles: { r: { cluster_permissions: ['cluster:monitor/main'] } }\n";

async function applyIn({ run, folder }: Harness, words: string) {
  const env = { GITHUB_OUTPUT: join(folder, "outputs"), GITHUB_STEP_SUMMARY: join(folder, "summary.md") };
  for (const path of Object.values(env)) rmSync(path, { force: true });
  const { code, stdout } = await run(`apply ${words} --format github`, env);
  return {
    code,
    commands: stdout.split("\n").filter((line) => line.startsWith("::")),
    outputs: Object.fromEntries(
      readFileSync(env.GITHUB_OUTPUT, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => line.split("=")),
    ),
    summary: readFileSync(env.GITHUB_STEP_SUMMARY, "utf8"),
  };
}

test("of one that is done nothing is annotated", () =>
  onHarness({ files: { "access/a.yml": two } }, async (harness) => {
    const { code, commands, outputs, summary } = await applyIn(harness, "access/ --yes --url URL");
    expect([code, commands, outputs.result, outputs.changes]).toEqual([0, [], "done", "2"]);
    expect(outputs.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(summary).toContain("**2 created.**");
    const again = await applyIn(harness, "access/ --yes --url URL");
    expect([again.code, again.outputs.result, again.outputs.changes]).toEqual([0, "done", "0"]);
    expect(again.summary).toContain("**Nothing to do.**");
  }));

test("a reviewed plan that is stale is an error, and so is a refusal, at the line that causes it", () =>
  onHarness({ files: { "access/a.yml": two } }, async (harness) => {
    const { run, folder } = harness;
    await run("apply access/ --yes --url URL");
    writeFileSync(join(folder, "access/a.yml"), two.replace("main", "health"));
    expect((await run("plan access/ --url URL --out plan.json --allow changes")).code).toBe(0);
    await run("apply access/ --yes --url URL --allow changes");
    writeFileSync(join(folder, "other.yml"), two.replace("main", "stats"));
    expect((await run("apply other.yml --yes --url URL --allow changes")).code).toBe(0);
    const stale = await applyIn(harness, "plan.json --url URL");
    expect([stale.code, stale.outputs]).toEqual([5, { result: "stale" }]);
    expect(stale.commands).toEqual([
      expect.stringMatching(/^::error title=gate-sync::.*a later run of apply wrote to roles\/r/),
    ]);
    expect(stale.summary).toContain("a later run of apply");

    writeFileSync(join(folder, "access/a.yml"), "tenants: { t: { description: d } }\nroles: {}\n");
    const refused = await applyIn(harness, "access/ --yes --url URL");
    expect([refused.code, refused.outputs.result]).toEqual([4, "refused"]);
    expect(refused.commands).toContainEqual(expect.stringMatching(/^::error .*title=deletions::/));
    expect(refused.summary).toContain("deletions");
  }));

test("one that stopped half way is an error, with what is done and what to do", () =>
  onHarness({ files: { "access/a.yml": two } }, async (harness) => {
    let count = 0;
    harness.emulator.fault = ({ method }) =>
      method === "GET" || ++count === 1
        ? undefined
        : { at: "before", answer: { status: 400, body: '{"status":"BAD_REQUEST"}' } };
    const { code, commands, outputs, summary } = await applyIn(harness, "access/ --yes --url URL");
    expect([code, outputs.result, outputs.changes]).toEqual([6, "partial", "1"]);
    expect(commands).toEqual([
      expect.stringMatching(/^::error title=gate-sync::apply of .*: Stopped\. Done: 1 of 2 changes\. .*%0A.*then run/),
    ]);
    expect(summary).toContain("**Stopped. Done: 1 of 2 changes. Failed: 1.**");
  }));

test("it takes no file", () =>
  onHarness({ files: { "access/a.yml": two } }, async ({ run, writes }) => {
    for (const format of ["json=report.json", "github=x"]) {
      const { code, stderr } = await run(`apply access/ --yes --url URL --format ${format}`);
      expect([code, stderr.replaceAll(/\s+/g, " ")]).toEqual([64, expect.stringContaining("takes no file")]);
    }
    expect(writes()).toEqual([]);
  }));
