// What convert makes of random states of Search Guard 7: the same users make the same requests on a real Search Guard 7 that has
// the one, and on a real OpenSearch that has the other. Their answers are equal, or differ as the access diff says. By `convert.mjs`.
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderAccessJson } from "../../../src/access/compare/to-json.ts";
import { findRequestKind } from "../../../src/access/evaluate/asked-request.ts";
import { type Random, randomFrom } from "../../fixtures/random.ts";
import { convertText } from "../../support/converted.ts";
import { withBuiltins } from "../suite/access/built-in.ts";
import { type Effect, findContradictions, findRepeated } from "../suite/access/compare-effects.ts";
import { declareFixture, type Families } from "../suite/access/converted.ts";
import { type Fixtures, fixtureOf, indices, missing, ownName, type User } from "../suite/access/fixtures.ts";
import { differencesAbout, isOpen, ofPersona, type ReportedAccess } from "../suite/access/reported.ts";
import {
  clusterKinds,
  indexKinds,
  indicesOf,
  isAllowed,
  type Put,
  requestFor,
  requestsOf,
} from "../suite/access/requests.ts";
import { shownIn } from "../suite/access/seen.ts";
import {
  asUser,
  configure,
  inParallel,
  must,
  putEntries,
  putIndices,
  takeEntries,
  takeIndices,
  tenantsOf,
} from "../suite/access/server.ts";
import { inRepository } from "../suite/repository.ts";
import type { Stage } from "../suite/stage.ts";
import { type HandedOver, realStage } from "../suite/stages.ts";

/** Another one each run, unless one is given. */
const seed = process.env.GATE_SYNC_SEED ?? String(randomInt(1_000_000_000));
const fixtureCount = Number(process.env.GATE_SYNC_FIXTURES ?? 24);
const file = process.env.GATE_SYNC_REAL_SERVERS;

const newCounts = () => ({
  fixtures: 0,
  equal: 0,
  gained: 0,
  lost: 0,
  unknown: 0,
  differing: 0,
  seenAlike: 0,
  seenOtherwise: 0,
  severalAlike: 0,
  severalOtherwise: 0,
  tenants: 0,
});
type Counts = ReturnType<typeof newCounts>;

describe.skipIf(file === undefined)("convert and two real servers (skipped where there are none)", () => {
  let stages: readonly [Stage, Stage] | undefined;
  beforeAll(async () => {
    const handed = JSON.parse(readFileSync(file ?? "", "utf8")) as readonly HandedOver[];
    const [one, other] = await Promise.all(
      handed.map((server) => {
        const { name, product, release, configWritable } = server;
        return realStage({ name, product, release, configWritable, real: true }, server);
      }),
    );
    if (!one || !other) throw new Error("bug: two servers are handed over");
    stages = [one, other];
    for (const stage of stages) {
      await putIndices(stage);
      await configure(stage, {});
      await takeExampleMappings(stage);
    }
  }, 300_000);
  afterAll(async () => {
    for (const stage of stages ?? []) {
      await takeIndices(stage);
      await stage.close();
    }
  });

  it(`agree on who gains and who loses, seed ${seed}`, async () => {
    if (!stages) throw new Error("bug: the servers are not there yet");
    const counts = newCounts();
    const wrong: string[] = [];
    for (let at = 1; at <= fixtureCount; at++) {
      const lines = await compareFixture(stages, at, at % 2 === 0, counts).catch((problem) => [String(problem)]);
      wrong.push(...lines.map((line) => `fixture ${at}: ${line}`));
    }
    process.stderr.write(`convert and two real servers, seed ${seed}: ${JSON.stringify(counts)}\n`);
    expect(wrong).toEqual([]);
    expect(counts.fixtures).toBe(fixtureCount);
    expect(counts.equal).toBeGreaterThan(fixtureCount * 50);
    expect(counts.unknown / (counts.equal + counts.differing)).toBeLessThanOrEqual(0.3);
  }, 2_400_000);
});

/** What a cluster comes with as an example, and a plan takes away. */
async function takeExampleMappings(stage: Stage): Promise<void> {
  const { json } = await stage.ask({ method: "GET", path: "rolesmapping" });
  const mappings = Object.entries(json as Readonly<Record<string, { readonly reserved?: boolean }>>);
  const isExample = ([name, { reserved }]: (typeof mappings)[number]) =>
    reserved !== true && !/^(all_access|real_|suite_|fixture)/i.test(name);
  const send = mappings.filter(isExample).map(([name]) => ({ op: "remove", path: `/${name}` }));
  if (send.length > 0) await must(stage, "PATCH", "rolesmapping", send);
}

