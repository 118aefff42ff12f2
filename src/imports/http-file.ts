// Files of HTTP clients (`.http`, `.rest`), and of the console of the dashboards: a request line, headers, a body.
import type { SourceFile, SourceRange } from "../diagnostics/source.ts";
import { parseBody, readBody, refuseScript } from "./body.ts";
import { addLeftOut, type FoundRequest, type ImportFindings } from "./findings.ts";
import { addHeader, addSecret, addUrlLogin } from "./login-secrets.ts";
import { createPlaceholder } from "./placeholders.ts";
import { listApiPaths } from "./requests.ts";
import { refusePlaceholders } from "./templates.ts";

const requestLine = /^(GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS)[ \t]+(\S.*?)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/;

/** Otherwise written, what comes after the method has to look like a URL. */
const looseLine =
  /^[ \t]*(get|head|put|post|patch|delete|options)[ \t]+((?:https?:|\/|\{\{|_)\S*)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/i;

function readRequestLine(text: string): readonly [method: string, target: string] | undefined {
  const [, method, target] = requestLine.exec(text) ?? looseLine.exec(text) ?? [];
  return method === undefined || target === undefined ? undefined : [method.toUpperCase(), target];
}

/** Whether the first line that is no comment is a request. */
export function isHttpFile(text: string): boolean {
  const line = text.split("\n", 200).find((one) => !/^\s*(?:#|\/\/|@\w|$)/.test(one));
  return line !== undefined && readRequestLine(line.trimEnd()) !== undefined;
}

/** What is between two marks. */
interface Part {
  unread?: SourceRange;
  hasRequest?: true;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

export function readHttpFile(file: SourceFile, cwd: string, findings: ImportFindings): readonly FoundRequest[] {
  const problem = refusePlaceholders(file);
  if (problem) {
    findings.diagnostics.push(refuseScript(file, problem.range?.start ?? 0, problem.what));
    return [];
  }
  const variables = new Map<string, string>();
  const requests: FoundRequest[] = [];
  const lines = splitLines(file.text);
  let part: Part = {};
  const idle: SourceRange[] = [];
  const endPart = () => {
    if (part.unread && !part.hasRequest) idle.push(part.unread);
    part = {};
  };
  for (let at = 0; at < lines.length; at++) {
    const { text, start } = lines[at] as Line;
    const [, name, value] = /^@([\w.-]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
    // Without a value it is for a person to fill in.
    if (name !== undefined && value) {
      variables.set(name, fillNames(value, variables));
      addSecret(name, variables.get(name) ?? "", findings);
    }
    const place = { file, start, end: start + text.length };
    const [method, target] = readRequestLine(text) ?? [];
    if (method === undefined || target === undefined) {
      if (/^###/.test(text)) endPart();
      else if (/^\s*[^\s#@/]/.test(text) && listApiPaths(text).length > 0) part.unread ??= place;
      continue;
    }
    const end = findEnd(lines, at + 1);
    const body = readLines(lines.slice(at + 1, end), place, { cwd, findings, variables });
    const path = fill(target, variables, findings);
    addUrlLogin(path, findings);
    requests.push({ method, path, place, ...body });
    part.hasRequest = true;
    at = end - 1;
  }
  endPart();
  if (requests.length > 0)
    for (const place of idle)
      addLeftOut(findings, "a part without a request", "none of its lines is a method and a URL", place);
  return requests;
}

function splitLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf("\n", start);
    const stop = end === -1 ? text.length : end;
    lines.push({ text: text.slice(start, stop).replace(/\r$/, ""), start });
    start = stop + 1;
  }
  return lines;
}

/** The line of the next request, or the mark between two. */
function findEnd(lines: readonly Line[], from: number): number {
  let at = from;
  for (; at < lines.length; at++) {
    const text = lines[at]?.text ?? "";
    if (/^###/.test(text) || requestLine.test(text)) break;
  }
  return at;
}

interface Around {
  readonly cwd: string;
  readonly findings: ImportFindings;
  readonly variables: ReadonlyMap<string, string>;
}

/** What follows headers: after an empty line, or where a value begins. */
function readLines(
  lines: readonly Line[],
  place: SourceRange,
  { cwd, findings, variables }: Around,
): Pick<FoundRequest, "body" | "doubt" | "bodyFile"> {
  const isHeader = ({ text }: Line) => /^\s*(?:[?&]|#|\/\/|[\w-]+\s*:(?!\/\/))/.test(text) && !/^\s*["'{[]/.test(text);
  const first = lines.findIndex((line) => !isHeader(line));
  const rest = first === -1 ? [] : lines.slice(first);
  for (const { text } of lines.slice(0, lines.length - rest.length))
    addHeader(fill(text, variables, findings), findings);
  const handler = rest.findIndex(({ text }) => /^\s*(?:>|<>)\s*(?:\{%|\S+$)/.test(text));
  const body = handler === -1 ? rest : rest.slice(0, handler);
  const opening = body.find(({ text }) => !/^\s*(?:#|\/\/|$)/.test(text));
  if (!opening) return {};
  const [, path] = /^<@?\s+(\S.*?)\s*$/.exec(opening.text) ?? [];
  const at = { ...place, start: opening.start, end: opening.start + opening.text.length };
  if (path !== undefined) {
    const found = readBody(path, at, cwd, findings);
    return found.doubt === undefined ? found : { ...found, bodyFile: path };
  }
  const text = body
    .slice(body.indexOf(opening))
    .map((line) => line.text)
    .join("\n");
  const value = parseBody(fill(toPlainJson(text), variables, findings), at, findings);
  return value ? { body: value } : {};
}

/** JSON has neither comments nor `"""…"""`; HTTP clients and consoles have them. Lines stay where they are. */
export function toPlainJson(text: string): string {
  return text.replace(extension, (whole, literal?: string) => {
    if (literal === undefined && whole.startsWith('"')) return whole;
    const lines = whole.replace(/[^\n]/g, "");
    return literal === undefined ? lines : JSON.stringify(literal) + lines;
  });
}

const extension = /"""([\s\S]*?)"""|"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/.*|^[ \t]*#.*/gm;

/** `{{name}}`: its value in the file, else a placeholder; what a function gives may differ each time. */
function fill(text: string, variables: ReadonlyMap<string, string>, { createSource }: ImportFindings): string {
  return fillNames(text, variables).replace(
    /\{\{\s*\$([A-Za-z_]\w*)(?:\.([A-Za-z_][\w.-]*)|\s+%?([A-Za-z_][\w.-]*))?[^{}]*\}\}/g,
    (_, from: string, member?: string, argument?: string) => {
      const name = /^(?:dotenv|processEnv|env)$/.test(from) ? (member ?? argument) : undefined;
      return name === undefined ? createPlaceholder(from, createSource()) : createPlaceholder(name, from);
    },
  );
}

function fillNames(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(
    /\{\{\s*([\w.-]+)[^{}]*\}\}/g,
    (_, name: string) => variables.get(name) ?? createPlaceholder(name, "http"),
  );
}
