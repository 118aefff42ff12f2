// What is not known never becomes a certain answer: whatever else the patterns are that cannot be decided here, and whichever
// restriction a server takes, what the access diff, questions, access tests and the order of writes call certain, or the
// same, is so. By the naive evaluator, in every completion of small fixtures.
import { expect, test } from "vitest";
import { createBreachFinder } from "../../src/access/compare/between/intermediate-check.ts";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { createTableBuilder } from "../../src/access/compare/table/table-builder.ts";
import { findRequestKind } from "../../src/access/evaluate/asked-request.ts";
import { evaluateQuestion } from "../../src/access/evaluate/question.ts";
import { nowhere } from "../../src/access/explain/grant-path.ts";
import { findContradiction } from "../../src/access/questions/tested.ts";
import type { AccessDifference, DifferenceKind } from "../../src/model/access.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import type { Fixture } from "../support/evaluated.ts";
import { countOf } from "../support/extent.ts";
import { modelOfFixture, subjectOfPerson } from "../support/modelled.ts";
import { changedFrom, completionsOf, fixtureFrom, index, person } from "./access/completions.ts";
import { holds } from "./access/holds.ts";
import { kindOf, levelIn, type Seen } from "./access/seen.ts";
import { seed } from "./seed.ts";

const products = ["opensearch", "search-guard-7"] as const;
const pairs = countOf(1000, 60);
const minutes = 600_000;

const actions = [
  "indices:data/read/search",
  "indices:data/read/get",
  "indices:data/write/index",
  "indices:admin/mappings/get",
];

function pairFrom(random: Random, product: Fixture["product"]): readonly [Fixture, Fixture] {
  const before = fixtureFrom(random, product);
  return [before, changedFrom(random, before)];
}

/** What of a change may be said where these are all that it may be. */
const allowed: Readonly<Record<DifferenceKind, readonly (DifferenceKind | undefined)[]>> = {
  gained: ["gained"],
  lost: ["lost"],
  widened: ["widened"],
  narrowed: ["narrowed"],
  changed: ["changed"],
  "may-gain": [undefined, "gained", "widened"],
  "may-lose": [undefined, "lost", "narrowed"],
  "may-change": [undefined, "gained", "lost", "widened", "narrowed", "changed"],
};

const anythingElse = [undefined, "gained", "widened", "narrowed", "changed"] as const;

/**
 * The same beside a grant that is unknown before and after alike: where it is there, nothing is gained that it does not grant
 * already, and all that is lost is what is seen by it. No one sees more of what is reported as lost.
 */
const allowedBeside: typeof allowed = {
  ...allowed,
  gained: anythingElse,
  "may-gain": anythingElse,
  lost: [undefined, "lost", "narrowed"],
};

const subject = subjectOfPerson(person);
const persona = { name: "p", subject };

test.each(products)(
  `differences, seed ${seed}: %s`,
  (product) => {
    const random = randomFrom(`unknown differences ${product} ${seed}`);
    const counts = { certain: 0, unknown: 0, same: 0, "certain in truth, said to be unknown": 0 };
    for (let at = 0; at < pairs; at++) {
      const [before, after] = pairFrom(random, product);
      const { statements, unknowns } = compareAccess(modelOfFixture(before), modelOfFixture(after), [persona]);
      expect(unknowns).toEqual([]);
      const differences = statements
        .filter(({ who }) => who.some(({ kind }) => kind === "persona"))
        .flatMap((statement) => statement.differences);
      const all = [...completionsOf([before, after])];
      for (const action of actions) {
        const truth = new Set(all.map(([was, is]) => kindOf(seen(was, action), seen(is, action))));
        const kinds = differences.filter((one) => holds(one, action, index));
        const [{ kind, besides = [] } = {}] = kinds;
        const may = kind === undefined ? [undefined] : (besides.length > 0 ? allowedBeside : allowed)[kind];
        const isOne = kinds.length <= 1 && [...truth].every((one) => may.includes(one));
        if (!isOne && !isLossAndMore(kinds, truth))
          expect({ before, after, action, kinds, truth: [...truth] }).toBe("right");
        const isUnknown = kind?.startsWith("may-") ?? false;
        counts[kind === undefined ? "same" : isUnknown ? "unknown" : "certain"]++;
        if (isUnknown && truth.size === 1) counts["certain in truth, said to be unknown"]++;
      }
    }
    console.log(`Differences in fixtures of which not all is known, ${product}: ${JSON.stringify(counts)}`);
    expect(Math.min(counts.certain, counts.unknown)).toBeGreaterThan(0);
  },
  minutes,
);

/** A loss wherever an unknown grant is not, which may show more where it is: both are reported, and both may be. */
function isLossAndMore(
  [loss, other, ...more]: readonly AccessDifference[],
  truth: ReadonlySet<DifferenceKind | undefined>,
): boolean {
  if (!loss?.besides || other?.kind !== "may-change" || more.length > 0) return false;
  const isLoss = loss.kind === "lost" || loss.kind === "narrowed";
  return isLoss && truth.size > 1 && truth.has(loss.kind);
}

function seen(fixture: Fixture | undefined, action: string): Seen {
  return fixture ? levelIn(fixture, person, action, index) : "denied";
}

