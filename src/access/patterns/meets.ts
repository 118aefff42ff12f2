import { matchesName } from "../../families/scope.ts";
import type { Verdict } from "../verdict.ts";
import { expressionOf, isCommon } from "./syntax.ts";

/**
 * Whether a pattern of a server meets the whole text, case-sensitive: `*` for any characters, `?` for one, or a Java
 * regular expression between slashes. Of those, only the part that Java and JavaScript read alike is decided.
 */
export function meets(pattern: string, text: string): Verdict {
  const expression = expressionOf(pattern);
  if (expression === undefined) return matchesName(pattern, text) ? "yes" : "no";
  if (!isCommon(expression) || !/^[\x20-\x7e]*$/.test(text)) return "unknown";
  try {
    return new RegExp(`^(?:${expression})$`).test(text) ? "yes" : "no";
  } catch {
    return "unknown";
  }
}
