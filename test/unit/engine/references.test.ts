// What a plan deletes can no longer be referred to, and its reader learns it before, not after.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { InitialState } from "../../../src/emulator/index.ts";
import { connectToRead, plan, startEmulator } from "../../../src/index.ts";

async function check(files: string, state: InitialState, expected: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-references-"));
  const emulator = await startEmulator({ product: "gate", state });
  try {
    writeFileSync(join(folder, "access.yml"), files);
    const request = { cwd: folder, env: {}, flags: { url: emulator.url, statePaths: ["access.yml"] }, allowed: [] };
    const { diagnostics } = await plan(request, { connect: connectToRead });
    expect(diagnostics.map(({ code }) => code)).toEqual(expected);
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true });
  }
}

const live = {
  action_groups: { SEARCH: { allowed_actions: ["indices:data/read/search"] }, KEPT: { allowed_actions: ["a:b"] } },
  roles: { a: { cluster_permissions: ["SEARCH"] }, b: {} },
};

test("a role that keeps using a group which the plan deletes", () =>
  check("action_groups: {KEPT: {allowed_actions: ['a:b']}}\nroles: {a: {cluster_permissions: [SEARCH]}, b: {}}", live, [
    "unused-action-group",
    "unknown-action-group",
  ]));

test("a mapping of a role which the plan deletes", () =>
  check("roles: {b: {}}\nrole_mappings: {a: {users: [ana]}}", live, ["unmapped-role", "unknown-role"]));

test("what the server keeps is known", () => check("role_mappings: {a: {users: [ana]}}", live, []));
