import type { Emulator, RecordedRequest } from "../../src/emulator/index.ts";
import { connectToWrite, type DecidedPlan, type Plan, RunError } from "../../src/index.ts";
import { encodeCanonical } from "../../src/json/canonical.ts";
import { type Fields, isObject } from "../../src/json/value.ts";
import { differs } from "../../src/json/witness.ts";
import type { Product } from "../../src/model/plan.ts";
import { count, type Fixture } from "../fixtures/index.ts";
import type { FamilyName } from "../support/strict/forms.ts";
import { applyPlan, filesOf, type Workspace } from "../support/workspace.ts";
import {
  countedBy,
  expectedChangeOutcomes,
  expectedWrites,
  type Licensed,
  plannedChangeOutcomes,
  rawOf,
  stage,
  wrongs,
} from "./oracle.ts";

/** Where a fixture is played: one server and one folder, used again and again. */
export interface Harness {
  readonly emulator: Emulator;
  readonly workspace: Workspace;
  /** Families whose PATCH this server does not have. */
  readonly withoutPatch?: readonly FamilyName[];
  /** What is known of the server; by default nothing, so that it has to be found out. */
  readonly stated?: { readonly product: Product; readonly release: string };
}

/**
 * Plays a fixture once through: plan, apply, plan again. Answers with one line for each property that does not hold.
 *
 * @param dropped how many of the operations, at most, are left out in turn to see that each is needed
 */
export async function brokenProperties(fixture: Licensed, harness: Harness, dropped = 4): Promise<string[]> {
  const { emulator, workspace } = harness;
  const license = fixture.license?.wanted;
  workspace.write(filesOf(fixture, license === undefined ? {} : { "license.json": { license: { text: license } } }));
  const before = stage(fixture, emulator);
  const planned = await planOrRefusal(fixture, harness);
  if (planned instanceof RunError) return refusalProperties(fixture, planned, emulator);
  const planning = [...readingProperties(emulator.requests), ...planProperties(fixture, planned.plan, harness)];

  emulator.clearRequests();
  const report = await applyPlan(planned);
  const writes = emulator.requests.filter(({ method }) => method !== "GET");
  const after = rawOf(emulator);

  emulator.clearRequests();
  const again = await planOrRefusal(fixture, harness);
  if (again instanceof RunError) return [...planning, `the second plan fails: ${userMessageOf(again)}`];
  return [
    ...planning,
    ...sentProperties(planned.plan, writes),
    ...(report.outcomes.length > 0 && report.verified !== true ? [`not verified: ${report.differing}`] : []),
    ...wrongs(fixture, before, after),
    ...readingProperties(emulator.requests),
    ...again.plan.operations.map(({ method, path }) => `planning again is not empty: ${method} ${path}`),
    ...echoProperties(planned.plan, again.plan),
    ...(await neededProperties(fixture, planned, harness, dropped)),
  ];
}

export async function planOrRefusal(
  fixture: Fixture,
  { emulator, workspace, stated }: Harness,
): Promise<DecidedPlan | RunError> {
  try {
    return await workspace.plan(emulator.url, stated);
  } catch (error) {
    if (error instanceof RunError) return error;
    throw new Error(fixture.seed, { cause: error });
  }
}

/** Only one thing about these fixtures can be refused: a declaration that differs from what the server owns. */
function refusalProperties(fixture: Fixture, error: RunError, emulator: Emulator): string[] {
  const errors = error.diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
  const expected = Array.from({ length: count(fixture, "conflict") }, () => "reserved-differs");
  const isExpected = error.kind === "invalid" && errors.length > 0 && errors.join() === expected.join();
  return [...(isExpected ? [] : [`refused: ${userMessageOf(error)}`]), ...readingProperties(emulator.requests)];
}

export function userMessageOf(error: RunError): string {
  const errors = error.diagnostics.filter(({ severity }) => severity === "error");
  return [error.message, ...errors.map(({ code, what }) => `${code}: ${what}`)].join("\n");
}

/** Reads only: one for each family, and three small ones besides. */
export function readingProperties(requests: readonly RecordedRequest[]): string[] {
  const { other = 0, ...families } = countedBy(requests.map(({ family }) => family));
  const writes = requests.filter(({ method }) => method !== "GET");
  return [
    ...writes.map(({ method, path }) => `planning sends ${method} ${path}`),
    ...(other > 3 ? [`${other} small reads`] : []),
    ...Object.entries(families).flatMap(([family, count]) => (count > 1 ? [`${count} reads of ${family}`] : [])),
  ];
}

function planProperties(fixture: Licensed, plan: Plan, { withoutPatch }: Harness): string[] {
  const [changeOutcomes, expected] = [plannedChangeOutcomes(plan), expectedChangeOutcomes(fixture)];
  const writes = JSON.stringify(countedBy(plan.operations.map(({ family }) => family)));
  const fewest = JSON.stringify(countedBy(spread(expectedWrites(fixture, withoutPatch))));
  return [
    ...(count(fixture, "conflict") > 0 ? ["a conflict with a reserved resource is not refused"] : []),
    ...changeOutcomes
      .filter((changeOutcome) => !expected.includes(changeOutcome))
      .map((changeOutcome) => `planned, not expected: ${changeOutcome}`),
    ...expected
      .filter((changeOutcome) => !changeOutcomes.includes(changeOutcome))
      .map((changeOutcome) => `expected, not planned: ${changeOutcome}`),
    ...(sorted(writes) === sorted(fewest) ? [] : [`writes ${writes}, needed ${fewest}`]),
    ...witnessProperties(plan),
  ];
}

function spread(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([family, count]) => Array.from({ length: count }, () => family));
}

function sorted(counts: string): string {
  return encodeCanonical(JSON.parse(counts));
}

/** deep-diff sees a difference exactly where there are edits. */
function witnessProperties({ changes }: Plan): string[] {
  return changes
    .filter(({ action, after }) => action !== "leave" || after !== undefined)
    .filter(({ before, after, edits }) => differs(before ?? {}, after ?? {}) !== edits.length > 0)
    .map(({ family, name, edits }) => `deep-diff disagrees about ${family}/${name} with its ${edits.length} edits`);
}

/** What was shown is what was sent, in that order, once each. */
function sentProperties({ operations }: Plan, writes: readonly RecordedRequest[]): string[] {
  const [shown, sent] = [operations, writes].map((each) => each.map(({ method, path }) => `${method} ${path}`));
  return JSON.stringify(shown) === JSON.stringify(sent) ? [] : [`shown ${shown}, sent ${sent}`];
}

/** What the server shows of a written resource normalises to what was sent. */
function echoProperties(plan: Plan, again: Plan): string[] {
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
  return encodeCanonical({ ...rest, dynamic: Object.fromEntries(children) });
}

/** Without any one of the operations the server does not hold what was asked for. */
async function neededProperties(
  fixture: Licensed,
  planned: DecidedPlan,
  { emulator }: Harness,
  most: number,
): Promise<string[]> {
  const { operations } = planned.plan;
  // Where there is but one, the plan itself says that the state before it is another one than after it.
  if (operations.length < 2) return [];
  const step = Math.max(1, Math.ceil(operations.length / most));
  const port = connectToWrite(planned.target);
  const broken: string[] = [];
  for (let left = 0; left < operations.length; left += step) {
    const before = stage(fixture, emulator);
    for (const [index, operation] of operations.entries()) if (index !== left) await port.send(operation);
    if (wrongs(fixture, before, rawOf(emulator)).length === 0)
      broken.push(`not needed: ${operations[left]?.method} ${operations[left]?.path}`);
  }
  await port.close();
  return broken;
}
