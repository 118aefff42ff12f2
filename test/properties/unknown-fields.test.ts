// A field that gate-sync does not know, on any one entry of random fixtures: what is called certain holds whatever the field
// does. By the naive evaluator, in fixtures in which the entry grants everything, refuses everything, is as it is, or is not there.
import { expect, test } from "vitest";
import { createPermission, evaluatePermission } from "../../src/access/evaluate/permission.ts";
import { evaluateTenantAccess } from "../../src/access/evaluate/tenants.ts";
import { createAccessModel } from "../../src/access/model/access-model.ts";
import type { AccessState } from "../../src/access/model/state.ts";
import { randomFrom } from "../fixtures/index.ts";
import type { Fixture, Person } from "../support/evaluated.ts";
import { stateOf, subjectOfPerson } from "../support/modelled.ts";
import { walk } from "./access/fixtures.ts";
import { levelIn, tenantsSeen } from "./access/seen.ts";
import { seed, seeds } from "./seed.ts";

const walks = seeds(60, 6);
const minutes = 600_000;
const people: readonly Person[] = [
  { user: "u1", backendRoles: [], host: "10.0.0.1" },
  { user: "u2", backendRoles: ["b1"], host: "10.0.0.2" },
  { user: "u3", backendRoles: [], host: "10.0.0.3" },
];
const actions = ["indices:data/read/search", "indices:data/write/index", "cluster:monitor/health"];
const everything = { index_patterns: ["*"], allowed_actions: ["*"] };

/** In most random fixtures few are granted anything. */
function withBase(fixture: Fixture): Fixture {
  const base = {
    cluster_permissions: ["cluster:monitor/*"],
    index_permissions: [{ ...everything, allowed_actions: ["g"] }],
  };
  return {
    ...fixture,
    roles: { ...fixture.roles, base },
    mappings: { ...fixture.mappings, base: { users: ["u2", "u3"] } },
  };
}

/** One entry, and what the fixture may be where it has such a field. */
interface Doubtful {
  readonly part: "roles" | "mappings" | "groups" | "blocks" | "tenants";
  readonly name: string;
  readonly readings: readonly Fixture[];
}

function doubtfulIn(fixture: Fixture): readonly Doubtful[] {
  const { roles, mappings, groups, blocks = [], tenants = [] } = fixture;
  const all = { cluster_permissions: ["*"], index_permissions: [everything], tenant_permissions: allTenants };
  return [
    ...Object.keys(roles).map((name): Doubtful => {
      const readings = [
        { ...fixture, roles: { ...roles, [name]: all } },
        { ...fixture, roles: { ...roles, [name]: {} } },
      ];
      return { part: "roles", name, readings };
    }),
    ...Object.keys(mappings).map((name): Doubtful => {
      const open = { ...fixture, mappings: { ...mappings, [name]: { users: ["*"] } } };
      return { part: "mappings", name, readings: [open] };
    }),
    ...Object.keys(groups).map((name): Doubtful => {
      const readings = [["*"], []].map((texts) => ({ ...fixture, groups: { ...groups, [name]: texts } }));
      return { part: "groups", name, readings };
    }),
    ...blocks.map((_, at): Doubtful => {
      const readings = [{ ...fixture, blocks: blocks.filter((__, other) => other !== at) }];
      return { part: "blocks", name: `b${at}`, readings };
    }),
    ...tenants.map((name): Doubtful => ({ part: "tenants", name, readings: [] })),
  ].map((one) => ({ ...one, readings: [fixture, ...one.readings] }));
}

const allTenants = [{ tenant_patterns: ["*"], allowed_actions: ["kibana:saved_objects/*/write"] }];

function stateWith(fixture: Fixture, { part, name }: Doubtful): AccessState {
  const state = stateOf(fixture);
  const entries = state[part];
  return { ...state, [part]: new Map([...entries, [name, { ...entries.get(name), x_unknown: 1 }]]) };
}

test.each(["opensearch", "search-guard-7"] as const)(
  `leaves nothing certain that it may decide, seed ${seed}: %s`,
  (product) => {
    const counts = { yes: 0, no: 0, unknown: 0, "certain in truth": 0 };
    const fixtures = walks.flatMap((each) => [...walk(randomFrom(`unknown fields ${product} ${each}`), product, 3)]);
    for (const fixture of fixtures.map(withBase)) {
      for (const doubtful of doubtfulIn(fixture)) {
        const model = createAccessModel(stateWith(fixture, doubtful));
        for (const person of people) {
          const subject = subjectOfPerson(person);
          for (const action of actions) {
            const index = action.startsWith("cluster:") ? undefined : "ab";
            const { verdict } = evaluatePermission(model, subject, createPermission(action, index && { name: index }));
            const truth = new Set(
              doubtful.readings.map((reading) => levelIn(reading, person, action, index) !== "denied"),
            );
            counts[verdict]++;
            if (verdict === "unknown") {
              if (truth.size === 1) counts["certain in truth"]++;
            } else if (truth.size > 1 || !truth.has(verdict === "yes"))
              expect({ fixture, doubtful, person, action, verdict, truth: [...truth] }).toBe("right");
          }
          for (const tenant of fixture.tenants ?? []) {
            const { reads } = evaluateTenantAccess(model, subject, tenant);
            const truth = new Set(doubtful.readings.map((reading) => tenantsSeen(reading, person).has(tenant)));
            const isOpen = doubtful.part === "tenants" && doubtful.name === tenant;
            const isRight = reads === "unknown" || (!isOpen && truth.size === 1 && truth.has(reads === "yes"));
            if (!isRight) expect({ fixture, doubtful, person, tenant, reads, truth: [...truth] }).toBe("right");
          }
        }
      }
    }
    console.log(`Unknown fields, ${product}: ${JSON.stringify(counts)}`);
    expect(Math.min(counts.yes, counts.no, counts.unknown)).toBeGreaterThan(0);
  },
  minutes,
);
