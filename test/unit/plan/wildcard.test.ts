import { describe, expect, test } from "vitest";
import { createAccessModel } from "../../../src/access/model/access-model.ts";
import type { AccessSettings, AccessState } from "../../../src/access/model/state.ts";
import { getSemantics } from "../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Family } from "../../../src/model/names.ts";
import { wildcard } from "../../../src/plan/guards/wildcard.ts";
import { evaluated } from "./evaluated.ts";

type Part = Readonly<Record<string, Fields>>;

interface Parts {
  readonly roles?: Part;
  readonly role_mappings?: Part;
  readonly action_groups?: Part;
  readonly tenants?: Part;
  readonly blocks?: Part;
  readonly settings?: AccessSettings;
}

const families = ["roles", "role_mappings", "action_groups", "tenants", "blocks"] as const;

function stateOf({ roles, role_mappings, action_groups, tenants, blocks, settings = {} }: Parts): AccessState {
  const held = (part: Part = {}) => new Map(Object.entries(part));
  return {
    semantics: getSemantics(createDialect("opensearch", "2.19")),
    roles: held(roles),
    mappings: held(role_mappings),
    groups: held(action_groups),
    tenants: held(tenants),
    blocks: held(blocks),
    settings,
  };
}

function changesBetween(before: Parts, after: Parts): readonly Change[] {
  return families.flatMap((family: Family & keyof Parts) => {
    const [was, is] = [before[family] ?? {}, after[family] ?? {}];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name): readonly Change[] => {
      const [from, to] = [was[name], is[name]];
      if (from === to) return [];
      const action = from === undefined ? "create" : to === undefined ? "delete" : "update";
      return [
        {
          family,
          name,
          action,
          reason: "declared",
          edits: [],
          ...(from && { before: from }),
          ...(to && { after: to }),
        },
      ];
    });
  });
}

function findings(before: Parts, after: Parts) {
  const access = { before: createAccessModel(stateOf(before)), after: createAccessModel(stateOf(after)) };
  return wildcard.evaluate(evaluated(changesBetween(before, after), { access }));
}

function addresses(before: Parts, after: Parts): readonly string[] {
  return findings(before, after).flatMap((finding) => finding.addresses);
}

const everybody: Part = { r: { users: ["*"] } };
const on = (pattern: string, ...actions: readonly string[]): Fields => ({
  index_permissions: [{ index_patterns: [pattern], allowed_actions: actions }],
});
const reads: Part = { r: on("logs-*", "indices:data/read/*") };
const all: Part = { r: on("*", "*") };
const limited = (field: Fields): Part => ({
  r: { index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: ["*"], ...field }] },
});

