import { describe, expect, it, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { findEdits } from "../../../src/json/patch.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { ApplyingIdentity, Identity, PlanningLogin } from "../../../src/model/identity.ts";
import type { LiveResource } from "../../../src/model/live.ts";
import type { Family, ResourceFamily } from "../../../src/model/names.ts";
import type { Violation } from "../../../src/model/plan.ts";
import type { Waiver } from "../../../src/model/waiver.ts";
import type { GuardFinding } from "../../../src/plan/guards/guard.ts";
import { planChanges } from "../../../src/plan/plan.ts";

type Held = Readonly<Record<string, Fields>>;
type Sides = Partial<Readonly<Record<ResourceFamily, readonly [before: Held, after: Held]>>>;

const ci: Identity = { user: "ci", backendRoles: ["platform"], address: "10.0.0.1" };
const admin = ["all_access"];
const byCi = known(ci);

function known(identity: Identity, adminRoles: readonly string[] = admin): ApplyingIdentity {
  return { kind: "known", identities: [identity], adminRoles };
}

/** One request each where `apart`, else one for each family. */
function planned(
  sides: Sides,
  applyingIdentity: ApplyingIdentity | undefined,
  {
    apart = false,
    config = [] as readonly Change[],
    planningLogin = undefined as PlanningLogin | undefined,
    foundByPlan = [] as readonly GuardFinding[],
    waivers = [] as readonly Waiver[],
    dialect = createDialect("search-guard", "7"),
  } = {},
) {
  const families = Object.entries(sides) as [ResourceFamily, readonly [Held, Held]][];
  const changes = families.flatMap(([family, [before, after]]) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) =>
      changeOf(family, name, before[name], after[name]),
    ),
  );
  const resources = families.map(([family, [before]]) => {
    const held = Object.entries(before).map(([name, value]) => [name, { family, name, value, ownership: "open" }]);
    return [family, new Map<string, LiveResource>(held as [])] as const;
  });
  const withoutPatch = new Map<ResourceFamily, string>(apart ? [["role_mappings", "it says so"]] : []);
  return planChanges({
    changes: [...changes, ...config],
    live: { resources: new Map(resources), paths: new Map(), config: { document: {} } },
    policies: {},
    protect: [],
    applyingIdentity,
    planningLogin,
    foundByPlan,
    waiving: { allowed: ["deletions", "wildcard", "changes", "login"], waivers, today: "2026-01-01" },
    wire: { dialect, withoutPatch, paths: new Map() },
  });
}

function changeOf(family: Family, name: string, before: Fields | undefined, after: Fields | undefined): Change {
  const edits = findEdits(before ?? {}, after ?? {});
  const action = !before ? "create" : !after ? "delete" : edits.length > 0 ? "update" : "leave";
  return { family, name, action, reason: "declared", edits, ...(before && { before }), ...(after && { after }) };
}

function lockedOut(...[sides, applyingIdentity, more]: Parameters<typeof planned>): readonly string[] {
  const { violations } = planned(sides, applyingIdentity, more);
  expect(violations.map(({ rule }) => rule).filter((rule) => rule !== "lock-out")).toEqual([]);
  return violations.flatMap(({ addresses }) => addresses);
}

const all = "role_mappings/all_access";
const byRole: Fields = { backend_roles: ["platform"] };

