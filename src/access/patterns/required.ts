/** Runs of characters that are all in a string, in any order; upper and lower case count as equal. */
export type Runs = readonly string[];

/**
 * What every name that a pattern matches contains: all runs of one of these alternatives. Never more than that, also of
 * regular expressions that nothing else is known of; one alternative without runs where nothing is required.
 */
export function findRequiredRuns(pattern: string): readonly Runs[] {
  const [, expression] = /^\/(.*)\/$/s.exec(pattern) ?? [];
  if (expression === undefined) return [pattern.split(/[*?]+/).filter((run) => run !== "")];
  if (expression.length > longest) return nothing;
  try {
    const reader = { text: expression, at: 0, depth: 0 };
    const runs = readAlternatives(reader);
    return reader.at === expression.length ? runs : nothing;
  } catch (error) {
    if (error instanceof Unreadable) return nothing;
    throw error;
  }
}

/** False only where a pattern certainly does not match a name. */
export function mayContain(pattern: string, name: string): boolean {
  const lower = name.toLowerCase();
  return findRequiredRuns(pattern).some((runs) => runs.every((run) => lower.includes(run.toLowerCase())));
}

const longest = 1000;
const deepest = 50;
const mostAlternatives = 64;

const nothing: readonly Runs[] = [[]];

interface Reader {
  readonly text: string;
  at: number;
  depth: number;
}

/** Java would refuse the expression, or this module does not read it. */
class Unreadable extends Error {}

function readAlternatives(reader: Reader): readonly Runs[] {
  reader.depth += 1;
  if (reader.depth > deepest) throw new Unreadable();
  const found: Runs[] = [];
  for (;;) {
    found.push(...readSequence(reader));
    if (reader.text[reader.at] !== "|") break;
    reader.at += 1;
  }
  reader.depth -= 1;
  return found.length > mostAlternatives ? nothing : found;
}

/** Up to `|`, `)` or the end. */
function readSequence(reader: Reader): readonly Runs[] {
  let found: readonly Runs[] = nothing;
  let run = "";
  const flush = (): void => {
    if (run !== "") found = found.map((runs) => [...runs, run]);
    run = "";
  };
  while (reader.at < reader.text.length && !"|)".includes(reader.text[reader.at] ?? "")) {
    const cell = readOne(reader);
    const times = readQuantifier(reader);
    const isRequired = times !== "maybe none";
    if (typeof cell === "string") {
      if (isRequired) run += cell;
      if (times !== "once") flush();
      continue;
    }
    flush();
    if (isRequired && found.length * cell.length <= mostAlternatives) {
      found = found.flatMap((runs) => cell.map((others) => [...runs, ...others]));
    }
  }
  flush();
  return found;
}

/** A literal character, or what a group requires; nothing for classes, anchors and the like. */
function readOne(reader: Reader): string | readonly Runs[] {
  const { text } = reader;
  const char = String.fromCodePoint(text.codePointAt(reader.at) ?? 0);
  reader.at += char.length;
  switch (char) {
    case "\\":
      return readEscape(reader);
    case "[":
      return readClass(reader);
    case "(":
      return readGroup(reader);
    case ".":
    case "^":
    case "$":
      return nothing;
    case "*":
    case "+":
    case "?":
    case "{":
      throw new Unreadable();
    default:
      return char;
  }
}

function readEscape(reader: Reader): string | readonly Runs[] {
  const rest = reader.text.slice(reader.at);
  const [whole = "", char = ""] =
    /^(?:([^a-zA-Z0-9])|[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|u....|0[0-7]*|c.|k<[^>]*>|N\{[^}]*\}|[^QE])/su.exec(
      rest,
    ) ?? [];
  // Quoted text is not read here.
  if (whole === "") throw new Unreadable();
  reader.at += whole.length;
  return char === "" ? nothing : char;
}

/** A class of one character, in either case or both, is that character. */
function readClass(reader: Reader): string | readonly Runs[] {
  const { text } = reader;
  const start = reader.at;
  let depth = 1;
  if (text[reader.at] === "^") reader.at += 1;
  if (text[reader.at] === "]") reader.at += 1;
  while (depth > 0) {
    const char = text[reader.at];
    if (char === undefined) throw new Unreadable();
    if (char === "\\") reader.at += 1;
    if (char === "[") depth += 1;
    if (char === "]") depth -= 1;
    reader.at += 1;
  }
  const inside = text.slice(start, reader.at - 1);
  const [, first = "", second = first] = /^([\w@-])([\w@-])?$/.exec(inside) ?? [];
  return first !== "" && first.toLowerCase() === second.toLowerCase() ? first : nothing;
}

function readGroup(reader: Reader): readonly Runs[] {
  const rest = reader.text.slice(reader.at);
  const [opening = "", look, flags = "", ending] =
    /^(?:\?(?:(=|!|<=|<!)|:|>|<\w+>|([a-zA-Z-]+)(:|\))))/.exec(rest) ?? (rest.startsWith("?") ? ["bad"] : []);
  // With `x`, spaces and what follows `#` count for nothing.
  if (opening === "bad" || flags.includes("x")) throw new Unreadable();
  reader.at += opening.length;
  if (ending === ")") return nothing;
  const runs = readAlternatives(reader);
  if (reader.text[reader.at] !== ")") throw new Unreadable();
  reader.at += 1;
  return look === undefined ? runs : nothing;
}

function readQuantifier(reader: Reader): "once" | "maybe none" | "more" {
  const [whole = "", sign, least] = /^(?:([*+?])|\{(\d+)(?:,\d*)?\})[+?]?/.exec(reader.text.slice(reader.at)) ?? [];
  reader.at += whole.length;
  if (whole === "") return "once";
  return sign === "+" || (least !== undefined && Number(least) > 0) ? "more" : "maybe none";
}
