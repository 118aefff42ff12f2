import { matchesName } from "../families/scope.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Whether a pattern of a server meets the whole text, case-sensitive: `*` for any characters, `?` for one, or a Java
 * regular expression between slashes. Of those, only the part that Java and JavaScript read alike is decided.
 */
export function meets(pattern: string, text: string): Verdict {
  const [, expression] = /^\/(.*)\/$/s.exec(pattern) ?? [];
  if (expression === undefined) return matchesName(pattern, text) ? "yes" : "no";
  if (expression.length > longest || !common.test(expression) || !/^[\x20-\x7e]*$/.test(text)) return "unknown";
  try {
    return new RegExp(`^(?:${expression})$`).test(text) ? "yes" : "no";
  } catch {
    return "unknown";
  }
}

/** Backtracking takes polynomial time at most, as nothing that repeats holds anything that repeats. */
const longest = 100;

/** Plain characters, `.`, escaped punctuation, plain classes; each may be repeated. Alternatives at the top alone. */
const common = /^(?:(?:[\w @:,;=~%!"'<>-]|\.|\\[./\\-]|\\[dw]|\[\^?[\w @.:-]+\])[*+?]?|\|)*$/;