describe("through mappings", () => {
  test.for<[why: string, before: Held, after: Held, addresses: readonly string[]]>([
    ["another user comes", { all_access: byRole }, { all_access: { ...byRole, users: ["bob"] } }, []],
    ["the last way goes", { all_access: byRole }, { all_access: { backend_roles: ["ops"] } }, [all]],
    ["the mapping goes", { all_access: byRole }, {}, [all]],
    ["by another way", { all_access: byRole }, { all_access: { users: ["c?"] } }, []],
    [
      "by all of several, and one more",
      { all_access: { and_backend_roles: ["platform"] } },
      { all_access: { and_backend_roles: ["platform", "oncall"] } },
      [all],
    ],
    ["by an address", { all_access: { hosts: ["10.*"] } }, { all_access: { hosts: ["10.1.*"] } }, [all]],
    ["another role that it holds", { all_access: byRole, logs: byRole }, { all_access: byRole }, []],
    [
      "an expression that cannot be evaluated here",
      { all_access: { users: ["/\\bCI/"] } },
      { all_access: { users: ["/\\bci/"] } },
      [],
    ],
  ])("%s", ([, before, after, addresses]) => {
    expect(lockedOut({ role_mappings: [before, after] }, byCi)).toEqual(addresses);
  });

  it("a role of the internal user itself is not lost with a mapping, of whatever else it holds", () => {
    const own = known({ ...ci, ownRoles: ["all_access"] });
    expect(lockedOut({ role_mappings: [{ all_access: byRole }, {}] }, own)).toEqual([]);
    const other = known({ ...ci, ownRoles: ["all_access"] }, ["all_access", "rest_api"]);
    expect(lockedOut({ role_mappings: [{ rest_api: byRole }, {}] }, other)).toEqual([]);
    const useless = known({ ...ci, ownRoles: ["logs"] });
    expect(lockedOut({ role_mappings: [{ all_access: byRole }, {}] }, useless)).toEqual([all]);
  });

  it("where internal users are not known, it may be lost, and is refused", () => {
    const unread = known({ ...ci, mayHaveMore: "the server answers 403 to GET /x" });
    const [violation] = planned({ role_mappings: [{ all_access: byRole }, {}] }, unread).violations.filter(
      ({ rule }) => rule === "lock-out",
    );
    expect(violation?.what).toContain("ci may no longer hold");
    expect(violation?.why).toContain("Internal users could not be read (the server answers 403 to GET /x)");
  });

  it("of a role that the server says it holds, a grant path that cannot be evaluated may be the one", () => {
    const applyingIdentity = known({ ...ci, roles: ["all_access"] });
    const before = { all_access: { users: ["/\\bCI/", "bob"] } };
    expect(lockedOut({ role_mappings: [before, { all_access: { users: ["/\\bCI/"] } }] }, applyingIdentity)).toEqual(
      [],
    );
    expect(lockedOut({ role_mappings: [before, { all_access: { users: ["/\\bci/"] } }] }, applyingIdentity)).toEqual([
      all,
    ]);
    // No mapping gives it, so no mapping takes it.
    expect(lockedOut({ role_mappings: [{ all_access: { users: ["bob"] } }, {}] }, applyingIdentity)).toEqual([]);
  });

  it("one of several roles that administer is enough", () => {
    const before = { all_access: byRole, rest: byRole };
    const applyingIdentity = known(ci, ["all_access", "rest"]);
    expect(lockedOut({ role_mappings: [before, { rest: byRole }] }, applyingIdentity)).toEqual([]);
    expect(lockedOut({ role_mappings: [before, {}] }, applyingIdentity)).toEqual([all, "role_mappings/rest"]);
  });

  it("of several identities, all keep it", () => {
    const applyingIdentity: ApplyingIdentity = {
      kind: "known",
      identities: [{ user: "root", backendRoles: [] }, ci],
      adminRoles: admin,
    };
    const before = { all_access: { users: ["root"], ...byRole } };
    expect(lockedOut({ role_mappings: [before, { all_access: byRole }] }, applyingIdentity)).toEqual([all]);
    expect(lockedOut({ role_mappings: [before, { all_access: { users: ["root"] } }] }, applyingIdentity)).toEqual([
      all,
    ]);
    expect(lockedOut({ role_mappings: [before, { all_access: { users: ["root", "ci"] } }] }, applyingIdentity)).toEqual(
      [],
    );
  });

  it("where which roles administer is unknown, it keeps all of them", () => {
    const before = { a: byRole, b: { users: ["ci"] }, c: { users: ["bob"] } };
    expect(lockedOut({ role_mappings: [before, { a: byRole }] }, known(ci, []))).toEqual(["role_mappings/b"]);
    expect(lockedOut({ role_mappings: [before, { a: byRole }] }, byCi)).toEqual(["role_mappings/b"]);
  });

  it("in between, too", () => {
    const sides: Sides = {
      role_mappings: [
        { all_access: byRole, rest: { users: ["bob"] } },
        { all_access: { users: ["bob"] }, rest: byRole },
      ],
    };
    const applyingIdentity = known(ci, ["all_access", "rest"]);
    expect(lockedOut(sides, applyingIdentity)).toEqual([]);
    expect(lockedOut(sides, applyingIdentity, { apart: true })).toEqual([all]);
    const [violation] = planned(sides, applyingIdentity, { apart: true }).violations;
    expect(violation?.what).toBe(
      "After request 1 of 2 (PUT /_searchguard/api/rolesmapping/all_access), ci would no longer hold a role that administers: all_access.",
    );
  });
});

