import { type Chars, createChars, everyCharacter, excludeChars, getCharCode, uniteChars } from "./chars.ts";
import { createChoice, createOneOf, createRepeat, createSequence, type Expression } from "./expression.ts";
import { classEscapes, controls, propertyClasses, withOtherCase } from "./java-classes.ts";

/**
 * A regular expression as java.util.regex.Pattern reads it, held against whole names without line breaks. Undefined for
 * what Java refuses, and for the rare rest: back references, word boundaries, atomic groups, Unicode classes, the flags
 * m, u, x and U, classes within classes, and where releases of Java differ.
 */
export function parseJavaRegex(source: string): Expression | undefined {
  const chars = [...withoutQuoting(source)];
  let at = 0;
  let ignoresCase = false;
  const groupNames = new Set<string>();
  try {
    const found = readChoice();
    return at === chars.length ? found : undefined;
  } catch (error) {
    if (error instanceof NotRead) return undefined;
    throw error;
  }

  function peek(ahead = 0): string {
    return chars[at + ahead] ?? "";
  }

  function take(): string {
    const char = chars[at++];
    if (char === undefined) throw new NotRead();
    return char;
  }

  function takeIf(text: string): boolean {
    const wanted = [...text];
    const isNext = wanted.every((char, ahead) => peek(ahead) === char);
    if (isNext) at += wanted.length;
    return isNext;
  }

  function takeWhile(allowed: RegExp): string {
    let taken = "";
    while (allowed.test(peek())) taken += take();
    return taken;
  }

  function readChoice(): Expression {
    const options = [readSequence()];
    while (takeIf("|")) options.push(readSequence());
    return createChoice(options);
  }

  function readSequence(): Expression {
    const parts: Expression[] = [];
    while (!["", "|", ")"].includes(peek())) {
      const cell = readFragment();
      if (cell) parts.push(readRepetition(cell));
    }
    return createSequence(parts);
  }

  /** Undefined for what only sets flags. */
  function readFragment(): Expression | undefined {
    const char = take();
    switch (char) {
      case "(":
        return readGroup();
      case "[":
        return createOneOf(readClass());
      case "\\":
        return readEscape();
      case ".":
        return createOneOf(everyCharacter);
      case "^":
        return { kind: "anchor", at: "start" };
      case "$":
        return { kind: "anchor", at: "end" };
      case "*":
      case "+":
      case "?":
      case "{":
        throw new NotRead();
      default:
        return createOneOf(inAnyCase(createChars(char)));
    }
  }

  function readGroup(): Expression | undefined {
    const before = ignoresCase;
    let look: { readonly ahead: boolean; readonly wanted: boolean } | undefined;
    if (takeIf("?=")) look = { ahead: true, wanted: true };
    else if (takeIf("?!")) look = { ahead: true, wanted: false };
    else if (takeIf("?<=")) look = { ahead: false, wanted: true };
    else if (takeIf("?<!")) look = { ahead: false, wanted: false };
    else if (takeIf("?<")) readGroupName();
    else if (takeIf("?")) {
      readFlags();
      if (takeIf(")")) return undefined;
      if (take() !== ":") throw new NotRead();
    }
    const of = readChoice();
    if (take() !== ")") throw new NotRead();
    ignoresCase = before;
    return look ? { kind: "look", ...look, of } : of;
  }

  function readGroupName(): void {
    const name = takeWhile(/^[a-zA-Z0-9]$/);
    if (!/^[a-zA-Z]/.test(name) || groupNames.has(name) || take() !== ">") throw new NotRead();
    groupNames.add(name);
  }

  /** `s` and `d` are about line breaks, which no name has. */
  function readFlags(): void {
    const [, on = "", off = ""] = /^([isd]*)(?:-([isdmxuU]*))?$/.exec(takeWhile(/^[a-zA-Z-]$/)) ?? [undefined, "?"];
    if (on === "?") throw new NotRead();
    if (on.includes("i")) ignoresCase = true;
    if (off.includes("i")) ignoresCase = false;
  }

  function readRepetition(of: Expression): Expression {
    const times = readTimes();
    if (!times) return of;
    const [least, most] = times;
    const possessive = takeIf("+");
    // A lazy one takes less at first, and the same in the end.
    if (!possessive) takeIf("?");
    if (/^[*+?{]$/.test(peek()) || of.kind === "anchor" || of.kind === "look") throw new NotRead();
    if (possessive && of.kind !== "one") throw new NotRead();
    return createRepeat(of, least, most, possessive);
  }

  function readTimes(): readonly [least: number, most: number] | undefined {
    if (takeIf("*")) return [0, Number.POSITIVE_INFINITY];
    if (takeIf("+")) return [1, Number.POSITIVE_INFINITY];
    if (takeIf("?")) return [0, 1];
    if (!takeIf("{")) return undefined;
    const least = readNumber();
    const most = !takeIf(",") ? least : peek() === "}" ? Number.POSITIVE_INFINITY : readNumber();
    if (take() !== "}" || most < least) throw new NotRead();
    return [least, most];
  }

  function readNumber(): number {
    const digits = takeWhile(/^[0-9]$/);
    if (!/^[0-9]{1,6}$/.test(digits)) throw new NotRead();
    return Number(digits);
  }

  function readEscape(): Expression {
    const char = take();
    if (char === "A") return { kind: "anchor", at: "start" };
    if (char === "z" || char === "Z") return { kind: "anchor", at: "end" };
    return createOneOf(classEscape(char) ?? inAnyCase(createChars(characterEscape(char))));
  }

  function classEscape(char: string): Chars | undefined {
    if (char === "p" || char === "P") return readProperty(char === "P");
    return classEscapes[char];
  }

  /** Which characters of either case count under the flag i differs between releases. */
  function readProperty(isNegated: boolean): Chars {
    const name = takeIf("{") ? takeWhile(/^[A-Za-z]$/) : "";
    const found = propertyClasses.get(name);
    if (!found || !takeIf("}") || (ignoresCase && /^(?:Lower|Upper)$/.test(name))) throw new NotRead();
    return isNegated ? excludeChars(found) : found;
  }

  function characterEscape(char: string): string {
    if (char === "x") {
      if (!takeIf("{")) return codePoint(take() + take());
      const hex = takeWhile(/^[0-9a-fA-F]$/);
      if (take() !== "}") throw new NotRead();
      return codePoint(hex);
    }
    if (char === "u") return codePoint(take() + take() + take() + take());
    const control = controls[char];
    if (control !== undefined) return control;
    // Java gives no other ASCII character or digit a meaning of its own, or gives one that is not supported here.
    if (/^[a-zA-Z0-9]$/.test(char)) throw new NotRead();
    return char;
  }

  function readClass(): Chars {
    const isNegated = takeIf("^");
    const members: Chars[] = [];
    while (peek() !== "]" || members.length === 0) {
      if (peek() === "[" || (peek() === "&" && peek(1) === "&")) throw new NotRead();
      members.push(readMember());
    }
    take();
    return isNegated ? excludeChars(uniteChars(members)) : uniteChars(members);
  }

  function readMember(): Chars {
    const char = take();
    if (char === "\\") {
      const escaped = take();
      const found = classEscape(escaped);
      if (found && escaped !== "v") return found;
      return readRange(characterEscape(escaped));
    }
    return readRange(char);
  }

  function readRange(first: string): Chars {
    if (peek() !== "-" || peek(1) === "]") return inAnyCase(createChars(first));
    take();
    const char = take();
    if (char === "[") throw new NotRead();
    const last = char === "\\" ? characterEscape(take()) : char;
    if (getCharCode(last) < getCharCode(first)) throw new NotRead();
    return inAnyCase([getCharCode(first), getCharCode(last) + 1]);
  }

  function inAnyCase(set: Chars): Chars {
    return ignoresCase ? withOtherCase(set) : set;
  }
}

class NotRead extends Error {}

/** With `\Q…\E` as single escapes; one without an end stays, and is not read. */
function withoutQuoting(source: string): string {
  return source.replace(/\\(?:Q([\s\S]*?)\\E|[\s\S])/g, (written, quoted?: string) =>
    quoted === undefined ? written : quoted.replace(/[\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]/g, "\\$&"),
  );
}

function codePoint(hex: string): string {
  const code = /^[0-9a-fA-F]{1,6}$/.test(hex) ? Number.parseInt(hex, 16) : Number.POSITIVE_INFINITY;
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw new NotRead();
  return String.fromCodePoint(code);
}
