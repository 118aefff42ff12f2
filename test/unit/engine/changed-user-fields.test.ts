// Changed fields of an internal user decide what roles with variables grant: that is never said to be no change.
import { expect, test } from "vitest";
import { compareAccess } from "../../../src/access/compare/compare.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { buildAccessStates } from "../../../src/engine/pipeline/access-states.ts";
import { Secret } from "../../../src/json/secret.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { LiveState } from "../../../src/model/live.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { ReadPort } from "../../../src/model/ports.ts";

const read = { allowed_actions: ["indices:data/read*"] };
const team = {
  index_permissions: [
    { index_patterns: ["team-${attr.internal.dept}-*", "own-${attr.internal.floor}"], ...read },
    { index_patterns: ["docs"], dls: '{"term":{"d":"${attr.internal.dept}"}}', ...read },
  ],
  tenant_permissions: [{ tenant_patterns: ["t-${attr.internal.dept}"], allowed_actions: ["kibana_all_read"] }],
};
const eve = { backend_roles: ["hr"], attributes: { dept: "hr", floor: "1", site: "2" } };

/** What is unknown where the user eve becomes another one. */
async function unknownsOf(after: Fields, role: Fields = team): Promise<readonly string[]> {
  const held: Partial<Record<ResourceFamily, Readonly<Record<string, Fields>>>> = {
    roles: { team: role, other: { cluster_permissions: ["cluster:monitor/main"] } },
    role_mappings: { team: { backend_roles: ["hr"] }, other: { users: ["eve"] } },
    action_groups: {},
    tenants: {},
    blocks: {},
  };
  const resources = new Map(
    Object.entries(held).map(([family, entries]) => [
      family,
      new Map(Object.entries(entries).map(([name, value]) => [name, { family, name, value, ownership: "open" }])),
    ]),
  );
  const change: Change = {
    family: "internal_users",
    name: "eve",
    action: "update",
    reason: "declared",
    edits: [{ path: ["attributes"] }],
    before: eve,
    after,
  };
  const deciding = {
    changes: [change],
    live: { resources } as unknown as LiveState,
    dialect: createDialect("opensearch", "2.19"),
  };
  const states = await buildAccessStates(deciding, {} as ReadPort, false);
  if ("unread" in states) throw new Error();
  return compareAccess(states.before, states.after).unknowns;
}

const withAttributes = (changed: Fields, more: Fields = {}) => ({
  ...eve,
  ...more,
  attributes: { ...eve.attributes, ...changed },
});

const what = "what user eve gains and loses by role team: an attribute of the user changes that is used in";

test("each pattern and query that it changes is named, without its values", async () => {
  expect(await unknownsOf(withAttributes({ dept: "it" }))).toEqual([
    `${what} a document query, t-\${attr.internal.dept}, team-\${attr.internal.dept}-*.`,
  ]);
  expect(await unknownsOf({ backend_roles: ["hr"], attributes: { dept: "hr" } })).toEqual([
    `${what} own-\${attr.internal.floor}.`,
  ]);
});

test("one that no role uses is none, nor are other changes of the user", async () => {
  expect(await unknownsOf(withAttributes({ site: "3" }))).toEqual([]);
  expect(await unknownsOf(withAttributes({}, { backend_roles: ["hr", "it"] }))).toEqual([]);
});

const docs = (dls: string | Secret) => ({ index_permissions: [{ index_patterns: ["docs"], dls, ...read }] });

test("a query that is a secret is read for it; one without a value may use it", async () => {
  const using = new Secret("live", '{"term":{"d":"${attr.internal.site}"}}');
  expect(await unknownsOf(withAttributes({ site: "3" }), docs(using))).toEqual([`${what} a document query.`]);
  expect(await unknownsOf(withAttributes({ dept: "it" }), docs(using))).toEqual([]);
  const unset = new Secret("env:QUERY");
  expect(await unknownsOf(withAttributes({ site: "3" }), docs(unset))).toEqual([`${what} a document query.`]);
});

const others = "what user eve gains and loses by role team: backend roles of the user change that are used in";

test("backend roles of the user are named where a query or pattern uses them", async () => {
  const changed = withAttributes({}, { backend_roles: ["hr", "it"] });
  const inQuery = docs('{"terms":{"d":[${user.roles}]}}');
  expect(await unknownsOf(changed, inQuery)).toEqual([`${others} a document query.`]);
  expect(await unknownsOf(withAttributes({ site: "3" }), inQuery)).toEqual([]);
  // The list is in quotes, before and after: no index is called so.
  const pattern = { index_permissions: [{ index_patterns: ["a-${user.roles}"], ...read }] };
  expect(await unknownsOf(changed, pattern)).toEqual([]);
});

test("the roles that the user holds are named where a query uses them", async () => {
  const inQuery = docs('{"terms":{"d":[${user.securityRoles}]}}');
  const changed = withAttributes({}, { opendistro_security_roles: ["other_role"] });
  expect(await unknownsOf(changed, inQuery)).toEqual([
    "what user eve gains and loses by role team: roles of the user change that are used in a document query.",
  ]);
});

test("a role that the user loses by the same plan is lost as a whole", async () => {
  expect(await unknownsOf(withAttributes({ dept: "it" }, { backend_roles: [] }))).toEqual([]);
});
