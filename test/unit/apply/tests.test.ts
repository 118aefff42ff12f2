// The tests inside a PATCH: a server refuses what another writer changed, and never refuses a plan for them alone.
import { describe, expect, it, test } from "vitest";
import type { FaultAnswer } from "../../../src/emulator/index.ts";
import { outcomesOf, type Played, play, type Scene } from "./harness.ts";

const files = { "t.yml": "tenants:\n  s: {description: wanted}\n  t: {description: wanted}\n" };
const old = { s: { description: "old" }, t: { description: "old" } };

/** A PATCH of two tenants; the bodies that reach the server. */
async function playTenants(scene: Partial<Scene>): Promise<Played & { readonly bodies: readonly string[] }> {
  const bodies: string[] = [];
  const played = await play({
    server: { product: "search-guard", release: "7", state: { tenants: old } },
    files,
    ...scene,
    write: (count, request, emulator) => {
      bodies.push(request.body);
      return scene.write?.(count, request, emulator);
    },
  });
  return { ...played, bodies };
}

const hasTest = (body: string) => body.includes('"op":"test"');

describe("another writer changed", () => {
  it("one of the entries: nothing is written, and it is named", async () => {
    const now = { ...old, t: { description: "another" } };
    const played = await playTenants({ write: (_, __, emulator) => void emulator.replaceState({ tenants: now }) });
    expect(outcomesOf(played)).toEqual(["failed, stale"]);
    expect(played.report.outcomes[0]?.detail).toBe(
      "answered 400: [TEST Operation] value mismatch; nothing of it was written. Read again: tenants/t changed on the server since the plan was made",
    );
    expect(played.bodies).toHaveLength(1);
    expect(played.state.tenants.get("s")).toMatchObject({ description: "old" });
  });
  it("them to exactly what is wanted: done", async () => {
    const now = { s: { description: "wanted" }, t: { description: "wanted" } };
    const played = await playTenants({ write: (_, __, emulator) => void emulator.replaceState({ tenants: now }) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(played.bodies).toHaveLength(1);
  });
  it("one of them, and the server says so in unknown words", async () => {
    const played = await playTenants({
      write: (_, __, emulator) => {
        emulator.replaceState({ tenants: { ...old, t: { description: "another" } } });
        return { at: "before", answer: { status: 400, body: '{"message":"not so"}' } };
      },
    });
    expect(outcomesOf(played)).toEqual(["failed, stale"]);
  });
});

describe("nothing moved, and yet", () => {
  const refusals: readonly [string, FaultAnswer][] = [
    ["a test is refused", { status: 400, body: '{"message":"[TEST Operation] value mismatch"}' }],
    ["tests are unknown", { status: 400, body: '{"message":"Unsupported patch operation: test. Supported are: add"}' }],
    ["they are too much for a proxy", { status: 413, body: "" }],
  ];
  test.for(refusals)("%s: once more without them", async ([, answer]) => {
    const played = await playTenants({ write: (count) => (count === 1 ? { at: "before", answer } : undefined) });
    expect(outcomesOf(played)).toEqual(["done"]);
    expect(played.bodies.map(hasTest)).toEqual([true, false]);
    expect(played.report.outcomes[0]?.detail).toMatch(/^sent 2 times: at first .*; then without its tests$/);
    expect(played.report.verified).toBe(true);
  });
  it("the same is refused without them: that is the end", async () => {
    const answer = { status: 400, body: '{"message":"[ADD Operation] noSuchPath in source"}' };
    const played = await playTenants({ write: () => ({ at: "before", answer }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(played.bodies).toHaveLength(2);
  });
  it("the server refuses the change itself: sent once", async () => {
    const answer = { status: 400, body: '{"message":"Invalid configuration"}' };
    const played = await playTenants({ write: () => ({ at: "before", answer }) });
    expect(outcomesOf(played)).toEqual(["failed"]);
    expect(played.bodies).toHaveLength(1);
  });
});
