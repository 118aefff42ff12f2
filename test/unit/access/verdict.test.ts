// No way leads from unknown to a certain answer: a combination is certain only where every completion of what is unknown
// gives that answer. By all verdicts, and by all conditions of three facts that a few steps can make.
import { describe, expect, it } from "vitest";
import {
  type Condition,
  combineAll,
  combineAny,
  compareConditions,
  createFact,
  findHarm,
  getConditionKey,
  joinAll,
  joinAny,
  listOutcomes,
  negate,
  negateCondition,
  toVerdict,
  type Verdict,
} from "../../../src/access/verdict.ts";

const verdicts: readonly Verdict[] = ["yes", "no", "unknown"];

/** Each unknown is a yes or a no. */
function completions(some: readonly Verdict[]): readonly (readonly boolean[])[] {
  return some.reduce<readonly (readonly boolean[])[]>(
    (all, one) =>
      all.flatMap((before) => (one === "unknown" ? [true, false] : [one === "yes"]).map((value) => [...before, value])),
    [[]],
  );
}

function certainOf(values: readonly boolean[]): Verdict {
  const [first] = values;
  return values.some((value) => value !== first) ? "unknown" : first ? "yes" : "no";
}

describe("verdicts", () => {
  const lists = [0, 1, 2, 3].flatMap((length) =>
    Array.from({ length }).reduce<readonly (readonly Verdict[])[]>(
      (all) => all.flatMap((before) => verdicts.map((one) => [...before, one])),
      [[]],
    ),
  );

  it("any, all and not say just what every completion says", () => {
    expect(lists).toHaveLength(1 + 3 + 9 + 27);
    for (const list of lists) {
      const all = completions(list);
      expect([list, combineAny(list)]).toEqual([list, certainOf(all.map((values) => values.includes(true)))]);
      expect([list, combineAll(list)]).toEqual([list, certainOf(all.map((values) => !values.includes(false)))]);
    }
    for (const one of verdicts) expect(negate(one)).toBe(certainOf(completions([one]).map(([value]) => !value)));
  });
});

const facts = ["a", "b", "c"];

/** A condition with what it is worth for each set of facts that may hold: one bit for each. */
interface Sample {
  readonly condition: Condition;
  readonly worth: number;
}

const every = 2 ** (2 ** facts.length) - 1;

function worthOf(condition: Condition): number {
  const values = Array.from({ length: 2 ** facts.length }, (_, held) => {
    const holds = (name: string): boolean => (held & (1 << facts.indexOf(name))) !== 0;
    return typeof condition === "string" ? condition === "yes" : condition.holds(holds);
  });
  return values.reduce((bits, value, at) => bits | (Number(value) << at), 0);
}

/** One for each function that is come by in so many steps, and a second one, written otherwise. */
function samples(steps: number): readonly Sample[] {
  const found = new Map<number, Map<string, Condition>>();
  const add = (condition: Condition): void => {
    const same = found.get(worthOf(condition)) ?? new Map<string, Condition>();
    found.set(worthOf(condition), same);
    if (same.size < 2) same.set(getConditionKey(condition), condition);
  };
  for (const one of ["yes", "no", ...facts.map(createFact)] as const) add(one);
  for (let step = 0; step < steps; step++) {
    const all = [...found.values()].flatMap((same) => [...same.values()]);
    for (const one of all) {
      add(negateCondition(one));
      for (const other of all) {
        add(joinAny([one, other]));
        add(joinAll([one, other]));
      }
    }
  }
  return [...found].flatMap(([worth, same]) => [...same.values()].map((condition) => ({ condition, worth })));
}

describe("conditions", () => {
  const few = samples(1);
  const many = samples(2);

  it("are combined as their completions are", () => {
    expect(new Set(many.map(({ worth }) => worth)).size).toBeGreaterThan(50);
    for (const one of few) {
      expect(worthOf(negateCondition(one.condition))).toBe(every & ~one.worth);
      for (const other of many) {
        expect(worthOf(joinAny([one.condition, other.condition]))).toBe(one.worth | other.worth);
        expect(worthOf(joinAll([one.condition, other.condition]))).toBe(one.worth & other.worth);
      }
    }
  });

  it("are certain only where all completions are", () => {
    for (const { condition, worth } of many) {
      const verdict = toVerdict(condition);
      if (verdict !== "unknown") expect(worth).toBe(verdict === "yes" ? every : 0);
    }
  });

  it("have one key only where they are one function", () => {
    const byKey = new Map(many.map(({ condition, worth }) => [getConditionKey(condition), worth]));
    for (const { condition, worth } of many) expect(byKey.get(getConditionKey(condition))).toBe(worth);
  });

  it("differ just as their completions do", () => {
    for (const before of many) {
      for (const after of few) {
        const gained = (after.worth & ~before.worth) !== 0;
        const lost = (before.worth & ~after.worth) !== 0;
        const always = before.worth === (every & ~after.worth) && (before.worth === 0 || after.worth === 0);
        const expected = gained
          ? lost
            ? "may-change"
            : always
              ? "gained"
              : "may-gain"
          : lost
            ? always
              ? "lost"
              : "may-lose"
            : "same";
        expect(compareConditions(before.condition, after.condition)).toBe(expected);
      }
    }
  });

  it("have a state between them that is right only where it is in all completions", () => {
    for (const before of few) {
      for (const between of few) {
        for (const after of few) {
          const leak = between.worth & ~before.worth & ~after.worth;
          const outage = ~between.worth & before.worth & after.worth;
          const expected =
            leak === 0 && outage === 0 ? undefined : leak === every ? "leak" : outage === every ? "outage" : "unsure";
          expect(findHarm(before.condition, between.condition, after.condition)).toBe(expected);
        }
      }
    }
  });
});

describe("more facts than are tried out", () => {
  const wide = (from: number) => joinAny(Array.from({ length: 12 }, (_, at) => createFact(`f${from + at}`)));

  it("are the same only where they are written the same", () => {
    expect(compareConditions(wide(0), wide(0))).toBe("same");
    expect(compareConditions(wide(0), wide(1))).toBe("may-change");
    expect(compareConditions("no", wide(0))).toBe("may-gain");
    expect(compareConditions(wide(0), "yes")).toBe("may-gain");
    expect(compareConditions(wide(0), "no")).toBe("may-lose");
  });

  it("leave open what lies between them", () => {
    expect(findHarm(wide(0), wide(0), wide(1))).toBeUndefined();
    expect(findHarm(wide(0), wide(1), wide(2))).toBe("unsure");
    expect(listOutcomes([wide(0)], () => [1])).toBeUndefined();
  });
});
