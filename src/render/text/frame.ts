import { lineOf, positionOf, type SourceRange } from "../../diagnostics/source.ts";
import { isSecretField, licenseChild } from "../../families/config.ts";
import { paint, type Tone } from "../ansi.ts";
import { visible } from "../escape.ts";
import { blanks, widthOf } from "../layout.ts";
import type { Style } from "../style.ts";

// A frame is only worth its lines when the mark stands below the spot: everything here is counted in columns as shown.

/** Columns kept before the spot when a line is too long to be shown from its start. */
const lead = 20;

/** The line of a file with the spot underlined. A range over several lines is underlined to the end of its first. */
export function frameLines(range: SourceRange, tone: Tone, style: Style): readonly string[] {
  const { line, column } = positionOf(range.file, range.start);
  const whole = lineOf(range.file, line);
  const text = withoutSecrets(whole, keysAbove(range, whole));
  const from = Math.min(column - 1, text.length);
  const to = Math.min(text.length, from + Math.max(0, range.end - range.start));
  const gutter = String(line).length;
  const parts = narrowed(partsOf(text, from, to), style.width - gutter - 2);
  const marks = "^".repeat(Math.max(1, widthOf(parts.spot)));
  const margin = (label: string) => paint(`${label.padStart(gutter)}|`, "faint", style);
  return [
    margin(""),
    `${margin(String(line))} ${parts.before}${parts.spot}${parts.after}`,
    `${margin("")} ${blanks(widthOf(parts.before))}${paint(marks, tone, style)}`,
  ];
}

const keyAndValue = /(["']?)([\w.-]+)\1\s*[:=]\s*("[^"]*"|'[^']*'|\[[^\]{]*\]|[^\s,{}[\]"'][^,}\]]*)/g;

/** A password written in clear must not be repeated just because something else is wrong with its line. */
function withoutSecrets(line: string, above: readonly string[]): string {
  // A key in a block scalar, a list of them: the line is all secret, and says nothing of it.
  if (above.some((key) => key !== licenseChild && isSecretField(key))) return line.replaceAll(/\S/g, "*");
  const inHeaders = above.includes("headers") || /(^|[\s{,])headers\s*:/.test(line);
  const withoutValues = line.replaceAll(keyAndValue, (match: string, _quote: string, key: string, value: string) => {
    const isShown = value.includes("${") || !(inHeaders || isSecretField(key) || key === "text");
    return isShown ? match : match.slice(0, match.length - value.length) + "*".repeat(value.length);
  });
  // As long as what it stands for, so that the mark below stays where it belongs.
  return withoutValues.replaceAll(
    /(:\/\/)([^\s/@"']+)@/g,
    (_, slashes: string, login: string) => `${slashes}${"*".repeat(login.length)}@`,
  );
}

/** Lines that are looked at for what stands above: as long as keys and certificates are, and no file of thousands. */
const mostAbove = 200;

/** The keys of the lines that this one is indented below, the nearest first. */
function keysAbove(range: SourceRange, line: string): readonly string[] {
  const keys: string[] = [];
  const { text } = range.file;
  let depth = indentOf(line);
  let end = text.lastIndexOf("\n", range.start - 1);
  for (let looked = 0; looked < mostAbove && end > 0 && depth > 0; looked++) {
    const start = text.lastIndexOf("\n", end - 1);
    const above = text.slice(start + 1, end);
    end = start;
    if (above.trim() === "" || indentOf(above) >= depth) continue;
    depth = indentOf(above);
    const [, key] = /^\s*(?:-\s+)*["']?([\w.-]+)["']?\s*:/.exec(above) ?? [];
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

interface Parts {
  readonly before: string;
  readonly spot: string;
  readonly after: string;
}

/** A tab is two blanks, unless it is what is meant. */
function partsOf(text: string, from: number, to: number): Parts {
  const plain = (part: string) => visible(part.replaceAll("\t", "  "));
  return { before: plain(text.slice(0, from)), spot: visible(text.slice(from, to)), after: plain(text.slice(to)) };
}

/** Leaves out what is far from the spot, so that the line does not wrap and tear the mark from its place. */
function narrowed(parts: Parts, width: number): Parts {
  if (widthOf(parts.before + parts.spot + parts.after) <= width) return parts;
  const before = widthOf(parts.before) > lead ? `...${[...parts.before].slice(-lead + 3).join("")}` : parts.before;
  const spot = start(parts.spot, width - widthOf(before));
  return { before, spot, after: start(parts.after, width - widthOf(before + spot)) };
}

function start(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (width < 4) return "";
  let kept = "";
  for (const character of text) {
    if (widthOf(kept + character) > width - 3) break;
    kept += character;
  }
  return `${kept}...`;
}
