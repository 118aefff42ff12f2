// What can-i answers, held to what a real server does: generated roles, mappings and users are put there, requests are
// made as these users, and each verdict is compared, with the documents and fields that come back.
import { randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitsOn } from "../../../src/access/limits.ts";
import { type AccessModel, modelOf } from "../../../src/access/model.ts";
import { permitted, type Standing } from "../../../src/access/questions/can.ts";
import { requestNamed } from "../../../src/access/questions/request.ts";
import { liveAccess } from "../../../src/access/questions/states.ts";
import type { Subject } from "../../../src/access/subject.ts";
import { tenantAccess } from "../../../src/access/tenants.ts";
import { decodeConfig, decodeFamily } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { dialectFor } from "../../../src/dialects/index.ts";
import { releaseNamed } from "../../../src/dialects/release.ts";
import type { Limits } from "../../../src/model/access.ts";
import { type ResourceFamily, resourceFamilies } from "../../../src/model/names.ts";
import { randomFrom } from "../../world/random.ts";
import { indicesOf, isAllowed, type Put, requestsOf } from "./access/requests.ts";
import { expectedOf, shownIn } from "./access/seen.ts";
import { documents, indices, type User, type Worlds, worldsOf } from "./access/worlds.ts";
import type { Answered, Stage } from "./stage.ts";
import { settings } from "./stages.ts";

/** Another one each run, unless it is said. */
const seed = process.env.GATE_SYNC_SEED ?? String(randomInt(1_000_000_000));
const worldCount = 48;
const requestsEach = 5;

/** The config under which requests are made, one after the other. */
const phases = [
  { title: "as it is", config: {} },
  { title: "reduced", config: { do_not_fail_on_forbidden: true } },
  { title: "reduced to nothing", config: { do_not_fail_on_forbidden: true, do_not_fail_on_forbidden_empty: true } },
  { title: "one role", config: { multi_rolespan_enabled: false } },
] as const;

/** Search Guard 6 cannot have most of these: how it judges is held to its recordings. */
const [setting] = settings("usual").filter(({ facts }) => facts.real && facts.name !== "search-guard-6");

/** How many verdicts there were of each kind. */
const newCounts = () => ({
  yes: 0,
  no: 0,
  unknown: 0,
  unknownWithExpressions: 0,
  /** It depends on indices of which nothing is known here. */
  open: 0,
  seen: 0,
  unsureSeen: 0,
  severalQueries: 0,
  tenants: 0,
  all: 0,
});

describe.skipIf(setting === undefined)("can-i and a real server (skipped where there is none)", () => {
  const worlds = worldsOf(seed, worldCount);
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await setting?.open();
    if (opened) await putThere(opened, worlds);
  });
  afterAll(async () => {
    if (opened) {
      await takeAway(opened, worlds);
      await opened.reset();
    }
    await opened?.close();
  });

  it(`agree, on documents, fields and tenants too, seed ${seed}`, async () => {
    if (!opened) throw new Error("bug: the server is not there yet");
    const [stage, { facts }] = [opened, opened];
    const dialect = dialectFor(facts.product, releaseNamed(facts.product, facts.release) ?? facts.release);
    const counts = newCounts();
    const wrong: string[] = [];
    for (const { title, config } of phases) {
      const emptied = "do_not_fail_on_forbidden_empty" in config;
      await configure(stage, config);
      const model = modelOf(await stateOf(stage, dialect));
      const work = worlds.users.flatMap((user) =>
        requestsOf(randomFrom(`${seed} ${title} ${user.name}`), requestsEach).map((put) => ({ user, put })),
      );
      await inParallel(work, 8, async ({ user, put }) => {
        const found = await compared({ model, stage, release: dialect.release, emptied, counts }, user, put);
        wrong.push(...found.map((line) => `${title}: ${user.name} ${put.kind} ${put.index ?? ""}: ${line}`));
      });
      if (title === "as it is") wrong.push(...(await tenantsCompared(stage, model, worlds.users, counts)));
    }
    const unknown = counts.unknown + counts.unknownWithExpressions;
    const share = ((100 * unknown) / counts.all).toFixed(1);
    process.stderr.write(`can-i and ${facts.name}, seed ${seed}: ${share} % unknown, ${JSON.stringify(counts)}\n`);
    expect(wrong).toEqual([]);
    expect(counts.yes + counts.no).toBeGreaterThanOrEqual(2_000);
    expect(counts.yes / (counts.yes + counts.no)).toBeGreaterThanOrEqual(0.3);
    expect(counts.no / (counts.yes + counts.no)).toBeGreaterThanOrEqual(0.3);
    expect(unknown / counts.all).toBeLessThanOrEqual(0.05);
    expect(counts.seen).toBeGreaterThan(150);
    expect(counts.severalQueries).toBeGreaterThan(10);
    expect(counts.tenants).toBeGreaterThan(500);
  });
});

