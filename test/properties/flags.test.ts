// Whatever is marked as the server's own in files, and whatever is so on the server: a plan that is not refused ends with
// all of it done, and the next one has nothing to do. What a server hides it never shows: that such a name is taken,
// no plan can know.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { apply, connectToRead, connectToWrite, plan, RunError, startEmulator } from "../../src/index.ts";
import type { JsonObject } from "../../src/json/value.ts";
import { waivableRules } from "../../src/plan/guards/rules.ts";
import { everyNth } from "../support/extent.ts";

const folder = mkdtempSync(join(tmpdir(), "gate-sync-flags-"));
afterAll(() => rmSync(folder, { recursive: true }));

const shown = [{}, { reserved: true }, { static: true }, undefined] as const;
const flags = [...shown, { hidden: true }] as const;
type Flags = (typeof flags)[number];

interface Entries {
  readonly group: Flags;
  readonly role: Flags;
  readonly mapping: Flags;
}

function stateFrom({ group, role, mapping }: Entries, action: string): JsonObject {
  const monitor = "cluster:monitor/main";
  return {
    action_groups: { ...(group && { g: { ...group, type: "cluster", allowed_actions: [monitor, action] } }) },
    roles: { ...(role && { r: { ...role, cluster_permissions: group ? ["g"] : [monitor] } }) },
    role_mappings: { ...(mapping && { r: { ...mapping, users: [action === monitor ? "ana" : "bo"] } }) },
  };
}

function* statesOf(one: keyof Entries, other: keyof Entries): Generator<readonly [wanted: Entries, live: Entries]> {
  const entries = (a: Flags, b: Flags): Entries => ({ ...none, [one]: a, [other]: b });
  for (const a of flags)
    for (const b of flags) for (const c of shown) for (const d of shown) yield [entries(a, b), entries(c, d)];
}

const none: Entries = { group: undefined, role: undefined, mapping: undefined };

test.each([
  ["opensearch", "2.19.1"],
  ["search-guard", "7.x-38"],
] as const)("on %s %s", async (product, release) => {
  const emulator = await startEmulator({ product, release });
  const counts = { refused: 0, applied: 0, idle: 0 };
  const broken: string[] = [];
  try {
    const target = `{url: "${emulator.url}", product: ${product}, release: "${release}"}`;
    writeFileSync(join(folder, "gate-sync.yaml"), `targets: {t: ${target}}\n`);
    const request = { cwd: folder, env: {}, flags: { statePaths: ["state.json"] }, allowed: waivableRules };
    const planned = () => plan(request, { connect: connectToRead }).catch(refusalOf);
    const states = [...statesOf("role", "mapping"), ...statesOf("group", "role")];
    for (const [wanted, live] of everyNth(7, states)) {
      const add = (text: string) => broken.push(`${JSON.stringify({ wanted, live })}: ${text}`);
      emulator.replaceState(stateFrom(live, "cluster:monitor/health"));
      writeFileSync(join(folder, "state.json"), JSON.stringify(stateFrom(wanted, "cluster:monitor/main")));
      const first = await planned();
      if (first instanceof RunError) {
        counts.refused += 1;
        continue;
      }
      counts[first.plan.operations.length > 0 ? "applied" : "idle"] += 1;
      const { outcomes } = await apply(first, connectToWrite, { settled: () => {}, stopped: () => false });
      const failed = outcomes.filter(({ kind }) => kind !== "done");
      if (failed.length > 0) add(JSON.stringify(failed).slice(0, 300));
      const again = await planned();
      if (again instanceof RunError) add(`refused once it is applied: ${again.message}`);
      else if (again.plan.operations.length > 0) add("the next plan has something to do");
    }
  } finally {
    await emulator.close();
  }
  expect(broken).toEqual([]);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(3);
});

/** Files that cannot be applied as they are; anything else is a fault of the program. */
function refusalOf(error: unknown): RunError {
  if (error instanceof RunError && error.kind === "invalid") return error;
  throw error;
}
