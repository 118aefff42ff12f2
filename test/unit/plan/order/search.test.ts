import { expect, test } from "vitest";
import { searchRoute } from "../../../../src/plan/order/search.ts";

const free = { start: 0n, constraints: [], mayStep: () => true };

/** Sequences by batch; states that are not allowed, as their bits. */
function check(
  sequences: readonly number[],
  forbidden: readonly number[],
  requests: number,
  expected: string | undefined,
) {
  const all = (1n << BigInt(sequences.length)) - 1n;
  const allows = (_: bigint, next: bigint) => next === all || !forbidden.includes(Number(next));
  const route = searchRoute({ ...free, sequences, constraints: [{ batches: all, allows }] }, requests);
  expect(route?.map((made) => made.toString(2).padStart(sequences.length, "0")).join(" ")).toBe(expected);
}

test("sequences go in their order, each at once", () => check([0, 1, 2], [], 3, "001 011 111"));
test("another order where that one is not allowed", () => check([0, 1], [0b01], 2, "10 11"));
test("no order is allowed", () => check([0, 1], [0b01, 0b10], 2, undefined));
test("a sequence is taken apart where there is a request for that", () => {
  check([0, 1, 1], [0b001, 0b110], 2, undefined);
  check([0, 1, 1], [0b001, 0b110], 3, "010 011 111");
});
test("the last state is always allowed", () => check([0, 0], [0b11], 1, "11"));
test("what is made before anything is chosen stays made", () => {
  const start = 0b01n;
  expect(searchRoute({ ...free, sequences: [0, 1], start }, 1)).toEqual([0b11n]);
});
test("a request that leads from one state to another may be refused", () => {
  const allows = (made: bigint, next: bigint) => !(made === 0n && next === 0b001n);
  const constraints = [{ batches: 0b111n, allows }];
  expect(searchRoute({ ...free, sequences: [0, 1, 2], constraints }, 3)).toEqual([0b010n, 0b011n, 0b111n]);
});
