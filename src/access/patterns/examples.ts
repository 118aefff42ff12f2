import { type Alphabet, indexNames, nicest } from "./alphabet.ts";
import { everyCharacter } from "./chars.ts";
import { everyText, type Sequence, sequencesOf } from "./syntax.ts";

/** A text that a person would think of, hearing of patterns that meet it; undefined where no such text fits. */
export function readableExample(
  alphabet: Alphabet,
  patterns: readonly string[],
  fits: (text: string) => boolean,
): string | undefined {
  // The longest says most.
  const longestFirst = patterns.toSorted((a, b) => b.length - a.length);
  const sequences = [...longestFirst.flatMap((pattern) => sequencesOf(pattern) ?? []), everyText];
  for (const items of sequences)
    for (let round = 0; round < rounds; round++) {
      const text = filled(alphabet, items, round);
      if (fits(text)) return text;
    }
  return undefined;
}

const rounds = 4;

function filled(alphabet: Alphabet, items: Sequence, round: number): string {
  let text = "";
  for (const { chars, optional, many } of items) {
    const char = nicest(alphabet, chars)?.[0];
    if (many && chars === everyCharacter) text += wordAfter(alphabet, text, round);
    else if (!optional && char !== undefined) text += String.fromCodePoint(char);
  }
  return text;
}

/** What may stand for `*` behind the beginning of a name or of an action. */
function wordAfter(alphabet: Alphabet, text: string, round: number): string {
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