describe("through blocks", () => {
  const block = (verdict: string, value: string, type = "name"): Fields => ({ type, verdict, value: [value] });
  test.for<[before: Held, after: Held, addresses: readonly string[]]>([
    [{}, { b: block("disallow", "c*") }, ["blocks/b"]],
    [{}, { b: block("disallow", "bob") }, []],
    [{}, { b: block("allow", "bob") }, ["blocks/b"]],
    [{ a: block("allow", "ci"), b: block("allow", "bob") }, { b: block("allow", "bob") }, ["blocks/a"]],
    [{}, { b: block("disallow", "10.0.0.0/8", "net_mask") }, ["blocks/b"]],
    [{}, { b: block("disallow", "/\\bCI/") }, ["blocks/b"]],
  ])("%j -> %j", ([before, after, addresses]) => {
    expect(lockedOut({ blocks: [before, after] }, byCi)).toEqual(addresses);
  });

  it("by address, of an applying identity of unknown address: unknown", () => {
    const { address: _, ...nowhere } = ci;
    const sides: Sides = { blocks: [{}, { b: block("disallow", "10.0.0.0/8", "net_mask") }] };
    expect(lockedOut(sides, known(nowhere))).toEqual([]);
    expect(remarks(planned(sides, known(nowhere)))).toEqual([
      'Whether the plan locks user "ci" out is unknown until apply: blocks go by IP addresses, and the address it applies from is known only then.',
    ]);
    expect(remarks(planned(sides, byCi))).toEqual([]);
  });
});

function remarks({ notes }: { readonly notes: readonly string[] }): readonly string[] {
  return notes.filter((note) => /^Lock-out|^Whether the plan /.test(note));
}

describe("through the config", () => {
  const domain = (type: string): Fields => ({ http_enabled: true, http_authenticator: { type } });
  const before = { dynamic: { authc: { basic: domain("basic") } } };
  const config = (dynamic: Fields) => ({ config: [changeOf("config", "config", before, { dynamic })] });

  it("where no one logs in any more", () =>
    expect(lockedOut({}, byCi, config({ ...before.dynamic, disable_rest_auth: true }))).toEqual(["config"]));
  it.each([
    ["the domain that took us", { authc: { basic: { ...domain("basic"), order: 3 } } }, ["dynamic.authc.basic"]],
    ["where backend roles come from", { ...before.dynamic, authz: { ldap: {} } }, ["dynamic.authz"]],
    ["one that is new", { authc: { ...before.dynamic.authc, jwt: domain("jwt") } }, []],
  ])("%s", (_, dynamic, unsure) => {
    const explained = remarks(planned({}, byCi, config(dynamic)));
    expect(explained).toEqual(unsure.map((path) => expect.stringContaining(`${path} decides`)));
  });
});

describe("who applies", () => {
  const gone: Sides = { role_mappings: [{ all_access: byRole }, {}] };
  it("an administrator's certificate may do everything", () => {
    expect(lockedOut(gone, { kind: "admin-certificate" })).toEqual([]);
    expect(remarks(planned(gone, { kind: "admin-certificate" }))).toEqual([]);
  });
  it.each<[ApplyingIdentity, string]>([
    [{ kind: "checked-at-apply" }, "checked at apply"],
    [{ kind: "not-known" }, "this server does not say who we are"],
    [
      known({ user: "zed", backendRoles: [] }),
      'Whether the plan locks user "zed" out is unknown: no role mapping gives it a role now.',
    ],
  ])("%j: said, and not refused", (applyingIdentity, words) => {
    expect(lockedOut(gone, applyingIdentity)).toEqual([]);
    expect(remarks(planned(gone, applyingIdentity))).toEqual([expect.stringContaining(words)]);
  });

  it("a waiver that could not be evaluated is not called unused", () => {
    const waivers = [
      {
        rule: "lock-out",
        addresses: [all],
        reason: "r",
        origin: { file: { path: "c.yaml", text: "" }, start: 0, end: 0 },
      },
    ];
    const codes = (applyingIdentity: ApplyingIdentity) => {
      const input = { changes: [], live: { resources: new Map(), paths: new Map() }, policies: {}, protect: [] };
      const wire = { dialect: createDialect("search-guard", "7"), withoutPatch: new Map(), paths: new Map() };
      const waiving = { allowed: [], waivers, today: "2026-01-01" };
      return planChanges({ ...input, applyingIdentity, waiving, wire }).diagnostics.map(({ code }) => code);
    };
    expect(codes({ kind: "checked-at-apply" })).toEqual([]);
    expect(codes(byCi)).toEqual(["unused-waiver"]);
  });
});