interface Comparing {
  readonly model: AccessModel;
  readonly stage: Stage;
  readonly release: string;
  readonly emptied: boolean;
  readonly counts: ReturnType<typeof newCounts>;
}

/** What a request shows that can-i says otherwise. */
async function compared(of: Comparing, user: User, put: Put): Promise<readonly string[]> {
  const { model, stage, release, emptied, counts } = of;
  const request = requestNamed(put.kind, release);
  if (!request) throw new Error(`bug: no request ${put.kind}`);
  const subject = subjectOf(user);
  const asked = put.index?.split(",") ?? [];
  const { verdict, reduced } = permitted(model, subject, request, asked);
  const answer = await asUser(stage, user, put);
  counts.all += 1;
  const names = indicesOf(put);
  const single = names.map((name) => ({ name, ...permitted(model, subject, request, [name]) }));
  const together = names.length > 0 ? permitted(model, subject, request, names).verdict : verdict;
  const means = meant(verdict, reduced, put, single, together);
  if (means === undefined) {
    counts[verdict === "partly" ? "open" : user.expressions ? "unknownWithExpressions" : "unknown"] += 1;
    return [];
  }
  counts[means ? "yes" : "no"] += 1;
  const said = `${verdict}${reduced ? ", reduced" : ""}; the server: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (isAllowed(put, answer, emptied) !== means) return [said];
  if (put.kind !== "search" || answer.status !== 200) return [];
  const found = shownIn(answer.json);
  return single.flatMap(({ name, verdict: one }) => {
    if (one === "no") return found.has(name) ? [`${name} is shown, and not permitted: ${said}`] : [];
    if (one !== "yes") return [];
    const limits = limitsOn(model, subject, { name });
    if (limits.unsure.length > 0 || isOddlySearched(limits)) {
      counts.unsureSeen += 1;
      return [];
    }
    counts.seen += 1;
    if ((limits.documents?.length ?? 0) > 1) counts.severalQueries += 1;
    const [expected, seen] = [sorted(expectedOf(limits, user)), sorted(found.get(name) ?? {})];
    return seen === expected ? [] : [`sees ${seen} of ${name}, and ${expected} by ${JSON.stringify(limits)}`];
  });
}

/** What a query finds by a field that FLS names with `?` or an expression is not worked out. */
function isOddlySearched({ documents, fields: { only = [], not } }: Limits): boolean {
  return documents !== undefined && [...only, ...not].some((name) => /[?/]/.test(name));
}

/** Whether the server is to allow a request; undefined where that depends on what is unknown here. */
function meant(
  verdict: Standing,
  reduced: boolean,
  { index }: Put,
  single: readonly { readonly verdict: Standing }[],
  together: Standing,
): boolean | undefined {
  if (verdict === "yes" || verdict === "no") return verdict === "yes";
  if (verdict === "unknown") return undefined;
  const has = (one: Standing) => single.some((each) => each.verdict === one);
  if (reduced) return has("yes") ? true : has("unknown") || index === "*" ? undefined : false;
  // One role may have to grant it on all of them.
  if (has("no") || together === "no") return false;
  return has("unknown") || index === "*" ? undefined : together === "yes";
}

/** What the server says of the tenants of each user, where that is not what the model says. */
async function tenantsCompared(
  stage: Stage,
  model: AccessModel,
  users: readonly User[],
  counts: Comparing["counts"],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const path = stage.facts.product === "opensearch" ? "/_plugins/_security/authinfo" : "/_searchguard/authinfo";
  await inParallel(users, 8, async (user) => {
    const { json } = await asUser(stage, user, { kind: "info", ask: { method: "GET", path } });
    const info = json as Readonly<Record<string, Readonly<Record<string, boolean>> | undefined>>;
    const found = info.tenants ?? info.sg_tenants ?? {};
    for (const tenant of [...model.state.tenants.keys(), model.state.judging.globalTenant, user.name]) {
      const { reads, writes } = tenantAccess(model, subjectOf(user), tenant);
      counts.tenants += 1;
      const [isRead, isWritten] = [Object.hasOwn(found, tenant), found[tenant] === true].map((is) =>
        is ? "yes" : "no",
      );
      const isWrong = (reads !== "unknown" && reads !== isRead) || (writes !== "unknown" && writes !== isWritten);
      if (isWrong) wrong.push(`${user.name} tenant ${tenant}: ${reads} ${writes}, the server: ${found[tenant]}`);
    }
  });
  return wrong;
}

async function configure(stage: Stage, wanted: Readonly<Record<string, boolean>>): Promise<void> {
  const { path, put, key } = stage.words.config;
  const { json } = await stage.ask({ method: "GET", path });
  const document = (json as Readonly<Record<string, { readonly dynamic: object }>>)[key];
  const plain = {
    do_not_fail_on_forbidden: false,
    do_not_fail_on_forbidden_empty: false,
    multi_rolespan_enabled: true,
  };
  await must(stage, "PUT", put, { ...document, dynamic: { ...document?.dynamic, ...plain, ...wanted } });
}

function subjectOf({ name, backendRoles, attributes, roles }: User): Subject {
  const own = Object.entries(attributes).map(([attribute, value]) => [`internal.${attribute}`, value]);
  return {
    user: { name },
    backendRoles: backendRoles.map((role) => ({ name: role })),
    host: { name: "127.0.0.1" },
    attributes: Object.fromEntries(own),
    roles,
  };
}

function sorted(seen: object): string {
  return JSON.stringify(
    Object.entries(seen)
      .toSorted()
      .map(([id, of]) => [id, Object.entries(of as object).toSorted()]),
  );
}

async function stateOf({ ask, words }: Stage, dialect: Dialect) {
  const found = await Promise.all(
    resourceFamilies.map(async (family) => {
      const path = dialect.collections[family];
      const { json, status } =
        path === undefined ? { json: undefined, status: 404 } : await ask({ method: "GET", path });
      const resources = status === 200 ? decodeFamily(dialect, family, json) : undefined;
      return resources ? [[family, resources] as const] : [];
    }),
  );
  const document = decodeConfig(dialect, (await ask({ method: "GET", path: words.config.path })).json);
  return liveAccess(
    {
      resources: new Map<ResourceFamily, NonNullable<ReturnType<typeof decodeFamily>>>(found.flat()),
      paths: new Map(),
      ...(document && { config: { document } }),
    },
    dialect,
  );
}

function asUser({ ask }: Stage, { name }: User, put: Put): Promise<Answered> {
  const authorization = `Basic ${Buffer.from(`${name}:pw`).toString("base64")}`;
  return ask({ who: "stranger", ...put.ask, headers: { ...put.ask.headers, authorization } });
}

/** bcrypt of "pw" at the least cost. */
const hash = "$2a$04$abcdefghijklmnopqrstuuyvPXIbu7xe6/CED2DzX8z6Si09MlzlW";

async function putThere(stage: Stage, { groups, roles, mappings, tenants, users }: Worlds): Promise<void> {
  const properties = {
    team: { type: "keyword" },
    level: { type: "integer" },
    owner: { type: "keyword" },
    email: { type: "keyword" },
    at: { properties: { city: { type: "keyword" } } },
  };
  await inParallel(indices, 3, async (index) => {
    // A run that was cut off leaves them behind.
    await stage.ask({ method: "DELETE", path: `/${index}` });
    await must(stage, "PUT", `/${index}`, {
      settings: { number_of_replicas: 0, number_of_shards: 1 },
      mappings: { properties },
    });
    const stored = Object.entries(documents).map(([id, { "at.city": city, ...rest }]) => [
      id,
      { ...rest, at: { city } },
    ]);
    const all = [...stored, ["w", { team: "none" }]];
    const lines = all
      .flatMap(([id, document]) => [{ index: { _id: id } }, document])
      .map((line) => JSON.stringify(line));
    await must(stage, "POST", `/${index}/_bulk?refresh=true`, `${lines.join("\n")}\n`, {
      "content-type": "application/x-ndjson",
    });
  });
  const added = (entries: Iterable<readonly [string, unknown]>) =>
    [...entries].map(([name, value]) => ({ op: "add", path: `/${name}`, value }));
  await must(stage, "PATCH", "actiongroups", added(groups));
  await must(stage, "PATCH", "tenants", added(tenants));
  await must(stage, "PATCH", "roles", added(roles));
  await must(stage, "PATCH", "rolesmapping", added(mappings));
  const rolesKey = stage.facts.product === "opensearch" ? "opendistro_security_roles" : "search_guard_roles";
  const internal = users.map(
    ({ name, backendRoles, attributes, roles: own }) =>
      [name, { hash, backend_roles: backendRoles, attributes, ...(own.length > 0 && { [rolesKey]: own }) }] as const,
  );
  await must(stage, "PATCH", "internalusers", added(internal));
}

/** By name: somebody else may use the server meanwhile. */
async function takeAway(stage: Stage, { groups, roles, mappings, tenants, users }: Worlds): Promise<void> {
  await Promise.all(indices.map((index) => stage.ask({ method: "DELETE", path: `/${index}` })));
  const ours = {
    rolesmapping: mappings.keys(),
    roles: roles.keys(),
    actiongroups: groups.keys(),
    tenants: tenants.keys(),
    internalusers: users.map(({ name }) => name),
  };
  for (const [path, names] of Object.entries(ours)) {
    await stage.ask({ method: "PATCH", path, send: [...names].map((name) => ({ op: "remove", path: `/${name}` })) });
  }
}

async function must({ ask }: Stage, method: string, path: string, send: unknown, headers = {}): Promise<void> {
  const { status, text } = await ask({ method, path, send, headers });
  if (status >= 300 || /"errors":true/.test(text))
    throw new Error(`${method} ${path} was answered ${status}: ${text.slice(0, 500)}`);
}

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
