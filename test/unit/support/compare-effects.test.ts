// The comparison that test/conformance/suite/plans.test.ts makes on real servers can fail: each case has one line, or none.
import { describe, expect, it } from "vitest";
import {
  type Effect,
  findContradictions,
  findRepeated,
  findUnexplained,
} from "../../conformance/suite/access/compare-effects.ts";
import { documents, type User } from "../../conformance/suite/access/fixtures.ts";
import type { ReportedDifference } from "../../conformance/suite/access/reported.ts";
import type { Seen } from "../../conformance/suite/access/seen.ts";

const user: User = { name: "ana", backendRoles: [], attributes: {}, roles: [], expressions: false };
const index = "gsq-a-1";
const action = "indices:data/read/search";
const region = (name: string) => [{ all_of: [name], none_of: [] }];
const { d1 = {}, d2 = {} } = documents;
const red = '{"term":{"team":"red"}}';

function difference(kind: ReportedDifference["kind"], more: Partial<ReportedDifference> = {}): ReportedDifference {
  return {
    kind,
    level: "index",
    actions: region("indices:data/read/*"),
    indices: region("gsq-a-*"),
    witness: { action, index },
    ...more,
  };
}

const refused: Effect = { allowed: false };
const allowed: Effect = { allowed: true };
const sees = (seen: Seen): Effect => ({ allowed: true, seen });
const statePair = (before: Effect, after: Effect) => ({
  user,
  actions: { cluster: [], index: [action] },
  index,
  before,
  after,
});
const elsewhere = difference("gained", { indices: region("gsq-b-*") });
const hidden = { d1: { ...d1, email: "(masked)" } };

describe("a request before and after, and what is said exactly", () => {
  it.each<[string, Effect, Effect, readonly ReportedDifference[], number]>([
    ["gained, as said", refused, allowed, [difference("gained")], 0],
    ["gained, nothing said", refused, allowed, [], 1],
    ["gained, said elsewhere", refused, allowed, [elsewhere], 1],
    ["gained, perhaps", refused, allowed, [difference("may-gain")], 0],
    ["lost, as said", allowed, refused, [difference("lost")], 0],
    ["lost, nothing said", allowed, refused, [], 1],
    ["said to be gained, refused still", refused, refused, [difference("gained")], 1],
    ["said to be gained, allowed before", allowed, allowed, [difference("gained")], 1],
    ["said to be lost, allowed still", allowed, allowed, [difference("lost")], 1],
    [
      "said to be lost, but for a grant that is unknown",
      allowed,
      allowed,
      [difference("lost", { not_included: [{}] })],
      0,
    ],
    ["said to be lost, refused before", refused, refused, [difference("lost")], 1],
    ["the same, nothing said", sees({ d1 }), sees({ d1 }), [], 0],
    ["other documents, nothing said", sees({ d1 }), sees({ d2 }), [], 1],
    ["unmasked, nothing said", sees(hidden), sees({ d1 }), [], 1],
    [
      "fewer documents, said to be more",
      sees({ d1, d2 }),
      sees({ d1 }),
      [difference("widened", { after: { documents: [red] } })],
      2,
    ],
    [
      "fewer documents, of the query that is said",
      sees(documents),
      sees({ d1 }),
      [difference("narrowed", { after: { documents: [red] } })],
      0,
    ],
    [
      "fewer documents, of another query",
      sees(documents),
      sees({ d2 }),
      [difference("narrowed", { after: { documents: [red] } })],
      1,
    ],
    ["unknown", sees({ d1 }), sees({ d2 }), [difference("may-change")], 0],
  ])("%s", (_, before, after, reported, lines) => {
    expect(findContradictions(statePair(before, after), reported)).toHaveLength(lines);
  });
});

describe("an action that a diff names twice", () => {
  it.each<[string, readonly ReportedDifference[], number]>([
    ["on one index", [difference("gained"), difference("gained", { indices: region("gsq-a-1") })], 1],
    ["once for certain, and once perhaps", [difference("gained"), difference("may-gain")], 0],
    ["on two indices", [difference("gained"), elsewhere], 0],
  ])("%s", (_, reported, lines) => {
    expect(findRepeated(statePair(refused, allowed), reported)).toHaveLength(lines);
  });

  it("contradicts itself where the kinds differ", () => {
    const both = [difference("gained"), difference("lost")];
    expect(findContradictions(statePair(refused, allowed), both).join()).toContain("differences of several kinds");
  });
});

describe("a request before and after, and what is said of the principals", () => {
  it.each<[string, Effect, Effect, readonly ReportedDifference[], number]>([
    ["gained, as said", refused, allowed, [difference("gained")], 0],
    ["gained, and lost is said", refused, allowed, [difference("lost")], 1],
    ["lost, nothing said", allowed, refused, [], 1],
    ["less, and more is said", sees({ d1, d2 }), sees({ d1 }), [difference("widened")], 1],
    [
      "other things, more of one and less of another",
      sees({ d1 }),
      sees({ d2 }),
      [difference("widened"), difference("narrowed")],
      0,
    ],
    ["the same, one gains what the other loses", allowed, allowed, [difference("gained"), difference("lost")], 0],
  ])("%s", (_, before, after, reported, lines) => {
    expect(findUnexplained(statePair(before, after), reported)).toHaveLength(lines);
  });
});
