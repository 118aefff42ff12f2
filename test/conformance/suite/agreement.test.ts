// What can-i answers, held to what a real server does: generated roles, mappings and users are put there, requests are
// made as these users, and each verdict is compared, with the documents and fields that come back.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limitsOn } from "../../../src/access/limits.ts";
import { modelOf } from "../../../src/access/model.ts";
import { permitted } from "../../../src/access/questions/can.ts";
import { requestNamed } from "../../../src/access/questions/request.ts";
import { liveAccess } from "../../../src/access/questions/states.ts";
import type { Subject } from "../../../src/access/subject.ts";
import { decodeConfig, decodeFamily } from "../../../src/dialects/codec.ts";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { dialectFor } from "../../../src/dialects/index.ts";
import { releaseNamed } from "../../../src/dialects/release.ts";
import { type ResourceFamily, resourceFamilies } from "../../../src/model/names.ts";
import { randomFrom } from "../../world/random.ts";
import { isAllowed, type Put, requestsOf } from "./access/requests.ts";
import { expectedOf, shownIn } from "./access/seen.ts";
import { documents, indices, type User, type Worlds, worldsOf } from "./access/worlds.ts";
import type { Answered, Stage } from "./stage.ts";
import { settings } from "./stages.ts";

const seed = process.env.GATE_SYNC_SEED ?? "1";
const worldCount = 48;
const requestsEach = 14;

/** Search Guard 6 cannot have most of these: how it judges is held to its recordings. */
const [setting] = settings("usual").filter(({ facts }) => facts.real && facts.name !== "search-guard-6");

describe.skipIf(setting === undefined)("can-i and a real server (skipped where there is none)", () => {
  const worlds = worldsOf(seed, worldCount);
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await setting?.open();
    if (opened) await putThere(opened, worlds);
  });
  afterAll(async () => {
    if (opened) await takeAway(opened, worlds);
    await opened?.close();
  });

  it("agree, on documents and fields too", async () => {
    if (!opened) throw new Error("bug: the server is not there yet");
    const [stage, { facts }] = [opened, opened];
    const dialect = dialectFor(facts.product, releaseNamed(facts.product, facts.release) ?? facts.release);
    const model = modelOf(await stateOf(stage, dialect));
    const told = {
      yes: 0,
      no: 0,
      unknown: 0,
      partly: 0,
      unknownWithExpressions: 0,
      seen: 0,
      unsureSeen: 0,
      severalQueries: 0,
      all: 0,
    };
    const wrong: string[] = [];
    const work = worlds.users.flatMap((user) =>
      requestsOf(randomFrom(`${seed} ${user.name}`), requestsEach).map((put) => ({ user, put })),
    );
    await inParallel(work, 8, async ({ user, put }) => {
      const request = requestNamed(put.kind, dialect.release);
      if (!request) throw new Error(`bug: no request ${put.kind}`);
      const subject = subjectOf(user);
      const { verdict, reduced } = permitted(model, subject, request, put.index?.split(",") ?? []);
      const answer = await asUser(stage, user, put);
      told.all += 1;
      // With some of the indices that a pattern may mean: which of them are there, can-i does not know.
      if (verdict === "partly" && put.index?.includes("*")) told.partly += 1;
      else if (verdict === "unknown") told[user.expressions ? "unknownWithExpressions" : "unknown"] += 1;
      else {
        const means = verdict === "yes" || (verdict === "partly" && reduced);
        told[means ? "yes" : "no"] += 1;
        const line = `${user.name} ${put.kind} ${put.index ?? ""}: ${verdict}, ${answer.status} ${answer.text.slice(0, 200)}`;
        if (isAllowed(put, answer) !== means) wrong.push(line);
        else if (put.kind === "search" && verdict === "yes") {
          const found = shownIn(answer.json);
          for (const index of indicesOf(put)) {
            const limits = limitsOn(model, subject, { name: index });
            if (limits.unsure.length > 0) {
              told.unsureSeen += 1;
              continue;
            }
            told.seen += 1;
            if ((limits.documents?.length ?? 0) > 1) told.severalQueries += 1;
            const [expected, seen] = [sorted(expectedOf(limits, user)), sorted(found.get(index) ?? {})];
            if (seen !== expected)
              wrong.push(`${user.name} sees ${seen} of ${index}, and ${expected} by ${JSON.stringify(limits)}`);
          }
        }
      }
    });
    process.stderr.write(`can-i and ${facts.name}: ${JSON.stringify(told)}\n`);
    expect(wrong).toEqual([]);
    expect(told.yes + told.no).toBeGreaterThanOrEqual(2_000);
    expect(told.yes / (told.yes + told.no)).toBeGreaterThanOrEqual(0.3);
    expect(told.no / (told.yes + told.no)).toBeGreaterThanOrEqual(0.3);
    expect(told.unknown / told.all).toBeLessThanOrEqual(0.05);
    expect(told.seen).toBeGreaterThan(150);
    expect(told.severalQueries).toBeGreaterThan(10);
  });
});

function subjectOf({ name, backendRoles, attributes }: User): Subject {
  const own = Object.entries(attributes).map(([attribute, value]) => [`internal.${attribute}`, value]);
  return {
    user: { name },
    backendRoles: backendRoles.map((role) => ({ name: role })),
    host: { name: "127.0.0.1" },
    attributes: Object.fromEntries(own),
  };
}

/** Those that are there and that a request names. */
function indicesOf({ index = "" }: Put): readonly string[] {
  const isMeant = (part: string, name: string) =>
    part.endsWith("*") ? name.startsWith(part.slice(0, -1)) : part === name;
  return indices.filter((name) => index.split(",").some((part) => isMeant(part, name)));
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

async function putThere(stage: Stage, { groups, roles, mappings, users }: Worlds): Promise<void> {
  const properties = {
    team: { type: "keyword" },
    level: { type: "integer" },
    owner: { type: "keyword" },
    email: { type: "keyword" },
  };
  await inParallel(indices, 3, async (index) => {
    // A run that was cut off leaves them behind.
    await stage.ask({ method: "DELETE", path: `/${index}` });
    await must(stage, "PUT", `/${index}`, {
      settings: { number_of_replicas: 0, number_of_shards: 1 },
      mappings: { properties },
    });
    const all = [...Object.entries(documents), ["w", { team: "none" }] as const];
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
  await must(stage, "PATCH", "roles", added(roles));
  await must(stage, "PATCH", "rolesmapping", added(mappings));
  const internal = users.map(
    ({ name, backendRoles, attributes }) => [name, { hash, backend_roles: backendRoles, attributes }] as const,
  );
  await must(stage, "PATCH", "internalusers", added(internal));
}

/** By name: somebody else may use the server meanwhile. */
async function takeAway(stage: Stage, { groups, roles, mappings, users }: Worlds): Promise<void> {
  await Promise.all(indices.map((index) => stage.ask({ method: "DELETE", path: `/${index}` })));
  const ours = {
    rolesmapping: mappings.keys(),
    roles: roles.keys(),
    actiongroups: groups.keys(),
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
