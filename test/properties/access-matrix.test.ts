// Each cell of the table of access is what `can-i` says before and after of the levels of its requests; where a principal
// has none that is about an index, `can-i` says the same on both sides. Over random states, one after the other.
import { expect, test } from "vitest";
import { compareAccess } from "../../src/access/compare/compare.ts";
import { findPairs } from "../../src/access/compare/pairs.ts";
import { findTouched } from "../../src/access/compare/touched.ts";
import { clusterLevels, indexLevels } from "../../src/access/evaluate/access-levels.ts";
import { evaluateQuestion, type RequestVerdict } from "../../src/access/evaluate/question.ts";
import { nowhere } from "../../src/access/explain/grant-path.ts";
import type { AccessModel } from "../../src/access/model/access-model.ts";
import type { Subject } from "../../src/access/model/subject.ts";
import type { AffectedPrincipal, Limits } from "../../src/model/access.ts";
import { parseQuestion } from "../../src/questions/asked.ts";
import { createAccessView } from "../../src/render/views/access-diff.ts";
import { createAccessMatrix, type MatrixMark, type MatrixRow } from "../../src/render/views/access-matrix.ts";
import { randomFrom } from "../fixtures/random.ts";
import type { Fixture } from "../support/evaluated.ts";
import { modelOfFixture } from "../support/modelled.ts";
import { products, walk } from "./access/fixtures.ts";
import { isWithin } from "./access/holds.ts";
import { indices } from "./access/seen.ts";
import { seed, seeds } from "./seed.ts";

const sample = seeds(15, 2);
const release = { opensearch: "2.19", "search-guard-7": "7.x-38", "search-guard-6": "6" } as const;

/** By level; `restricted` where documents or fields of what is read are hidden, or may be. */
type Levels = Readonly<Record<string, RequestVerdict | boolean>>;

const order: readonly RequestVerdict[] = ["yes", "partly", "unknown", "no"];

/** What can-i says. */
function askLevels(model: AccessModel, subject: Subject, product: Fixture["product"], index?: string): Levels {
  let isRestricted = false;
  const levels = (index === undefined ? clusterLevels : indexLevels).map(([level, words]) => {
    const verdicts = words.map((action) => {
      const asked = parseQuestion({ action, ...(index !== undefined && { index }) }, release[product]);
      if (asked.of !== "request") return "no";
      const { verdict, shares } = evaluateQuestion(model, subject, asked.request, asked.indices);
      if (level === "read" && shares.some((one) => one.verdict !== "no" && one.limits && hides(one.limits)))
        isRestricted = true;
      return verdict;
    });
    return [level, order.find((verdict) => verdicts.includes(verdict)) ?? "no"] as const;
  });
  return { ...Object.fromEntries(levels), restricted: isRestricted };
}

function hides({ documents, fields: { only, not, masks }, unsure }: Limits): boolean {
  return documents !== undefined || only !== undefined || [...not, ...masks, ...unsure].length > 0;
}

const below: Readonly<Record<string, readonly string[]>> = {
  read: ["read"],
  write: ["read", "write"],
  manage: ["read", "write", "manage"],
  administer: ["read", "administer"],
};

/** What the text of one side says: `write without read, unknown: manage`, `write, restricted read`, `part: read/write`. */
function readLevels(text: string, isOfCluster: boolean): Levels {
  const names = (isOfCluster ? clusterLevels : indexLevels).map(([level]) => level as string);
  const found = new Map<string, RequestVerdict>(names.map((name) => [name, "no"]));
  const parts = text === "nothing" ? [] : text.split(", ").filter((part) => part !== "perhaps restricted");
  for (const part of parts) {
    const [, how, what = ""] = /^(?:(part|unknown): )?(?:restricted )?(.*)$/.exec(part) ?? [];
    const verdict = how === "part" ? "partly" : how === "unknown" ? "unknown" : "yes";
    const [most = "", less = ""] = what.split(" without ");
    const missing = less.split(" or ");
    const meant = how === undefined ? below[most]?.filter((one) => !missing.includes(one)) : most.split("/");
    for (const one of meant ?? [text]) {
      expect(names).toContain(one);
      found.set(one, verdict);
    }
  }
  // Of what is read in part, or perhaps, it is not said.
  const isRead = found.get("read") === "yes";
  return { ...Object.fromEntries(found), ...(isRead && { restricted: text.includes("restricted") }) };
}

function findSubjects(before: AccessModel, after: AccessModel): (who: AffectedPrincipal) => Subject | undefined {
  const touched = findTouched(before, after).everybody;
  const { pairs } = findPairs(before, after);
  return (who) => {
    if (who.kind === "principal") return touched.find(({ member }) => member === who.member)?.subject;
    if (who.kind === "persona") return undefined;
    const [one, other] = who.members;
    return pairs.find(({ first, second }) => first.member === one && second.member === other)?.subject;
  };
}

const seen = { sides: new Set<string>(), marks: 0, patterns: 0, empty: 0 };