async function compareFixture(
  [here, there]: readonly [Stage, Stage],
  at: number,
  isExact: boolean,
  counts: Counts,
): Promise<readonly string[]> {
  const fixture = withBuiltins(randomFrom(`${seed} built-in ${at}`), fixtureOf(randomFrom(`${seed} ${at}`), at));
  const declared = declareFixture(fixture);
  const { files, conversion, state } = await convertText(
    JSON.stringify(declared),
    "search-guard 7.x-38",
    "opensearch-2.19",
    isExact,
  );
  expect(files.length).toBeGreaterThan(2);
  const reported = renderAccessJson(conversion.access) as unknown as ReportedAccess;
  const users = { ...empty, users: fixture.users };
  const [{ internal_users: _, personas: __, ...before }, after] = [declared, pickOwn(state, at, fixture, conversion)];
  try {
    await apply(here, before, at);
    await apply(there, after, at);
    for (const stage of [here, there]) await putEntries(stage, users);
    const asked = fixture.users.flatMap((user) =>
      requestsFor(randomFrom(`${seed} ${at} ${user.name}`), reported, user).map((put) => ({ user, put })),
    );
    const [had, has] = [await effects(here, asked), await effects(there, asked)];
    counts.fixtures += 1;
    return [
      ...asked.flatMap(({ user, put }, number) => {
        const [was, is] = [had[number], has[number]];
        if (!was || !is) return [];
        const lines = isSeveral(put)
          ? ofSeveral(reported, user, put, was, is, counts)
          : ofOne(reported, user, put, was, is, counts);
        return lines.map((line) => `${user.name} ${put.kind} ${put.index ?? ""}: ${line}`);
      }),
      ...(await ofTenants([here, there], reported, fixture.users, counts)),
    ];
  } finally {
    await Promise.all([takeFixture(here, before), takeFixture(there, after)]);
    for (const stage of [here, there]) await takeEntries(stage, users);
  }
}

const empty: Fixtures = { groups: new Map(), roles: new Map(), mappings: new Map(), tenants: new Map(), users: [] };

/** Without what is not of this fixture: the mappings of administrators, which are on both servers. */
function pickOwn(
  state: Families,
  at: number,
  fixture: Fixtures,
  { entries }: Awaited<ReturnType<typeof convertText>>["conversion"],
): Families {
  const declared = new Set([...fixture.mappings.keys(), ...fixture.groups.keys()]);
  const own = new Set(
    entries.flatMap(({ name, newName = name }) =>
      declared.has(name) || name.startsWith(ownName(at)("")) ? [newName] : [],
    ),
  );
  const families = ["action_groups", "tenants", "roles", "role_mappings"];
  return Object.fromEntries(
    families.map((family) => [
      family,
      Object.fromEntries(Object.entries(state[family] ?? {}).filter(([name]) => own.has(name))),
    ]),
  );
}

/** Random states trip these guards. */
const waived = ["changes", "deletions", "wildcard", "escalation", "order"].flatMap((rule) => ["--allow", rule]);

async function apply(stage: Stage, families: Families, at: number): Promise<void> {
  const names = [...new Set(Object.values(families).flatMap((entries) => Object.keys(entries)))];
  const include = [...names.filter((name) => !name.startsWith(ownName(at)(""))), `${ownName(at)("")}*`];
  await inRepository(
    stage,
    { "access.yml": families },
    async ({ applied }) => {
      await applied("--no-access", ...waived);
    },
    { include },
  );
}

const paths = {
  role_mappings: "rolesmapping",
  roles: "roles",
  action_groups: "actiongroups",
  tenants: "tenants",
} as const;

async function takeFixture(stage: Stage, families: Families): Promise<void> {
  for (const [family, path] of Object.entries(paths)) {
    const held = (await stage.ask({ method: "GET", path })).json as object;
    const send = Object.keys(families[family] ?? {})
      .filter((name) => name in held)
      .map((name) => ({ op: "remove", path: `/${name}` }));
    if (send.length > 0) await must(stage, "PATCH", path, send);
  }
}

/** Some that the access diff is about, and random ones. */
function requestsFor(random: Random, reported: ReportedAccess, user: User): readonly Put[] {
  const differences = ofPersona(reported, user.name).flatMap((one) => one.differences);
  const about = indexKinds.flatMap((kind) =>
    indices.flatMap((index) =>
      takes(kind).some((action) => differencesAbout(differences, action, index).length > 0)
        ? [requestFor(kind, index)]
        : [],
    ),
  );
  const searches = indices.map((index) => requestFor("search", index));
  const dashboards = requestFor("search", dashboardsIndex);
  const ofCluster = clusterKinds.map((kind) => requestFor(kind));
  return [...random.some(about, 6, 6), ...requestsOf(random, 14), ...searches, dashboards, ...ofCluster];
}

