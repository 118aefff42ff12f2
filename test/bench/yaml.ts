// State files as people write them: plain words where YAML allows it, quotes where it does not, short lists in one line,
// long queries as blocks, comments in between.
import { isList, isObject, type Json, type JsonObject } from "../../src/json/value.ts";
import type { Random } from "../fixtures/index.ts";

/** One family's part of a file, beginning with its key. */
export function sectionText(
  family: string,
  entries: readonly (readonly [string, JsonObject])[],
  random: Random,
): string {
  const lines = [`${family}:`];
  for (const [name, value] of entries) {
    if (random.chance(0.15)) lines.push(`  # Asked for in OPS-${random.below(10_000)}; see the wiki.`);
    lines.push(...entryLines(name, withoutEmpty(value), "  ", random));
    if (random.chance(0.3)) lines.push("");
  }
  return `${lines.join("\n")}\n`;
}

/** Files have no empty lists, and no empty descriptions. */
function withoutEmpty(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([, item]) => !(isList(item) && item.length === 0) && item !== "");
  return Object.fromEntries(
    kept.map(([key, item]) => [
      key,
      isList(item) ? item.map((each) => (isObject(each) ? withoutEmpty(each) : each)) : item,
    ]),
  );
}

function entryLines(key: string, value: Json, indent: string, random: Random): string[] {
  const start = `${indent}${scalar(key, false)}:`;
  if (isObject(value)) {
    const fields = Object.entries(value).flatMap(([name, item]) => entryLines(name, item, `${indent}  `, random));
    return fields.length === 0 ? [`${start} {}`] : [start, ...fields];
  }
  if (isList(value)) return listLines(start, value, indent, random);
  if (typeof value === "string" && isBlock(value)) {
    return [`${start} |-`, ...value.split("\n").map((line) => (line === "" ? "" : `${indent}  ${line}`))];
  }
  return [`${start} ${scalar(value, false)}${random.chance(0.03) ? " # until the migration is over" : ""}`];
}

function listLines(start: string, list: readonly Json[], indent: string, random: Random): string[] {
  if (list.length === 0) return [`${start} []`];
  const inline = `${start} [${list.map((item) => (isObject(item) ? "" : scalar(item, true))).join(", ")}]`;
  if (!list.some(isObject) && inline.length <= 100 && random.chance(0.5)) return [inline];
  const items = list.flatMap((item) => {
    if (!isObject(item)) return [`${indent}  - ${scalar(item, false)}`];
    const [first = "", ...more] = Object.entries(item).flatMap(([key, each]) =>
      entryLines(key, each, `${indent}    `, random),
    );
    return [`${indent}  - ${first.trimStart()}`, ...more];
  });
  return [start, ...items];
}

/** Several lines that a literal block gives back as they are. */
function isBlock(text: string): boolean {
  return /^[^\s].*\n/.test(text) && !/[^\n\x20-\x7e]|\n$| $/m.test(text);
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
