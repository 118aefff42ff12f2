import type { Emulator, RecordedRequest } from "../../src/emulator/index.ts";
import { connectToWrite, type Plan, type Planned, RunError } from "../../src/index.ts";
import { canonicalText } from "../../src/json/canonical.ts";
import { type Fields, isObject } from "../../src/json/value.ts";
import { differs } from "../../src/json/witness.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Product } from "../../src/model/plan.ts";
import { applyPlan, filesOf, type Workspace } from "../support/workspace.ts";
import { count, type World } from "../world/index.ts";
import {
  countedBy,
  expectedFates,
  expectedWrites,
  type Licensed,
  plannedFates,
  rawOf,
  stage,
  wrongs,
} from "./oracle.ts";

/** Where a world is played: one server and one folder, used again and again. */
export interface Ground {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  /** Families whose PATCH this server does not have. */
  readonly withoutPatch?: readonly ResourceFamily[];
  /** What is told of the server; by default nothing, so that it has to be found out. */
  readonly stated?: { readonly product: Product; readonly release: string };
}

/**
 * Plays a world once through: plan, apply, plan again. Answers with one line for each law that does not hold.
 *
 * @param dropped how many of the operations, at most, are left out in turn to see that each is needed
 */
export async function brokenLaws(world: Licensed, ground: Ground, dropped = 4): Promise<string[]> {
  const { emulator, workspace } = ground;
  const license = world.license?.wanted;
  workspace.write(filesOf(world, license === undefined ? {} : { "license.json": { license: { text: license } } }));
  const before = stage(world, emulator);
  const planned = await planOrRefusal(world, ground);
  if (planned instanceof RunError) return refusalLaws(world, planned, emulator);
  const planning = [...readingLaws(emulator.requests), ...planLaws(world, planned.plan, ground)];

  emulator.clearRequests();
  const report = await applyPlan(planned);
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  const after = rawOf(emulator);

  emulator.clearRequests();
  const again = await planOrRefusal(world, ground);
  if (again instanceof RunError) return [...planning, `the second plan fails: ${letterOf(again)}`];
  return [
    ...planning,
    ...sentLaws(planned.plan, writes),
    ...(report.outcomes.length > 0 && report.verified !== true ? [`not verified: ${report.differing}`] : []),
    ...wrongs(world, before, after),
    ...readingLaws(emulator.requests),
    ...again.plan.operations.map(({ method, path }) => `planning again is not empty: ${method} ${path}`),
    ...echoLaws(planned.plan, again.plan),
    ...(await neededLaws(world, planned, ground, dropped)),
  ];
}

export async function planOrRefusal(
  world: World,
  { emulator, workspace, stated }: Ground,
): Promise<Planned | RunError> {
  try {
    return await workspace.plan(emulator.url, stated);
  } catch (error) {
    if (error instanceof RunError) return error;
    throw new Error(world.seed, { cause: error });
  }
}

/** Only one thing about these worlds can be refused: a declaration that differs from what the server owns. */
function refusalLaws(world: World, error: RunError, emulator: Emulator): string[] {
  const errors = error.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  const expected = Array.from({ length: count(world, "conflict") }, () => "reserved-differs");
  const isExpected = error.kind === "invalid" && errors.length > 0 && errors.join() === expected.join();
  return [...(isExpected ? [] : [`refused: ${letterOf(error)}`]), ...readingLaws(emulator.requests)];
}

export function letterOf(error: RunError): string {
  const errors = error.diagnostics.filter(({ severity }) => severity === "error");
  return [error.message, ...errors.map(({ code, what }) => `${code}: ${what}`)].join("\n");
}

