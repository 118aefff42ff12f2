import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceFile } from "../diagnostics/source.ts";

const engines: readonly (readonly [opening: string, name: string])[] = [
  ["{{", "a Jinja, Helm or Go template"],
  ["{%", "a Jinja template"],
  ["<%", "an ERB template"],
];

/** An error at the first placeholder of a template that was never rendered; undefined where there is none. */
export function findUnrenderedTemplate(file: SourceFile): Diagnostic | undefined {
  if (!engines.some(([opening]) => file.text.includes(opening))) return undefined;
  const placeholder = /\{\{|\{%|<%/g;
  for (let match = placeholder.exec(file.text); match; match = placeholder.exec(file.text)) {
    const end = endOfLine(file.text, match.index);
    if (isComment(file.text, match.index)) {
      placeholder.lastIndex = end;
      continue;
    }
    const closing = file.text.slice(match.index, end).search(/\}\}|%\}|%>/);
    const range = { file, start: match.index, end: closing === -1 ? end : match.index + closing + 2 };
    const engine = engines.find(([opening]) => opening === match?.[0])?.[1] ?? "a template";
    return createDiagnostic(range, "rendered-template", {
      what: `This is ${engine} that was never rendered.`,
      why: "Its placeholders would reach the server literally, if the file could be read at all.",
      fix: `Render it first and point state at the result, or use \${var:NAME} with the target's vars.`,
    });
  }
  return undefined;
}

/** An error at the first marker that git left in a file; undefined where there is none. */
export function findUnfinishedMerge(file: SourceFile): Diagnostic | undefined {
  const marker = /^(<{7}|>{7}) .*$/m.exec(file.text);
  if (!marker) return undefined;
  const range = { file, start: marker.index, end: marker.index + marker[0].length };
  return createDiagnostic(range, "syntax", {
    what: "An unfinished merge: git left both sides here.",
    why: "Which of the two counts is not decided, so nothing of the file is used.",
    fix: "Decide for one side, take the lines that begin with <<<<<<<, ======= and >>>>>>> out, and commit.",
  });
}

/** A hash at the beginning of the line or after a space, outside quotes. A template in a comment is none. */
function isComment(text: string, at: number): boolean {
  const before = text.slice(text.lastIndexOf("\n", at) + 1, at);
  const unquoted = before.replace(/"[^"]*"|'[^']*'/g, "");
  return /(^|\s)#/.test(unquoted);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}