test.for<[about: string, before: Parts, after: Parts, addresses: readonly string[]]>([
  [
    "a role for a mapping that is there",
    { role_mappings: everybody },
    { role_mappings: everybody, roles: all },
    ["roles/r"],
  ],
  ["a mapping for a role that is there", { roles: all }, { roles: all, role_mappings: everybody }, ["role_mappings/r"]],
  ["both", {}, { roles: all, role_mappings: everybody }, ["roles/r", "role_mappings/r"]],
  ["a mapping of a role that is nowhere", {}, { role_mappings: everybody }, []],
  [
    "a group that its role uses, by another group",
    { role_mappings: everybody, roles: { r: on("*", "G") }, action_groups: { G: { allowed_actions: ["H"] } } },
    {
      role_mappings: everybody,
      roles: { r: on("*", "G") },
      action_groups: { G: { allowed_actions: ["H"] }, H: { allowed_actions: ["indices:data/read/*"] } },
    },
    ["action_groups/H"],
  ],
  [
    "DLS that goes",
    { role_mappings: everybody, roles: limited({ dls: '{"term":{"a":1}}' }) },
    { role_mappings: everybody, roles: limited({}) },
    ["roles/r"],
  ],
  [
    "FLS that goes",
    { role_mappings: everybody, roles: limited({ fls: ["~salary"] }) },
    { role_mappings: everybody, roles: limited({}) },
    ["roles/r"],
  ],
  [
    "a mask that goes",
    { role_mappings: everybody, roles: limited({ masked_fields: ["email"] }) },
    { role_mappings: everybody, roles: limited({}) },
    ["roles/r"],
  ],
  [
    "DLS that comes",
    { role_mappings: everybody, roles: limited({}) },
    { role_mappings: everybody, roles: limited({ dls: '{"term":{"a":1}}' }) },
    [],
  ],
  [
    "a role that restricts what another one grants is deleted",
    {
      role_mappings: { ...everybody, s: { hosts: ["*"] } },
      roles: { ...reads, s: { index_permissions: [{ index_patterns: ["logs-*"], fls: ["a"] }] } },
    },
    { role_mappings: { ...everybody, s: { hosts: ["*"] } }, roles: reads },
    ["roles/s"],
  ],
  [
    "a tenant that comes to be",
    {
      role_mappings: everybody,
      roles: {
        r: { tenant_permissions: [{ tenant_patterns: ["t*"], allowed_actions: ["kibana:saved_objects/*/write"] }] },
      },
    },
    {
      role_mappings: everybody,
      roles: {
        r: { tenant_permissions: [{ tenant_patterns: ["t*"], allowed_actions: ["kibana:saved_objects/*/write"] }] },
      },
      tenants: { t1: {} },
    },
    ["tenants/t1"],
  ],
  [
    "a block of everybody that goes",
    { role_mappings: everybody, roles: all, blocks: { b: { type: "name", verdict: "allow", value: ["ana"] } } },
    { role_mappings: everybody, roles: all },
    ["blocks/b"],
  ],
  [
    "a mapping where only the named are let in",
    { roles: all, blocks: { b: { type: "name", verdict: "allow", value: ["ana"] } } },
    { role_mappings: everybody, roles: all, blocks: { b: { type: "name", verdict: "allow", value: ["ana"] } } },
    ["role_mappings/r"],
  ],
  [
    "a mapping where only those are let in whom another one names",
    {
      role_mappings: { s: { users: ["ana"] } },
      roles: all,
      blocks: { b: { type: "name", verdict: "allow", value: ["ana"] } },
    },
    {
      role_mappings: { ...everybody, s: { users: ["ana"] } },
      roles: all,
      blocks: { b: { type: "name", verdict: "allow", value: ["ana"] } },
    },
    [],
  ],
  [
    "a mapping where those from one network are let in",
    { roles: all, blocks: { b: { type: "net_mask", verdict: "allow", value: ["10.0.0.0/8"] } } },
    {
      role_mappings: everybody,
      roles: all,
      blocks: { b: { type: "net_mask", verdict: "allow", value: ["10.0.0.0/8"] } },
    },
    ["role_mappings/r"],
  ],
  ["a team", { roles: all }, { roles: all, role_mappings: { r: { users: ["team-*"], hosts: ["10.*"] } } }, []],
  [
    "another way to write the same",
    { roles: all, role_mappings: everybody },
    { roles: all, role_mappings: { r: { users: ["/[^q]*/", "*q*"] } } },
    [],
  ],
  [
    "names of one character, by a pattern that an empty name would meet, too",
    { roles: all, role_mappings: { r: { users: ["??*"] } } },
    { roles: all, role_mappings: { r: { users: ["/[^q]*/"] } } },
    ["role_mappings/r"],
  ],
  [
    "users with a backend role whose own names no pattern meets",
    { roles: all, role_mappings: { r: { users: ["/[^q]*/"], hosts: ["*.*"] } } },
    { roles: all, role_mappings: { r: { users: ["/[^q]*/"], backend_roles: ["/[^q]*/"] } } },
    ["role_mappings/r"],
  ],
  [
    "all of several backend roles, one of which is named",
    { roles: all },
    { roles: all, role_mappings: { r: { and_backend_roles: ["*", "hr"] } } },
    [],
  ],
  [
    "all of several",
    { roles: all },
    { roles: all, role_mappings: { r: { and_backend_roles: ["*a", "b*"] } } },
    ["role_mappings/r"],
  ],
  [
    "one of two that would do, and another that does nothing",
    { roles: { s: on("x", "*") } },
    { roles: { ...reads, s: on("x", "*") }, role_mappings: { ...everybody, s: { users: ["ana"] } } },
    ["roles/r", "role_mappings/r"],
  ],
])("%s", ([, before, after, expected]) => expect(addresses(before, after)).toEqual(expected));

