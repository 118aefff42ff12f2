import { afterEach, describe, expect, it, test } from "vitest";
import { RunError } from "../../../../src/diagnostics/failure.ts";
import type { DetectedServer } from "../../../../src/dialects/detected.ts";
import { createDialect } from "../../../../src/dialects/index.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../../src/emulator/index.ts";
import { Secret } from "../../../../src/json/secret.ts";
import { connectToRead } from "../../../../src/live/client/http.ts";
import { detect, type StatedProduct } from "../../../../src/live/detect/detect.ts";
import { memoiseReads } from "../../../../src/live/memo.ts";
import { readState } from "../../../../src/live/read.ts";
import type { ResourceFamily } from "../../../../src/model/names.ts";

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

async function detected(
  options: Partial<EmulatorOptions>,
  stated: StatedProduct = {},
  families: readonly ResourceFamily[] = ["action_groups"],
): Promise<DetectedServer> {
  emulator = await startEmulator({ product: "gate", ...options });
  const [user] = options.users ?? [];
  const target = {
    name: "t",
    url: emulator.url,
    state: [],
    vars: new Map(),
    families: {},
    acceptFields: [],
    ...(user?.rights === "read" && {
      auth: { kind: "basic", username: user.name, password: new Secret("t", user.password) } as const,
    }),
  };
  const reader = memoiseReads(connectToRead(target));
  try {
    return await detect(reader, stated, families);
  } finally {
    await reader.close();
  }
}

