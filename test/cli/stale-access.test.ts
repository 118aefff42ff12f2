// Exit 5 says what differs: lines of access before and now, where the changes and their requests are the same.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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

const limited = (dls: string) => ({
  index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: ["indices:data/read/*"], dls }],
});

test("limits of documents are named from and to, none as all", () => {
  const state: InitialState = {
    roles: { a: limited('{"term":{"x":1}}') },
    role_mappings: { a: { users: ["kira"] } },
  };
  const files = { "access/a.yml": JSON.stringify({ roles: { a: role("logs-*") } }) };
  return onHarness({ files, state }, async ({ run, emulator }) => {
    expect((await run("plan --url URL access --out p.json")).code).toBe(0);
    emulator.replaceState({ ...state, role_mappings: { a: { users: ["kira", "noor"] } } });
    const { code, stderr, stdout } = await run("apply --url URL p.json --yes");
    expect([code, (stdout + stderr).replace(/\s+/g, " ")]).toEqual([5, expect.stringContaining("to all")]);
  });
});

test("a guard that is new in gate-sync.yaml is named, and the server is not blamed", () => {
  const config = (protect: readonly string[]) =>
    JSON.stringify({ targets: { only: { url: "URL", state: ["access/"], protect } } });
  const files = { "access/a.yml": JSON.stringify({ roles: { a: role("logs-*") } }), "gate-sync.yaml": config([]) };
  return onHarness({ files, state: { roles: { a: {} } } }, async ({ run, folder, url, writes }) => {
    const write = (protect: readonly string[]) =>
      writeFileSync(join(folder, "gate-sync.yaml"), config(protect).replace("URL", url));
    write([]);
    expect((await run("plan --out p.json")).code).toBe(0);
    write(["roles/a"]);
    const { code, stderr, stdout } = await run("apply p.json");
    const text = (stdout + stderr).replace(/\s+/g, " ");
    expect([code, text]).toEqual([
      5,
      expect.stringContaining("The reviewed plan no longer holds: a guard decides otherwise now."),
    ]);
    expect(text).toContain("the guard protected refuses it now (");
    expect(text).not.toContain("the server has changed");
    expect(writes()).toEqual([]);
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