function listProblems(fixtures: readonly [before: Fixture, after: Fixture]): readonly string[] {
  const [before, after] = fixtures.map((one) => modelOfFixture(one)) as [AccessModel, AccessModel];
  const { product } = fixtures[0];
  // Search Guard's `_all` matches no index that is not there: can-i, which knows of none, says unknown.
  const mayBeMissing = product !== "opensearch" && JSON.stringify(fixtures).includes('"_all"');
  const access = compareAccess(before, after);
  const view = createAccessView(access, { changes: [], violations: [], waived: [] }, nowhere);
  const { rows, columns } = createAccessMatrix(view);
  const subjectOf = findSubjects(before, after);
  const both = (subject: Subject, index?: string) =>
    [before, after].map((model) => askLevels(model, subject, product, index)) as [Levels, Levels];
  const isAlike = (one: Levels, other: Levels) => {
    const isOpen = (level: string) => mayBeMissing && [one[level], other[level]].includes("unknown");
    return Object.keys(one).every((level) => one[level] === other[level] || isOpen(level));
  };
  // Of one of several indices, what is said of all of them says less.
  const agrees = (cell: Levels, real: Levels, isWhole: boolean) =>
    isWhole
      ? isAlike(cell, real)
      : Object.entries(cell).every(([level, verdict]) =>
          level === "restricted"
            ? verdict === true || real.restricted === false
            : verdict === "partly" || verdict === "unknown" || isAlike({ [level]: verdict }, real),
        );
  const ofMark = ({ text, kind, line }: MatrixMark, subject: Subject, column: string): readonly string[] => {
    const difference = line?.difference;
    if (!difference) return [];
    seen.marks++;
    const names = difference.indices?.examples ?? [undefined];
    const term = difference.indices?.terms;
    // As people would ask who read the column.
    const pattern = term?.length === 1 && column === term[0]?.allOf[0] ? [column] : [];
    if (pattern.length > 0) seen.patterns++;
    const asked = pattern.length > 0 ? [...names, ...pattern] : names;
    return asked.flatMap((index) => {
      const [was, is] = both(subject, index);
      if (text === "some actions") return isAlike(was, is) ? [] : [`${index} ${text} ${show(was)} ${show(is)}`];
      const sides = text.split(" → ").map((side) => readLevels(side, difference.level === "cluster"));
      const isWholeColumn = index === undefined || pattern.includes(index);
      for (const side of text.split(" → ")) seen.sides.add(side);
      return [was, is].flatMap((real, at) =>
        agrees(sides[at] ?? {}, real, isWholeColumn)
          ? []
          : [`${kind} ${index}: ${text}, can-i ${show(was)} → ${show(is)}`],
      );
    });
  };
  const ofRow = ({ principals, cells }: MatrixRow): readonly string[] =>
    principals.flatMap((who) => {
      const subject = subjectOf(who);
      if (!subject) return [`no subject: ${JSON.stringify(who)}`];
      const marks = cells.flatMap((all, at) => all.flatMap((mark) => ofMark(mark, subject, columns[at] ?? "")));
      return marks.map((problem) => `${JSON.stringify(who)} ${problem}`);
    });
  return [...rows.flatMap(ofRow), ...listUnmarked()];

  /** What no cell is about has to be the same on both sides. */
  function listUnmarked(): readonly string[] {
    // Blocks, and requests of which one role has to permit all, are reported by themselves.
    if (view.blocked.length > 0) return [];
    // A question mark is itself in a name of FLS, and in no name that is compared: to hide that changes nothing.
    const hidesNoField = JSON.stringify(fixtures).includes('"~?x"');
    const marksOf = (who: AffectedPrincipal) =>
      rows
        .filter(({ principals }) => principals.includes(who))
        .flatMap(({ cells }) => cells.flat().flatMap(({ line }) => line?.difference ?? []));
    const all = access.statements.flatMap(({ who }) => who);
    const everybody = all.filter((who) => who.kind === "principal" && who.member.entries[0] === "*").flatMap(marksOf);
    return findTouched(before, after).everybody.flatMap(({ member, subject, isInternal }) => {
      if (isInternal) return [];
      const own = all.filter((who) => who.kind === "principal" && who.member === member).flatMap(marksOf);
      const marks = [...own, ...everybody];
      if (marks.some(({ level }) => level === "cluster")) return [];
      return indices.flatMap((index) => {
        if (marks.some((one) => one.indices && isWithin(one.indices, index))) return [];
        seen.empty++;
        const [was, is] = both(subject, index).map(({ restricted, ...levels }) =>
          hidesNoField ? levels : { ...levels, restricted: restricted ?? false },
        ) as [Levels, Levels];
        return isAlike(was, is)
          ? []
          : [`${JSON.stringify(member)} ${index}: no cell, can-i ${show(was)} → ${show(is)}`];
      });
    });
  }
}

function show(levels: Levels): string {
  return JSON.stringify(levels);
}

test.each(products)(
  `each cell agrees with can-i, seed ${seed}: %s`,
  (product) => {
    const problems = sample.flatMap((each) => {
      const fixtures = [...walk(randomFrom(`matrix ${product} ${each}`), product, 20)];
      return fixtures.slice(1).flatMap((after, at) => {
        const pair = [fixtures[at] ?? after, after] as const;
        return listProblems(pair).map((problem) => ({ problem, pair }));
      });
    });
    expect(problems.slice(0, 3)).toEqual([]);
  },
  600_000,
);

test("cells of many kinds were compared", () => {
  expect(seen.sides.size).toBeGreaterThan(5);
  expect(Math.min(seen.marks, seen.patterns, seen.empty)).toBeGreaterThan(10);
});
