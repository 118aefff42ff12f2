import { describe, expect, it } from "vitest";
import { refuseIfMoved, type SavedDecisions } from "../../../../src/artifacts/saved-plan/moved.ts";
import { RunError } from "../../../../src/diagnostics/failure.ts";
import type { Json } from "../../../../src/json/value.ts";
import type { SavedChange } from "../../../../src/model/plan-file.ts";

const slot = (hmac: string) => ({ $secret: "live", hmac });

function change(basis: Json | undefined, parts: Partial<SavedChange> = {}): SavedChange {
  const edits = [{ path: ["description"], after: "new" }];
  return { family: "tenants", name: "t", action: "update", edits, ...(basis !== undefined && { basis }), ...parts };
}

function decided(changes: readonly SavedChange[], parts: Partial<SavedDecisions> = {}): SavedDecisions {
  const operation = { family: "tenants", method: "PATCH", path: "/t", names: ["t"], bulk: false, body: [1] } as const;
  return { changes, operations: [operation], violations: [], ...parts };
}

const reviewed = decided([change({ description: "old", other: { a: 1 } })]);

/** What the message says; nothing where nothing is refused. */
function explained(now: SavedDecisions, before = reviewed): string {
  try {
    refuseIfMoved(before, now);
    return "";
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    expect(error.kind).toBe("stale");
    return `${error.userMessage.what} ${error.userMessage.why}`;
  }
}

describe("what moved", () => {
  it.each<[string, SavedDecisions]>([
    ["nothing", reviewed],
    ["a field that is neither changed nor sent", decided([change({ description: "old", other: { a: 2 } })])],
    [
      "why a request is what it is",
      decided(reviewed.changes, {
        operations: reviewed.operations.map((one) => ({ ...one, reason: "r", estimate: 1 })),
      }),
    ],
    [
      "the place in a file",
      decided([change({ description: "old" }, { origin: { path: "b.yml", line: 2, column: 1 } })]),
    ],
  ])("does not matter for %s", (_, now) => {
    expect(explained(now)).toBe("");
  });

  const other = [{ path: ["description"], after: "newer" }];
  it.each<[string, SavedDecisions, reported: string]>([
    ["a field", decided([change({ description: "hand", other: { a: 1 } })]), "Changed since: tenants/t (description)."],
    ["a field inside", decided([change({ description: "hand", other: { a: 3 } })]), "(description, other.a)"],
    ["an entry that is gone", decided([]), "tenants/t is gone"],
    ["an entry that would be created again", decided([change(undefined, { action: "create" })]), "tenants/t is gone"],
    [
      "an entry that is reserved now",
      decided([change({ description: "old", other: { a: 1 } }, { action: "leave" })]),
      "may not or need not be changed",
    ],
    [
      "another decision for the same value",
      decided([change({ description: "old", other: { a: 1 } }, { edits: other })]),
      "tenants/t would be changed in another way (description)",
    ],
    [
      "the requests alone",
      decided(reviewed.changes, { operations: [] }),
      "Changed since: the requests that this server needs (before: PATCH /t; now: none).",
    ],
    [
      "a guard",
      decided(reviewed.changes, { violations: [{ rule: "unloadable", what: "It chokes", addresses: [] }] }),
      "the guard unloadable refuses it now (It chokes)",
    ],
    [
      "all of it, as the plan wants it",
      decided([change({ description: "new", other: { a: 1 } }, { action: "leave", edits: [] })]),
      "all its changes are made already",
    ],
  ])("is reported of %s", (_, now, reported) => {
    expect(explained(now)).toContain(reported);
  });

  it("names the field of a secret, and nothing of its digest", () => {
    const [before, now] = ["a", "b"].map((hmac) =>
      decided([change({ password: slot(hmac) }, { edits: [{ path: ["password"], after: "x" }] })]),
    );
    expect(explained(now as SavedDecisions, before)).toContain("Changed since: tenants/t (password).");
  });

  it("is reported of an entry that appeared", () => {
    const before = decided([change(undefined, { action: "create" })]);
    expect(explained(reviewed, before)).toContain("tenants/t exists now");
  });

  it("counts what would be too much to list", () => {
    const changes = Array.from({ length: 12 }, (_, at) => change({ a: 1 }, { name: `t${at}` }));
    expect(explained(decided([]), decided(changes))).toContain("; and 2 more.");
  });
});
