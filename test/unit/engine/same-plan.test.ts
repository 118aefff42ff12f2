import { describe, expect, it } from "vitest";
import { isSamePlan } from "../../../src/engine/apply.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Plan } from "../../../src/model/plan.ts";

function plan(before: Fields, description: string, note = ""): Plan {
  const tenant = { family: "tenants", name: "t", action: "update", reason: "declared", edits: [] } as const;
  return {
    target: { name: "t", url: "http://x", snapshot: false, server: { product: "gate", release: "FLX", how: "stated" } },
    changes: [
      { ...tenant, before, after: { description } },
      { ...tenant, name: "other", action: "leave", reason: "in-sync", before: { description: note } },
    ],
    operations: [
      { family: "tenants", method: "PATCH", path: "/t", body: [{ value: description }], names: ["t"], bulk: false },
    ],
    violations: [],
    waived: [],
    notes: [note],
    referenceOnly: [],
    fingerprint: "",
  };
}

const shown = plan({ description: "one" }, "two");

describe("the plan that was shown still holds", () => {
  it("when nothing moved", () => expect(isSamePlan(shown, plan({ description: "one" }, "two"))).toBe(true));
  it("when only something else moved", () =>
    expect(isSamePlan(shown, plan({ description: "one" }, "two", "x"))).toBe(true));
  it("no more when the request is another", () =>
    expect(isSamePlan(shown, plan({ description: "one" }, "three"))).toBe(false));
  it("when the server lists what a test operation guards in another order", () => {
    const tested = (...value: readonly string[]): Plan => {
      const same = plan({ description: "one" }, "two");
      const guarded = { op: "test", path: "/users", value };
      return { ...same, operations: same.operations.map((sent) => ({ ...sent, body: [guarded, { op: "add" }] })) };
    };
    expect(isSamePlan(tested("ana", "bob"), tested("bob", "ana"))).toBe(true);
  });
  it("not on another cluster, however alike it is", () => {
    const on = (clusterUuid: string) => {
      const same = plan({ description: "one" }, "two");
      return { ...same, target: { ...same.target, server: { ...same.target.server, clusterUuid } } };
    };
    expect(isSamePlan(on("a"), on("a"))).toBe(true);
    expect(isSamePlan(on("a"), on("b"))).toBe(false);
    expect(isSamePlan(on("a"), shown)).toBe(false);
  });
  it("no more when the same request would overwrite what was never shown", () =>
    expect(isSamePlan(shown, plan({ description: "raced" }, "two"))).toBe(false));
});
