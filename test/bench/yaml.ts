// State files as people write them: plain words where YAML allows it, quotes where it does not, short lists in one line,
// long queries as blocks, comments in between. A style says what is written otherwise.
import { isList, isObject, type Json, type JsonObject } from "../../src/json/value.ts";
import type { Random } from "../fixtures/index.ts";
import type { Section } from "./files.ts";

export interface Style {
  /** Strings of several words are folded over several lines. */
  readonly folded?: true;
  /** Lists and the maps in them are in brackets, over several lines. */
  readonly flow?: true;
  /** A list of actions that was written before is an alias; an entry merges the one before it, where it overrides all of it. */
  readonly anchors?: true;
}

export function fileText(sections: readonly Section[], random: Random, style: Style = {}): string {
  const parts = sections.map((section) => sectionText(section, random, style));
  return ["# Reviewed by the platform team; questions to #search-access.\n", ...parts].join("\n");
}

/** One family's part of a file, beginning with its key. */
export function sectionText([family, entries]: Section, random: Random, style: Style = {}): string {
  const lines = [`${family}:`];
  const writer: Writer = { random, style, anchors: new Map() };
  let before: { readonly anchor: string; readonly value: JsonObject } | undefined;
  for (const [at, [name, whole]] of entries.entries()) {
    const value = withoutEmpty(whole);
    if (random.chance(0.15)) lines.push(`  # Asked for in OPS-${random.below(10_000)}; see the wiki.`);
    const [start = "", ...fields] = entryLines(name, value, "  ", writer);
    const anchor = style.anchors && `${family}${at}`;
    lines.push(anchor ? `${start} &${anchor}` : start);
    if (before && Object.keys(before.value).every((key) => key in value)) lines.push(`    <<: *${before.anchor}`);
    lines.push(...fields);
    if (anchor) before = { anchor, value };
    if (random.chance(0.3)) lines.push("");
  }
  return `${lines.join("\n")}\n`;
}

interface Writer {
  readonly random: Random;
  readonly style: Style;
  /** By the JSON of the list. */
  readonly anchors: Map<string, string>;
}

/** Files have no empty lists, and no empty descriptions. */
export function withoutEmpty(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([, item]) => !(isList(item) && item.length === 0) && item !== "");
  return Object.fromEntries(
    kept.map(([key, item]) => [
      key,
      isList(item) ? item.map((each) => (isObject(each) ? withoutEmpty(each) : each)) : item,
    ]),
  );
}

function entryLines(key: string, value: Json, indent: string, writer: Writer): string[] {
  const { random, style } = writer;
  const start = `${indent}${scalar(key, false)}:`;
  if (isObject(value)) {
    const fields = Object.entries(value).flatMap(([name, item]) => entryLines(name, item, `${indent}  `, writer));
    return fields.length === 0 ? [`${start} {}`] : [start, ...fields];
  }
  if (isList(value)) return listLines(key, start, value, indent, writer);
  if (typeof value === "string" && isBlock(value)) {
    return [`${start} |-`, ...value.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`))];
  }
  if (style.folded && typeof value === "string" && isFoldable(value)) {
    const words = value.split(" ");
    const half = words.length >> 1;
    return [`${start} >-`, `${indent}  ${words.slice(0, half).join(" ")}`, `${indent}  ${words.slice(half).join(" ")}`];
  }
  return [`${start} ${scalar(value, false)}${random.chance(0.03) ? " # until the migration is over" : ""}`];
}

function listLines(key: string, start: string, list: readonly Json[], indent: string, writer: Writer): string[] {
  if (list.length === 0) return [`${start} []`];
  if (writer.style.flow)
    return flowLines(list, `${indent}  `).map((line, at) => (at === 0 ? `${start} ${line}` : line));
  const anchor = writer.style.anchors && key === "allowed_actions" ? anchorOf(list, writer) : undefined;
  if (anchor?.isOld) return [`${start} *${anchor.name}`];
  const begin = anchor ? `${start} &${anchor.name}` : start;
  const inline = `${begin} [${list.map((item) => (isObject(item) ? "" : scalar(item, true))).join(", ")}]`;
  if (!list.some(isObject) && inline.length <= 100 && writer.random.chance(0.5)) return [inline];
  const items = list.flatMap((item) => {
    if (!isObject(item)) return [`${indent}  - ${scalar(item, false)}`];
    const [first = "", ...more] = Object.entries(item).flatMap(([name, each]) =>
      entryLines(name, each, `${indent}    `, writer),
    );
    return [`${indent}  - ${first.trimStart()}`, ...more];
  });
  return [begin, ...items];
}

function anchorOf(list: readonly Json[], { anchors }: Writer): { readonly name: string; readonly isOld: boolean } {
  const key = JSON.stringify(list);
  const name = anchors.get(key) ?? `list${anchors.size}`;
  const isOld = anchors.has(key);
  anchors.set(key, name);
  return { name, isOld };
}

/** The first line begins where it is put, the others with their indentation. */
function flowLines(value: Json, indent: string): string[] {
  const [open, close] = isList(value) ? "[]" : "{}";
  const items: [string, Json][] = isList(value)
    ? value.map((item) => ["", item])
    : Object.entries(value as JsonObject).map(([key, item]) => [`${key}: `, item]);
  const inner = items.flatMap(([start, item]) => {
    const isPlainItem = !isList(item) && !isObject(item);
    const [first = "", ...more] = isPlainItem ? [scalar(item, true)] : flowLines(item, `${indent}  `);
    const lines = [`${indent}  ${start}${first}`, ...more];
    return [...lines.slice(0, -1), `${lines.at(-1)},`];
  });
  return [open ?? "", ...inner, `${indent}${close}`];
}

/** Several lines that a literal block gives back as they are. */
function isBlock(text: string): boolean {
  return /^[^\s].*\n/.test(text) && !/[^\n\x20-\x7e]|\n$| $/m.test(text);
}

/** Words in one line, with single spaces between them. */
function isFoldable(text: string): boolean {
  return /^[\x21-\x7e]+(?: [\x21-\x7e]+)+$/.test(text);
}

function scalar(value: Json, inFlow: boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  // Within brackets, readers of YAML 1.1 stumble over more.
  if (isPlain(value) && !(inFlow && /[,[\]{}?:]/.test(value))) return value;
  return /[\n\\]|[^\x20-\x7e]/.test(value) ? JSON.stringify(value) : `'${value.replaceAll("'", "''")}'`;
}

/** What YAML 1.1 and 1.2 read as this very text, without quotes. */
function isPlain(text: string): boolean {
  return (
    /^[A-Za-z/][A-Za-z0-9_.:/*=,@?$ -]*$/.test(text) &&
    !/: |:$| $| #/.test(text) &&
    !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(text)
  );
}
