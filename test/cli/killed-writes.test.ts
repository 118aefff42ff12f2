// Killed at any step of writing a file of its own, gate-sync leaves what was there before, or what was to be there.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { decodeArtifact } from "../../src/artifacts/artifact.ts";
import { gateSyncWithin, type Place } from "../support/command.ts";
import { everyNth } from "../support/extent.ts";
import { type Harness, onHarness } from "./harness.ts";

const preload = { NODE_OPTIONS: `--import=${fileURLToPath(new URL("../support/kill-at.mjs", import.meta.url))}` };
const files = { "access/a.yml": "tenants: { support: { description: First line } }\n" };
const later =
  "tenants: { support: { description: Second line }, more: {} }\nroles: { r: { cluster_permissions: [c] } }\n";

/** Without a process of its own. */
function within({ folder, url }: Harness, line: string, env: Place["env"] = {}) {
  return gateSyncWithin(
    line.split(" ").map((word) => (word === "URL" ? url : word)),
    { cwd: folder, env },
  );
}

/** A first run of the line with the first files, and what the line does then with later ones. */
async function onSecond(line: string, work: (harness: Harness) => Promise<void>): Promise<void> {
  await onHarness({ files, spawned: true }, async (harness) => {
    expect((await within(harness, line)).code).toBe(0);
    writeFileSync(join(harness.folder, "access/a.yml"), later);
    await work(harness);
  });
}

async function countSteps(line: string): Promise<number> {
  let steps = 0;
  await onSecond(line, async ({ folder, run }) => {
    const counted = await run(line, { ...preload, KILL_STEPS: join(folder, "steps") });
    expect(counted).toMatchObject({ code: 0 });
    steps = Number(readFileSync(join(folder, "steps"), "utf8"));
  });
  return steps;
}

const save = "plan --url URL access --out plan.json --quiet";
const apply = "apply --yes --url URL access";
const [saveSteps, applySteps] = [await countSteps(save), await countSteps(apply)];
const steps = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

test("each line writes in several steps", () => {
  expect(saveSteps).toBeGreaterThan(4);
  expect(applySteps).toBeGreaterThan(20);
});

describe.concurrent("killed at step", () => {
  test.for(everyNth(4, steps(saveSteps)))(
    "%i of saving a plan: the plan of before is there, or the new one",
    (at, { expect }) =>
      onSecond(save, async (harness) => {
        const place = join(harness.folder, "plan.json");
        const before = readFileSync(place, "utf8");
        expect((await harness.run(save, { ...preload, KILL_AT: String(at) })).code).toBeUndefined();
        const text = readFileSync(place, "utf8");
        if (text !== before) expect(decodeArtifact("plan-file", "plan.json", text).body.changes).toHaveLength(3);
        expect((await within(harness, save)).code).toBe(0);
        expect(decodeArtifact("plan-file", "plan.json", readFileSync(place, "utf8")).body.changes).toHaveLength(3);
      }),
  );

  test.for(everyNth(15, steps(applySteps)))(
    "%i of an apply: every record can be read, and all is reverted",
    (at, { expect }) =>
      onSecond(apply, async (harness) => {
        const { folder, emulator } = harness;
        expect((await harness.run(apply, { ...preload, KILL_AT: String(at) })).code).toBeUndefined();
        expect([0, 2]).toContain((await within(harness, "status --url URL")).code);
        // The backup of the first run, which made the tenant, or of the one that was killed.
        const backups = readdirSync(join(folder, ".gate-sync/backups")).filter((name) => !name.startsWith("."));
        expect(backups.length).toBeLessThanOrEqual(2);
        for (const name of backups.sort().toReversed()) {
          const reverted = await within(harness, `rollback ${name} --yes --url URL --allow deletions`);
          expect(reverted).toMatchObject({ code: 0 });
        }
        const { tenants, roles } = emulator.state();
        expect([...tenants.keys(), ...roles.keys()]).toEqual([]);
      }),
  );
});
