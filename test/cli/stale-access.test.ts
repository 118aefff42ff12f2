// Exit 5 says what differs: lines of access before and now, where the changes and their requests are the same.
import { expect, test } from "vitest";
import type { InitialState } from "../../src/emulator/index.ts";
import { onHarness } from "./harness.ts";

const role = (...patterns: readonly string[]) => ({
  index_permissions: [{ index_patterns: patterns, allowed_actions: ["indices:data/read/*"] }],
});

test.each<[what: string, later: InitialState, moved: readonly string[]]>([
  [
    "another member of the mapping",
    { roles: { a: {} }, role_mappings: { a: { users: ["kira", "noor"] } } },
    [
      "before: user kira: gained indices:data/read/* on logs-* (role a)",
      "now: user kira, user noor: gained indices:data/read/* on logs-* (role a)",
    ],
  ],
  [
    "no member",
    { roles: { a: {} }, role_mappings: { a: { users: [] } } },
    ["before: user kira: gained indices:data/read/* on logs-*"],
  ],
  [
    "another role that gives it already",
    { roles: { a: {}, b: role("logs-*") }, role_mappings: { a: { users: ["kira"] }, b: { users: ["kira"] } } },
    ["before: user kira: gained indices:data/read/* on logs-* (role a)"],
  ],
])("%s", (_, later, moved) => {
  const state: InitialState = { roles: { a: {} }, role_mappings: { a: { users: ["kira"] } } };
  const files = { "access/a.yml": JSON.stringify({ roles: { a: role("logs-*") } }) };
  return onHarness({ files, state }, async ({ run, emulator, writes }) => {
    expect((await run("plan --url URL access --out p.json")).code).toBe(0);
    emulator.replaceState(later);
    const { code, stderr, stdout } = await run("apply --url URL p.json --yes");
    const text = (stdout + stderr).replace(/\s+/g, " ");
    expect([code, text]).toEqual([5, expect.stringContaining("it would now change access in another way")]);
    for (const each of moved) expect(text).toContain(each);
    expect(writes()).toEqual([]);
  });
});

test.each<[what: string, later: InitialState, moved: string]>([
  ["a field", { roles: { a: { cluster_permissions: ["x"] } } }, "roles/a (cluster_permissions)"],
  [
    "a reserved entry",
    { roles: { a: { reserved: true } } },
    "roles/a may not or need not be changed any more (index_permissions)",
  ],
])("%s is named with its entry", (_, later, moved) => {
  const files = { "access/a.yml": JSON.stringify({ roles: { a: role("logs-*") } }) };
  return onHarness({ files, state: { roles: { a: {} } } }, async ({ run, emulator }) => {
    expect((await run("plan --url URL access --out p.json")).code).toBe(0);
    emulator.replaceState(later);
    const { code, stderr, stdout } = await run("apply --url URL p.json --yes");
    expect([code, (stdout + stderr).replace(/\s+/g, " ")]).toEqual([5, expect.stringContaining(moved)]);
  });
});

test("of an expected fingerprint only that is known: what the plan of now does is listed", () => {
  const files = { "access/a.yml": JSON.stringify({ roles: { a: role("logs-*"), b: {} } }) };
  return onHarness({ files, state: { roles: { a: {} } } }, async ({ run, emulator, writes }) => {
    const { stdout: plan } = await run("plan --url URL access");
    const [, fingerprint = ""] = /Fingerprint (\w+)/.exec(plan) ?? [];
    emulator.replaceState({ roles: { a: { cluster_permissions: ["x"] } } });
    const { code, stderr } = await run(`apply --url URL access --expect ${fingerprint}`);
    const text = stderr.replace(/\s+/g, " ");
    expect([code, text]).toEqual([5, expect.stringContaining("The plan of now: update roles/a (")]);
    expect(text).toContain("; create roles/b. Nothing was sent.");
    expect(writes()).toEqual([]);
  });
});