/** OpenSearch gives the dashboards' users an index of another name; neither server has one. */
const dashboardsIndex = ".opensearch_dashboards";

function takes(kind: string): readonly string[] {
  const { cluster = [], index = [] } = findRequestKind(kind, "2.19.1") ?? {};
  return [...cluster, ...index];
}

function isSeveral({ index = "" }: Put): boolean {
  return /[,*]/.test(index);
}

async function effects(
  stage: Stage,
  asked: readonly { readonly user: User; readonly put: Put }[],
): Promise<readonly (Effect | undefined)[]> {
  const found: (Effect | undefined)[] = [];
  await inParallel([...asked.entries()], 6, async ([number, { user, put }]) => {
    const answer = await asUser(stage, user, put);
    const allowed = isAllowed(put, answer, false);
    const isShown = allowed && put.kind === "search" && answer.status === 200 && !isSeveral(put);
    found[number] = { allowed, ...(isShown && { seen: shownIn(answer.json).get(put.index ?? "") ?? {} }) };
  });
  return found;
}

function ofOne(
  reported: ReportedAccess,
  user: User,
  put: Put,
  before: Effect,
  after: Effect,
  counts: Counts,
): readonly string[] {
  const request = findRequestKind(put.kind, "2.19.1");
  if (!request) throw new Error(`bug: no request ${put.kind}`);
  const { index } = put;
  const differences = ofPersona(reported, user.name).flatMap((one) => one.differences);
  const about = [
    ...request.cluster.flatMap((action) => differencesAbout(differences, action, undefined)),
    ...request.index.flatMap((action) => differencesAbout(differences, action, index)),
  ];
  if (about.some(isOpen)) counts.unknown += 1;
  if (before.allowed !== after.allowed) {
    counts.differing += 1;
    counts[after.allowed ? "gained" : "lost"] += 1;
  } else counts.equal += 1;
  if (before.seen && after.seen)
    counts[JSON.stringify(before.seen) === JSON.stringify(after.seen) ? "seenAlike" : "seenOtherwise"] += 1;
  const isOfNone = reported.unknown.some((sentence) => sentence.startsWith("requests that name indices which do not"));
  if (isOfNone && [...missing, dashboardsIndex].includes(index ?? "")) return [];
  const pair = { user, actions: request, before, after, ...(index !== undefined && { index }) };
  return [...findRepeated(pair, differences), ...findContradictions(pair, differences)];
}

/** Of a request over several indices, the diff of each of them explains why it is answered otherwise. */
function ofSeveral(
  reported: ReportedAccess,
  user: User,
  put: Put,
  before: Effect,
  after: Effect,
  counts: Counts,
): readonly string[] {
  if (before.allowed === after.allowed) {
    counts.severalAlike += 1;
    return [];
  }
  counts.severalOtherwise += 1;
  const differences = ofPersona(reported, user.name).flatMap((one) => one.differences);
  const isExplained =
    indicesOf(put).some((index) =>
      takes(put.kind).some((action) => differencesAbout(differences, action, index).length > 0),
    ) ||
    (put.index === "*" && reported.unknown.some((sentence) => sentence.startsWith("requests over all indices")));
  return isExplained ? [] : [`${after.allowed ? "gained" : "lost"}, and no difference is about these indices`];
}

async function ofTenants(
  [here, there]: readonly [Stage, Stage],
  reported: ReportedAccess,
  users: readonly User[],
  counts: Counts,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  await inParallel(users, 4, async (user) => {
    const [was, is] = [await tenantsOf(here, user), await tenantsOf(there, user)];
    const old = new Map(
      [...was].map(([name, isWritten]) => [name === "SGS_GLOBAL_TENANT" ? "global_tenant" : name, isWritten]),
    );
    const differences = ofPersona(reported, user.name).flatMap(({ tenants }) => tenants);
    for (const tenant of new Set([...old.keys(), ...is.keys()])) {
      const [before, after] = [levelOf(old.get(tenant)), levelOf(is.get(tenant))];
      const found = differences.find((one) => one.tenant === tenant);
      counts.tenants += 1;
      const isRight = found
        ? [found.before, found.after].includes("unknown") || (found.before === before && found.after === after)
        : before === after;
      if (!isRight)
        wrong.push(
          `${user.name} tenant ${tenant}: ${before}, then ${after}; the diff: ${found?.before} ${found?.after}`,
        );
    }
  });
  return wrong;
}

function levelOf(isWritten: boolean | undefined): string {
  return isWritten === undefined ? "nothing" : isWritten ? "write" : "read";
}
