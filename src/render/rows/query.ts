import { canonicalText } from "../../json/canonical.ts";
import type { Value } from "../../json/value.ts";
import { visible, word } from "../escape.ts";
import { widthOf } from "../layout.ts";
import { diffLines, withoutLongStretches } from "./line-diff.ts";
import { parsedJson, prettyJson } from "./pretty-json.ts";
import { type Line, limited, type Row, roomAt, rowsAt, rowsBelow, type Spot } from "./row.ts";
import { cut, pairLines, valueLines } from "./values.ts";

const mostLines = 30;

/**
 * A document-level query: the JSON it is, as stored where that fits on a line, else laid out line by line with only
 * what differs marked.
 */
export function queryRows(before: Value | undefined, after: Value | undefined, spot: Spot): readonly Row[] {
  const texts = [before, after].filter((value) => value !== undefined);
  if (!texts.every((value) => typeof value === "string")) return rowsAt(spot, valueLines(before, after, spot));
  const [old, now] = [before, after] as readonly (string | undefined)[];
  const onOneLine = texts.every((text) => widthOf(word(text)) <= roomAt(spot));
  const same = old !== undefined && now !== undefined && sameQuery(old, now);
  if (onOneLine || same) {
    const lines = pairLines(old === undefined ? old : word(old), now === undefined ? now : word(now), spot);
    return rowsAt(spot, same ? [...lines, { sign: "=", text: "(same query, other bytes)" }] : lines);
  }
  const below = spot.label === "" ? spot : { ...spot, indent: spot.indent + 2, label: "" };
  const lines = laidOut(old, now, below);
  return lines === undefined ? rowsAt(spot, wholeLines(old, now, spot)) : rowsBelow(spot, lines);
}

/** Undefined where one of them is not JSON: nobody but the server can say what belongs on a line of its own. */
function laidOut(before: string | undefined, after: string | undefined, spot: Spot): readonly Line[] | undefined {
  const room = roomAt(spot);
  const [old, now] = [before, after].map((text) => (text === undefined ? [] : prettyJson(text, room)));
  if (old === undefined || now === undefined) return undefined;
  const lines = diffLines(old.map(visible), now.map(visible));
  if (spot.style.full) return lines;
  const short = withoutLongStretches(lines).map(({ sign, text }) => ({ sign, text: cut(text, 0, room, spot.style) }));
  return limited(short, mostLines, "lines", spot.style);
}

function wholeLines(before: string | undefined, after: string | undefined, spot: Spot): readonly Line[] {
  return pairLines(
    before === undefined ? undefined : word(before),
    after === undefined ? undefined : word(after),
    spot,
  );
}

/** Other blanks, another order of keys: another text, which is what servers compare, and the same query. */
function sameQuery(a: string, b: string): boolean {
  const [left, right] = [parsedJson(a), parsedJson(b)];
  if (left === undefined || right === undefined) return false;
  return canonicalText(left.value as Value) === canonicalText(right.value as Value);
}
