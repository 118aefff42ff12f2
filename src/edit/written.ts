// Values as they are written into a file: in the style of what was there.
import { escapeAsJson, escapeAsYaml, hasInvisible } from "../json/invisible.ts";
import { isList, isObject, type Json } from "../json/value.ts";
import { fitsBlockText, needsDoubleQuotes, templateOpening } from "../load/quoted-strings.ts";
import { writeYaml } from "../load/yaml.ts";
import type { LayoutScalar } from "../model/layout.ts";

/** `json`: in double quotes, and so are keys. */
export type Quotes = "plain" | "single" | "double" | "json";

/** In one line: scalars, `[a, b]`, `{ a: b }`. */
export function writeFlow(value: Json, quotes: Quotes, isFlow: boolean): string {
  if (isList(value)) return `[${value.map((item) => writeFlow(item, quotes, true)).join(", ")}]`;
  if (!isObject(value)) return writeScalar(value, quotes, isFlow);
  const fields = Object.entries(value).map(
    ([key, item]) => `${writeKey(key, quotes)}: ${writeFlow(item, quotes, true)}`,
  );
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** In brackets. */
export function writeKey(key: string, quotes: Quotes): string {
  return writeScalar(key, quotes === "json" ? quotes : "plain", true);
}

function writeScalar(value: Json, quotes: Quotes, isFlow: boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const plain = writeYaml(value).replace(/\n$/, "");
  const mayBePlain = !/^["'|>]|\n/.test(plain) && !(isFlow && /[,[\]{}]/.test(plain));
  if (quotes === "plain" && mayBePlain) return plain;
  const isClean = !needsDoubleQuotes(value) && !hasInvisible(value);
  if (isClean && (quotes === "single" || (quotes === "plain" && value.includes('"')))) {
    return `'${value.replaceAll("'", "''")}'`;
  }
  const escapeUnseen = quotes === "json" ? escapeAsJson : escapeAsYaml;
  return escapeUnseen(JSON.stringify(value)).replace(
    templateOpening,
    (one) => `\\u00${one.charCodeAt(0).toString(16)}`,
  );
}

/** Lines of a collection, each but the first with so many spaces before it. */
export function writeBlock(value: Json, column: number, lineBreak: string): string {
  const [first = "", ...others] = writeYaml(value).replace(/\n$/, "").split("\n");
  return [first, ...others.map((line) => (line === "" ? line : " ".repeat(column) + line))].join(lineBreak);
}

/**
 * A block text; undefined where that would be read otherwise.
 *
 * @param comment behind its header, with the space before it
 */
export function writeLiteral(value: string, column: number, lineBreak: string, comment: string): string | undefined {
  if (!fitsBlockText(value)) return undefined;
  const lines = value.replace(/\n$/, "").split("\n");
  const indented = lines.map((line) => (line === "" ? line : " ".repeat(column) + line));
  return [`|${value.endsWith("\n") ? "" : "-"}${comment}`, ...indented].join(lineBreak);
}

export function getQuotes({ style }: LayoutScalar): Quotes {
  return style === "literal" || style === "folded" ? "double" : style;
}
