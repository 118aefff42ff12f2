// A server or proxy that takes small bodies only: the plan is cut into the fewest requests that it takes, and nothing else changes.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { encodeSavedPlan } from "../../src/artifacts/saved-plan/plan.ts";
import { planReviewed } from "../../src/engine/saved-plan.ts";
import { connectToRead, type DecidedPlan, RunError } from "../../src/index.ts";
import { reveal } from "../../src/json/value.ts";
import { type Change, isPending } from "../../src/model/change.ts";
import { type Operation, withoutTests } from "../../src/model/operation.ts";
import { createOperations } from "../../src/plan/operations.ts";
import { createWireContext } from "../../src/plan/wire.ts";
import { type FixtureOptions, generateFixture } from "../fixtures/index.ts";
import { everyNth } from "../support/extent.ts";
import { applyPlan, filesOf } from "../support/workspace.ts";
import { planOrRefusal } from "./cycle.ts";
import { useHarness } from "./harness.ts";
import { rawOf, stage, wrongs } from "./oracle.ts";
import { seeds } from "./seed.ts";

/** Of the server, in KB; plans are made for less. */
const taken = 8;

const harness = useHarness({ server: { longestBody: taken * 1024 } });

/** Of each fixture once for each limit, in KB. */
async function check(options: FixtureOptions, limit: number): Promise<void> {
  const { emulator, workspace } = harness();
  const fixture = generateFixture(options);
  workspace.write(filesOf(fixture));
  const before = stage(fixture, emulator);
  const targets = (size: string) => ({ targets: { t: { max_body_size: size, families } } });
  const planFor = async (size: string) => {
    writeFileSync(join(workspace.folder, "gate-sync.yaml"), JSON.stringify(targets(size)));
    return planOrRefusal(fixture, harness());
  };
  const whole = await planFor("1GB");
  const planned = await planFor(`${limit}k`);
  if (whole instanceof RunError || planned instanceof RunError) throw new Error(fixture.seed);
  const { operations, violations } = planned.plan;
  const bytes = limit * 1024;
  const tooLong = operations.filter((operation) => bytesOf(operation) > bytes);
  expect(violations.flatMap(({ rule, addresses }) => (rule === "body-limit" ? addresses : []))).toEqual(
    tooLong.map(({ family, names }) => `${family}/${names[0]}`),
  );
  expect(tooLong.filter(({ names }) => names.length > 1)).toEqual([]);
  expect(operations.flatMap(named).sort()).toEqual(whole.plan.operations.flatMap(named).sort());
  const steps = new Set(whole.plan.operations.flatMap(stepsOf));
  expect(operations.flatMap(stepsOf).filter((step) => !steps.has(step))).toEqual([]);
  expect(runs(operations.map(({ family }) => family))).toEqual(runs(whole.plan.operations.map(({ family }) => family)));
  expect(countsOf(operations)).toEqual(countsOf(fewest(planned, bytes)));
  expect(outOfOrder(planned)).toEqual([]);
  if (violations.length > 0) return;

  const request = workspace.request(emulator.url);
  const saved = encodeSavedPlan(planned, { ...request, key: undefined, folder: request.cwd });
  const read = JSON.parse(JSON.stringify(saved)) as typeof saved;
  const reviewed = await planReviewed(read, "plan.json", request, connectToRead);
  expect(JSON.stringify(reviewed.plan.operations)).toBe(JSON.stringify(operations));

  const report = await applyPlan(planned);
  expect(report.outcomes.filter(({ kind }) => kind !== "done")).toEqual([]);
  expect(wrongs(fixture, before, rawOf(emulator))).toEqual([]);
  const again = await planFor(`${limit}k`);
  expect(again instanceof RunError || again.plan.operations.length).toBe(0);
}

const families = Object.fromEntries(
  ["action_groups", "tenants", "roles", "role_mappings", "blocks"].map((family) => [
    family,
    { exclude: ["other_team_*"] },
  ]),
);

function bytesOf({ body }: Operation): number {
  return body === undefined ? 0 : new TextEncoder().encode(JSON.stringify(reveal(body))).length;
}

function named({ family, names }: Operation): readonly string[] {
  return names.map((name) => `${family}/${name}`);
}

function stepsOf({ bulk, family, body }: Operation): readonly string[] {
  return bulk ? (body as readonly unknown[]).map((step) => `${family} ${JSON.stringify(step)}`) : [];
}

function runs(families: readonly string[]): readonly string[] {
  return families.filter((family, at) => family !== families[at - 1]);
}

function countsOf(operations: readonly { readonly family: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { family } of operations) counts[family] = (counts[family] ?? 0) + 1;
  return counts;
}

