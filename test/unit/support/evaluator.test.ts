// The naive evaluator, held to real servers: every recorded request that is a matter of rights to named indices, tenants
// or the cluster. GATE_SYNC_RECORDINGS names the folder of the recordings.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Access, Fixture, Index } from "../../support/evaluated.ts";
import { evaluate, rolesOf } from "../../support/evaluator.ts";
import { tenantsOf } from "../../support/evaluator-tenants.ts";
import { type Compared, isReduced, leaves, type Opinion, recordings, replay } from "../../support/recorded-replay.ts";

const folder = process.env.GATE_SYNC_RECORDINGS ?? "";

const open = { mappings: { all: { users: ["*"] } }, groups: {}, roles: {} };

/** Blocks were in no recorded server; these are the documented ones, and the tests of Search Guard itself. */
test.each<[string, Fixture["blocks"], host: string, isIn: boolean]>([
  ["nothing", [], "10.0.0.1", true],
  ["the user", [{ type: "name", value: ["wo*"], verdict: "disallow" }], "10.0.0.1", false],
  ["another user alone let in", [{ type: "name", value: ["data"], verdict: "allow" }], "10.0.0.1", false],
  ["the network", [{ type: "net_mask", value: ["10.0.0.0/24"], verdict: "disallow" }], "10.0.0.1", false],
  ["another network", [{ type: "net_mask", value: ["10.0.1.0/24"], verdict: "disallow" }], "10.0.0.1", true],
  ["the address", [{ type: "ip", value: ["10.0.0.1"], verdict: "disallow" }], "10.0.0.1", false],
  [
    "the name let in, the address not",
    [
      { type: "name", value: ["worf"], verdict: "allow" },
      { type: "ip", value: ["10.0.0.2"], verdict: "allow" },
    ],
    "10.0.0.1",
    false,
  ],
])("blocked: %s", (_, blocks = [], host, isIn) => {
  const fixture: Fixture = { ...open, product: "search-guard-7", blocks };
  expect(evaluate(fixture, { user: "worf", backendRoles: [], host }, [])).toEqual(isIn ? [] : false);
});

const naive: Opinion = {
  mayCluster: ({ fixture, person }, actions) => evaluate(fixture, person, actions) !== false,
  granted: (recorded, actions, asked, targets) => {
    const may = (some: readonly Index[]) => evaluate(recorded.fixture, recorded.person, actions, some) !== false;
    if (may(asked === "everything" ? [{ name: "_all" }] : asked)) return targets;
    return isReduced(recorded, actions) ? targets.filter((target) => may([target])) : [];
  },
  sees: ({ fixture, person }, target) => {
    const [access = nothing] = evaluate(fixture, person, [], [target]) || [];
    const isRestricted = access.docs !== "all" || leaves.some((path) => access.field(path) !== "shown");
    return { access, isRestricted };
  },
  roles: ({ fixture, person }) => ({ sure: rolesOf(fixture, person), unsure: new Set() }),
  tenants: ({ fixture, person }) => [...tenantsOf(fixture, person)],
};

const nothing: Access = { docs: [], field: () => "hidden" };

const isThere = recordings.every(({ file }) => existsSync(join(folder, file)));

/** Of 3 692 verdicts 3 482 are compared. */
describe.skipIf(!isThere)("recordings (skipped where GATE_SYNC_RECORDINGS names no folder of them)", () => {
  test.for(recordings)("$file", ({ file, least }) => {
    const { counted, unknown } = replay(join(folder, file), naive);
    expect(unknown).toEqual([]);
    for (const [what, number] of Object.entries(least)) {
      expect(counted.get(what as Compared), what).toBeGreaterThanOrEqual(number);
    }
  });
});
