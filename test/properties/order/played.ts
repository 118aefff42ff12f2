// A way from one fixture to another as it is planned and sent, and every fixture that it leads through.
import { isDeepStrictEqual } from "node:util";
import type { AccessModel } from "../../../src/access/model/access-model.ts";
import { getHeldEntries } from "../../../src/access/model/state.ts";
import { diff } from "../../../src/diff/diff.ts";
import { findAccessStates, touchesAccess } from "../../../src/engine/pipeline/access-states.ts";
import { type Change, isPending } from "../../../src/model/change.ts";
import type { DesiredFamily, DesiredState } from "../../../src/model/desired.ts";
import type { LiveState } from "../../../src/model/live.ts";
import { resourceFamilies } from "../../../src/model/names.ts";
import { type PlannedWrites, planChanges } from "../../../src/plan/plan.ts";
import { createWireContext } from "../../../src/plan/wire.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { breachesBetween } from "./batches.ts";
import { fixtureOf } from "./resources.ts";
import { fixtureIn, type Server } from "./server.ts";

export interface Played {
  readonly before: Fixture;
  readonly after: Fixture;
  readonly changes: readonly Change[];
  readonly planned: PlannedWrites;
  /** What went wrong on the way, but for breaches; empty where nothing did. */
  readonly wrong: readonly string[];
  /** Breaches after each request but the last. */
  readonly breaches: readonly string[];
}

/** Undefined where the server would refuse the fixture itself: a mapping is to be written, and its role is nowhere. */
export async function play(
  server: Server,
  from: Fixture,
  to: Fixture,
  bodyLimit?: number,
): Promise<Played | undefined> {
  const [after, wanted] = await canonical(server, to);
  const [before, live] = await canonical(server, from);
  const changes = diff(desiredOf(wanted), live, {});
  if (server.dialect.checksRoles && changes.some((change) => isUnwritable(change, after))) return undefined;
  const planned = await plannedFor(server, changes, live, bodyLimit);
  const evaluated = planned.modelsAfter?.() ?? [];
  const breachesOf = breachesBetween(before, after);
  const wrong: string[] = [];
  const breaches: string[] = [];
  let now = before;
  // Not `before`: lists keep the order in which they were read.
  server.hold(from);
  for (const [at, operation] of planned.operations.entries()) {
    const { status, reported } = server.send(operation);
    if (status >= 300) wrong.push(`refused: ${operation.method} ${operation.path} is answered ${status}: ${reported}`);
    now = fixtureIn(await server.read(), before);
    const model = evaluated[at];
    if (model && !isSame(now, fixtureOfModel(model, before)))
      wrong.push(`not evaluated: the state after request ${at + 1} of ${planned.operations.length}`);
    if (at + 1 < planned.operations.length) breaches.push(...breachesOf(now).map((one) => `after ${at + 1}: ${one}`));
  }
  if (JSON.stringify(now) !== JSON.stringify(after)) wrong.push(`ends elsewhere: in ${JSON.stringify(now)}`);
  return { before, after, changes: changes.filter(isPending), planned, wrong, breaches };
}

/** What the planner took a state to be when it evaluated it. */
function fixtureOfModel({ state }: AccessModel, like: Fixture): Fixture {
  return fixtureOf(new Map(resourceFamilies.map((family) => [family, getHeldEntries(state, family)])), like);
}

function isSame(one: Fixture, other: Fixture): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

/** Whether the plan says that it found no clean order, or unknown. */
export function isExplained({ violations }: PlannedWrites): boolean {
  return explainedIn(violations).length > 0;
}

export function isUnsure({ violations }: PlannedWrites): boolean {
  return explainedIn(violations).some((text) => /unknown/i.test(text));
}

function explainedIn(violations: PlannedWrites["violations"]): readonly string[] {
  return violations.filter(({ rule }) => rule === "order").map(({ what, why = "" }) => `${what} ${why}`);
}

/** Enough for fixtures that come back; random ones do not. */
const mostKnown = 1_000;
const fixtures = new WeakMap<Server, Map<string, readonly [Fixture, LiveState]>>();

/** As the server shows it: what it cannot hold is no part of either side. */
async function canonical(server: Server, fixture: Fixture): Promise<readonly [Fixture, LiveState]> {
  const known = fixtures.get(server) ?? new Map<string, readonly [Fixture, LiveState]>();
  fixtures.set(server, known);
  const key = JSON.stringify(fixture);
  const found = known.get(key);
  if (found) return found;
  server.hold(fixture);
  const live = await server.read();
  const shown = [fixtureIn(live, fixture), live] as const;
  if (known.size > mostKnown) known.clear();
  known.set(key, shown);
  return shown;
}

async function plannedFor(
  { dialect, reader }: Server,
  changes: readonly Change[],
  live: LiveState,
  bodyLimit: number | undefined,
): Promise<PlannedWrites> {
  const statePair = await findAccessStates({ changes, live, dialect }, undefined, reader);
  const { product, release } = dialect;
  return planChanges({
    changes,
    live,
    policies: {},
    protect: [],
    waiving: { allowed: [], today: "2026-01-01" },
    wire: createWireContext(dialect, { product, release, how: "stated" }, live.paths, new Set(), bodyLimit),
    ...(statePair && touchesAccess(changes) && { access: statePair }),
  });
}

const file = { path: "fixture.yml", text: "" };
const nowhere = { file, start: 0, end: 0 };

/** Declared just as a server shows it. */
function desiredOf({ resources }: LiveState): DesiredState {
  const families = [...resources].map(([family, all]): [typeof family, DesiredFamily] => {
    const declared = [...all].map(([name, { value }]) => {
      const node = { kind: "map", entries: [], ...nowhere } as const;
      return [name, { family, name, value, origin: nowhere, node, serverOwned: false }] as const;
    });
    return [family, new Map(declared)];
  });
  return { resources: new Map(families) };
}

function isUnwritable({ family, name, action }: Change, after: Fixture): boolean {
  return family === "role_mappings" && (action === "create" || action === "update") && !(name in after.roles);
}
