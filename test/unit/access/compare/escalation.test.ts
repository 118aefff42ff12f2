import { expect, test } from "vitest";
import { type Administering, findEscalations } from "../../../../src/access/compare/escalation.ts";
import { createAccessModel } from "../../../../src/access/model/access-model.ts";
import type { AccessState } from "../../../../src/access/model/state.ts";
import { getSemantics } from "../../../../src/dialects/find-semantics.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import type { Fields } from "../../../../src/json/value.ts";

type Part = Readonly<Record<string, Fields>>;

interface Parts {
  readonly roles?: Part;
  readonly mappings?: Part;
  readonly groups?: Part;
  readonly blocks?: Part;
}

function stateOf({ roles = {}, mappings = {}, groups = {}, blocks = {} }: Parts): AccessState {
  const held = (part: Part) => new Map(Object.entries(part));
  return {
    semantics: getSemantics(createDialect("opensearch", "2")),
    roles: held(roles),
    mappings: held(mappings),
    groups: held(groups),
    tenants: new Map(),
    blocks: held(blocks),
    settings: {},
  };
}

const onlyAna = { b: { type: "name", value: ["ana"], verdict: "allow" } };

const administering: Administering = { roles: ["admin", "root"], byPermission: true };

/** `yes admin api: users ana, backend_roles ops`. */
function accessDiff(before: Parts, after: Parts, by: Administering = administering): readonly string[] {
  return findEscalations(createAccessModel(stateOf(before)), createAccessModel(stateOf(after)), by).map(
    ({ role, power, verdict, members }) =>
      `${verdict} ${role} ${power}: ${members.map(({ field, entries }) => `${field} ${entries.join("+")}`).join(", ")}`,
  );
}

const index = (pattern: string, ...actions: readonly string[]): Fields => ({
  index_permissions: [{ index_patterns: [pattern], allowed_actions: actions }],
});

const anaIsAdmin = { admin: { users: ["ana"] } };
const opsOnly = { ops: { backend_roles: ["ops"] } };

test.each<[about: string, before: Parts, after: Parts, gained: readonly string[]]>([
  ["a first mapping of an admin role", {}, { mappings: anaIsAdmin }, ["yes admin api: users ana"]],
  ["nothing changed", { mappings: anaIsAdmin }, { mappings: anaIsAdmin }, []],
  [
    "one more entry",
    { mappings: anaIsAdmin },
    { mappings: { admin: { users: ["ana", "bo"], and_backend_roles: ["x", "y"] } } },
    ["yes admin api: users bo, and_backend_roles x+y"],
  ],
  ["one entry less", { mappings: { admin: { users: ["ana", "bo"] } } }, { mappings: anaIsAdmin }, []],
  ["another admin role for an administrator", { mappings: anaIsAdmin }, { mappings: { root: { users: ["ana"] } } }, []],
  ["a narrower pattern", { mappings: { admin: { users: ["a*"] } } }, { mappings: { admin: { users: ["an*"] } } }, []],
  [
    "a wider pattern",
    { mappings: { admin: { users: ["an*"] } } },
    { mappings: { admin: { users: ["a*"] } } },
    ["yes admin api: users a*"],
  ],
  ["another role", {}, { mappings: opsOnly, roles: { ops: { cluster_permissions: ["*"] } } }, []],
  [
    "a permission for the API",
    { mappings: opsOnly, roles: { ops: { cluster_permissions: [] } } },
    { mappings: opsOnly, roles: { ops: { cluster_permissions: ["restapi:admin/roles"] } } },
    ["yes ops rest-permission: backend_roles ops"],
  ],
  [
    "such a permission by a group that changes",
    { mappings: opsOnly, roles: { ops: { cluster_permissions: ["g"] } }, groups: { g: { allowed_actions: [] } } },
    {
      mappings: opsOnly,
      roles: { ops: { cluster_permissions: ["g"] } },
      groups: { g: { allowed_actions: ["restapi:admin/*"] } },
    },
    ["yes ops rest-permission: backend_roles ops"],
  ],
  [
    "unlimited actions on the security index",
    { mappings: opsOnly },
    { mappings: opsOnly, roles: { ops: index(".opendistro_*", "indices:*") } },
    ["yes ops security-index: backend_roles ops"],
  ],
  [
    "writing to it, by a group of a group",
    {
      mappings: opsOnly,
      roles: { ops: index(".opendistro_security", "g") },
      groups: { g: { allowed_actions: ["h"] } },
    },
    {
      mappings: opsOnly,
      roles: { ops: index(".opendistro_security", "g") },
      groups: { g: { allowed_actions: ["h"] }, h: { allowed_actions: ["indices:data/write/*"] } },
    },
    ["yes ops security-index: backend_roles ops"],
  ],
  [
    "what is unknown and stays as it is",
    { mappings: opsOnly, roles: { ops: index("/(?=(.)).*\\1security/", "*") } },
    { mappings: opsOnly, roles: { ops: { ...index("/(?=(.)).*\\1security/", "*"), description: "d" } } },
    [],
  ],
  ["reading it", { mappings: opsOnly }, { mappings: opsOnly, roles: { ops: index(".open*", "read") } }, []],
  [
    "unlimited actions on all indices",
    { mappings: opsOnly },
    { mappings: opsOnly, roles: { ops: index("*", "*") } },
    [],
  ],
  ["a role without members", {}, { roles: { ops: index(".opendistro_*", "*") } }, []],
  [
    "a block that goes",
    { mappings: anaIsAdmin, blocks: { b: { type: "name", value: ["ana"], verdict: "disallow" } } },
    { mappings: anaIsAdmin },
    ["yes admin api: users ana"],
  ],
  [
    "a block of a user who may have the backend role that administers",
    {
      mappings: { admin: { backend_roles: ["ops"] } },
      blocks: { b: { type: "name", value: ["ana"], verdict: "disallow" } },
    },
    { mappings: { admin: { backend_roles: ["ops"] } } },
    ["unknown admin api: users ana"],
  ],
  [
    "a block of users of whom some administer",
    { mappings: { admin: { users: ["??*"] } }, blocks: { b: { type: "name", value: ["a*"], verdict: "disallow" } } },
    { mappings: { admin: { users: ["??*"] } } },
    ["unknown admin api: users ??*, users a*"],
  ],
  [
    "a mapping of a pattern of which blocks let in one user",
    { blocks: onlyAna },
    { mappings: { admin: { users: ["a*"] } }, blocks: onlyAna },
    ["yes admin api: users ana"],
  ],
  [
    "a mapping of a pattern of which blocks shut out one user",
    { blocks: { b: { type: "name", value: ["ana"], verdict: "disallow" } } },
    { mappings: { admin: { users: ["a*"] } }, blocks: { b: { type: "name", value: ["ana"], verdict: "disallow" } } },
    ["yes admin api: users a*"],
  ],
  [
    "a mapping of a backend role where blocks let in some by name",
    { blocks: onlyAna },
    {
      mappings: { admin: { backend_roles: ["ops"] } },
      blocks: onlyAna,
    },
    ["unknown admin api: backend_roles ops"],
  ],
  [
    "a block of a user whom nothing lets administer",
    { mappings: anaIsAdmin, blocks: { b: { type: "name", value: ["bo"], verdict: "disallow" } } },
    { mappings: anaIsAdmin },
    [],
  ],
  [
    "a user who stays blocked",
    { blocks: { b: { type: "name", value: ["ana"], verdict: "disallow" } } },
    { mappings: anaIsAdmin, blocks: { b: { type: "name", value: ["ana"], verdict: "disallow" } } },
    [],
  ],
])("by %s", (_, before, after, gained) => {
  expect(accessDiff(before, after)).toEqual(gained);
});

