// The search for an order by what each of several rules says of its own batches, against a search of all that can be made,
// one set of batches after the other.
import { expect, test } from "vitest";
import { type Space, searchRoute } from "../../src/plan/order/search.ts";
import { randomFrom } from "../fixtures/index.ts";
import { countOf } from "../support/extent.ts";
import { seed } from "./seed.ts";

const spaces = countOf(40_000, 2_000);

test(`an order where there is one, in ${spaces} spaces at random, seed ${seed}`, () => {
  const counts = { usual: 0, moved: 0, split: 0, none: 0, missed: 0, longer: 0 };
  for (let at = 0; at < spaces; at++) {
    const space = spaceFrom(`space ${seed} ${at}`);
    const fewest = fewestIn(space);
    const found = searchRoute(space);
    if (found) expect(whatIsWrong(space, found), `space ${seed} ${at}`).toEqual([]);
    if (found) expect(found.length, `space ${seed} ${at}`).toBeGreaterThanOrEqual(fewest ?? Number.POSITIVE_INFINITY);
    if (found && fewest !== undefined && found.length > fewest) counts.longer += 1;
    const whole = space.families.length;
    const kind = !found ? "none" : found.length > whole ? "split" : isUsual(space, found) ? "usual" : "moved";
    counts[kind === "none" && fewest !== undefined ? "missed" : kind] += 1;
  }
  console.info(`Orders of random spaces: ${JSON.stringify(counts)}`);
  for (const kind of ["usual", "moved", "split", "none"] as const) expect(counts[kind], kind).toBeGreaterThan(0);
  // Rules at random are harder than what access makes of a plan: there it is one in some hundreds.
  const other = counts.moved + counts.split + counts.missed;
  expect(counts.missed / other).toBeLessThan(0.08);
  expect(counts.longer / other).toBeLessThan(0.02);
}, 600_000);

test(`an order of whole requests wherever there is one, in ${spaces} spaces at random, seed ${seed}`, () => {
  const counts = { found: 0, none: 0 };
  for (let at = 0; at < spaces; at++) {
    const space = wholeOf(spaceFrom(`space ${seed} ${at}`));
    const found = searchRoute(space);
    expect(found?.length, `space ${seed} ${at}`).toBe(fewestIn(space));
    if (found) expect(whatIsWrong(space, found), `space ${seed} ${at}`).toEqual([]);
    counts[found ? "found" : "none"] += 1;
  }
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0);
}, 600_000);

/** The same with one batch for each request. */
function wholeOf(space: Space): Space {
  const requests = [space.start, ...space.families.flat()];
  const expand = (made: bigint) =>
    requests.reduce((bits, request, at) => (made & (1n << BigInt(at)) ? bits | request : bits), 0n);
  return {
    ...space,
    families: space.families.map((_, at) => [1n << BigInt(at + 1)]),
    start: 1n,
    batches: requests.map(() => ({})),
    rules: space.rules.map(({ bits, allows }) => ({
      bits: requests.reduce((some, request, at) => (request & bits ? some | (1n << BigInt(at)) : some), 0n),
      allows: (made, next) => allows(expand(made) & bits, expand(next) & bits),
    })),
  };
}

/** Up to three families of up to seven batches, and rules that forbid some of what can be made of some of them. */
function spaceFrom(name: string): Space {
  const random = randomFrom(name);
  const familyOf = Array.from({ length: 2 + random.below(6) }, () => random.below(3)).sort();
  const all = familyOf.map((_, at) => 1n << BigInt(at));
  const [first = 0] = familyOf;
  const isStarted = random.chance(0.1);
  const requests = [...new Set(familyOf)].map((family) => bitsOf(familyOf, family));
  const batches = familyOf.map(() => ({ change: random.below(3), kind: random.pick(["adding", "removing"] as const) }));
  const rules = Array.from({ length: 1 + random.below(4) }, () => {
    const bits = random.some(all, 2, 4).reduce((some, bit) => some | bit, 0n);
    const share = random.pick([0.2, 0.4, 0.6]);
    const forbidden = new Set(partsOf(bits).filter((part) => part !== bits && random.chance(share)));
    const refused = new Set(partsOf(bits).filter(() => random.chance(0.05)));
    // Of a request it is said as well from where it may not go.
    const allows = (made: bigint, next: bigint) => !forbidden.has(next) && !(refused.has(made) && next !== bits);
    return { bits, allows };
  });
  return {
    families: (isStarted ? requests.slice(1) : requests).map((request) => [request]),
    start: isStarted ? bitsOf(familyOf, first) : 0n,
    batches,
    rules,
    mayCheck: () => true,
  };
}

function fewestIn(space: Space): number | undefined {
  const { families, start } = space;
  const all = families.flat().reduce((bits, request) => bits | request, start);
  const seen = new Set([start]);
  let front = [start];
  for (let requests = 0; front.length > 0; requests++) {
    if (seen.has(all)) return requests;
    const next: bigint[] = [];
    for (const made of front) {
      for (const request of families.flat()) {
        for (const part of partsOf(request & ~made)) {
          const to = made | part;
          if (seen.has(to) || !isAllowed(space, made, to)) continue;
          seen.add(to);
          next.push(to);
        }
      }
    }
    front = next;
  }
  return undefined;
}

function whatIsWrong(space: Space, route: readonly bigint[]): readonly string[] {
  const { families, start } = space;
  const all = families.flat().reduce((bits, request) => bits | request, start);
  const steps = route.map((next, at) => [route[at - 1] ?? start, next] as const);
  return [
    ...steps.flatMap(([made, next]) => (isAllowed(space, made, next) ? [] : [`${made} to ${next} is not allowed`])),
    ...steps.flatMap(([made, next]) => {
      const touched = families.flat().filter((request) => (request & next & ~made) !== 0n);
      return touched.length === 1 && (made & ~next) === 0n ? [] : [`${made} to ${next} is no request of one family`];
    }),
    ...((route.at(-1) ?? start) === all ? [] : ["not all is made"]),
  ];
}

function isAllowed({ rules }: Space, made: bigint, next: bigint): boolean {
  return rules.every(({ bits, allows }) => {
    const [had, has] = [made & bits, next & bits];
    return had === has || allows(had, has);
  });
}

function isUsual({ families, start }: Space, route: readonly bigint[]): boolean {
  return route.every((next, at) => (next & ~(route[at - 1] ?? start) & ~(families[at]?.[0] ?? 0n)) === 0n);
}

function bitsOf(familyOf: readonly number[], family: number): bigint {
  return familyOf.reduce((bits, own, at) => (own === family ? bits | (1n << BigInt(at)) : bits), 0n);
}

/** All but nothing. */
function partsOf(bits: bigint): readonly bigint[] {
  const parts: bigint[] = [];
  for (let part = bits; part > 0n; part = (part - 1n) & bits) parts.push(part);
  return parts;
}
