// Plans of random states on a real server: what users are answered before and after a plan is applied is compared with its
// access diff.
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRequestKind } from "../../../src/access/evaluate/asked-request.ts";
import { type Random, randomFrom } from "../../fixtures/random.ts";
import { countOf } from "../../support/extent.ts";
import { isOfSeveralPermissions } from "../../support/several-permissions.ts";
import { alterFixture, thinFixture } from "./access/alter.ts";
import { type Effect, findContradictions, findRepeated, findUnexplained } from "./access/compare-effects.ts";
import {
  aliases,
  type Fixtures,
  fixtureOf,
  indices,
  joinFixtures,
  ownName,
  prefix,
  type User,
} from "./access/fixtures.ts";
import {
  differencesAbout,
  isOpen,
  ofPersona,
  ofPrincipals,
  type ReportedAccess,
  type Statement,
} from "./access/reported.ts";
import { clusterKinds, indexKinds, isAllowed, type Put, phases, requestFor } from "./access/requests.ts";
import { type Seen, shownIn } from "./access/seen.ts";
import {
  asUser,
  configure,
  inParallel,
  putAliases,
  putEntries,
  putIndices,
  takeEntries,
  takeIndices,
  tenantsOf,
} from "./access/server.ts";
import { inRepository } from "./repository.ts";
import type { Stage } from "./stage.ts";
import { settings } from "./stages.ts";

/** Another one each run, unless one is given. */
const seed = process.env.GATE_SYNC_SEED ?? String(randomInt(1_000_000_000));
/** Two for each phase, and five where all are played: a plan takes fifteen seconds. */
const planCount = countOf(20, 8);
const requestsEach = 7;

/** Search Guard 6 cannot have most of these. */
const [setting] = settings("usual").filter(({ facts }) => facts.real && facts.name !== "search-guard-6");

const newCounts = () => ({
  plans: 0,
  same: 0,
  gained: 0,
  lost: 0,
  seenOtherwise: 0,
  seenAlike: 0,
  /** Requests whose answer the diff leaves unknown. */
  unknown: 0,
  tenants: 0,
  statements: 0,
});
type Counts = ReturnType<typeof newCounts>;

interface Planned {
  readonly at: number;
  readonly before: Fixtures;
  readonly after: Fixtures;
}

describe.skipIf(setting === undefined)("plans and a real server (skipped where there is none)", () => {
  const plans = Array.from({ length: planCount }, (_, at) => plannedOf(at));
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await setting?.open();
    if (opened) await putIndices(opened);
    if (opened) await putAliases(opened);
  });
  afterAll(async () => {
    if (opened) {
      await takeIndices(opened);
      await opened.reset();
    }
    await opened?.close();
  });

  it(`agree on who gains and who loses, seed ${seed}`, async () => {
    if (!opened) throw new Error("bug: the server is not there yet");
    const counts = newCounts();
    const wrong: string[] = [];
    for (const [number, { title, config }] of phases.entries()) {
      await configure(opened, config);
      for (const plan of plans.filter(({ at }) => at % phases.length === number)) {
        const phase = { emptied: "do_not_fail_on_forbidden_empty" in config, number };
        // One that fails leaves the others to be seen.
        const lines = await heldTo(opened, plan, phase, counts).catch((problem) => [String(problem)]);
        wrong.push(...lines.map((line) => `plan ${plan.at}, ${title}: ${line}`));
      }
    }
    process.stderr.write(`Plans and ${opened.facts.name}, seed ${seed}: ${JSON.stringify(counts)}\n`);
    expect(wrong).toEqual([]);
    expect(counts.plans).toBe(planCount);
    expect(Math.min(counts.gained, counts.lost)).toBeGreaterThan(planCount);
    expect(counts.seenOtherwise).toBeGreaterThan(planCount / 2);
    expect(counts.tenants).toBeGreaterThan(planCount / 4);
    const compared = counts.same + counts.gained + counts.lost + counts.seenOtherwise + counts.seenAlike;
    expect(counts.unknown / compared).toBeLessThanOrEqual(0.08);
  }, 2_400_000);
});

function plannedOf(at: number): Planned {
  const random = randomFrom(`${seed} plan ${at}`);
  const drawn = fixtureOf(randomFrom(`${seed} before ${at}`), at);
  const fixture = thinFixture(random, { ...drawn, users: [...drawn.users, ...alone(at)] });
  return {
    at,
    before: fixture,
    after: alterFixture(random, fixture, fixtureOf(randomFrom(`${seed} after ${at}`), at)),
  };
}

/** Each has one member of a mapping, the last one none: for differences of single members. */
function alone(at: number): readonly User[] {
  const own = ownName(at);
  const user = (name: string, backendRoles: readonly string[]): User => ({
    name: own(name),
    backendRoles,
    // A regular expression with a variable that has no value is one that the server fails over.
    attributes: { dept: "none", owner: "none" },
    roles: [],
    expressions: false,
  });
  return [user("sx", [own("x")]), user("sy", [own("y")]), user("c9", []), user("q", [])];
}

interface Phase {
  readonly emptied: boolean;
  readonly number: number;
}

