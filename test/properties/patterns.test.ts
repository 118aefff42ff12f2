// Inclusion, overlap and fragments of patterns, held to brute force that is a proof. A text is followed by what is left of each
// pattern: two texts after which the same is left go on alike, so that one of them represents both. The texts that are tried
// are all texts, shortest first, but for those that an earlier one represents; when none is new any more, no text is missing.
import { describe, expect, test } from "vitest";
import { anyText } from "../../src/access/patterns/alphabet.ts";
import { includes, overlaps } from "../../src/access/patterns/includes.ts";
import { matchesPattern } from "../../src/access/patterns/matches.ts";
import { partitionNames } from "../../src/access/patterns/partition.ts";
import { buildNet, findMatchingPatterns } from "../../src/access/patterns/search.ts";
import { isOpaque, readPattern } from "../../src/access/patterns/syntax.ts";
import { type Random, randomFrom } from "../fixtures/index.ts";
import { isWhole } from "../support/extent.ts";
import { seeds } from "./seed.ts";

/** A pattern as it was put together, so that nothing has to be parsed: `*`, `?`, or what JavaScript takes for one character. */
interface Made {
  readonly pattern: string;
  /** `?` of a glob takes one UTF-16 code unit. */
  readonly byUnits?: true;
  readonly alternatives: readonly (readonly Part[])[];
}

interface Part {
  readonly one: string;
  readonly times: "" | "?" | "*" | "+";
}

/** Which patterns meet a text: one digit for each. */
interface Sample {
  readonly text: string;
  readonly matched: string;
}

const everything = { one: "[^]", times: "*" } as const;

function glob(pattern: string): Made {
  const parts = pattern.split("").map((char): Part => {
    if (char === "*") return everything;
    return { one: char === "?" ? "[^]" : `[${char.replace(/[\\\]^-]/, "\\$&")}]`, times: "" };
  });
  return { pattern, byUnits: true, alternatives: [parts] };
}

const fitting = new Map<string, boolean>();

function fits({ one }: Part, userMessage: string): boolean {
  const key = `${one} ${userMessage}`;
  const known = fitting.get(key) ?? new RegExp(`^${one}$`, userMessage.length > 1 ? "u" : "").test(userMessage);
  fitting.set(key, known);
  return known;
}

/** What is left of a pattern, at once or after one character more: places as "alternative.part". */
function enter({ alternatives }: Made, alternative: number, part: number, left: Set<string>): void {
  const here = alternatives[alternative]?.[part];
  left.add(`${alternative}.${part}`);
  if (here?.times === "*" || here?.times === "?") enter({ pattern: "", alternatives }, alternative, part + 1, left);
}

function atFirst(made: Made): Set<string> {
  const left = new Set<string>();
  for (const alternative of made.alternatives.keys()) enter(made, alternative, 0, left);
  return left;
}

function afterwards(made: Made, left: ReadonlySet<string>, userMessage: string): ReadonlySet<string> {
  if (!made.byUnits) return afterOne(made, left, userMessage);
  return userMessage.split("").reduce((before, unit) => afterOne(made, before, unit), left);
}

function afterOne(made: Made, left: ReadonlySet<string>, userMessage: string): Set<string> {
  const next = new Set<string>();
  for (const place of left) {
    const [alternative = 0, at = 0] = place.split(".").map(Number);
    const part = made.alternatives[alternative]?.[at];
    if (!part || !fits(part, userMessage)) continue;
    enter(made, alternative, at + 1, next);
    if (part.times === "*" || part.times === "+") next.add(place);
  }
  return next;
}

function isMatched({ alternatives }: Made, left: ReadonlySet<string>): boolean {
  return alternatives.some((parts, alternative) => left.has(`${alternative}.${parts.length}`));
}

