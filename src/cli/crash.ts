import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";

/**
 * What is shown of an unexpected error: its kind, and where in gate-sync it arose. Not its message: that may repeat
 * any value, a secret too (`JSON.parse` quotes what it cannot read).
 */
export function formatCrash(error: unknown): string {
  const lines =
    error instanceof Error
      ? [kindOf(error), ...framesOf(error).map(withSourcePlace)]
      : [`    a thrown ${typeof error}`];
  return `This is a bug in gate-sync; please report it with these lines. What the error says is
left out: it might repeat a secret.
${lines.join("\n")}
`;
}

function kindOf(error: Error): string {
  const { name } = error.constructor;
  return `    ${/^\w+$/.test(name) ? name : "Error"}`;
}

/** The stack begins with the message, whose lines may look like anything. */
function framesOf({ stack = "", message }: Error): readonly string[] {
  const at = stack.indexOf(message);
  const frames = at === -1 ? [] : stack.slice(at + message.length).split("\n");
  return frames.filter((line) => /^ {4}at /.test(line));
}

/**
 * `at plan (/…/dist/chunks/plan.cjs:9:4)` with the place in our sources, by the source map beside the file. Node itself
 * would have to read the maps of all files while it loads them.
 */
function withSourcePlace(frame: string): string {
  const [, before, file = "", line, column] = /^(.*?[( ])([^( ]+\.cjs):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  const found = before && readSourceMap(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!found || !("originalSource" in found)) return frame;
  const place = `${found.originalSource.replace(/^(\.\.\/)+/, "")}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  return `${before}${place}${before.endsWith("(") ? ")" : ""}`;
}

function readSourceMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
  } catch {
    return undefined; // A crash is shown even where the map is missing or cut off.
  }
}
