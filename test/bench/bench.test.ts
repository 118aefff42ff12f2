// The bench's own parts agree with its subject; no time is looked at.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startEmulator } from "../../src/emulator/index.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import { gateSyncWithin } from "../support/command.ts";
import type { Fixture } from "../support/evaluated.ts";
import { evaluate } from "../support/evaluator.ts";
import { floorFamilies } from "./compare.ts";
import { writeFiles } from "./files.ts";
import { type BenchFixture, benchFixture, liveOf } from "./fixture.ts";
import { verdicts } from "./goals.ts";
import { median } from "./measure.ts";

const floor = fileURLToPath(new URL("floor.mjs", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "gate-sync-bench-test-"));
const access = benchFixture({ seed: 3, size: 100, families: "access" });
const all = benchFixture({ seed: 3, size: 40, families: "all" });

afterAll(() => rmSync(work, { recursive: true }));

/** What plan and floor say of the fixture's files against a server that differs so. */
async function reported(fixture: BenchFixture, folder: string, changes: number | "empty") {
  const emulator = await startEmulator({
    product: "gate",
    state: Object.fromEntries(liveOf(fixture, changes)),
  });
  try {
    const families = floorFamilies([...fixture.resources.keys()]);
    const [counted, planned] = await Promise.all([
      promisify(execFile)(process.execPath, [floor, folder, emulator.url, ...families]),
      gateSyncWithin(["plan", "--url", emulator.url, folder, "--format", "json", "--allow", "order"], { cwd: work }),
    ]);
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    const { summary, changes: found, diagnostics } = JSON.parse(planned.stdout);
    expect(diagnostics).toEqual([]);
    const byFamily: Record<string, number> = {};
    for (const { family, action } of found as { family: string; action: string }[]) {
      if (action !== "leave") byFamily[family] = (byFamily[family] ?? 0) + 1;
    }
    return {
      floor: Number(counted.stdout),
      plan: summary.create + summary.update + summary.delete,
      families: byFamily,
      requests: summary.requests,
    };
  } finally {
    await emulator.close();
  }
}

const declared = (fixture: BenchFixture) => [...fixture.resources].map(([family, { size }]) => [family, size] as const);

test("plan and floor find the very changes that were asked for", async () => {
  const folder = join(work, "access");
  expect(writeFiles(access, folder).files).toBeGreaterThan(2);
  const [none, some] = await Promise.all([0, 31].map((changes) => reported(access, folder, changes)));
  expect(none).toEqual({ floor: 0, plan: 0, families: {}, requests: 0 });
  // The roles go in two parts: with all of them in one request, before or behind the mappings, users would be locked out.
  expect(some).toEqual({ floor: 31, plan: 31, families: { roles: 16, role_mappings: 15 }, requests: 3 });
});

test.each([
  // Role retired_2 goes, and the mapping that gives its right another way comes.
  ["roles", { user: "ana.garcia0", backendRoles: ["cn=audit_writer_91,ou=groups,dc=example,dc=com"] }, "orders_a"],
  // The mapping of retired_2 goes, and the role that grants the same comes.
  ["mappings", { user: "hana.adler0", backendRoles: ["cn=retired_2,ou=groups,dc=example,dc=com"] }, "auditlog-2026"],
] as const)("two requests with all %s first lock out a user whom both states let in", (first, person, index) => {
  const held = (state: ReadonlyMap<ResourceFamily, ReadonlyMap<string, object>>) => ({
    roles: Object.fromEntries(state.get("roles") ?? []),
    mappings: Object.fromEntries(state.get("role_mappings") ?? []),
  });
  const [before, after] = [held(liveOf(access, 31)), held(access.resources)];
  const groups = [...(access.resources.get("action_groups") ?? [])].map(
    ([name, group]) => [name, group.allowed_actions as string[]] as const,
  );
  const mayAsk = (state: Pick<Fixture, "roles" | "mappings">) =>
    evaluate(
      { product: "search-guard-7", groups: Object.fromEntries(groups), ...state },
      person,
      [mapping],
      [{ name: index }],
    ) !== false;
  const between = first === "roles" ? { ...before, roles: after.roles } : { ...before, mappings: after.mappings };
  expect([before, between, after].map(mayAsk)).toEqual([true, false, true]);
});

const mapping = "indices:admin/mappings/get";

test("there is nothing to say of the files: descriptions are no part of what is measured", async () => {
  const folder = join(work, "valid");
  writeFiles(benchFixture({ seed: 5, size: 300, families: "all" }), folder);
  const { stdout } = await gateSyncWithin(["validate", folder, "--format", "json"], { cwd: work });
  expect(JSON.parse(stdout)).toMatchObject({ errors: 0, warnings: 0, diagnostics: [] });
});

test("all families: in sync, and all to be made on an empty server", async () => {
  const folder = join(work, "all");
  writeFiles(all, folder);
  const [none, first] = await Promise.all([reported(all, folder, 0), reported(all, folder, "empty")]);
  expect(none).toMatchObject({ floor: 0, plan: 0 });
  expect(first).toEqual({ floor: 200, plan: 200, families: Object.fromEntries(declared(all)), requests: 5 });
});

test("a fixture has the shares that it claims", () => {
  const fixture = benchFixture({ seed: 1, size: 2000, families: "access" });
  const values = (family: "roles" | "action_groups") => [...(fixture.resources.get(family)?.values() ?? [])];
  const permissions = values("roles").flatMap((role) => role.index_permissions as { fls: []; dls?: string }[]);
  const share = (has: (permission: (typeof permissions)[number]) => boolean) =>
    permissions.filter(has).length / permissions.length;
  expect(share(({ dls }) => dls !== undefined)).toBeCloseTo(0.1, 1);
  expect(share(({ fls }) => fls.length > 0)).toBeCloseTo(0.1, 1);
  const groups = fixture.resources.get("action_groups");
  const nested = values("action_groups").filter((group) =>
    (group.allowed_actions as string[]).some((action) => groups?.has(action)),
  );
  expect(nested.length).toBeGreaterThan(values("action_groups").length / 4);
});

test("a goal is evaluated where its case ran, and met at its very limit", () => {
  const footprint = { packages: 14, bytes: 8.1e6, scripts: 0 };
  const evaluated = verdicts({ cases: new Map(), footprint });
  expect(evaluated.map(({ matched }) => matched)).toEqual([true, false, true]);
});

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 2, 9], 3],
])("the median of %j is %d", (numbers, middle) => expect(median(numbers)).toBe(middle));
