import { type Expression, getExpressionHead, parseGlob } from "./expression.ts";
import { parseJavaRegex } from "./java-regex.ts";
import { type CompiledPattern, compileExpression } from "./machine.ts";

/** A pattern that is understood: parsed, and as automata. */
export interface Pattern {
  readonly expression: Expression;
  readonly compiled: CompiledPattern;
  /** Every string that it matches begins with this. */
  readonly head: string;
}

/**
 * Whether nothing can be worked out about a pattern: its variables have no values here, its regex is not one that is
 * read here, or products differ: `*?` is `?` alone to Search Guard 6 and 7, and `/` is an error to all.
 */
export function isOpaque(pattern: string): boolean {
  if (plainGlob.test(pattern)) return false;
  return readPattern(pattern) === undefined;
}

/** Of hundreds of thousands of patterns nearly all are short, and no expressions: these are understood. */
const plainGlob = /^(?!.*(?:\*\?|\$\{))[ -.0-~][ -~]{0,99}$/;

/**
 * What a pattern is, undefined if it is opaque. Names have no line breaks: `.` and `*` mean the same then. A glob that
 * has one, or an unpaired surrogate, is opaque.
 */
export function readPattern(pattern: string): Pattern | undefined {
  if (known.has(pattern)) return known.get(pattern);
  if (known.size >= mostKnown) known.clear();
  const found = patternOf(pattern);
  known.set(pattern, found);
  return found;
}

function patternOf(pattern: string): Pattern | undefined {
  if (pattern.includes("${") || pattern === "/" || noText.test(pattern)) return undefined;
  const source = getExpressionText(pattern);
  if (source === undefined ? pattern.includes("*?") : source.length > longest) return undefined;
  const expression = source === undefined ? parseGlob(pattern) : parseJavaRegex(source);
  const compiled = expression && compileExpression(expression);
  return expression && compiled && { expression, compiled, head: getExpressionHead(expression) };
}

export function isLiteral(pattern: string): boolean {
  return !/[*?]/.test(pattern) && getExpressionText(pattern) === undefined;
}

/** What all that a pattern matches begins with, as far as that is known. */
export function getPatternHead(pattern: string): string {
  if (getExpressionText(pattern) === undefined) return /^[^*?]*/.exec(pattern)?.[0] ?? "";
  return readPattern(pattern)?.head ?? "";
}

/** Of a pattern that matches all that begins so, and nothing else. */
export function getStem(pattern: string): string | undefined {
  if (getExpressionText(pattern) !== undefined) return undefined;
  const stem = getPatternHead(pattern);
  return stem !== pattern && /^\*+$/.test(pattern.slice(stem.length)) ? stem : undefined;
}

/** What is between the slashes of a pattern that is a regular expression. */
export function getExpressionText(pattern: string): string | undefined {
  return /^\/(.*)\/$/s.exec(pattern)?.[1];
}

/** What no name has: line breaks as Java knows them, unpaired surrogates. */
const noText = /[\n\r\u0085\u2028\u2029]|\p{Cs}/u;

const known = new Map<string, Pattern | undefined>();
const mostKnown = 10_000;

const longest = 2000;
