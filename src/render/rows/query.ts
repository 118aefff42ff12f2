import type { Value } from "../../json/value.ts";
import { canonicaliseJson } from "../../json/written-json.ts";
import { escapeInvisible, formatName } from "../escape.ts";
import { measureWidth } from "../layout.ts";
import { diffLines, withoutLongStretches } from "./line-diff.ts";
import { formatPrettyJson } from "./pretty-json.ts";
import { createRowsAt, createRowsBelow, getSpaceAt, limitLines, type Row, type RowLine, type Spot } from "./row.ts";
import { cutText, formatPairLines, formatValueLines } from "./values.ts";

const mostLines = 30;

/**
 * A document-level query: the JSON it is, as stored where that fits on a line, else laid out line by line with only
 * what differs marked.
 */
export function createQueryRows(before: Value | undefined, after: Value | undefined, spot: Spot): readonly Row[] {
  const texts = [before, after].filter((value) => value !== undefined);
  if (!texts.every((value) => typeof value === "string"))
    return createRowsAt(spot, formatValueLines(before, after, spot));
  const [old, now] = [before, after] as readonly (string | undefined)[];
  const onOneLine = texts.every((text) => measureWidth(formatName(text)) <= getSpaceAt(spot));
  const same = old !== undefined && now !== undefined && sameQuery(old, now);
  if (onOneLine || same) {
    const lines = formatPairLines(
      old === undefined ? old : formatName(old),
      now === undefined ? now : formatName(now),
      spot,
    );
    return createRowsAt(spot, same ? [...lines, { sign: "=", text: "(same query, other bytes)" }] : lines);
  }
  const below = spot.label === "" ? spot : { ...spot, indent: spot.indent + 2, label: "" };
  const lines = laidOut(old, now, below);
  return lines === undefined ? createRowsAt(spot, wholeLines(old, now, spot)) : createRowsBelow(spot, lines);
}

/** Undefined where one of them is not JSON: only the server knows how to split it into lines. */
function laidOut(before: string | undefined, after: string | undefined, spot: Spot): readonly RowLine[] | undefined {
  const space = getSpaceAt(spot);
  const [old, now] = [before, after].map((text) => (text === undefined ? [] : formatPrettyJson(text, space)));
  if (old === undefined || now === undefined) return undefined;
  const lines = diffLines(old.map(escapeInvisible), now.map(escapeInvisible));
  if (spot.style.full) return lines;
  const short = withoutLongStretches(lines).map(({ sign, text }) => ({
    sign,
    text: cutText(text, 0, space, spot.style),
  }));
  return limitLines(short, mostLines, "lines", spot.style);
}

function wholeLines(before: string | undefined, after: string | undefined, spot: Spot): readonly RowLine[] {
  return formatPairLines(
    before === undefined ? undefined : formatName(before),
    after === undefined ? undefined : formatName(after),
    spot,
  );
}

/** Servers compare the text, and the query is the same. */
function sameQuery(a: string, b: string): boolean {
  const query = canonicaliseJson(a);
  return query !== undefined && query === canonicaliseJson(b);
}
