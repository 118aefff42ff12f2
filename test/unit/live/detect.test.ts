import { afterEach, describe, expect, it } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../../src/emulator/index.ts";
import { type Detected, detect, type Stated } from "../../../src/live/detect.ts";
import { connectToRead } from "../../../src/live/http.ts";
import { memoised } from "../../../src/live/memo.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";

let emulator: Emulator | undefined;
afterEach(() => emulator?.close());

async function detected(
  options: Partial<EmulatorOptions>,
  stated: Stated = {},
  families: readonly ResourceFamily[] = ["action_groups"],
): Promise<Detected> {
  emulator = await startEmulator({ product: "gate", ...options });
  const target = { name: "t", url: emulator.url, state: [], vars: {}, families: {}, acceptFields: [] };
  const reader = memoised(connectToRead(target));
  try {
    return await detect(reader, stated, families);
  } finally {
    await reader.close();
  }
}

async function check(
  options: Partial<EmulatorOptions>,
  expected: Partial<Detected["server"]>,
  gets: readonly string[],
  stated: Stated = {},
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
  it("tells 6.x by its action groups", () =>
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
  it("says that a release is assumed where nothing tells it", async () => {
    const { notes } = await detected({});
    expect(notes.join()).toContain("7.x-43.0.0 is assumed");
  });
});

describe("detection fails with a letter", () => {
  const letter = async (options: Partial<EmulatorOptions>, stated: Stated = {}): Promise<string> => {
    const error = await detected(options, stated).catch((caught: unknown) => caught);
    if (!(error instanceof RunError)) throw new Error("no RunError");
    return `${error.kind}: ${error.letter.what} ${error.letter.why ?? ""} ${error.letter.fix ?? ""}`;
  };
  it("on a release that is not known, with a suggestion", async () =>
    expect(await letter({}, { product: "gate", release: "7.x-43.0" })).toMatch(/^usage: .*Did you mean 7\.x-43\.0\.0/));
  it("on a release without a product", async () =>
    expect(await letter({}, { release: "6.x-25" })).toMatch(/^usage: .*--product/));
  it("on missing credentials", async () =>
    expect(await letter({ users: [{ name: "a", password: "b", rights: "all" }] })).toMatch(
      /^failed: .*401.*GATE_SYNC_/,
    ));
});
