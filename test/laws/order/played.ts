// A way from one world to another as it is planned and sent, and every world that it leads through.
import { diff } from "../../../src/diff/diff.ts";
import { touchesAccess } from "../../../src/engine/access-changes.ts";
import { aroundOf } from "../../../src/engine/broken-tests.ts";
import { type Change, isPending } from "../../../src/model/change.ts";
import type { DesiredFamily, DesiredState } from "../../../src/model/desired.ts";
import type { LiveState } from "../../../src/model/live.ts";
import { type Planned, planChanges } from "../../../src/plan/plan.ts";
import { wireContext } from "../../../src/plan/wire.ts";
import type { World } from "../../support/judged.ts";
import { breachesBetween } from "./pieces.ts";
import { type Server, worldIn } from "./server.ts";

export interface Played {
  readonly before: World;
  readonly after: World;
  readonly changes: readonly Change[];
  readonly planned: Planned;
  /** What went wrong on the way, but for breaches; empty where nothing did. */
  readonly wrong: readonly string[];
  /** Breaches after each request but the last. */
  readonly breaches: readonly string[];
}

/** Undefined where the server would refuse the world itself: a mapping is to be written, and its role is nowhere. */
export async function play(server: Server, from: World, to: World): Promise<Played | undefined> {
  const [after, wanted] = await canonical(server, to);
  const [before, live] = await canonical(server, from);
  const changes = diff(desiredOf(wanted), live, {});
  if (server.dialect.checksRoles && changes.some((change) => isUnwritable(change, after))) return undefined;
  const planned = await plannedFor(server, changes, live);
  const breachesOf = breachesBetween(before, after);
  const wrong: string[] = [];
  const breaches: string[] = [];
  let now = before;
  // Not `before`: lists stand in the order in which they were read.
  server.hold(from);
  for (const [at, operation] of planned.operations.entries()) {
    const { status, said } = server.send(operation);
    if (status >= 300) wrong.push(`refused: ${operation.method} ${operation.path} is answered ${status}: ${said}`);
    now = worldIn(await server.read(), before);
    if (at + 1 < planned.operations.length) breaches.push(...breachesOf(now).map((one) => `after ${at + 1}: ${one}`));
  }
  if (JSON.stringify(now) !== JSON.stringify(after)) wrong.push(`ends elsewhere: in ${JSON.stringify(now)}`);
  return { before, after, changes: changes.filter(isPending), planned, wrong, breaches };
}

/** Whether the plan says that it found no clean order, or cannot tell. */
export function isTold({ violations }: Planned): boolean {
  return toldIn(violations).length > 0;
}

export function isUnsure({ violations }: Planned): boolean {
  return toldIn(violations).some((text) => /cannot tell/i.test(text));
}

function toldIn(violations: Planned["violations"]): readonly string[] {
  return violations.filter(({ rule }) => rule === "order").map(({ what, why = "" }) => `${what} ${why}`);
}

/** Enough for worlds that come back; random ones do not. */
const mostKnown = 1_000;
const worlds = new WeakMap<Server, Map<string, readonly [World, LiveState]>>();

/** As the server shows it: what it cannot hold is no part of either side. */
async function canonical(server: Server, world: World): Promise<readonly [World, LiveState]> {
  const known = worlds.get(server) ?? new Map<string, readonly [World, LiveState]>();
  worlds.set(server, known);
  const key = JSON.stringify(world);
  const found = known.get(key);
  if (found) return found;
  server.hold(world);
  const live = await server.read();
  const shown = [worldIn(live, world), live] as const;
  if (known.size > mostKnown) known.clear();
  known.set(key, shown);
  return shown;
}

async function plannedFor({ dialect, reader }: Server, changes: readonly Change[], live: LiveState): Promise<Planned> {
  const around = await aroundOf({ changes, live, dialect }, undefined, reader);
  const { product, release } = dialect;
  return planChanges({
    changes,
    live,
    policies: {},
    protect: [],
    lifting: { allowed: [], today: "2026-01-01" },
    wire: wireContext(dialect, { product, release, how: "stated" }, live.paths, new Set()),
    ...(around && touchesAccess(changes) && { access: around }),
  });
}

const file = { path: "world.yml", text: "" };
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

function isUnwritable({ family, name, action }: Change, after: World): boolean {
  return family === "role_mappings" && (action === "create" || action === "update") && !(name in after.roles);
}