/** Reads only: one for each family, and three small ones besides. */
export function readingLaws(requests: readonly RecordedRequest[]): string[] {
  const { other = 0, ...families } = countedBy(requests.map(({ family }) => family));
  const writes = requests.filter(({ method }) => method !== "GET");
  return [
    ...writes.map(({ method, path }) => `planning sends ${method} ${path}`),
    ...(other > 3 ? [`${other} small reads`] : []),
    ...Object.entries(families).flatMap(([family, count]) => (count > 1 ? [`${count} reads of ${family}`] : [])),
  ];
}

function planLaws(world: Licensed, plan: Plan, { withoutPatch }: Ground): string[] {
  const [fates, expected] = [plannedFates(plan), expectedFates(world)];
  const writes = JSON.stringify(countedBy(plan.operations.map(({ family }) => family)));
  const fewest = JSON.stringify(countedBy(spread(expectedWrites(world, withoutPatch))));
  return [
    ...(count(world, "conflict") > 0 ? ["a conflict with a reserved resource is not refused"] : []),
    ...fates.filter((fate) => !expected.includes(fate)).map((fate) => `planned, not expected: ${fate}`),
    ...expected.filter((fate) => !fates.includes(fate)).map((fate) => `expected, not planned: ${fate}`),
    ...(sorted(writes) === sorted(fewest) ? [] : [`writes ${writes}, needed ${fewest}`]),
    ...witnessLaws(plan),
  ];
}

function spread(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([family, count]) => Array.from({ length: count }, () => family));
}

function sorted(counts: string): string {
  return canonicalText(JSON.parse(counts));
}

/** deep-diff sees a difference exactly where there are edits. */
function witnessLaws({ changes }: Plan): string[] {
  return changes
    .filter(({ action, after }) => action !== "leave" || after !== undefined)
    .filter(({ before, after, edits }) => differs(before ?? {}, after ?? {}) !== edits.length > 0)
    .map(({ family, name, edits }) => `deep-diff disagrees about ${family}/${name} with its ${edits.length} edits`);
}

/** What was shown is what was sent, in that order, once each. */
function sentLaws({ operations }: Plan, writes: readonly RecordedRequest[]): string[] {
  const [shown, sent] = [operations, writes].map((each) => each.map(({ method, path }) => `${method} ${path}`));
  return JSON.stringify(shown) === JSON.stringify(sent) ? [] : [`shown ${shown}, sent ${sent}`];
}

/** What the server shows of a written resource normalises to what was sent. */
function echoLaws(plan: Plan, again: Plan): string[] {
  const shown = new Map(again.changes.map(({ family, name, before }) => [`${family}/${name}`, before]));
  return plan.changes
    .filter(({ family, action }) => (action === "create" || action === "update") && family !== "license")
    .map(({ family, name, after }) => ({ address: `${family}/${name}`, after }))
    .filter(({ address, after }) => textOf(shown.get(address)) !== textOf(after))
    .map(({ address }) => `${address} comes back as something else than was sent`);
}

/** The license inside a config was written after it, by a request of its own. */
function textOf({ dynamic, ...rest }: Fields = {}): string {
  const children = isObject(dynamic) ? Object.entries(dynamic).filter(([name]) => name !== "license") : [];
  return canonicalText({ ...rest, dynamic: Object.fromEntries(children) });
}

/** Without any one of the operations the server does not hold what was asked for. */
async function neededLaws(world: Licensed, planned: Planned, { emulator }: Ground, most: number): Promise<string[]> {
  const { operations } = planned.plan;
  // Where there is but one, the plan itself says that the state before it is another one than after it.
  if (operations.length < 2) return [];
  const step = Math.max(1, Math.ceil(operations.length / most));
  const port = connectToWrite(planned.target);
  const broken: string[] = [];
  for (let left = 0; left < operations.length; left += step) {
    const before = stage(world, emulator);
    for (const [index, operation] of operations.entries()) if (index !== left) await port.send(operation);
    if (wrongs(world, before, rawOf(emulator)).length === 0)
      broken.push(`not needed: ${operations[left]?.method} ${operations[left]?.path}`);
  }
  await port.close();
  return broken;
}
