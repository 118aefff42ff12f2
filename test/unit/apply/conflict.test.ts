// Several writers at once: conflicts that servers report, and writes that Search Guard 6 loses without a word.
import { describe, expect, it, test } from "vitest";
import type { FaultAnswer } from "../../../src/emulator/index.ts";
import { outcomesOf, type Played, play, type Scene } from "./harness.ts";

const writesOf = ({ requests }: Played) => requests.filter((request) => request !== "look").length;

describe("a conflict", () => {
  const files = { "r.yml": "roles:\n  r: {cluster_permissions: [b]}\n" };
  const state = { roles: { r: { cluster_permissions: ["a"] } } };
  const conflict = "version conflict, required seqNo [36], primary term [1]";
  const answers: readonly [string, FaultAnswer][] = [
    ["409", { status: 409, body: `{"status":"CONFLICT","message":"[roles]: ${conflict}"}` }],
    ["412", { status: 412, body: "{}" }],
    ["500", { status: 500, body: `{"status":"INTERNAL_SERVER_ERROR","message":"Error [roles]: ${conflict}"}` }],
    ["429", { status: 429, body: "" }],
  ];

  function playRole(scene: Partial<Scene>): Promise<Played> {
    return play({ server: { product: "search-guard", release: "7", state }, files, ...scene });
  }

  test.for(answers)("reported by %s is sent again where the plan still holds", async ([, answer]) => {
    const played = await playRole({ write: (count) => (count <= 3 ? { at: "before", answer } : undefined) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(writesOf(played)).toBe(4);
    expect(played.waited).toBe(250 + 500 + 1_000);
    expect(played.report.outcomes[0]?.detail).toMatch(/^sent 4 times: at first answered /);
  });

  test("the pauses are lengthened by chance, so that two that met do not meet again", async () => {
    const answer = { status: 409, body: "" };
    const played = await playRole({
      write: (count) => (count === 1 ? { at: "before", answer } : undefined),
      chance: 0.5,
    });
    expect(played.waited).toBe(250 * 1.5);
  });

  test.for(answers)("reported by %s ends as stale where another writer changed the same", async ([, answer]) => {
    const played = await playRole({
      write: (_, __, emulator) => {
        emulator.replaceState({ roles: { r: { cluster_permissions: ["c"] } } });
        return { at: "before", answer };
      },
    });
    expect(outcomesOf(played)).toEqual(["failed, stale"]);
    expect(writesOf(played)).toBe(1);
    expect(played.report.outcomes[0]?.detail).toContain("roles/r changed on the server since the plan was made");
  });

  it("is reported of a server that loses writes, too, where none was lost", async () => {
    const played = await play({
      server: { product: "search-guard", release: "6", state: { roles: { r: { cluster: ["a"] } } } },
      files,
      write: (count) => (count === 1 ? { at: "before", answer: { status: 409, body: "{}" } } : undefined),
    });
    expect(played.report.outcomes[0]?.detail).toBe("sent 2 times: at first answered 409: {}");
  });

  it("waits as long as the server asks for", async () => {
    const answer = { status: 429, headers: { "retry-after": "7" } };
    const played = await playRole({ write: (count) => (count === 1 ? { at: "before", answer } : undefined) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(played.waited).toBe(7_000);
  });

  it("that never ends is given up after five more tries", async () => {
    const answer = { status: 409, body: "{}" };
    const played = await playRole({ write: () => ({ at: "before", answer }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(writesOf(played)).toBe(6);
  });

  it("with another writer of just the same is done", async () => {
    const answer = { status: 409, body: "{}" };
    const played = await playRole({ write: () => ({ at: "after", answer }) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(writesOf(played)).toBe(1);
  });

  it("of a patch with what is there now is stale, too", async () => {
    const played = await playRole({
      write: (_, __, emulator) => {
        emulator.replaceState({});
        return {
          at: "before",
          answer: { status: 400, body: '{"message":"[REPLACE Operation] noSuchPath in source"}' },
        };
      },
    });
    expect(outcomesOf(played)).toEqual(["failed, stale"]);
  });

  it("leaves the rest of the plan alone", async () => {
    const played = await play({
      server: { product: "search-guard", release: "7", state },
      files: { ...files, "m.yml": "role_mappings:\n  r: {users: [u]}\n" },
      write: (_, __, emulator) => {
        emulator.replaceState({ roles: { r: { cluster_permissions: ["c"] } } });
        return { at: "before", answer: { status: 409, body: "{}" } };
      },
    });
    expect(outcomesOf(played)).toEqual(["failed, stale", "not-attempted"]);
  });
});

describe("Search Guard 6, where a write at the same time undoes another without a word", () => {
  const server = { product: "search-guard", release: "6" } as const;
  const files = { "m.yml": "role_mappings:\n  r: {users: [u]}\n" };
  const playMapping = (scene: Partial<Scene>) => play({ server, files, ...scene });

  it("is read back after each success, and once more when no write that began before ours can be under way", async () => {
    const played = await playMapping({});
    expect(outcomesOf(played)).toEqual(["done"]);
    // The third is that of the whole plan when it is through.
    expect(played.requests.slice(1)).toEqual(["look", "look", "look"]);
    expect(played.waited).toBe(1_000);
    expect(played.report.outcomes[0]?.detail).toBeUndefined();
  });

  it("is looked at again where a look fails: that is no reason to call it unknown", async () => {
    let looks = 0;
    const read = () => (++looks <= 2 ? ({ at: "before", answer: "not-json" } as const) : undefined);
    const played = await playMapping({ read });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(writesOf(played)).toBe(1);
  });

  it("is written again where the write was lost, and that is reported", async () => {
    const played = await playMapping({ write: (count) => (count <= 2 ? { at: "lost" } : undefined) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(writesOf(played)).toBe(3);
    expect(played.report.outcomes[0]?.detail).toContain("sent 3 times: another client wrote at the same time");
  });

  it("is written again where the write was lost after it had been seen", async () => {
    const played = await playMapping({
      waits: (elapsed, emulator) => {
        if (elapsed === 1_000) emulator.replaceState({});
      },
    });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(writesOf(played)).toBe(2);
    expect([...(played.state.role_mappings ?? new Map()).keys()]).toEqual(["r"]);
  });

  it("fails where every write is lost", async () => {
    const played = await playMapping({ write: () => ({ at: "lost" }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(writesOf(played)).toBe(4);
  });

  it("is unknown where another writer's value is there now", async () => {
    const played = await playMapping({
      write: (_, __, emulator) => {
        emulator.replaceState({ role_mappings: { r: { users: ["of another writer"] } } });
        return { at: "lost" };
      },
    });
    expect(outcomesOf(played)).toEqual(["unknown"]);
    expect(played.report.outcomes[0]?.detail).toContain("role_mappings/r holds something else now");
  });
});