/** The least number of requests for the entries in their order, found by trying every cut. */
function fewest(planned: DecidedPlan, limit: number): readonly { readonly family: string }[] {
  const { plan, live, detected } = planned;
  const wire = createWireContext(detected.dialect, detected.server, live.paths, new Set(), Number.MAX_SAFE_INTEGER);
  const { pointerReaches } = detected.dialect;
  const families = runs(plan.operations.map(({ family }) => family));
  return families.flatMap((family) => {
    const beyond = plan.changes.filter(
      (change) => change.family === family && isPending(change) && !pointerReaches(change.name),
    );
    const changes = inOrder(planned, family);
    const fits = (some: readonly Change[]) => {
      const made = createOperations(some, wire);
      return made.length > 1 || some.length === 1 || bytesOf(made[0] as Operation) <= limit;
    };
    if (fits(changes)) return [...createOperations(changes, wire), ...beyond];
    const least = [0];
    for (let end = 1; end <= changes.length; end++) {
      const froms = Array.from({ length: end }, (_, from) => from).filter((from) => fits(changes.slice(from, end)));
      least.push(1 + Math.min(...froms.map((from) => least[from] as number)));
    }
    return [...beyond, ...Array.from({ length: least.at(-1) as number }, () => ({ family }))];
  });
}

/** The changes of a family that a bulk PATCH can carry, as the plan sends them. */
function inOrder({ plan, detected }: DecidedPlan, family: string): readonly Change[] {
  const changes = new Map(plan.changes.map((change) => [`${change.family}/${change.name}`, change]));
  return plan.operations
    .filter((operation) => operation.family === family)
    .flatMap(named)
    .map((address) => changes.get(address) as Change)
    .filter(({ name }) => detected.dialect.pointerReaches(name));
}

/** In each family that is cut: additions, then updates, then deletions; no new group before one that it is made of. */
function outOfOrder(planned: DecidedPlan): readonly string[] {
  const cut = planned.plan.operations.filter(({ reason }) => reason?.startsWith("split:")).map(({ family }) => family);
  return [...new Set(cut)].flatMap((family) => {
    const order = inOrder(planned, family);
    const rank = ({ action }: Change) => ["create", "update", "delete"].indexOf(action);
    const made = order.filter(({ action }) => action === "create").map(({ name }) => name);
    return order.flatMap((change, at) => {
      const next = order[at + 1];
      const isEarly = next !== undefined && rank(next) < rank(change);
      const isNewGroup = family === "action_groups" && change.action === "create";
      const parts = isNewGroup ? ((change.after?.allowed_actions ?? []) as readonly string[]) : [];
      const later = parts.filter((part) => made.indexOf(part) > made.indexOf(change.name));
      return [
        ...(isEarly ? [`${change.action} ${change.name} before ${next.action} ${next.name}`] : []),
        ...later.map((part) => `${change.name} before its part ${part}`),
      ];
    });
  });
}

test.each(everyNth(8, seeds(24)).flatMap((seed) => [1, 3, 7].map((limit) => [seed, limit] as const)))(
  "seed %i, bodies of at most %i KB",
  (seed, limit) => check({ seed, size: 30, nastyNames: 0.1, drift: 0.6 }, limit),
);

test("a request whose tests alone make it too long goes without them", async () => {
  const { emulator, workspace } = harness();
  workspace.write([["roles.json", JSON.stringify({ roles: { r: { cluster_permissions: ["a:b"] } } })]]);
  const old = { cluster: ["x:y".repeat(400)] };
  emulator.replaceState({ roles: { r: { cluster_permissions: old.cluster } } });
  writeFileSync(join(workspace.folder, "gate-sync.yaml"), JSON.stringify({ targets: { t: { max_body_size: "1KB" } } }));
  const { plan } = await workspace.plan(emulator.url);
  expect(plan.violations).toEqual([]);
  expect(plan.operations.map(withoutTests)).toEqual(plan.operations);
  expect(plan.operations[0]?.reason).toBe("without its tests, as the body limit is 1 KB");
});

test("a server that takes less than stated is reported by the name of the setting", async () => {
  const { emulator, workspace } = harness();
  const roles = Object.fromEntries(
    Array.from({ length: 400 }, (_, at) => [`r${at}`, { cluster_permissions: ["a:b"] }]),
  );
  workspace.write([["roles.json", JSON.stringify({ roles })]]);
  emulator.replaceState({});
  writeFileSync(join(workspace.folder, "gate-sync.yaml"), "{}");
  const planned = await workspace.plan(emulator.url);
  const { outcomes } = await applyPlan(planned);
  expect(outcomes.map(({ kind, status }) => [kind, status])).toEqual([["failed", 413]]);
  expect(outcomes[0]?.detail).toContain("`max_body_size` of the target in gate-sync.yaml");
});