/** Plans, makes requests, applies, and makes them again. */
async function heldTo(stage: Stage, plan: Planned, phase: Phase, counts: Counts): Promise<readonly string[]> {
  const { at, before, after } = plan;
  const wrong: string[] = [];
  const declared = {
    roles: Object.fromEntries(after.roles),
    role_mappings: Object.fromEntries(after.mappings),
    tenants: Object.fromEntries(after.tenants),
    action_groups: Object.fromEntries(after.groups),
    personas: Object.fromEntries(before.users.map((user) => [user.name, personaOf(user)])),
  };
  const work = async ({ run, applied }: Parameters<Parameters<typeof inRepository>[2]>[0]) => {
    const { code, stdout, stderr } = await run("plan", "--format", "json", ...lifting);
    expect(code, `plan ${at}: ${errorsIn(stdout)}${stderr}`).toBe(0);
    const { access } = JSON.parse(stdout) as { access?: ReportedAccess };
    const reported = access ?? { blocked: [], statements: [], unknown: [] };
    const unexpected = reported.unknown.filter((sentence) => !isOfSeveralPermissions(sentence));
    wrong.push(...unexpected.map((sentence) => `not evaluated: ${sentence}`));
    counts.plans += 1;
    counts.statements += reported.statements.length;
    const asked = before.users.flatMap((user) =>
      requestsFor(randomFrom(`${seed} ${at} ${user.name}`), reported, user, stage, phase).map((put) => ({ user, put })),
    );
    const had = await effects(stage, asked, phase);
    const tenants = await tenantsOfAll(stage, before.users);
    await applied("--no-access", ...lifting);
    const has = await effects(stage, asked, phase);
    const tenantsAfter = await tenantsOfAll(stage, before.users);
    for (const [number, { user, put }] of asked.entries()) {
      const [was, is] = [had[number], has[number]];
      if (!was || !is) continue;
      count(counts, was, is);
      if (isUnknown(stage, reported, user, put)) counts.unknown += 1;
      wrong.push(
        ...ofRequest(stage, reported, user, put, was, is).map(
          (line) => `${user.name} ${put.kind} ${put.index ?? ""}: ${line}`,
        ),
      );
    }
    for (const user of before.users) {
      const [was, is] = [tenants.get(user.name), tenantsAfter.get(user.name)];
      if (was && is) wrong.push(...ofTenants(reported, user, was, is, counts));
    }
  };
  await putEntries(stage, before);
  try {
    await inRepository(stage, { "access.yml": declared }, work, { include: `${ownName(at)("")}*` });
  } finally {
    await takeEntries(stage, joinFixtures([before, after]));
  }
  return wrong;
}

function errorsIn(stdout: string): string {
  const { diagnostics = [], violations = [] } = JSON.parse(stdout) as Partial<
    Readonly<Record<"diagnostics" | "violations", readonly { readonly severity?: string }[]>>
  >;
  return JSON.stringify([...diagnostics.filter(({ severity }) => severity === "error"), ...violations]);
}

/** Random plans trip these guards. */
const lifting = ["changes", "deletions", "wildcard", "escalation", "order"].flatMap((rule) => ["--allow", rule]);

function personaOf({ name, backendRoles, attributes }: User) {
  const own = Object.entries(attributes).map(([key, value]) => [`internal.${key}`, value]);
  return { user: name, backend_roles: backendRoles, host: "127.0.0.1", attributes: Object.fromEntries(own) };
}

/** Some that the diff covers, and random ones. */
function requestsFor(
  random: Random,
  reported: ReportedAccess,
  user: User,
  { facts }: Stage,
  { emptied, number }: Phase,
): readonly Put[] {
  const isFit = (kind: string) =>
    // Permissions are compared one by one: what takes several is evaluated together under the other settings.
    (number === 0 || takes(facts.release, kind).length === 1) &&
    // Updates and resizing fail where anything is restricted, besides.
    kind !== "update" &&
    // The diff separates what is asked for on all indices only for who has a right on the product's own index.
    !kind.startsWith("indices:admin/") &&
    // Answered by a fault of the server, reduced to nothing.
    !(emptied && /^(stats|get-settings|get-aliases|cat-indices)$/.test(kind));
  const kinds = indexKinds.filter(isFit);
  const differences = [...ofPersona(reported, user.name), ...ofPrincipals(reported, user)].flatMap(
    (one) => one.differences,
  );
  const spoken = kinds.flatMap((kind) =>
    indices.flatMap((index) => {
      const isSpoken = takes(facts.release, kind).some(
        (action) => differencesAbout(differences, action, index, aliases).length > 0,
      );
      return isSpoken ? [requestFor(kind, index)] : [];
    }),
  );
  const anything = Array.from({ length: requestsEach }, () => requestFor(random.pick(kinds), random.pick(indices)));
  const searches = random.some(indices, 3, 3).map((index) => requestFor("search", index));
  const ofCluster = random.some(clusterKinds, 2, 2).map((kind) => requestFor(kind));
  return [...random.some(spoken, 6, 6), ...anything, ...searches, ...ofCluster];
}

