// What a run about several targets shows once, and in which order.
import { expect, test } from "vitest";
import { type FleetItem, groupFleetItems } from "../../../src/render/views/fleet-parts.ts";

const note = (value: string): FleetItem => ({ kind: "note", key: value, value });

function orderOf(items: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const targets = Object.entries(items).map(([name, notes]) => ({ name, items: notes.map(note) }));
  return groupFleetItems(targets).map(({ targets: some, notes }) => `${some.join("+")}: ${notes.join()}`);
}

test("parts are in the order of their targets, however what is known of each is ordered", () => {
  const expected = ["a+b+c: all", "a+b: ab", "a+c: ac", "a: a", "b: b"];
  expect(orderOf({ a: ["a", "ac", "ab", "all"], b: ["b", "ab", "all"], c: ["ac", "all"] })).toEqual(expected);
  expect(orderOf({ a: ["all", "ab", "ac", "a"], b: ["all", "ab", "b"], c: ["all", "ac"] })).toEqual(expected);
});
