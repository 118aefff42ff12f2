import { type MatchedPair, matchElements } from "../../diff/match.ts";
import type { Field } from "../../families/facts.ts";
import { encodeCanonical } from "../../json/canonical.ts";
import { type Fields, isList, isObject, type Value } from "../../json/value.ts";
import { flowItems, measureWidth, padEnd } from "../layout.ts";
import { createQueryRows } from "./query.ts";
import { createRowsAt, getSpaceAt, limitLines, type Row, type RowLine, type Sign, type Spot } from "./row.ts";
import { formatMemberName, formatSetLines, formatValueLines } from "./values.ts";

const mostPatterns = 20;

/** A multiset of permissions: of each element that changed, came or went, its patterns and what is different in it. */
export function createPermissionRows(
  name: string,
  field: Field,
  before: Value | undefined,
  after: Value | undefined,
  spot: Spot,
): readonly Row[] {
  const element = field.element ?? {};
  // The first field of an element says what it is about: index patterns, tenant patterns.
  const key = Object.keys(element)[0] ?? "";
  const [old, now] = [elementsOf(before), elementsOf(after)];
  const crowded = sharedKeys([old, now], key);
  const nulls = formatSetLines(nullsOf(before), nullsOf(after), spot);
  const gone = createRowsAt({ ...spot, label: `${name}  ` }, nulls);
  const pairs = matchElements(old, now, key).flatMap((pair) => {
    const at = { ...spot, label: `${name}  ` };
    const ambiguous = crowded.has(encodeCanonical((pair.before ?? pair.after)?.[key] ?? []));
    return [...patternRows(pair, key, at), ...elementRows(pair, key, element, ambiguous, spot)];
  });
  return [...gone, ...pairs];
}

function patternRows(pair: MatchedPair, key: string, spot: Spot): readonly Row[] {
  const patterns = pair.before?.[key] ?? pair.after?.[key];
  const members = patterns === undefined ? [] : isList(patterns) ? patterns : [patterns];
  const items = members.map((member): RowLine => ({ sign: " ", text: formatMemberName(member) }));
  const short = limitLines(items, mostPatterns, "patterns", spot.style).map(({ text }) => text);
  const lines = flowItems(short.length === 0 ? [`(no ${key})`] : short, ", ", getSpaceAt(spot));
  const sign = signOf(pair);
  if (sign === undefined)
    return createRowsAt(
      spot,
      lines.map((text) => ({ sign: " ", text })),
    ).map(withoutSign);
  return createRowsAt(
    spot,
    lines.map((text, index) => ({ sign: index === 0 ? sign : " ", text })),
  );
}

/** An element that changed has no sign of its own: its fields have. */
function withoutSign({ indent, label, text }: Row): Row {
  return { indent, label, text };
}

function signOf(pair: MatchedPair): Sign | undefined {
  return pair.before === undefined ? "+" : pair.after === undefined ? "-" : undefined;
}

/** The fields that differ, in one column; of a whole element, all but the patterns, which are shown above. */
function elementRows(
  pair: MatchedPair,
  key: string,
  facts: Readonly<Record<string, Field>>,
  ambiguous: boolean,
  spot: Spot,
): readonly Row[] {
  const whole = signOf(pair) !== undefined;
  const names = fieldNames(pair, facts).filter((name) => !(whole && name === key));
  const differing = names.filter((name) => !sameText(pair.before?.[name], pair.after?.[name]));
  const column = Math.max(0, ...differing.map(measureWidth)) + 2;
  const at = (name: string): Spot => ({ ...spot, indent: spot.indent + 2, label: padEnd(name, column) });
  const rows = differing.flatMap((name) => fieldRows(name, facts[name], pair, at(name)));
  // Of several elements with the same patterns, the unchanged query shows which one it is.
  const query = pair.before?.dls;
  if (!ambiguous || query === undefined || differing.includes("dls")) return rows;
  return [...createRowsAt(at("dls"), sameLine(query, at("dls"))), ...rows];
}

function sameLine(value: Value, spot: Spot): readonly RowLine[] {
  return formatValueLines(undefined, value, spot).map(({ text }) => ({ sign: "=", text }));
}

function fieldRows(name: string, field: Field | undefined, pair: MatchedPair, spot: Spot): readonly Row[] {
  const [before, after] = [pair.before?.[name], pair.after?.[name]];
  if (name === "dls") return createQueryRows(before, after, spot);
  return createRowsAt(spot, (field?.kind === "set" ? formatSetLines : formatValueLines)(before, after, spot));
}

/** Known fields in the order of the facts, then the rest in code-unit order. */
function fieldNames(pair: MatchedPair, facts: Readonly<Record<string, Field>>): readonly string[] {
  const present = new Set([...Object.keys(pair.before ?? {}), ...Object.keys(pair.after ?? {})]);
  const known = Object.keys(facts).filter((name) => present.has(name));
  return [...known, ...[...present].filter((name) => !Object.hasOwn(facts, name)).sort()];
}

function sameText(a: Value | undefined, b: Value | undefined): boolean {
  return a !== undefined && b !== undefined && encodeCanonical(a) === encodeCanonical(b);
}

function elementsOf(value: Value | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isObject) : [];
}

/** What a server should never have stored, once. */
function nullsOf(value: Value | undefined): Value {
  return isList(value) && value.includes(null) ? [null] : [];
}

/** Patterns that more than one element has on one side. */
function sharedKeys(sides: readonly (readonly Fields[])[], key: string): ReadonlySet<string> {
  const shared = new Set<string>();
  for (const elements of sides) {
    const seen = new Set<string>();
    for (const element of elements) {
      const text = encodeCanonical(element[key] ?? []);
      if (seen.has(text)) shared.add(text);
      seen.add(text);
    }
  }
  return shared;
}
