import { expect, test } from "vitest";
import { type Rule, type Space, searchRoute } from "../../../../src/plan/order/search.ts";

/** One family for each number: so many batches, which one request makes. */
function spaceOf(sizes: readonly number[], rules: readonly Rule[] = [], more: Partial<Space> = {}): Space {
  let at = 0n;
  const families = sizes.map((size) => {
    const bits = ((1n << BigInt(size)) - 1n) << at;
    at += BigInt(size);
    return [bits];
  });
  const batches = Array.from({ length: Number(at) }, (_, change) => ({ change }));
  return { families, start: 0n, batches, rules, mayCheck: () => true, ...more };
}

/** Of states that are not allowed; bits from the last to the first. */
function forbid(...states: readonly bigint[]): Rule {
  return { bits: 0b1111n, allows: (_, next) => !states.includes(next) };
}

function allowOnly(...states: readonly bigint[]): Rule {
  return { bits: 0b1111111n, allows: (_, next) => states.includes(next) };
}

function check(space: Space, expected: string | undefined) {
  const route = searchRoute(space);
  expect(route?.map((made) => made.toString(2).padStart(space.batches.length, "0")).join(" ")).toBe(expected);
}

test("families go in their order, each at once", () => check(spaceOf([1, 1, 1]), "001 011 111"));
test("another order where that one is not allowed", () => check(spaceOf([1, 1], [forbid(0b01n)]), "10 11"));
test("no order is allowed", () => check(spaceOf([1, 1], [forbid(0b01n, 0b10n)]), undefined));
test("a request is split where no order of whole ones is allowed", () =>
  check(spaceOf([1, 2], [forbid(0b001n, 0b110n)]), "100 101 111"));
test("what is made before anything is chosen stays made", () =>
  check(spaceOf([1, 1], [], { families: [[0b10n]], start: 0b01n }), "11"));
test("a request that leads from one state to another may be refused", () => {
  const allows = (made: bigint, next: bigint) => !(made === 0n && next === 0b001n);
  check(spaceOf([1, 1, 1], [{ bits: 0b111n, allows }]), "010 011 111");
});
test("requests of a family that cannot go yet are left for later", () =>
  check(spaceOf([1, 1, 1], [forbid(0b001n, 0b101n)], { families: [[0b001n, 0b010n], [0b100n]] }), "010 011 111"));
test("only as much is left for later as one rule forbids", () => {
  const isAfterThird: Rule = { bits: 0b101n, allows: (_, next) => next !== 0b001n };
  const isBeforeThird: Rule = { bits: 0b110n, allows: (_, next) => next !== 0b100n };
  check(spaceOf([2, 1], [isAfterThird, isBeforeThird]), "010 110 111");
});
test("what one rule leaves for later is checked by the others again", () => {
  const isWithFirst: Rule = { bits: 0b011n, allows: (_, next) => next !== 0b010n };
  const isAfterThird: Rule = { bits: 0b101n, allows: (_, next) => next !== 0b001n };
  check(spaceOf([2, 1], [isWithFirst, isAfterThird]), "100 111");
  check(spaceOf([2, 1], [isWithFirst, isAfterThird, forbid(0b100n)]), undefined);
});
test("all of one change is left for later where any of it would harm", () => {
  const batches = [{ change: "a" }, { change: "a" }, { change: "b" }, { change: "c" }, {}];
  check(spaceOf([4, 1], [allowOnly(0b01100n, 0b11100n, 0b11111n)], { batches }), "01100 11100 11111");
});
test("one change goes first alone where any other would harm", () => {
  const batches = ["a", "a", "b", "b", "c", "c"].map((change) => ({ change }));
  const rule = allowOnly(0b0001100n, 0b1001100n, 0b1111111n);
  check(spaceOf([6, 1], [rule], { batches: [...batches, {}] }), "0001100 1001100 1111111");
});
test("of one rule only what removes something goes first, of others more", () => {
  const kinds = ["removing", "removing", "adding", "adding", "adding"] as const;
  const states = [0b000011n, 0b100011n, 0b101111n];
  const rule: Rule = { bits: 0b101111n, allows: (_, next) => states.includes(next) };
  const isAfterFifth: Rule = { bits: 0b110000n, allows: (_, next) => next !== 0b100000n };
  const batches = [...kinds.map((kind, change) => ({ change, kind })), {}];
  check(spaceOf([5, 1], [rule, isAfterFifth], { batches }), "010011 110011 111111");
});
test("only what removes something goes first where more leads nowhere", () => {
  const kinds = ["removing", "removing", "adding", "adding"] as const;
  const rule = allowOnly(0b01110n, 0b00011n, 0b10011n, 0b11111n);
  const batches = [...kinds.map((kind) => ({ kind })), {}];
  check(spaceOf([4, 1], [rule], { batches }), "00011 10011 11111");
});
test("a search whose checks are used up finds nothing", () => {
  let checks = 0;
  const space = spaceOf([1, 1], [forbid(0b01n)], { mayCheck: () => ++checks <= 2 });
  check(space, undefined);
  check({ ...space, mayCheck: () => true }, "10 11");
});
