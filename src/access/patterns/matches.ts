import { matchesName } from "../../families/scope.ts";
import type { Verdict } from "../verdict.ts";
import { anyText } from "./alphabet.ts";
import { buildNet, findMatchingPatterns, type Net } from "./search.ts";
import { getExpressionText, type Pattern, readPattern } from "./syntax.ts";

/**
 * Whether a pattern of a server matches the whole string, case-sensitive: `*` for any characters, `?` for one UTF-16
 * code unit, or a Java regular expression between slashes. Unknown for an expression that is opaque, and for one on a
 * string with line breaks.
 */
export function matchesPattern(pattern: string, text: string): Verdict {
  if (pattern !== "/" && getExpressionText(pattern) === undefined && !beyondOneUnit.test(text)) {
    // Most patterns are a beginning and a star.
    const star = pattern.indexOf("*");
    if (star >= 0 && star === pattern.length - 1 && !pattern.includes("?"))
      return text.startsWith(pattern.slice(0, star)) ? "yes" : "no";
    if (!matchesName(pattern, text)) return "no";
    // What `*?` is depends on the product.
    return !pattern.includes("*?") || matchesName(pattern.replace(/\*+\?/g, "?"), text) ? "yes" : "unknown";
  }
  const read = readPattern(pattern);
  if (!read) return "unknown";
  // The beginning rules out most patterns.
  if (!text.startsWith(read.head)) return "no";
  const matched = findMatchingPatterns(netFor(pattern, read), text);
  if (!matched) return "unknown";
  return matched.length > 0 ? "yes" : "no";
}

/** Characters that are two code units, which `?` matches half of. */
export const beyondOneUnit = /[\u{10000}-\u{10ffff}]/u;

function netFor(pattern: string, { compiled }: Pattern): Net {
  const found = nets.get(pattern);
  if (found && found.states.size < mostStates) return found;
  const net = buildNet(anyText, [compiled]);
  // The same few are asked for again and again.
  if (nets.size >= mostNets) nets.clear();
  nets.set(pattern, net);
  return net;
}

const nets = new Map<string, Net>();
const mostNets = 2000;
const mostStates = 2000;
