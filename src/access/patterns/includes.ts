import { combineAny, type Verdict } from "../verdict.ts";
import { anyText } from "./alphabet.ts";
import { buildNet, searchStrings } from "./search.ts";
import { getPatternHead, getStem, isLiteral, readPattern } from "./syntax.ts";

/**
 * Whether every string that `pattern` matches is matched by one of `patterns`, not always by the same one. Unknown
 * where an opaque pattern may matter, or where the search is too large.
 */
export function includes(patterns: readonly string[], pattern: string): Verdict {
  if (patterns.some((other) => other === pattern || meansAll(other))) return "yes";
  if (isPlain.test(pattern) && patterns.some((other) => beginsWithStem(pattern, other))) return "yes";
  // A literal matches only itself.
  if (patterns.every(isLiteral) && !isLiteral(pattern) && !/^\/.*\/$/s.test(pattern)) return "no";
  const near = patterns.filter((other) => !differAtTheEnds(other, pattern));
  if (near.length === 0 && isPlain.test(pattern)) return "no";
  const key = JSON.stringify([near, pattern]);
  const found = known.get(key) ?? decideIncludes(near, pattern);
  // The same few are asked for again and again.
  if (known.size >= mostKnown) known.clear();
  known.set(key, found);
  return found;
}

const known = new Map<string, Verdict>();
const mostKnown = 10_000;

function decideIncludes(patterns: readonly string[], pattern: string): Verdict {
  const shape = readPattern(pattern)?.compiled;
  if (!shape) return "unknown";
  const others = patterns.flatMap((other) => {
    const read = readPattern(other);
    return read ? [read.compiled] : [];
  });
  const net = buildNet({ ...anyText, shape }, others);
  const outcomes = { all: "yes", stopped: "no", tooMany: "unknown" } as const;
  const included = outcomes[searchStrings(net, (matched) => matched.length === 0)];
  return combineAny([included, others.length < patterns.length ? "unknown" : "no"]);
}

/** Whether both patterns match some string; unknown as for `includes`. */
export function overlaps(a: string, b: string): Verdict {
  if (a === b || meansAll(a) || meansAll(b)) return "yes";
  if (differAtTheEnds(a, b)) return "no";
  const [shape, other] = [readPattern(a)?.compiled, readPattern(b)?.compiled];
  if (!shape || !other) return "unknown";
  const outcomes = { all: "no", stopped: "yes", tooMany: "unknown" } as const;
  return outcomes[searchStrings(buildNet({ ...anyText, shape }, [other]), (matched) => matched.length === 1)];
}

/** Of thousands of patterns hardly two overlap, and their beginnings show it for most. */
function differAtTheEnds(a: string, b: string): boolean {
  // A variable may come to be anything.
  if (a.includes("${") || b.includes("${")) return false;
  const [head, otherHead] = [getPatternHead(a), getPatternHead(b)];
  if (!head.startsWith(otherHead) && !otherHead.startsWith(head)) return true;
  if (!isPlain.test(a) || !isPlain.test(b)) return false;
  const [tail, otherTail] = [a.slice(lastWild(a) + 1), b.slice(lastWild(b) + 1)];
  return !tail.endsWith(otherTail) && !otherTail.endsWith(tail);
}

const isPlain = /^[ -#%-.0-~][ -#%-~]*$/;

/** Most patterns of a share are such: `hr-*` includes whatever begins so. */
function beginsWithStem(pattern: string, other: string): boolean {
  const stem = getStem(other);
  return stem !== undefined && pattern.startsWith(stem);
}

function lastWild(pattern: string): number {
  return Math.max(pattern.lastIndexOf("*"), pattern.lastIndexOf("?"));
}

function meansAll(pattern: string): boolean {
  return /^\*+$/.test(pattern);
}
