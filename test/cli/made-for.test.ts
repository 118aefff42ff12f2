// A saved plan says for which change it was made, and is applied for no other one: nothing is asked of a server then.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { forge } from "../support/forge.ts";
import { type Harness, oneTenant, onHarness } from "./harness.ts";

const made = "--made-for pull_request=7 --made-for base=release/x=1 --made-for head=f00d";
const login = { PW: "s3cret" };
const env = { ...login, GATE_SYNC_PLAN_KEY: "the key of these tests" };

const users = [{ name: "ci", password: login.PW, rights: "all" }] as const;

function onTargets(work: (harness: Harness) => Promise<void>): Promise<void> {
  return onHarness({ files: oneTenant, users }, async (harness) => {
    const target = `{ url: "${harness.url}", state: [access/], auth: { username: ci, password: "\${env:PW}" } }`;
    writeFileSync(join(harness.folder, "gate-sync.yaml"), `targets: { prod: ${target}, second: ${target} }\n`);
    await work(harness);
  });
}

describe.concurrent.for([
  ["one target", "plan --target prod"],
  ["several targets", "plan --all-targets"],
] as const)("a plan of %s", ([, line]) => {
  test.for<[flags: string, reason: string]>([
    ["--made-for pull_request=8", 'was made for "pull_request=7", and this run is for "pull_request=8".'],
    [made.replace("f00d", "f00"), 'was made for "head=f00d", and this run is for "head=f00".'],
    ["--made-for pull_request=7 --made-for base=main", 'was made for "base=release/x=1"'],
    [`${made} --made-for queue=1`, 'does not say for which queue it was made, and this run is for "queue=1".'],
    ["--made-for constructor=x", "does not say for which constructor it was made"],
  ])("is refused for another change: %s", ([flags, reason], { expect }) =>
    onTargets(async ({ run, emulator }) => {
      expect((await run(`${line} ${made} --out plan.json`, env)).code).toBe(0);
      emulator.clearRequests();
      const { code, stderr } = await run(`apply plan.json ${flags}`, env);
      expect({ code, requests: emulator.requests }).toEqual({ code: 64, requests: [] });
      expect(stderr.replace(/\s+/g, " ")).toContain(reason);
    }),
  );

  test("is applied for its own, whatever of it is asked for; one that says nothing is not", ({ expect }) =>
    onTargets(async ({ run, folder }) => {
      const bodyOf = () => JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")).body;
      expect((await run(`${line} --out plan.json`, env)).code).toBe(0);
      const without = bodyOf();
      expect((await run("apply plan.json --made-for head=f00d", env)).code).toBe(64);
      expect((await run(`${line} ${made} --out plan.json`, env)).code).toBe(0);
      const made_for = { pull_request: "7", base: "release/x=1", head: "f00d" };
      expect(bodyOf()).toEqual({ made_for, ...without });
      expect((await run("apply plan.json --made-for head=f00d --made-for pull_request=7", env)).code).toBe(0);
    }));

  test("says so under its digest and its seal", ({ expect }) =>
    onTargets(async ({ run, folder, writes }) => {
      const path = join(folder, "plan.json");
      const other = (text: string) => text.replace('"pull_request": "7"', '"pull_request": "8"');
      for (const [own, change] of [
        [login, other],
        [env, (text: string) => forge(text, other)],
      ] as const) {
        expect((await run(`${line} ${made} --out plan.json`, own)).code).toBe(0);
        writeFileSync(path, change(readFileSync(path, "utf8")));
        expect((await run("apply plan.json --made-for pull_request=8", own)).code).toBe(64);
      }
      expect(writes()).toEqual([]);
    }));
});

test.concurrent.for<[line: string, reason: string]>([
  ["plan --target prod --made-for pull_request=7", "--made-for is written into a saved plan"],
  ["apply --target prod --yes --made-for pull_request=7", "--made-for is about a saved plan"],
  ["apply --all-targets --yes --made-for pull_request=7", "--made-for is about a saved plan"],
  ["plan --target prod --out plan.json --made-for pull_request=", "VALUE not empty"],
  ["plan --target prod --out plan.json --made-for pull_request", "It takes KEY=VALUE"],
  ["plan --target prod --out plan.json --made-for __proto__=x", "It takes KEY=VALUE"],
  ["plan --target prod --out plan.json --made-for 1=x", "It takes KEY=VALUE"],
  ["apply plan.json --made-for head=a --made-for head=b", "head is given twice"],
])("%s asks no server", ([line, reason], { expect }) =>
  onTargets(async ({ run, emulator }) => {
    const { code, stderr } = await run(line, env);
    expect({ code, requests: emulator.requests }).toEqual({ code: 64, requests: [] });
    expect(stderr.replace(/\s+/g, " ")).toContain(reason);
  }),
);