describe("the login that made the plan", () => {
  const reader: Identity = { user: "ci-plan", backendRoles: [], roles: ["ci_plan"], address: "10.0.0.2" };
  const planningLogin: PlanningLogin = { kind: "known", identity: reader, adminRoles: admin };
  const mapped: Held = { ci_plan: { users: ["ci-plan"] } };
  const refused = (sides: Sides, config: readonly Change[] = [], applyingIdentity: ApplyingIdentity = byCi) =>
    planned(sides, applyingIdentity, { planningLogin, config }).violations;

  it.each<[string, Sides, readonly Change[], string]>([
    ["its mapping goes", { role_mappings: [mapped, {}] }, [], "role_mappings/ci_plan"],
    [
      "it is blocked",
      { blocks: [{}, { b: { type: "name", verdict: "disallow", value: ["ci-plan"] } }] },
      [],
      "blocks/b",
    ],
    ["its user goes", { internal_users: [{ "ci-plan": {} }, {}] }, [], "internal_users/ci-plan"],
  ])("%s: refused, whatever identity applies", (_, sides, config, address) => {
    for (const applying of [byCi, { kind: "checked-at-apply" } as const, { kind: "admin-certificate" } as const]) {
      const found = refused(sides, config, applying).filter(({ rule }) => rule === "lock-out");
      expect(found.map(({ addresses }) => addresses)).toEqual([[address]]);
    }
    const [violation] = refused(sides, config, { kind: "admin-certificate" }).filter(({ rule }) => rule === "lock-out");
    expect(`${violation?.what} ${violation?.why}`).toMatch(/ci-plan, which made this plan,.* next plan and drift/);
  });

  it("an allowlist closes the API to it: refused, though who applies has an administrator's certificate", () => {
    const sides: Sides = {
      allowlist: [{ config: { enabled: false } }, { config: { enabled: true, requests: {} } }],
    };
    const dialect = createDialect("opensearch", "2.19");
    const found = planned(sides, { kind: "admin-certificate" }, { planningLogin, dialect }).violations;
    expect(found.map(({ rule, what }) => [rule, what])).toEqual([
      ["lock-out", expect.stringContaining("ci-plan, which made this plan, among them.")],
    ]);
  });

  it("of several roles that no one names, one that goes may be the one", () => {
    const both: Held = { ...mapped, other: { users: ["ci-plan"] } };
    const [violation] = refused({ role_mappings: [both, { ...mapped }] });
    expect(violation?.what).toBe(
      "Once this is applied, ci-plan, which made this plan, may no longer hold the role other.",
    );
    expect(violation?.why).toContain("Unknown: which of its roles the administration API lets in.");
  });

  it("is unknown: a note", () => {
    const gone: Sides = { role_mappings: [{ ...mapped, all_access: byRole }, { all_access: byRole }] };
    const noteOf = (one: PlanningLogin) => remarks(planned(gone, byCi, { planningLogin: one }));
    expect(noteOf({ kind: "not-known" })).toEqual([
      "Whether the plan takes the administration API from the login that made it is unknown: this server does not say who that is.",
    ]);
    expect(noteOf({ ...planningLogin, identity: { user: "zed", backendRoles: [] } })).toEqual([
      'Whether the plan locks user "zed" out is unknown: it has no role now but those of every user.',
    ]);
  });

  it("is that of a saved plan: what was found and waived there counts here once, and refuses where it is waived no more", () => {
    const gone: Sides = { role_mappings: [mapped, {}] };
    const [{ remedies: _, ...found }] = refused(gone) as [Violation];
    const again = planned(gone, byCi, { foundByPlan: [found] }).violations;
    expect(again.map(({ what }) => what)).toEqual([found.what]);
    expect(planned(gone, byCi, { planningLogin, foundByPlan: [found] }).violations).toHaveLength(1);
  });

  it("a waiver of what is still to be made may be for another login", () => {
    const origin = { file: { path: "c.yaml", text: "" }, start: 0, end: 0 };
    const waivers = [{ rule: "lock-out", addresses: ["role_mappings/ci_plan"], reason: "r", origin }];
    const codes = (...[sides, applying]: Parameters<typeof planned>) =>
      planned(sides, applying, { waivers }).diagnostics.map(({ code }) => code);
    expect(codes({ role_mappings: [mapped, {}] }, byCi)).toEqual([]);
    expect(codes({ role_mappings: [mapped, mapped] }, byCi)).toEqual(["unused-waiver"]);
  });
});
