// The search for an order by what each of several constraints says of its own pieces, against a search of all that can be
// made, one set of pieces after the other.
import { expect, test } from "vitest";
import { isFeasible, type Space, searchRoute } from "../../src/plan/order/search.ts";
import { randomFrom } from "../fixtures/index.ts";
import { isWhole } from "../support/extent.ts";
import { seed } from "./seed.ts";

const spaces = isWhole ? 40_000 : 2_000;

test(`as few requests as any order needs, in ${spaces} spaces at random, seed ${seed}`, () => {
  const counts = { moved: 0, split: 0, none: 0, usual: 0 };
  for (let at = 0; at < spaces; at++) {
    const space = spaceFrom(`space ${seed} ${at}`);
    const sequences = new Set(space.sequences.filter((_, batch) => (space.start & (1n << BigInt(batch))) === 0n)).size;
    const fewest = fewestIn(space);
    const found = Array.from({ length: space.sequences.length - sequences + 1 }, (_, more) => sequences + more)
      .map((requests) => searchRoute(space, requests))
      .find((route) => route !== undefined);
    expect(found?.length, `space ${seed} ${at}`).toBe(fewest);
    if (found) expect(whatIsWrong(space, found), `space ${seed} ${at}`).toEqual([]);
    // What one of them can never allow, all of them cannot.
    if (found) expect(space.constraints.every((one) => isFeasible(space, one))).toBe(true);
    counts[!found ? "none" : found.length > sequences ? "split" : isUsual(space, found) ? "usual" : "moved"] += 1;
  }
  console.info(`Orders of random spaces: ${JSON.stringify(counts)}`);
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0);
}, 600_000);

/** Up to three sequences of up to seven pieces, and constraints that forbid some of what can be made of some of them. */
function spaceFrom(name: string): Space {
  const random = randomFrom(name);
  const sequences = Array.from({ length: 2 + random.below(6) }, () => random.below(3)).sort();
  const all = sequences.map((_, at) => 1n << BigInt(at));
  const start = random.chance(0.1) ? sequenceOf(sequences, sequences[0] ?? 0) : 0n;
  const constraints = Array.from({ length: 1 + random.below(4) }, () => {
    const batches = random.some(all, 2, 4).reduce((bits, bit) => bits | bit, 0n);
    const share = random.pick([0.2, 0.4, 0.6]);
    const forbidden = new Set(partsOf(batches).filter((part) => part !== batches && random.chance(share)));
    const refused = new Set(partsOf(batches).filter(() => random.chance(0.05)));
    // Of a request it is said as well from where it may not go.
    const allows = (made: bigint, next: bigint) => !forbidden.has(next) && !(refused.has(made) && next !== batches);
    return { batches, allows };
  });
  return { sequences, start, constraints, mayStep: () => true };
}

function fewestIn(space: Space): number | undefined {
  const { sequences, start } = space;
  const all = (1n << BigInt(sequences.length)) - 1n;
  const seen = new Set([start]);
  let front = [start];
  for (let requests = 0; front.length > 0; requests++) {
    if (seen.has(all)) return requests;
    const next: bigint[] = [];
    for (const made of front) {
      for (const sequence of new Set(sequences)) {
        for (const part of partsOf(sequenceOf(sequences, sequence) & ~made)) {
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
  const all = (1n << BigInt(space.sequences.length)) - 1n;
  const steps = route.map((next, at) => [route[at - 1] ?? space.start, next] as const);
  return [
    ...steps.flatMap(([made, next]) => (isAllowed(space, made, next) ? [] : [`${made} to ${next} is not allowed`])),
    ...steps.flatMap(([made, next]) => {
      const touched = new Set(space.sequences.filter((_, at) => (next & ~made & (1n << BigInt(at))) !== 0n));
      return touched.size === 1 && (made & ~next) === 0n ? [] : [`${made} to ${next} is no request of one sequence`];
    }),
    ...((route.at(-1) ?? space.start) === all ? [] : ["not all is made"]),
  ];
}

function isAllowed({ constraints }: Space, made: bigint, next: bigint): boolean {
  return constraints.every(({ batches, allows }) => {
    const [had, has] = [made & batches, next & batches];
    return had === has || allows(had, has);
  });
}

function isUsual({ sequences }: Space, route: readonly bigint[]): boolean {
  const first = (bits: bigint) => sequences[sequences.findIndex((_, at) => (bits & (1n << BigInt(at))) !== 0n)] ?? 0;
  const runInOrder = route.map((next, at) => first(next & ~(route[at - 1] ?? 0n)));
  return runInOrder.every((sequence, at) => at === 0 || sequence >= (runInOrder[at - 1] ?? 0));
}

function sequenceOf(sequences: readonly number[], sequence: number): bigint {
  return sequences.reduce((bits, own, at) => (own === sequence ? bits | (1n << BigInt(at)) : bits), 0n);
}

/** All but nothing. */
function partsOf(bits: bigint): readonly bigint[] {
  const parts: bigint[] = [];
  for (let part = bits; part > 0n; part = (part - 1n) & bits) parts.push(part);
  return parts;
}