test.each(products)(
  `questions and access tests, seed ${seed}: %s`,
  (product) => {
    const random = randomFrom(`unknown questions ${product} ${seed}`);
    const release = product === "opensearch" ? "2.19" : "7.x-38";
    const request = findRequestKind("indices:data/read/search", release);
    if (!request) throw new Error("no search");
    const counts = { yes: 0, no: 0, unknown: 0, partly: 0, "certain in truth, said to be unknown": 0 };
    for (let at = 0; at < pairs; at++) {
      const fixture = fixtureFrom(random, product);
      const settings = random.pick([{}, { reducesRequests: true }, { reducesRequests: true, reducesToNothing: true }]);
      const model = modelOfFixture(fixture, settings);
      const truth = new Set([...completionsOf([fixture])].map(([each]) => seen(each, "indices:data/read/search")));
      const granted = new Set([...truth].map((one) => one !== "denied"));
      const { verdict } = evaluateQuestion(model, subject, request, [index]);
      const isRight = verdict === "unknown" || (granted.size === 1 && granted.has(verdict === "yes"));
      if (!isRight) expect({ fixture, settings, verdict }).toBe("right");
      counts[verdict]++;
      if (verdict === "unknown" && granted.size === 1) counts["certain in truth, said to be unknown"]++;
      // Above all an expectation that something is denied must not pass.
      const question = { of: "request", request, indices: [index], title: "" } as const;
      const outcome = (expect: "allowed" | "denied", sees?: "everything") =>
        findContradiction(model, { subject, title: "" }, question, { expect, ...(sees && { sees }) }, nowhere)
          ?.outcome ?? "passed";
      for (const [isAllowed, expected] of [
        [true, "allowed"],
        [false, "denied"],
      ] as const) {
        const found = outcome(expected);
        if (found === "passed") expect({ fixture, settings, granted }).toMatchObject({ granted: new Set([isAllowed]) });
        if (found === "failed")
          expect({ fixture, settings, granted }).toMatchObject({ granted: new Set([!isAllowed]) });
      }
      const seesAll = [...truth].map((one) => typeof one === "object" && isEverything(one));
      const sight = outcome("allowed", "everything");
      if (sight === "passed")
        expect({ fixture, settings, seesAll }).toMatchObject({ seesAll: seesAll.map(() => true) });
      if (sight === "failed")
        expect({ fixture, settings, seesAll }).toMatchObject({ seesAll: seesAll.map(() => false) });
    }
    console.log(`Questions in fixtures of which not all is known, ${product}: ${JSON.stringify(counts)}`);
    expect(Math.min(counts.yes, counts.no, counts.unknown)).toBeGreaterThan(0);
  },
  minutes,
);

function isEverything({ docs, fields }: Exclude<Seen, string>): boolean {
  return docs.length === 4 && fields.every((look) => look === "shown");
}

test.each(products)(
  `states in between, seed ${seed}: %s`,
  (product) => {
    const random = randomFrom(`unknown order ${product} ${seed}`);
    const counts = { clean: 0, leak: 0, outage: 0, unsure: 0 };
    for (let at = 0; at < pairs; at++) {
      const [before, after] = pairFrom(random, product);
      const between = random.chance(0.7)
        ? { ...before, ...(random.chance(0.5) ? { roles: after.roles } : { mappings: after.mappings }) }
        : changedFrom(random, before);
      const fixtures = [before, between, after];
      const [was, now, is] = fixtures
        .map((fixture) => modelOfFixture(fixture))
        .map((model) => ({ touched: model, all: model }));
      if (!was || !now || !is) throw new Error("three of them");
      const concerned = { who: { kind: "persona", name: "p" }, subject } as const;
      const breach = createBreachFinder([was, is], createTableBuilder()).of(concerned, now);
      counts[breach?.kind ?? "clean"]++;
      const all = [...completionsOf(fixtures)];
      const harms = (action: string) =>
        new Set(all.map((each) => harmIn(each.map((fixture) => visible(seen(fixture, action))))));
      if (!breach) {
        for (const action of actions) {
          const found = [...harms(action)].filter((harm) => harm !== undefined);
          if (found.length > 0) expect({ before, between, after, action, found }).toBe("clean");
        }
      } else if (breach.kind !== "unsure" && breach.index === index && actions.includes(breach.action)) {
        const found = harms(breach.action);
        const isRight = [...found].every((harm) => harm === "both" || harm === breach.kind);
        if (!isRight) expect({ before, between, after, breach, found: [...found] }).toBe("certain");
      }
    }
    console.log(`States in between of which not all is known, ${product}: ${JSON.stringify(counts)}`);
    expect(Math.min(counts.clean, counts.unsure)).toBeGreaterThan(0);
  },
  minutes,
);

/** All that can be seen, or done, each by a text. */
function visible(what: Seen): ReadonlySet<string> {
  if (what === "denied") return new Set();
  if (what === "allowed") return new Set(["done"]);
  const { docs, fields } = what;
  const looks = fields.flatMap((look, at) =>
    look === "hidden" ? [] : look === "shown" ? [`${at}`, `${at} clear`] : [`${at}`],
  );
  return new Set([
    "done",
    ...docs.flatMap((document) => [`${document}`, ...looks.map((look) => `${document} ${look}`)]),
  ]);
}

function harmIn([before, between, after]: readonly ReadonlySet<string>[]): "leak" | "outage" | "both" | undefined {
  if (!before || !between || !after) return undefined;
  const isLeak = [...between].some((one) => !before.has(one) && !after.has(one));
  const isOutage = [...before].some((one) => after.has(one) && !between.has(one));
  if (isLeak) return isOutage ? "both" : "leak";
  return isOutage ? "outage" : undefined;
}
