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
import { type Change, changes, emptyServer, inSync } from "./changes.ts";
import { floorFamilies } from "./compare.ts";
import { writeFiles } from "./files.ts";
import { benchFixture, liveOf, type Resources } from "./fixture.ts";
import { clean, encodeForSix, type FixtureKind, fixtureKinds, formatOf, makeContent } from "./fixture-kinds.ts";
import { verdicts } from "./goals.ts";
import { median } from "./measure.ts";

const floor = fileURLToPath(new URL("floor.cjs", import.meta.url));
const parser = fileURLToPath(new URL("../../node_modules/js-yaml/dist/js-yaml.cjs.js", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "gate-sync-bench-test-"));
const fixture = benchFixture({ seed: 3, size: 100 });

afterAll(() => rmSync(work, { recursive: true }));

/** What plan and floor say of a kind's files against a server with that change. */
async function reported(kind: FixtureKind, change: Change, size: number) {
  const folder = mkdtempSync(join(work, "files-"));
  const content = makeContent(kind, 3, size);
  const isSix = kind.source === "search-guard-6";
  const encoded = (resources: Resources) => (isSix ? encodeForSix(resources) : resources);
  const emulator = await startEmulator({
    ...(isSix ? { product: "search-guard", release: "6" } : { product: "gate" }),
    state: Object.fromEntries(encoded(change.live(content))),
  });
  try {
    const { url } = emulator;
    const declared = change.declare?.(content) ?? content.resources;
    if (kind.source === "export") await gateSyncWithin(["export", "--url", url, "--out", folder], { cwd: work });
    else writeFiles(encoded(declared), folder, formatOf(kind));
    const product = isSix ? ["--product", "search-guard", "--release", "6"] : [];
    const allow = ["order", "deletions", "changes", "wildcard", "escalation"].flatMap((guard) => ["--allow", guard]);
    const [counted, planned] = await Promise.all([
      promisify(execFile)(process.execPath, [
        floor,
        parser,
        folder,
        url,
        ...floorFamilies([...declared.keys()], isSix),
      ]),
      gateSyncWithin(["plan", "--url", url, ...product, folder, "--format", "json", ...allow], { cwd: work }),
    ]);
    expect(planned.code, planned.stdout + planned.stderr).toBe(0);
    const { summary, changes: found, diagnostics } = JSON.parse(planned.stdout);
    const byFamily: Record<string, number> = {};
    for (const { family, action } of found as { family: string; action: string }[]) {
      if (action !== "leave") byFamily[family] = (byFamily[family] ?? 0) + 1;
    }
    return {
      floor: JSON.parse(counted.stdout).differences as number,
      plan: summary.create + summary.update + summary.delete,
      families: byFamily,
      requests: summary.requests,
      diagnostics: diagnostics as { code: string }[],
    };
  } finally {
    await emulator.close();
  }
}

test.each(fixtureKinds.map((kind) => [kind.title, kind] as const))("%s: in sync", async (_title, kind) => {
  expect(await reported(kind, inSync, 60)).toMatchObject({ floor: 0, plan: 0, requests: 0 });
});

test("plan and floor find the very changes that were asked for", async () => {
  const few: Change = { name: "31", title: "31 changes", live: (content) => liveOf(content, 31) };
  // The roles go in two parts: with all of them in one request, before or behind the mappings, users would be locked out.
  const found = { floor: 31, plan: 31, families: { roles: 16, role_mappings: 15 }, requests: 3 };
  expect(await reported(clean, few, 100)).toMatchObject(found);
});

test.each([
  ["rename", { roles: 20, role_mappings: 20 }],
  ["group", { action_groups: 1 }],
  ["backend-role", { role_mappings: 100 }],
  ["stars", { roles: 1 }],
])("%s: what differs", async (name, families) => {
  const change = changes.find((each) => each.name === name);
  expect(await reported(clean, change ?? inSync, 100)).toMatchObject({ families });
});

test("a first apply makes all that is declared", async () => {
  const families = Object.fromEntries([...fixture.resources].map(([family, { size }]) => [family, size]));
  expect(await reported(clean, emptyServer, 100)).toMatchObject({ families });
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
  const [before, after] = [held(liveOf(fixture, 31)), held(fixture.resources)];
  const groups = [...(fixture.resources.get("action_groups") ?? [])].map(
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

test("there is nothing to say of clean files: descriptions are no part of what is measured", async () => {
  expect((await reported(clean, inSync, 300)).diagnostics).toEqual([]);
});

test("the world that is full of warnings has nearly five a role", async () => {
  const warnings = fixtureKinds.find(({ name }) => name === "warnings") ?? clean;
  const { diagnostics } = await reported(warnings, inSync, 100);
  const count = (code: string) => diagnostics.filter((diagnostic) => diagnostic.code === code).length;
  // Some roles are helped by another that the same people have.
  expect([count("unknown-action-group"), count("write-without-bulk")]).toEqual([400, 75]);
});

test("a fixture has the shares that it claims", () => {
  const fixture = benchFixture({ seed: 1, size: 2000 });
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
  const figures = { wall: 1, cpu: 1, rss: 1 };
  const ran = { name: "10", title: "10 changes", size: 10_000, product: figures, floor: figures, samples: [] };
  const evaluate = (cpu: number) => verdicts([{ ...ran, ratios: { ...figures, cpu } }]);
  expect([evaluate(2.2), evaluate(2.21)].map((found) => found.map(({ isReached }) => isReached))).toEqual([
    [true],
    [false],
  ]);
});

test.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 2, 9], 3],
])("the median of %j is %d", (numbers, middle) => expect(median(numbers)).toBe(middle));
