// What the records of a run say of an entry that it took apart and left in the middle.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { InitialState } from "../../src/emulator/index.ts";
import { forge } from "../support/forge.ts";
import { type Harness, onHarness } from "./harness.ts";

const reading = (year: string) => ({
  index_permissions: [{ index_patterns: [`salaries-${year}`], allowed_actions: ["indices:data/read/*"] }],
});
const held = (...users: readonly string[]): InitialState => ({
  roles: { payroll: reading("2025") },
  role_mappings: { payroll: { users } },
});
const declared = { roles: { payroll: reading("2026") }, role_mappings: { payroll: { users: ["stayer", "joiner"] } } };
const blame = "Changed since by others, and reverted all the same: role_mappings/payroll.";

/** After a run whose first request took the leaver out, and whose second was refused. */
function leftIntermediate(work: (harness: Harness) => Promise<void>): Promise<void> {
  const files = { "access/payroll.yml": JSON.stringify(declared) };
  return onHarness({ files, state: held("leaver", "stayer") }, async (harness) => {
    harness.emulator.fault = ({ method, path }) =>
      method !== "GET" && path.includes("/roles/") ? { at: "before", answer: { status: 403, body: "{}" } } : undefined;
    expect(await harness.run("apply --yes --url URL access")).toMatchObject({ code: 6 });
    harness.emulator.fault = () => undefined;
    await work(harness);
  });
}

async function explained({ run }: Harness) {
  const { stdout } = await run("status --url URL --format json");
  const { entries } = JSON.parse(stdout) as { entries: readonly { address: string; outcome: string; found: string }[] };
  const back = await run("rollback --yes --url URL");
  expect(back.code).toBe(0);
  return {
    entries: entries.map(({ address, outcome, found }) => `${address} ${outcome}: ${found}`),
    isBlamed: back.stdout.replace(/\s+/g, " ").includes(blame),
  };
}

/** As of a version that took nothing apart. */
function withoutIntermediate(folder: string): void {
  let found = 0;
  for (const below of ["journal", "backups"]) {
    for (const name of readdirSync(join(folder, ".gate-sync", below))) {
      const place = join(folder, ".gate-sync", below, name, below === "backups" ? "manifest.json" : "");
      const text = readFileSync(place.replace(/\/$/, ""), "utf8");
      const without = (each: string) => each.replace(/,\s*"intermediate":\s*\[[^\]]*\]/g, "");
      if (without(text) === text) continue;
      found++;
      writeFileSync(place.replace(/\/$/, ""), below === "backups" ? forge(text, without) : without(text));
    }
  }
  expect(found).toBe(2);
}

const role = "roles/payroll failed: as-before";

test("as a part of the run left it: status says so, and a rollback blames no one", () =>
  leftIntermediate(async (harness) => {
    expect(await explained(harness)).toEqual({
      entries: ["role_mappings/payroll in-part: in-part", role],
      isBlamed: false,
    });
  }));

test("changed by another writer in the middle: both say so", () =>
  leftIntermediate(async (harness) => {
    harness.emulator.replaceState(held("stayer", "another"));
    expect(await explained(harness)).toEqual({
      entries: ["role_mappings/payroll in-part: otherwise", role],
      isBlamed: true,
    });
  }));

test("records without what is in between are read as ever", () =>
  leftIntermediate(async (harness) => {
    withoutIntermediate(harness.folder);
    expect(await explained(harness)).toEqual({
      entries: ["role_mappings/payroll in-part: otherwise", role],
      isBlamed: true,
    });
  }));
