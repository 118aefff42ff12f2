import { memoiseByKey, memoiseByObject } from "../../json/memoise.ts";
import { type Alphabet, indexNames, pickReadableChar } from "./alphabet.ts";
import { type Chars, everyCharacter } from "./chars.ts";
import { anyName, type Expression, isAnyName } from "./expression.ts";
import { readPattern } from "./syntax.ts";

/** A readable string that matches patterns, such as a person would think of; undefined where no such string fits. */
export function findReadableExample(
  alphabet: Alphabet,
  patterns: readonly string[],
  fits: (text: string) => boolean,
): string | undefined {
  // The longest says most.
  const longestFirst = patterns.toSorted((a, b) => b.length - a.length);
  const expressions = [...longestFirst.flatMap((pattern) => listOptions(pattern)), anyName];
  for (const expression of expressions)
    for (let round = 0; round < rounds; round++) {
      const text = examplesIn(alphabet)(expression)(round);
      if (fits(text)) return text;
    }
  return undefined;
}

const rounds = 4;

/** Each of thousands of tables has some of the same patterns. */
const examplesIn = memoiseByObject((alphabet: Alphabet) =>
  memoiseByObject((expression: Expression) =>
    memoiseByKey((round: number) => fillExample(alphabet, expression, "", round)),
  ),
);

function listOptions(pattern: string): readonly Expression[] {
  const { expression } = readPattern(pattern) ?? {};
  if (!expression) return [];
  return expression.kind === "choice" ? expression.options : [expression];
}

/** What is behind `text` then: of several the first, of what may be left out nothing. */
function fillExample(alphabet: Alphabet, expression: Expression, text: string, round: number): string {
  if (text.length > longest) return text;
  switch (expression.kind) {
    case "one":
      return text + pickChar(alphabet, expression.chars);
    case "units":
      return text + pickChar(alphabet, everyCharacter).repeat(Math.min(expression.count, longest));
    case "sequence":
      return expression.parts.reduce((before, part) => fillExample(alphabet, part, before, round), text);
    case "choice": {
      const option = expression.options[round % expression.options.length];
      return option ? fillExample(alphabet, option, text, round) : text;
    }
    case "repeat": {
      if (isAnyName(expression)) return text + pickWordAfter(alphabet, text, round);
      const { of, least } = expression;
      let after = text;
      for (let time = 0; time < least && after.length <= longest; time++)
        after = fillExample(alphabet, of, after, round);
      return after;
    }
    default:
      return text;
  }
}

/** No name is longer. */
const longest = 255;

function pickChar(alphabet: Alphabet, chars: Chars): string {
  const code = pickReadableChar(alphabet, chars)?.[0];
  return code === undefined ? "" : String.fromCodePoint(code);
}

/** What may replace `*` after the beginning of a name or of an action. */
function pickWordAfter(alphabet: Alphabet, text: string, round: number): string {
  const [, ofTexts, ofIndexes = ofTexts] = words.find(([ending]) => ending.test(text)) ?? [];
  return (alphabet === indexNames ? ofIndexes : ofTexts)?.[round] ?? "";
}

const words: readonly (readonly [ending: RegExp, ofTexts: readonly string[], ofIndexes?: readonly string[]])[] = [
  [/^$/, ["other", "another", "example", "a"]],
  [/[-_.]$/, ["a", "b", "2026", "other"], ["2026", "a", "b", "other"]],
  [/read\/$/, ["search", "get", "mget", "other"]],
  [/write\/$/, ["index", "delete", "update", "other"]],
  [/monitor\/$/, ["stats", "health", "state", "other"]],
  [/^indices:$/, ["monitor/stats", "admin/get", "data/read/search", "other"]],
  [/^cluster:$/, ["monitor/health", "admin/settings/update", "other", "a"]],
  [/[:/]$/, ["get", "create", "delete", "other"]],
  // The end of an action, more often than not.
  [/[:/].*\w$/, ["", "/get", "s", "-a"]],
  [/[a-z]$/i, ["-a", "-b", "a", ""], ["-2026", "-a", "-b", ""]],
  [/\d$/, ["-a", "-b", "0", ""]],
  [/$/, ["a", "b", "other", ""]],
];