async function check(
  options: Partial<EmulatorOptions>,
  expected: Partial<DetectedServer["server"]>,
  gets: readonly string[],
  stated: StatedProduct = {},
  families?: readonly ResourceFamily[],
) {
  const { server } = await detected(options, stated, families);
  expect(server).toMatchObject(expected);
  expect(emulator?.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(gets);
}

const groups = { action_groups: { READ: ["indices:data/read/*"] } };
const api = "/_gate/api";

describe("detection", () => {
  it("finds the product by a family that is read anyway", () =>
    check({}, { product: "gate", release: "7.x-43.0.0", engine: "7.8.1" }, ["GET /", `GET ${api}/actiongroups`]));
  it("does without GET /", () =>
    check({ rootAnswer: "forbidden" }, { product: "gate" }, ["GET /", `GET ${api}/actiongroups`]));
  it("recognises 6.x by its action groups", () =>
    check({ release: "6.x-25", state: groups }, { release: "6.x-25" }, ["GET /", `GET ${api}/actiongroups`]));
  it("asks nothing of families that do not matter", () =>
    check({ state: groups }, { release: "7.x-43.0.0" }, ["GET /", `GET ${api}/blocks`], {}, ["blocks"]));
  it("reads no family for a plan of the config alone", () =>
    check({}, { product: "gate" }, ["GET /", `GET ${api}/gate_config`], {}, []));
  it("believes what is stated", () =>
    check({}, { product: "gate", release: "6.x-24", how: "stated" }, ["GET /"], {
      product: "gate",
      release: "6.x-24",
    }));
  it("says that a release is assumed where nothing shows it", async () => {
    const { notes } = await detected({});
    expect(notes.join()).toContain("7.x-43.0.0 is assumed");
  });
});

const sg = { product: "search-guard" } as const;
const os = { product: "opensearch" } as const;
const plugins = "GET /_cat/plugins?format=json";
/** A user who may plan and may not ask the search engine what it is. */
const planner = { users: [{ name: "ci", password: "Tuesday-9", rights: "read", monitors: false }] } as const;
const license = "GET /_searchguard/license";

/** A plan of action groups: which requests show the product and the release. */
const real: Readonly<Record<string, readonly [Partial<EmulatorOptions>, string, readonly string[]]>> = {
  "Search Guard 7 by its plugin": [{ ...sg, release: "7" }, "search-guard 7.x-38", [plugins]],
  "a later Search Guard 7": [{ ...sg, release: "7.x-47" }, "search-guard 7.x-47", [plugins]],
  "Search Guard 6": [{ ...sg, release: "6" }, "search-guard 6", [plugins]],
  "Search Guard FLX": [{ ...sg, release: "FLX" }, "search-guard FLX", [plugins]],
  "OpenSearch by GET / alone": [{ ...os, release: "2.19" }, "opensearch 2.19", []],
  "an OpenSearch before 2.10": [{ ...os, release: "2.9" }, "opensearch 2.9", []],
  "an OpenSearch that calls itself 7.10.2": [{ ...os, release: "1.3", engine: "7.10.2" }, "opensearch 1.3", [plugins]],
  "Open Distro": [{ ...os, release: "odfe-1.x" }, "opensearch odfe-1.x", [plugins]],
  "Search Guard 7 for a user who may see no plugins": [
    { ...sg, release: "7", ...planner },
    "search-guard 7.x-38",
    ["GET /_searchguard/api/actiongroups", license],
  ],
  "Search Guard 6 for the same": [
    { ...sg, release: "6", ...planner },
    "search-guard 6",
    ["GET /_searchguard/api/actiongroups", license],
  ],
  "an OpenSearch for the same: assumed": [
    { ...os, release: "2.19", ...planner },
    "opensearch 2",
    ["GET /_searchguard/api/actiongroups", "GET /_plugins/_security/api/actiongroups"],
  ],
};

describe("detection of products as they really are", () => {
  it.each(Object.entries(real))("%s", async (_, [options, expected, gets]) => {
    const { server, notes } = await detected(options);
    expect(`${server.product} ${server.release}`).toBe(expected);
    expect(notes).toHaveLength(expected === "opensearch 2" ? 1 : 0);
    const isExplained =
      options.product === "opensearch" && server.engine !== undefined && server.release !== "odfe-1.x";
    const first = isExplained ? ["GET /"] : ["GET /", `GET ${api}/actiongroups`];
    expect(emulator?.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([...first, ...gets]);
  });

  it("asks for a family that every release has where the declared ones may be missing", async () => {
    const { server } = await detected({ ...sg, release: "6", ...planner }, {}, ["blocks"]);
    expect(server.release).toBe("6");
    expect(emulator?.requests.map(({ path }) => path)).toContain("/_searchguard/api/roles");
  });

  it("asks for the config where only that is declared, by the path of each release", async () => {
    const { server } = await detected({ ...sg, release: "6", ...planner }, {}, []);
    expect(server.how).toContain("GET /_searchguard/api/sgconfig");
  });

  it.each([
    ["2.19", "2.19.4", "2.19"],
    ["2.19.1", "2.19.4", "2.19"],
    ["2", "2.19.4", "2"],
    ["2.18", "2.19.4", "2.18"],
    ["3.7", "3.8.0", "3.7"],
    ["2.19", "7.10.2", "2.19"],
  ])("takes the stated release %s of an OpenSearch %s", async (release, engine, taken) => {
    const { server, notes, dialect } = await detected({ ...os, release: "2.19", engine }, { ...os, release });
    expect([server.release, dialect.release, server.engine]).toEqual([taken, taken, engine]);
    const isOther = taken.includes(".") && !engine.startsWith(taken) && engine !== "7.10.2";
    expect(notes).toEqual(isOther ? [expect.stringContaining(`Release ${release} is stated, and the server is`)] : []);
  });

  it.each([
    [os, "3.1", "2.19.4"],
    [os, "1", "2.19.4"],
    [os, "odfe-1.x", "2.19.4"],
    [sg, "6", "7.5.1"],
    [sg, "7.x-38", "6.8.2"],
  ])("refuses another major version than that of the server: %o %s, which is %s", async (product, release, engine) => {
    const served = product === os ? "2.19" : engine.startsWith("6") ? "6" : "7";
    const server = { ...product, release: served, engine };
    const found = detected(server, { ...product, release });
    await expect(found).rejects.toMatchObject({ kind: "usage", message: expect.stringContaining(`is ${engine}.`) });
    await emulator?.close();
    // What was read or saved before is of what answered then.
    expect((await detected(server, { ...product, release, how: "the journal" })).server.release).toBe(release);
  });

  it.each(["2.91", "2.20", "1.4", "3.91"])("refuses OpenSearch %s, which there is not", async (release) => {
    await expect(detected(os, { ...os, release })).rejects.toMatchObject({ kind: "usage" });
  });

  it("finds the release of a stated product", async () => {
    const { server } = await detected({ ...sg, release: "7.x-47" }, sg);
    expect(server).toMatchObject({ release: "7.x-47", how: "product stated, release by GET /_cat/plugins" });
    expect(emulator?.requests).toHaveLength(2);
  });

  it.each([
    ["6.8.1", "6"],
    ["8.7.1", "FLX"],
  ])("takes the engine's word for a stated Search Guard on Elasticsearch %s", async (engine, release) => {
    const { server } = await detected({ ...sg, engine }, sg);
    expect(server).toMatchObject({ release, how: "product stated, release by GET /" });
    expect(emulator?.requests).toHaveLength(1);
  });

  it("takes a stated Search Guard on OpenSearch for FLX, whatever OpenSearch counts", async () => {
    const { server } = await detected({ product: "opensearch", release: "2.19" }, sg);
    expect(server).toMatchObject({ release: "FLX", how: "product stated, release by GET /" });
  });

  it("knows by its refusal that the API is there", async () => {
    const { server } = await detected({
      ...sg,
      ...planner,
      users: [{ ...planner.users[0], disabled: { ACTIONGROUPS: ["*"] } }],
    });
    expect(server.product).toBe("search-guard");
  });
});

test("a family that the server does not have is reported as such, though the release might have it", async () => {
  emulator = await startEmulator({ ...sg, release: "7" });
  const reader = connectToRead({
    name: "t",
    url: emulator.url,
    state: [],
    vars: new Map(),
    families: {},
    acceptFields: [],
  });
  const needed = { needed: ["blocks"], reference: [] } as const;
  const error = await readState(reader, createDialect("search-guard", "7"), needed).catch((caught: unknown) => caught);
  await reader.close();
  expect(error).toBeInstanceOf(RunError);
  expect(error).toMatchObject({ userMessage: { what: expect.stringContaining("This server has no blocks") } });
  // A slash at the end makes no difference where the search engine says that nothing is there. Another family answers.
  expect(emulator.requests.filter(({ path }) => path.endsWith("/"))).toEqual([]);
  expect(emulator.requests).toHaveLength(2);
});

describe("detection fails with a message", () => {
  const userMessage = async (options: Partial<EmulatorOptions>, stated: StatedProduct = {}): Promise<string> => {
    const error = await detected(options, stated).catch((caught: unknown) => caught);
    if (!(error instanceof RunError)) throw new Error("no RunError");
    return `${error.kind}: ${error.userMessage.what} ${error.userMessage.why ?? ""} ${error.userMessage.fix ?? ""}`;
  };
  it("on a release that is not known, with a suggestion", async () =>
    expect(await userMessage({}, { product: "gate", release: "7.x-43.0" })).toMatch(
      /^usage: .*Did you mean "7\.x-43\.0\.0"\?/,
    ));
  it("on a release without a product", async () =>
    expect(await userMessage({}, { release: "6.x-25" })).toMatch(/^usage: .*--product/));
  it("on missing credentials, at the first request", async () => {
    expect(await userMessage({ users: [{ name: "a", password: "b", rights: "all" }] })).toMatch(
      /^failed: .*401.*GATE_SYNC_/,
    );
    expect(emulator?.requests.filter(({ path }) => path !== "/")).toEqual([]);
  });
  it("on a Search Guard before 6", async () =>
    expect(await userMessage({ ...sg, engine: "5.6.16" }, sg)).toMatch(
      /^failed: .*Search Guard on Elasticsearch 5\.6\.16/,
    ));
});
