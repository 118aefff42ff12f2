import { encodeCanonical } from "../../json/canonical.ts";
import { Secret } from "../../json/secret.ts";
import { isList, isObject, type Value } from "../../json/value.ts";
import { redactValue } from "../../secrets/redact.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { countCharacters, cutTo, measureWidth } from "../layout.ts";
import type { Style } from "../style.ts";
import { getSpaceAt, limitLines, type RowLine, type Spot } from "./row.ts";

/** A set of more members than this is counted from here on: a screen is not the place to read a thousand fields. */
const mostMembers = 20;
/** Members are names and are not cut; what goes on for longer than this many lines is none. */
const linesOfName = 3;

/** A set as a set: what goes, then what comes, each on a line. */
export function formatSetLines(before: Value | undefined, after: Value | undefined, spot: Spot): readonly RowLine[] {
  const [old, now] = [membersOf(before), membersOf(after)];
  const line = (sign: "-" | "+") => (member: Value) => ({ sign, text: memberText(member, spot) });
  const gone = [...old].filter(([key]) => !now.has(key)).map(([, member]) => line("-")(member));
  const come = [...now].filter(([key]) => !old.has(key)).map(([, member]) => line("+")(member));
  return [
    ...limitLines(gone, mostMembers, "members", spot.style),
    ...limitLines(come, mostMembers, "members", spot.style),
  ];
}

/** A value that is changed as a whole. Of two long ones, the part where they differ is shown. */
export function formatValueLines(before: Value | undefined, after: Value | undefined, spot: Spot): readonly RowLine[] {
  if (before instanceof Secret && after instanceof Secret)
    return [{ sign: "~", text: `${formatValue(after)} (changed)` }];
  return formatPairLines(
    before === undefined ? undefined : formatValue(before),
    after === undefined ? undefined : formatValue(after),
    spot,
  );
}

/** Two texts, already fit to be shown. */
export function formatPairLines(before: string | undefined, after: string | undefined, spot: Spot): readonly RowLine[] {
  const space = getSpaceAt(spot);
  const tooLong = [before, after].some((text) => text !== undefined && measureWidth(text) > space);
  const from = tooLong && before !== undefined && after !== undefined ? commonStart(before, after, space) : 0;
  const line = (sign: "-" | "+", text: string | undefined): readonly RowLine[] =>
    text === undefined ? [] : [{ sign, text: cutText(text, from, space, spot.style) }];
  return [...line("-", before), ...line("+", after)];
}

/** A scalar as it is; text that could be taken for a number or a boolean in quotes; the rest as JSON on one line. */
export function formatValue(value: Value): string {
  if (value instanceof Secret) return escapeInvisible(value.toString());
  if (typeof value === "string")
    return /^(true|false|null|[-\d.]+)$/.test(value) ? JSON.stringify(value) : formatName(value);
  return escapeInvisible(JSON.stringify(redactValue(value)));
}

/** The text from a position on, as long as there is room; the omitted characters are counted. */
export function cutText(text: string, from: number, space: number, style: Style): string {
  if (style.full || (measureWidth(text) <= space && from === 0)) return text;
  const start = from === 0 ? text : `...${text.slice(from)}`;
  if (measureWidth(start) <= space) return start;
  const total = countCharacters(start);
  const note = (left: number) => ` ... ${left} more (--full)`;
  const kept = cutTo(start, space - note(total).length);
  return kept + note(total - countCharacters(kept));
}

/** A member of a set: a name, whatever it looks like. */
export function formatMemberName(member: Value): string {
  return typeof member === "string" ? formatName(member) : formatValue(member);
}

function memberText(member: Value, spot: Spot): string {
  return cutText(formatMemberName(member), 0, Math.max(getSpaceAt(spot), spot.style.width * linesOfName), spot.style);
}

/** Keyed by what they are, secrets in clear: the keys are compared, never shown. */
function membersOf(value: Value | undefined): ReadonlyMap<string, Value> {
  const members = value === undefined ? [] : isList(value) ? value : [value];
  return new Map(members.map((member) => [encodeCanonical(member), member]));
}

/** Where to begin so that the first difference is visible, with a little of the text before it. */
function commonStart(before: string, after: string, space: number): number {
  const context = Math.floor(space / 4);
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  if (same < space - context) return 0;
  const from = same - context;
  // Never in the middle of a surrogate pair.
  return /[\udc00-\udfff]/.test(before[from] ?? "") ? from - 1 : from;
}

/** The leaves below a value, each with its path. An empty object or list is a leaf. */
export function listLeaves(
  value: Value,
  path: readonly string[],
): readonly { path: readonly string[]; value: Value }[] {
  if (!isObject(value) || Object.keys(value).length === 0) return [{ path, value }];
  return Object.entries(value).flatMap(([key, item]) => listLeaves(item, [...path, key]));
}