/** Texts of these characters, one for all that go on alike; `moreOf` is what else of a text decides how it may go on. */
function samplesOf(
  patterns: readonly Made[],
  messages: readonly string[],
  moreOf = (_: string) => "",
): readonly Sample[] {
  const found = [{ text: "", left: patterns.map((made): ReadonlySet<string> => atFirst(made)) }];
  const seen = new Set<string>();
  for (const { text, left } of found)
    for (const userMessage of messages) {
      const next = patterns.map((made, at) => afterwards(made, left[at] ?? new Set(), userMessage));
      const key = `${moreOf(text + userMessage)} ${next.map((places) => [...places].sort().join()).join(";")}`;
      if (seen.has(key)) continue;
      seen.add(key);
      found.push({ text: text + userMessage, left: next });
    }
  return found.map(({ text, left }) => ({
    text,
    matched: patterns.map((made, at) => (isMatched(made, left[at] ?? new Set()) ? 1 : 0)).join(""),
  }));
}

function checkMatches(patterns: readonly Made[], samples: readonly Sample[]) {
  const net = buildNet(
    anyText,
    patterns.map(({ pattern }) => readPattern(pattern)?.compiled ?? []),
  );
  for (const { text, matched } of samples) {
    const verdicts = patterns.map(({ pattern }) => matchesPattern(pattern, text));
    const expected = verdicts.map((verdict) => ({ yes: 1, no: 0, unknown: "?" })[verdict]).join("");
    expect([text, matched]).toEqual([text, expected]);
    const relevant = new Set(findMatchingPatterns(net, text));
    expect([text, patterns.map((_, at) => (relevant.has(at) ? 1 : 0)).join("")]).toEqual([text, matched]);
  }
}

