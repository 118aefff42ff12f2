import { getExpressionText } from "./syntax.ts";

/**
 * Why Java certainly refuses a regular expression that is held against whole names, as the end of a sentence; undefined
 * where it takes it, and where that was not worked out. By what java.util.regex.Pattern of Java 17 says.
 */
export function explainRefusedRegex(source: string): string | undefined {
  const open = findUnclosedBracket(source);
  if (open !== undefined) return `opens ${JSON.stringify(open)}, and never closes it`;
  // What is quoted, comments, and a class within a class have rules of their own.
  if (/\\Q|\(\?[a-zA-Z-]*x/.test(source)) return undefined;
  const unescaped = source.replace(escapes, "x");
  if (/\[[^\]]*\[/.test(unescaped)) return undefined;
  if (unescaped.endsWith("\\")) return 'ends with "\\", and nothing behind it';
  const range = /\[\^?([a-z0-9])-([a-z0-9])\]/i.exec(unescaped);
  if (range && (range[1] ?? "") > (range[2] ?? ""))
    return `has the range ${range[0]}, whose ends are the wrong way round`;
  const plain = unescaped.replace(/\[\^?\]?[^\]]*\]/g, "x");
  const times = /\{(\d{1,9}),(\d{1,9})\}/.exec(plain);
  if (times && Number(times[1]) > Number(times[2])) return `has ${times[0]}, whose numbers are the wrong way round`;
  if (/^\{|[(|]\{/.test(plain)) return 'has a "{" that repeats nothing';
  if (/\{(?!\d)/.test(plain)) return 'has a "{" without a number behind it';
  const [, idle] = /(?:^|\||\((?:\?(?:[:=!>]|<[=!]))?)([*+]|(?<!\()\?)/.exec(plain) ?? [];
  if (idle !== undefined) return `has ${JSON.stringify(idle)} that repeats nothing`;
  return hasLoneClosing(plain) ? 'closes ")", which is not open' : undefined;
}

/**
 * The same for an expression of a pattern, as a product hands it to Java.
 *
 * @param semantics.anchorsExpressions it is put between `^` and `$`, so that a star may come first
 */
export function explainRefusedExpression(
  source: string,
  { anchorsExpressions }: { readonly anchorsExpressions: boolean },
): string | undefined {
  return explainRefusedRegex(anchorsExpressions ? `^${source}$` : source);
}

/** Whether a pattern is a regular expression that Java refuses for certain. */
export function isRefusedPattern(pattern: string, how: Parameters<typeof explainRefusedExpression>[1]): boolean {
  const source = getExpressionText(pattern);
  return source !== undefined && explainRefusedExpression(source, how) !== undefined;
}

/** With what belongs to a backslash. */
const escapes = /\\(?:[pPxN]\{[^}]*\}|k<[^>]*>|.)/gs;

/** A bracket that is opened and never closed: Java and JavaScript agree on it. */
export function findUnclosedBracket(body: string): "[" | "(" | undefined {
  let groups = 0;
  let inClass = false;
  for (let at = 0; at < body.length; at++) {
    const character = body.charAt(at);
    if (character === "\\") {
      // What is quoted by \Q has its own rules.
      if (body.charAt(at + 1) === "Q") return undefined;
      at++;
    } else if (inClass) {
      if (character === "[") return undefined; // A class within a class: left to the server.
      if (character === "]") inClass = false;
    } else if (character === "[") {
      inClass = true;
      // A bracket that comes first belongs to the class.
      if (body.startsWith("]", at + 1)) at++;
      else if (body.startsWith("^]", at + 1)) at += 2;
    } else if (character === "(") groups++;
    else if (character === ")") groups--;
  }
  return inClass ? "[" : groups > 0 ? "(" : undefined;
}

function hasLoneClosing(plain: string): boolean {
  let groups = 0;
  for (const character of plain) {
    groups += character === "(" ? 1 : character === ")" ? -1 : 0;
    if (groups < 0) return true;
  }
  return false;
}