function takes(release: string, kind: string): readonly string[] {
  const { cluster = [], index = [] } = findRequestKind(kind, release) ?? {};
  return [...cluster, ...index];
}

async function effects(
  stage: Stage,
  asked: readonly { readonly user: User; readonly put: Put }[],
  { emptied }: Phase,
): Promise<readonly (Effect | undefined)[]> {
  const found: (Effect | undefined)[] = [];
  await inParallel([...asked.entries()], 8, async ([number, { user, put }]) => {
    const answer = await asUser(stage, user, put);
    const allowed = isAllowed(put, answer, emptied);
    const seen: Seen | undefined =
      allowed && put.kind === "search" && answer.status === 200
        ? (shownIn(answer.json).get(put.index ?? "") ?? {})
        : undefined;
    found[number] = { allowed, ...(seen && { seen }) };
  });
  return found;
}

function count(counts: Counts, was: Effect, is: Effect): void {
  if (was.allowed !== is.allowed) counts[is.allowed ? "gained" : "lost"] += 1;
  else if (!was.seen || !is.seen) counts.same += 1;
  else counts[JSON.stringify(was.seen) === JSON.stringify(is.seen) ? "seenAlike" : "seenOtherwise"] += 1;
}

function ofRequest(
  { facts }: Stage,
  reported: ReportedAccess,
  user: User,
  put: Put,
  before: Effect,
  after: Effect,
): readonly string[] {
  const request = findRequestKind(put.kind, facts.release);
  if (!request) throw new Error(`bug: no request ${put.kind}`);
  const { index } = put;
  const fieldPatterns = facts.name === "opensearch-3";
  const statePair = {
    user,
    actions: request,
    aliases,
    before,
    after,
    fieldPatterns,
    ...(index !== undefined && { index }),
  };
  const [own, theirs] = [ofPersona(reported, user.name), ofPrincipals(reported, user)];
  const differencesOf = (statements: readonly Statement[]) => statements.flatMap((one) => one.differences);
  return [
    ...findRepeated(statePair, differencesOf(own)),
    ...theirs.flatMap((one) => findRepeated(statePair, one.differences)),
    ...findContradictions(statePair, differencesOf(own)),
    ...findUnexplained(statePair, differencesOf(theirs)),
    ...(isOnePrincipal(user)
      ? findContradictions(statePair, differencesOf(theirs)).map((line) => `alone: ${line}`)
      : []),
  ];
}

function isUnknown({ facts }: Stage, reported: ReportedAccess, user: User, { kind, index }: Put): boolean {
  const differences = ofPersona(reported, user.name).flatMap((one) => one.differences);
  const { cluster = [], index: onIndex = [] } = findRequestKind(kind, facts.release) ?? {};
  const reportedTwice = [
    ...cluster.flatMap((action) => differencesAbout(differences, action, undefined)),
    ...onIndex.flatMap((action) => differencesAbout(differences, action, index, aliases)),
  ];
  return reportedTwice.some(isOpen);
}

/** Not where hosts or expressions give roles besides. */
function isOnePrincipal({ name }: User): boolean {
  const [, number, own] = new RegExp(`^${prefix}(\\d+)_(.*)$`).exec(name) ?? [];
  return Number(number) !== 0 && Number(number) % 4 !== 3 && ["sx", "sy", "c9", "q"].includes(own ?? "");
}

/** Of those that the API shows: `read` or `write`. */
async function tenantsOfAll(
  stage: Stage,
  users: readonly User[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const { json } = await stage.ask({ method: "GET", path: "tenants" });
  const shown = new Set([...Object.keys(json as object), "global_tenant", "SGS_GLOBAL_TENANT"]);
  const found = new Map<string, ReadonlyMap<string, string>>();
  await inParallel(users, 8, async (user) => {
    const tenants = [...(await tenantsOf(stage, user))].filter(([tenant]) => shown.has(tenant));
    found.set(user.name, new Map(tenants.map(([name, isWritten]) => [name, isWritten ? "write" : "read"])));
  });
  return found;
}

function ofTenants(
  reported: ReportedAccess,
  user: User,
  was: ReadonlyMap<string, string>,
  is: ReadonlyMap<string, string>,
  counts: Counts,
): readonly string[] {
  const reportedTenants = ofPersona(reported, user.name).flatMap(({ tenants }) => tenants);
  const names = new Set([...was.keys(), ...is.keys(), ...reportedTenants.map(({ tenant }) => tenant)]);
  return [...names].flatMap((tenant) => {
    const [before, after] = [was.get(tenant) ?? "nothing", is.get(tenant) ?? "nothing"];
    const report = reportedTenants.find((one) => one.tenant === tenant);
    if (before !== after) counts.tenants += 1;
    const isRight = report
      ? [report.before, before].includes("unknown") ||
        report.after === "unknown" ||
        (report.before === before && report.after === after)
      : before === after;
    return isRight
      ? []
      : [`${user.name} tenant ${tenant}: ${before}, then ${after}; the diff: ${report?.before} ${report?.after}`];
  });
}
