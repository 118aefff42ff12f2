import { matchesName } from "../../families/scope.ts";
import type { Verdict } from "../verdict.ts";
import { codeOf, has } from "./chars.ts";
import { expressionOf, type Sequence, sequencesOf } from "./syntax.ts";

/**
 * Whether a pattern of a server meets the whole text, case-sensitive: `*` for any characters, `?` for one, or a Java
 * regular expression between slashes. Of those, only the part that Java and JavaScript read alike is decided.
 */
export function meets(pattern: string, text: string): Verdict {
  const expression = expressionOf(pattern);
  if (expression === undefined) return matchesName(pattern, text) ? "yes" : "no";
  if (!/^[\x20-\x7e]*$/.test(text)) return "unknown";
  const sequences = sequencesOf(pattern);
  if (!sequences) return "unknown";
  return sequences.some((sequence) => isWhole(sequence, text)) ? "yes" : "no";
}

/** Step by step for all that a sequence may be at: its time grows with the product of both lengths, and never beyond. */
function isWhole(sequence: Sequence, text: string): boolean {
  let places = onwards(sequence, [0]);
  for (const char of text) {
    const code = codeOf(char);
    const next = [...places].flatMap((at) => {
      const item = sequence[at];
      return item && has(item.chars, code) ? [item.many ? at : at + 1] : [];
    });
    places = onwards(sequence, next);
  }
  return places.has(sequence.length);
}

/** With what is come to without a character. */
function onwards(sequence: Sequence, places: readonly number[]): ReadonlySet<number> {
  const found = new Set(places);
  for (const at of found) if (sequence[at]?.optional) found.add(at + 1);
  return found;
}
