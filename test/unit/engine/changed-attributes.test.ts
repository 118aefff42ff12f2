// A changed attribute of an internal user decides what roles with variables grant: that is never said to be no change.
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

test("a query that is a secret may use it", async () => {
  const query = new Secret("live", '{"match_all":{}}');
  const secret = { index_permissions: [{ index_patterns: ["docs"], dls: query, ...read }] };
  expect(await unknownsOf(withAttributes({ site: "3" }), secret)).toEqual([`${what} a document query.`]);
  expect(await unknownsOf(withAttributes({}, { backend_roles: ["hr", "it"] }), secret)).toEqual([]);
});

test("a role that the user loses by the same plan is lost as a whole", async () => {
  expect(await unknownsOf(withAttributes({ dept: "it" }, { backend_roles: [] }))).toEqual([]);
});