test("a regular expression that cannot be compared may gain", () => {
  const before = { mappings: { admin: { users: ["/a\\b.*/"] } } };
  expect(accessDiff(before, { mappings: { admin: { users: ["/b\\b.*/"] } } })).toEqual([
    "unknown admin api: users /b\\b.*/",
  ]);
});

test("permissions for the API count where the product has them", () => {
  const roles = { ops: { cluster_permissions: ["restapi:admin/*"] } };
  expect(accessDiff({}, { mappings: opsOnly, roles }, { roles: [], byPermission: false })).toEqual([]);
});

test.each(["close", "aliases", "settings/update", "mapping/*"])("what takes the security index away: %s", (action) => {
  const roles = { ops: index(".opendistro_security", `indices:admin/${action}`) };
  expect(accessDiff({ mappings: opsOnly }, { mappings: opsOnly, roles })).toHaveLength(1);
});

/** A real OpenSearch 2.19.1 answers 403 to requests to its API of who has no more than these. */
test.each(["cluster:admin/opendistro_security/*", "cluster:admin/*", "*"])(
  "not by the cluster permission %s",
  (one) => {
    expect(
      accessDiff({ mappings: opsOnly }, { mappings: opsOnly, roles: { ops: { cluster_permissions: [one] } } }),
    ).toEqual([]);
  },
);

test.each([
  "/(?s)\\.opendistro_security/",
  "/\\.opendistro(_security)?/",
  "/.opendistro[_-]sec.*/",
  ".?*",
  "/(?!\\.kibana).*security/",
  // As a real OpenSearch 2.19.1 reads it: this index, which it shows to who has that.
  "<.opendistro_security>",
  "<.opendistro_${user.name}>",
  "/\\.opendistro_${user.name}/",
])("writing to the security index, as %s", (pattern) => {
  expect(accessDiff({ mappings: opsOnly }, { mappings: opsOnly, roles: { ops: index(pattern, "*") } })).toEqual([
    expect.stringMatching(/^(yes|unknown) ops security-index: backend_roles ops$/),
  ]);
});

test.each([
  "/(logs|hr)-.*/",
  "${user.name}",
  "${user_name}*",
  "logs-${user.name}",
  "?*",
  "/.+/",
  "/[^.].*/",
  "/(?<!x)(logs|hr)/",
  "<*>",
  "<.opendistro_security-{now/d}>",
  "<${user.name}>",
  "/${user.name}.*/",
  "/${user.name}-.*/",
])("not by another index, nor by all of them: %s", (pattern) => {
  expect(accessDiff({ mappings: opsOnly }, { mappings: opsOnly, roles: { ops: index(pattern, "*") } })).toEqual([]);
});
