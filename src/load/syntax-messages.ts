import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { limitText } from "../diagnostics/limit-text.ts";
import {
  countIndent,
  getLine,
  getLineStart,
  getPosition,
  type SourceFile,
  type SourceRange,
} from "../diagnostics/source.ts";
import { quoteLine } from "../secrets/masked-line.ts";
import { findUnclosedQuote, findUnclosedYamlBracket } from "./unclosed.ts";

/** One complaint of the YAML parser, as far as it matters here. */
export interface SyntaxComplaint {
  readonly code: string;
  readonly message: string;
  readonly pos: readonly [number, number];
}

/**
 * The parser's complaints about one document in plain words, in the order of the file. Complaints that only follow
 * from an earlier one are left out: after a real mistake a parser stumbles on for a line or two.
 *
 * @param start where the document begins
 */
export function createSyntaxDiagnostics(
  file: SourceFile,
  complaints: readonly SyntaxComplaint[],
  start = 0,
): Diagnostic[] {
  const tags = complaints.filter(({ code }) => code === "TAG_RESOLVE_FAILED" || code === "BAD_COLLECTION_TYPE");
  const others = complaints.filter((complaint) => !tags.includes(complaint));
  const diagnostics = tags.map((complaint) => unknownTag(file, complaint));
  if (others.length === 0) return diagnostics;
  const tab = firstTab(file, start);
  if (tab) diagnostics.push(tabIndentation(tab));
  const messages = independent(file, others)
    .filter((complaint) => !tab || !isCausedBy(tab, file, complaint))
    .map((complaint) => syntaxError(file, complaint, start));
  return [...diagnostics, ...messages];
}

/** A line that is indented by a tab breaks the line before it as well. */
function isCausedBy(tab: SourceRange, file: SourceFile, { code, pos }: SyntaxComplaint): boolean {
  const distance = getPosition(file, tab.start).line - getPosition(file, pos[0]).line;
  return code === "TAB_AS_INDENT" || distance === 0 || distance === 1;
}

function independent(file: SourceFile, complaints: readonly SyntaxComplaint[]): SyntaxComplaint[] {
  const sorted = [...complaints].sort((a, b) => a.pos[0] - b.pos[0]);
  // A `{` that never ends well is first taken for a key over many lines; what is wrong inside says more.
  const inside = sorted.filter(
    ({ code, pos }) => code !== "MULTILINE_IMPLICIT_KEY" || !"{[".includes(file.text.charAt(pos[0])),
  );
  let stumblingUntil = 0;
  return (inside.length > 0 ? inside : sorted).filter(({ message, pos }) => {
    const { line } = getPosition(file, pos[0]);
    const follows = line <= stumblingUntil || (stumblingUntil > 0 && /in YAML stream|at node end/.test(message));
    stumblingUntil = line + 1;
    return !follows;
  });
}

function syntaxError(file: SourceFile, complaint: SyntaxComplaint, start: number): Diagnostic {
  if (complaint.code === "TAB_AS_INDENT") return tabIndentation(rangeOf(file, complaint));
  const userMessage = messages(file, complaint, start);
  const why = "The rest of the file cannot be understood with certainty, so nothing of it is used.";
  return createDiagnostic(userMessage.range ?? rangeOf(file, complaint), "syntax", {
    what: userMessage.what,
    why,
    fix: userMessage.fix,
  });
}

interface Words {
  readonly what: string;
  readonly fix: string;
  readonly range?: SourceRange;
}

