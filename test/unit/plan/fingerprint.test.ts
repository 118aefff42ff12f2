import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import type { Value } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { TargetSummary, Violation } from "../../../src/model/plan.ts";
import { computeFingerprint } from "../../../src/plan/fingerprint.ts";

const secret = (text: string) => new Secret("${env:PW}", text);
const server = { product: "gate", release: "7.x-43.0.0", how: "stated", clusterName: "c", clusterUuid: "u" } as const;
const target: TargetSummary = { name: "prod", url: "https://one", snapshot: false, server };
const operation: Operation = {
  family: "tenants",
  method: "PUT",
  path: "/t",
  body: { a: 1, b: "x" },
  names: ["t"],
  bulk: false,
};
const violation: Violation = {
  rule: "deletions",
  family: "roles",
  what: "4 of 5",
  addresses: ["roles/a"],
  remedies: [],
};

const edit = { path: ["description"], before: "a", after: "b" };
const change: Change = { family: "tenants", name: "t", action: "update", reason: "declared", edits: [edit] };

interface Parts {
  readonly target?: TargetSummary;
  readonly changes?: readonly Change[];
  readonly operations?: readonly Operation[];
  readonly violations?: readonly Violation[];
}

function print(parts: Parts = {}, key?: string, known: ReadonlyMap<string, Secret> = new Map()): string {
  return computeFingerprint(
    { target, changes: [change], operations: [operation], violations: [], ...parts },
    known,
    key,
  );
}

const first = print();
const unknown = { product: "gate", release: "7.x-43.0.0", how: "stated" } as const;

describe("a fingerprint", () => {
  it("has 128 bits", () => {
    expect(first).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[string, Parts]>([
    ["the address of the server", { target: { ...target, url: "https://other" } }],
    ["how the server is known", { target: { ...target, server: { ...server, how: "GET /" } } }],
    ["how this run logs in", { violations: [{ ...violation, rule: "login" }] }],
    ["what is in sync", { changes: [change, { ...change, name: "u", action: "leave", reason: "in-sync" }] }],
    ["who we are", { target: { ...target, identity: "ci" } }],
    ["the name of the target, where the cluster shows its own", { target: { ...target, name: "other" } }],
    ["the order of fields in a body", { operations: [{ ...operation, body: { b: "x", a: 1 } }] }],
    ["why and how long a request is", { operations: [{ ...operation, reason: "r", estimate: 1 }] }],
  ])("does not depend on %s", (_, parts) => {
    expect(print(parts)).toBe(first);
  });

  it.each<[string, Parts]>([
    ["the cluster", { target: { ...target, server: { ...server, clusterUuid: "v" } } }],
    ["the release", { target: { ...target, server: { ...server, release: "7.x-40.0.0" } } }],
    ["the body", { operations: [{ ...operation, body: { a: 2, b: "x" } }] }],
    ["the method", { operations: [{ ...operation, method: "PATCH" }] }],
    ["the path", { operations: [{ ...operation, path: "/u" }] }],
    ["how many requests there are", { operations: [operation, operation] }],
    ["what an edit finds", { changes: [{ ...change, edits: [{ ...edit, before: "c" }] }] }],
    ["a violation", { violations: [violation] }],
    ["the target, where the cluster does not show who it is", { target: { ...target, server: unknown } }],
  ])("depends on %s", (_, parts) => {
    expect(print(parts)).not.toBe(first);
  });

  it("does not depend on the tests that guard a PATCH", () => {
    const patch = (...body: readonly Value[]) => print({ operations: [{ ...operation, method: "PATCH", body }] });
    const replace = { op: "replace", path: "/a", value: 1 };
    expect(patch({ op: "test", path: "/a", value: 0 }, replace)).toBe(patch(replace));
  });

  it("distinguishes targets by name where servers show nothing of themselves", () => {
    const prints = ["prod", "staging"].map((name) => print({ target: { ...target, name, server: unknown } }));
    expect(prints[0]).not.toBe(prints[1]);
  });

  it("takes a secret by its name, and by its text only with a key", () => {
    const of = (text: string, key?: string) =>
      print({ operations: [{ ...operation, body: { a: secret(text) } }] }, key);
    expect(of("one")).toBe(of("two"));
    expect(of("one", "k")).not.toBe(of("two", "k"));
    expect(of("one", "k")).not.toBe(of("one"));
    expect(print({}, "k")).toBe(first);
  });

  it("does not depend on the text of a secret that is in a body as plain text", () => {
    const of = (text: string) =>
      print({ operations: [{ ...operation, body: { a: text } }] }, undefined, new Map([[text, secret(text)]]));
    expect(of("one")).toBe(of("two"));
  });
});