describe("every way to write everybody is refused", () => {
  test.for([
    ["*"],
    ["**"],
    ["*?"],
    ["?*"],
    ["??*"],
    ["*??*"],
    ["/.*/"],
    ["/.+/"],
    ["/.*?/"],
    ["/^.*$/"],
    ["/(.*)/"],
    ["/(?:.*)/"],
    ["/.{0,}/"],
    ["/.{1,}/"],
    ["/.*+/"],
    ["/(?s).*/"],
    ["/(?i).*/"],
    ["/[\\s\\S]*/"],
    ["/[\\d\\D]+/"],
    ["/\\S+/"],
    ["/\\p{ASCII}*/"],
    ["/(.|x)*/"],
    ["/(a|.)+/"],
    ["/[^\\n]*/"],
    ["/[^ ]*/"],
    ["/(?=.).*/"],
    ["/(?!x^).*/"],
    ["/.*|x/"],
    ["/x|.*/"],
    ["/[a-z].*|[^a-z].*/"],
    ["/\\Q\\E.*/"],
    ["/[\\x00-\\x7f]*/"],
    ["/[^q]*/", "*q*"],
    ["a*", "/[^a].*/"],
    ["/[a-m].*/", "/[n-z].*/"],
  ])("users %j", (users) => {
    expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { users } } })).toEqual(["role_mappings/r"]);
    expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { backend_roles: users } } })).toEqual([
      "role_mappings/r",
    ]);
    expect(addresses({ role_mappings: { r: { users } } }, { role_mappings: { r: { users } }, roles: all })).toEqual([
      "roles/r",
    ]);
  });
  test.for([
    ["*"],
    ["*.*"],
    ["?*"],
    ["/.*/"],
    ["/[0-9.:a-f]+/"],
    Array.from({ length: 10 }, (_, digit) => `${digit}*`),
    ["*:*"],
  ])("hosts %j", (hosts) => {
    expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { hosts } } })).toEqual(["role_mappings/r"]);
  });
});

const alphabet = [..."abcdefghijklmnopqrstuvwxyz"];

describe("what all names of a kind have names nobody", () => {
  test.for([
    ["ou=*"],
    ["CN=*,ou=*,dc=*"],
    ["*,dc=*"],
    ["*n=*"],
    ["*,DC=org"],
    ["CN=*,C=DE"],
    ["arn:aws:iam::*:role/*"],
    ["arn:aws-cn:sts::*"],
    ["arn:*"],
    ["cn=*,dc=example,dc=com"],
    ["CN=*,CN=Users,DC=corp,DC=example,DC=com"],
    ["uid=*, ou=people, dc=example, dc=org"],
    ["/(?i)cn=[^,]+,ou=groups,dc=example,dc=org/"],
    ["uid = *"],
    ["cn=a*"],
    ["/uid=.+,.*/"],
    ["*@*.com"],
    ["*.local"],
    alphabet.flatMap((first) => alphabet.map((second) => `${first}${second}*`)),
    alphabet.flatMap((first) =>
      ["a", "e", "h", "i", "l", "o", "u", "r", "y", "m", "b"].map((second) => `*${first}${second}*`),
    ),
  ])("%j", (users) => {
    for (const field of ["users", "backend_roles"])
      expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { [field]: users } } })).toEqual([
        "role_mappings/r",
      ]);
  });
  test.for([
    ["ou=sales,*"],
    ["*,ou=it,dc=example,dc=org"],
    ["*,ou=payroll,dc=org"],
    ["arn:aws:iam::123456789012:role/*"],
    ["arn:aws:iam::*:role/reader"],
    ["*:role/hr-*"],
    ["*,ou=payroll,ou=groups,dc=example,dc=org"],
    ["cn=hr-*,ou=groups,dc=example,dc=org"],
    ["*,dc=hr,dc=example,dc=org"],
    ["*.example.com"],
    ["*@corp.example"],
    ["1.*"],
    alphabet.map((first) => `it${first}*`),
    alphabet.map((first) => `${first}-adm-*`),
  ])("%j is a team", (users) => {
    expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { users } } })).toEqual([]);
  });
  test("addresses that begin with any number", () => {
    const hosts = Array.from({ length: 256 }, (_, first) => `${first}.*`);
    expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { hosts } } })).toEqual(["role_mappings/r"]);
    const few = hosts.slice(10, 12);
    expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { hosts: few } } })).toEqual([]);
  });
});