const indexName = /^(?![-_+])(?!\.{1,2}$)[^A-Z\\/*?"<>|, #:]+$/;

function checkFragments(patterns: readonly Made[], samples: readonly Sample[], kind: "index" | "text") {
  const texts = patterns.map(({ pattern }) => pattern);
  const { cells, opaque, tooMany } = partitionNames(texts, kind, 10_000);
  expect([texts, opaque, tooMany]).toEqual([texts, [], false]);
  const claimed = cells.map(({ matched }) => patterns.map((_, at) => (matched.includes(at) ? 1 : 0)).join(""));
  const taken = samples.filter(({ text }) => (kind === "text" ? text !== "" : indexName.test(text)));
  // As a list: a fragment that is listed twice is one too many.
  expect([texts, claimed.toSorted()]).toEqual([texts, [...new Set(taken.map(({ matched }) => matched))].sort()]);
  for (const [at, { example }] of cells.entries()) {
    expect([texts, example, patterns.map((made) => (isMatchedBy(made, example) ? 1 : 0)).join("")]).toEqual([
      texts,
      example,
      claimed[at],
    ]);
    if (kind === "index") expect(example).toMatch(indexName);
  }
}

function isMatchedBy(made: Made, text: string): boolean {
  return isMatched(
    made,
    [...text].reduce((left, userMessage) => afterwards(made, left, userMessage), atFirst(made) as ReadonlySet<string>),
  );
}

/** What is said of the first pattern and the others, and what the samples say. */
function checkPair(patterns: readonly Made[], samples: readonly Sample[], indexes: readonly number[]) {
  const texts = indexes.map((at) => patterns[at]?.pattern ?? "");
  const [first = "", ...others] = texts;
  const [own = 0, ...rest] = indexes;
  const matched = samples.filter((sample) => sample.matched[own] === "1");
  const isIncluded = matched.every((sample) => rest.some((at) => sample.matched[at] === "1"));
  expect([texts, includes(others, first)]).toEqual([texts, isIncluded ? "yes" : "no"]);
  if (others.length !== 1) return;
  const doOverlap = matched.some((sample) => sample.matched[rest[0] ?? 0] === "1");
  expect([texts, overlaps(first, others[0] ?? "")]).toEqual([texts, doOverlap ? "yes" : "no"]);
}

describe("all patterns of up to three of a, b, * and ?", () => {
  const shorter = (longest: number): readonly string[] =>
    longest === 0 ? [""] : ["", ...shorter(longest - 1).flatMap((rest) => [..."ab*?"].map((first) => first + rest))];
  const patterns = [...new Set(shorter(3))].filter((pattern) => !isOpaque(pattern)).map(glob);
  // No pattern distinguishes c from any other character of one unit.
  const samples = samplesOf(patterns, ["a", "b", "c", "🔑"]);

  test("meet what they should", () => checkMatches(patterns, samples));

  test("two of them", () => {
    for (const one of patterns.keys()) for (const other of patterns.keys()) checkPair(patterns, samples, [one, other]);
  });

  test("one, and the union of two", () => {
    const random = randomFrom("unions");
    const all = [...patterns.keys()];
    if (!isWhole) for (let each = 0; each < 3000; each++) checkPair(patterns, samples, random.some(all, 3, 3));
    else
      for (const a of all) for (const b of all) for (const c of all) if (b < c) checkPair(patterns, samples, [a, b, c]);
  });

  test("fragments of all, and of some", () => {
    checkFragments(patterns, samples, "text");
    checkFragments(patterns, samplesOf(patterns, ["a", "b", "c", "🔑"], nameLike), "index");
    for (const each of seeds(2000, 100)) {
      const some = randomFrom(each).some(patterns, 1, 8);
      checkFragments(some, samplesOf(some, ["a", "b", "c", "🔑"]), "text");
    }
  });
});

/** What patterns spell out, and one for each kind of character that classes distinguish and no pattern spells out. */
const written = [..."ab1A_-.@: /+é🔑"];
const messages = [...written, ..."c2BZ!ö"];
const ones = [
  ".",
  "a",
  "b",
  "1",
  "A",
  "-",
  "\\.",
  "\\d",
  "\\w",
  "[a-]",
  "[^b]",
  "[^a-z]",
  "[ab.@:-]",
  "[0-9A-F]",
  "[^ :]",
];

function madeFrom(random: Random): Made {
  if (random.chance(0.5)) {
    const length = random.below(6);
    const pattern = Array.from({ length }, () => random.pick([..."ab*?*", random.pick(written)]))
      .join("")
      .replace(/\*+\?/g, "?");
    return glob(/^\/.*\/$/.test(pattern) ? `${pattern}a` : pattern);
  }
  const alternatives = Array.from({ length: 1 + random.below(3) }, () =>
    Array.from(
      { length: random.below(5) },
      (): Part => ({ one: random.pick(ones), times: random.pick(["", "", "?", "*", "+"]) }),
    ),
  );
  const words = alternatives.map((parts) => parts.map(({ one, times }) => one + times).join(""));
  return { pattern: `/${words.join("|")}/`, alternatives };
}

/** How a text may become the name of an index. */
function nameLike(text: string): string {
  return text.length < 3 ? text : String(indexName.test(text));
}

test.each(seeds(500, 40))("globs and regular expressions, seed %i", (each) => {
  const random = randomFrom(each);
  const drawn = Array.from({ length: 1 + random.below(5) }, () => madeFrom(random));
  // A lone slash is an expression without an end, which servers fail over: of it alone nothing is known.
  const patterns = drawn.filter(({ pattern }) => pattern !== "/");
  expect(drawn.map(({ pattern }) => isOpaque(pattern))).toEqual(drawn.map(({ pattern }) => pattern === "/"));
  const texts = patterns.map(({ pattern }) => pattern);
  const beside = partitionNames([...texts, "/"], "text", 10_000);
  expect({ ...beside, opaque: [] }).toEqual(partitionNames(texts, "text", 10_000));
  for (const text of ["/", "a", ""]) expect(matchesPattern("/", text)).toBe("unknown");
  const samples = samplesOf(patterns, messages);
  checkMatches(patterns, samples);
  checkFragments(patterns, samples, "text");
  checkFragments(patterns, samplesOf(patterns, messages, nameLike), "index");
  const all = [...patterns.keys()];
  for (const one of all) {
    for (const other of all) checkPair(patterns, samples, [one, other]);
    checkPair(patterns, samples, [one, ...all.filter((other) => other !== one)]);
  }
});
