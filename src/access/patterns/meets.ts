import { matchesName } from "../../families/scope.ts";
import type { Verdict } from "../verdict.ts";
import { anyText } from "./alphabet.ts";
import { metBy, type Net, netOf } from "./search.ts";
import { expressionOf, readPattern } from "./syntax.ts";

/**
 * Whether a pattern of a server meets the whole text, case-sensitive: `*` for any characters, `?` for one UTF-16 code unit,
 * or a Java regular expression between slashes. Unknown for an expression that is opaque, and one on a text with line breaks.
 */
export function meets(pattern: string, text: string): Verdict {
  if (pattern !== "/" && expressionOf(pattern) === undefined && !beyondOneUnit.test(text)) {
    if (!matchesName(pattern, text)) return "no";
    // What `*?` is depends on the product.
    return !pattern.includes("*?") || matchesName(pattern.replace(/\*+\?/g, "?"), text) ? "yes" : "unknown";
  }
  const net = netFor(pattern);
  const met = net && metBy(net, text);
  if (!met) return "unknown";
  return met.length > 0 ? "yes" : "no";
}

const beyondOneUnit = /[\u{10000}-\u{10ffff}]/u;

function netFor(pattern: string): Net | undefined {
  const found = nets.get(pattern);
  if (found && found.states.size < mostStates) return found;
  const read = readPattern(pattern);
  if (!read) return undefined;
  const net = netOf(anyText, [read.compiled]);
  // The same few are asked for again and again.
  if (nets.size >= mostNets) nets.clear();
  nets.set(pattern, net);
  return net;
}

const nets = new Map<string, Net>();
const mostNets = 2000;
const mostStates = 2000;