describe("a field of a mapping that gate-sync does not know", () => {
  const mapped: Part = { r: { ips: ["0.0.0.0/0"] } };
  test("may admit anybody", () => {
    const [finding, ...others] = findings({ roles: reads }, { roles: reads, role_mappings: mapped });
    expect(others).toEqual([]);
    expect(finding?.addresses).toEqual(["role_mappings/r"]);
    expect(finding?.what).toContain("unknown, perhaps indices:data/read/* on logs-*");
    expect(finding?.why).toContain("fields that gate-sync does not know");
    expect(addresses({ roles: reads, role_mappings: mapped }, { roles: all, role_mappings: mapped })).toEqual([
      "roles/r",
    ]);
    const other: Part = { r: { ips: ["10.0.0.0/8"] } };
    expect(addresses({ roles: all, role_mappings: mapped }, { roles: all, role_mappings: other })).toEqual([
      "role_mappings/r",
    ]);
  });
  test("says nothing where nothing changes, or it is not set", () => {
    const more: Parts = { roles: { ...reads, s: all.r as Fields }, role_mappings: mapped };
    expect(addresses({ roles: reads, role_mappings: mapped }, more)).toEqual([]);
    expect(addresses({ roles: reads }, { roles: reads, role_mappings: { r: { ips: [] } } })).toEqual([]);
    const settings = { reducesRequests: true };
    expect(
      addresses({ roles: reads, role_mappings: mapped }, { roles: reads, role_mappings: mapped, settings }),
    ).toEqual([]);
  });
});

test.for([
  "team-*",
  "*-ops",
  "/team-.*/",
  "/(dev|ops)-\\w+/",
  "/(?i)team-.*/",
  "/[Tt]eam.{3}/",
  "*@example.org",
  "/CN=.*,OU=ops/",
  "/svc_\\d{1,3}/",
])("%s is a team", (user) =>
  expect(addresses({ roles: all }, { roles: all, role_mappings: { r: { users: [user] } } })).toEqual([]),
);

describe("who is not logged in", () => {
  const named: Part = { r: { backend_roles: ["opendistro_security_anonymous_backendrole"] } };
  const plan = (anonymous: boolean | undefined) => {
    const settings = anonymous === undefined ? {} : { anonymous };
    return addresses({ roles: all, settings }, { roles: all, settings, role_mappings: named });
  };
  test("gains where anonymous login is on", () => expect(plan(true)).toEqual(["role_mappings/r"]));
  test("may gain where that is unknown", () => expect(plan(undefined)).toEqual(["role_mappings/r"]));
  test("gains nothing where it is off", () => expect(plan(false)).toEqual([]));
});

test("what is gained is said", () => {
  const [finding] = findings({ roles: reads }, { roles: reads, role_mappings: everybody });
  expect(finding?.what).toBe("Everybody would gain access: indices:data/read/* on logs-*.");
  expect(finding?.why).toContain('user "*"');
});

test("the index of the example's own name is not mentioned", () => {
  const own: Parts = { roles: { own: on("${user_name}", "*") }, role_mappings: { own: { users: ["*"] } } };
  const [finding] = findings(own, {
    roles: { ...own.roles, ...all },
    role_mappings: { ...own.role_mappings, ...everybody },
  });
  expect(finding?.what).toBe("Everybody would gain access: indices:* on every index.");
});

test("where mappings cannot be read, it is unknown", () => {
  const [finding] = wildcard.evaluate(
    evaluated(changesBetween({}, { roles: all }), { access: { unread: ["role_mappings"] } }),
  );
  expect(finding?.addresses).toEqual(["roles/r"]);
  expect(finding?.what).toContain("Unknown");
});

describe("node certificates", () => {
  test.for<[about: string, before: readonly string[] | undefined, after: readonly string[], refused: boolean]>([
    ["any name", undefined, ["*"], true],
    ["any name in a part that has a type", undefined, ["CN=node-1.example.com", "CN=*"], true],
    ["any name in parts of any type", undefined, ["UID=*, DC=*"], true],
    ["any name by a regular expression", undefined, ["/(CN|OU)=.*/"], true],
    ["an expression that is not read", undefined, ["/CN=(?<x>.*)\\k<x>.*/"], true],
    ["one that is added", ["CN=a.example.com"], ["CN=a.example.com", "*"], true],
    ["one that was there", ["*"], ["*", "CN=*"], false],
    ["one that goes", ["*"], ["CN=a.example.com"], false],
    ["the names of a domain", undefined, ["CN=*.example.com"], false],
    ["those of an organisation", undefined, ["CN=*,O=Example"], false],
    ["a name", undefined, ["CN=node"], false],
  ])("%s: %j to %j", ([, before, after, refused]) => {
    const change: Change = {
      family: "nodes_dn",
      name: "other",
      action: before === undefined ? "create" : "update",
      reason: "declared",
      edits: [],
      ...(before && { before: { nodes_dn: before } }),
      after: { nodes_dn: after },
    };
    const found = wildcard.evaluate(evaluated([change]));
    expect(found.flatMap(({ addresses }) => addresses)).toEqual(refused ? ["nodes_dn/other"] : []);
  });
});
