// Which pairs of principals the order of the writes is evaluated for. Of pairs that an intermediate state harms, though it
// harms neither of the two, one is evaluated: those that are left out are harmed as it is.
import { expect, test } from "vitest";
import { findConcerned } from "../../src/access/compare/between/concerned.ts";
import { type ConcernedSubject, createBreachFinder } from "../../src/access/compare/between/intermediate-check.ts";
import { joinSubjects } from "../../src/access/compare/pairs.ts";
import { createTableBuilder } from "../../src/access/compare/table/table-builder.ts";
import type { Subject } from "../../src/access/model/subject.ts";
import { createIntermediateStates, createStatePair, cutIntoBatches } from "../../src/plan/order/intermediate-states.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { changesBetween } from "../support/ordered.ts";
import { products, walk } from "./access/fixtures.ts";
import { type Pair, pairFrom } from "./order/pairs.ts";
import { seed } from "./seed.ts";

const count = countOf(3_000, 60);

test.each(products)(`random fixtures, seed ${seed}: %s`, (product) => {
  const random = randomFrom(`pairs of the order ${product} ${seed}`);
  const counts = { leftOut: 0, evaluated: 0, harmedTogether: 0 };
  for (let at = 0; at < count; at++) {
    const pair = at % 4 === 0 ? ends([...walk(random, product, 8)]) : pairFrom(random, product);
    for (const { leftOut, evaluated, harmed } of harmIn(pair, random)) {
      counts.leftOut += leftOut.length;
      counts.evaluated += evaluated.length;
      counts.harmedTogether += harmed.length;
      const isFound = harmed.length === 0 || harmed.some((key) => evaluated.includes(key));
      expect(isFound, `fixture ${at}: ${harmed} in ${JSON.stringify(pair)}`).toBe(true);
    }
  }
  console.info(`Pairs of the order, ${product}: ${JSON.stringify(counts)}`);
  for (const [kind, times] of Object.entries(counts)) expect(times, kind).toBeGreaterThan(0);
});

function ends<T>(fixtures: readonly T[]): readonly [T, T] {
  return [fixtures[0], fixtures.at(-1)] as [T, T];
}

/** Of some intermediate states: the pairs of which neither is harmed, and which of them are harmed as one. */
function harmIn([before, after]: Pair, random: Random) {
  const statePair = createStatePair(modelOfFixture(before), modelOfFixture(after));
  const { touched } = statePair;
  const intermediateStates = createIntermediateStates(
    cutIntoBatches(changesBetween(before, after), ({ name }, _, at) => `${at} ${name}`),
    statePair,
  );
  const { of } = createBreachFinder(
    [
      { touched: touched.before, all: statePair.before },
      { touched: touched.after, all: statePair.after },
    ],
    createTableBuilder(),
  );
  const { concerned } = findConcerned(statePair.before, statePair.after);
  const evaluated = new Set(concerned.map(({ subject }) => keyOf(subject)));
  const principals = concerned.filter(({ who }) => who.kind === "principal");
  const pairs = principals.flatMap((one, at) => principals.slice(at + 1).flatMap((other) => pairOf(one, other)));
  return Array.from({ length: 4 }, () => {
    const between = intermediateStates.at(maskFrom(intermediateStates.batches.length, random));
    const isHarmed = (one: ConcernedSubject) => of(one, between) !== undefined;
    const alone = new Set(principals.filter(isHarmed));
    const unharmed = pairs.filter(({ two }) => two.every((one) => !alone.has(one)));
    return {
      leftOut: unharmed.flatMap(({ key }) => (evaluated.has(key) ? [] : [key])),
      evaluated: unharmed.flatMap(({ key }) => (evaluated.has(key) ? [key] : [])),
      harmed: unharmed.flatMap(({ key, subject }) => (isHarmed(subject) ? [key] : [])),
    };
  });
}

function pairOf(one: ConcernedSubject, other: ConcernedSubject) {
  const subject = joinSubjects(one.subject, other.subject);
  if (!subject || one.who.kind !== "principal" || other.who.kind !== "principal") return [];
  const members = [one.who.member, other.who.member] as const;
  return [{ two: [one, other], key: keyOf(subject), subject: { who: { kind: "pair", members } as const, subject } }];
}

/** A principal with several backend roles is a pair of those with one of them each. */
function keyOf({ user, host, backendRoles, otherThan }: Subject): string {
  return JSON.stringify([
    user,
    host,
    backendRoles.map((who) => JSON.stringify(who)).sort(),
    [...(otherThan ?? [])].sort(),
  ]);
}

function maskFrom(batches: number, random: Random): bigint {
  let made = 0n;
  for (let at = 0; at < batches; at++) if (random.chance(0.5)) made |= 1n << BigInt(at);
  return made;
}