/** What most probably is wrong, by the parser's code and the line itself. */
function messages(file: SourceFile, { code, message, pos }: SyntaxComplaint, start: number): Words {
  const { line } = getPosition(file, pos[0]);
  const here = quoteLine(file, line).trim();
  const written = file.text.slice(pos[0], pos[1]);
  const glued = gluedAt(file, code === "BAD_INDENT" ? line - 1 : line) ?? gluedAt(file, line);
  if (glued) return glued;
  switch (code) {
    case "MULTILINE_IMPLICIT_KEY":
      return missingColonOrIndent(file, pos);
    case "MISSING_CHAR":
      if (message.includes("map values")) {
        const item = here.replace(/^[=*+]\s*/, "");
        const fix = `Add a colon, or a dash where a list item is meant: "${item}:" or "- ${item}".`;
        return { what: `"${here}" is neither a key with a colon nor an item of a list.`, fix };
      }
      if (message.includes("quote")) return at(findUnclosedQuote(file, pos[0]), openQuote);
      if (message.includes("must end with"))
        return at(findUnclosedYamlBracket(file, start, pos[0]), openBracket(message));
      if (message.includes("Missing ,")) return missingComma;
      break;
    case "BLOCK_IN_FLOW":
      return { ...missingComma, fix: `${missingComma.fix} If the colon belongs to a text, put the text in quotes.` };
    case "BLOCK_AS_IMPLICIT_KEY": {
      const next = getLine(file, line + 1);
      if (/^\s+[^\s#-]/.test(next) && countIndent(next) > countIndent(getLine(file, line))) {
        return indented(lineRange(file, line + 1));
      }
      if (isItemAstray(file, line)) {
        return {
          what: "This item is indented differently from the items above it.",
          fix: "Indent all items of one list alike.",
          range: lineRange(file, line),
        };
      }
      return {
        what: `A second colon in "${here}" makes it a map inside a map on one line.`,
        fix: "Put the value in quotes if the colon belongs to it.",
      };
    }
    case "BAD_INDENT":
      if (message.includes("sufficiently indented")) {
        return at(findUnclosedYamlBracket(file, start, pos[0]), openBracket(message));
      }
      return indented(lineRange(file, getPosition(file, Math.max(pos[0], pos[1] - 1)).line));
    case "BAD_SCALAR_START":
      return { what: `A text cannot begin with ${written} unless it is quoted.`, fix: "Put the text in quotes." };
    case "BAD_ALIAS":
      return {
        what: "A star at the beginning of a text is read as an alias of YAML.",
        fix: "Put the pattern in quotes: '*'.",
      };
    case "BAD_DQ_ESCAPE":
      return {
        what: `${message.replace("Invalid escape sequence ", "")} means nothing inside double quotes.`,
        fix: "Use single quotes, in which a backslash is a backslash, or double it.",
      };
    case "UNEXPECTED_TOKEN":
      if (message.includes("at node end")) {
        return {
          what: `A value has ended before this: ${restOfLine(file, pos[0])}`,
          fix: "Put the whole value in quotes, or begin a new document with --- where two are meant.",
        };
      }
      return {
        what: `This is not expected here: ${restOfLine(file, pos[0])}`,
        fix: "Look at the line above as well: a quote, a comma or a bracket may be missing or one too many.",
      };
    case "RESOURCE_EXHAUSTION":
      return { what: "Maps and lists are nested too deep to be read.", fix: "Check the brackets of this place." };
  }
  return { what: `This is not valid YAML: ${message}.`, fix: "Compare with the lines around it." };
}

/** An item of a list below another one, indented more or less than that. */
function isItemAstray(file: SourceFile, line: number): boolean {
  const [above, here] = [getLine(file, line - 1), getLine(file, line)];
  return [above, here].every((text) => /^\s*-\s/.test(text)) && countIndent(above) !== countIndent(here);
}

/** `users:[ana]` or `-users: [ana]`: what has no space after its colon, or after its dash, is one word. */
function gluedAt(file: SourceFile, line: number): Words | undefined {
  const text = quoteLine(file, line);
  const colon = /^\s*(?:- +)?(["']?[\w.-]+["']?):(?=[[{"'])/.exec(text);
  const dash = /^\s*-(["']?[\w.-]+["']?):(?=\s|$)/.exec(text);
  const range = () => lineRange(file, line);
  if (colon) {
    return { what: `No space is after the colon of "${colon[1]}:".`, fix: `Write "${colon[1]}: …".`, range: range() };
  }
  if (!dash) return undefined;
  return { what: `No space is after the dash of "-${dash[1]}:".`, fix: `Write "- ${dash[1]}: …".`, range: range() };
}

const missingComma: Words = {
  what: "A comma, or a closing bracket, is missing before this.",
  fix: "Separate the items between brackets by commas.",
};

function indented(range: SourceRange): Words {
  return {
    what: "This line is indented differently from the entries it seems to belong to.",
    fix: "Give all entries of one map the same indentation; the line above it may also lack its colon.",
    range,
  };
}

/** A key that seems to span lines: either its first line lacks a colon, or the second one is indented too far. */
function missingColonOrIndent(file: SourceFile, [start, end]: readonly [number, number]): Words {
  const first = getPosition(file, start);
  const lastLine = getPosition(file, Math.max(start, end - 1)).line;
  const before = getLine(file, first.line).slice(0, first.column - 1);
  if (/\S/.test(before.replace(/^\s*-\s/, ""))) return indented(lineRange(file, Math.max(lastLine, first.line + 1)));
  const text = quoteLine(file, first.line).trim();
  return {
    what: `"${limitText(text, mostQuoted)}" is neither a key with a colon nor an item of a list.`,
    fix: "Add the colon (and a space after it), or remove the line.",
    range: lineRange(file, first.line),
  };
}

const openQuote: Words = {
  what: "A quote is opened here and never closed.",
  fix: "Close it, or remove the stray quote.",
};

function openBracket(message: string): Words {
  const [what, bracket] = message.includes("]") ? ["list", "]"] : ["map", "}"];
  return {
    what: `This ${what} is not closed, or what is between its brackets is not indented.`,
    fix: `Close the ${what} with ${bracket}, or indent its lines.`,
  };
}

function at(range: SourceRange | undefined, words: Words): Words {
  return range ? { ...words, range } : words;
}

function unknownTag(file: SourceFile, complaint: SyntaxComplaint): Diagnostic {
  const range = rangeOf(file, complaint);
  const tag = file.text.slice(range.start, range.end);
  return createDiagnostic(range, "unknown-tag", {
    what: `The tag ${tag} has no meaning here.`,
    why: "Its value in another tool would be lost, and the bare text sent instead.",
    fix: `Write the value itself, or a reference: \${var:NAME}, \${env:NAME} or \${file:path}.`,
  });
}

function tabIndentation(range: SourceRange): Diagnostic {
  return createDiagnostic(range, "tab-indentation", {
    what: "A tab is used for indentation.",
    why: "YAML allows only spaces there, because tabs have no agreed width.",
    fix: "Replace the tabs at the beginning of the line by spaces.",
  });
}

/** Files that begin with a bracket are JSON in style, where tabs are allowed. */
function firstTab(file: SourceFile, start: number): SourceRange | undefined {
  if (/^\s*[{[]/.test(file.text.slice(start, start + 1000))) return undefined;
  const pattern = /^ *(\t+)[ \t]*[^\s#]/gm;
  pattern.lastIndex = start;
  const match = pattern.exec(file.text);
  if (!match) return undefined;
  const at = match.index + match[0].indexOf("\t");
  return { file, start: at, end: at + (match[1] ?? "").length };
}

function rangeOf(file: SourceFile, { pos: [start, end] }: SyntaxComplaint): SourceRange {
  const lineEnd = file.text.indexOf("\n", start);
  const last = Math.min(end, lineEnd === -1 ? file.text.length : Math.max(lineEnd, start));
  return { file, start: Math.min(start, file.text.length), end: Math.max(start, last) };
}

function lineRange(file: SourceFile, line: number): SourceRange {
  const text = getLine(file, line);
  const lineStart = getLineStart(file, line);
  const start = lineStart + countIndent(text);
  return { file, start, end: Math.max(start, lineStart + text.trimEnd().length) };
}

/** Characters of a line that a message quotes. */
const mostQuoted = 40;

function restOfLine(file: SourceFile, offset: number): string {
  const { line, column } = getPosition(file, offset);
  return limitText(quoteLine(file, line, column).trim(), mostQuoted);
}
