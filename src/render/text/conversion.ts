import { joinSections, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import type { ConversionItem, ConversionSection, ConversionView } from "../views/conversion.ts";
import { formatAccessLines } from "./access-diff.ts";
import { paint, type Tone } from "./ansi.ts";

const tones: Readonly<Record<ConversionSection["sign"], Tone>> = {
  "-": "removed",
  "~": "changed",
  "?": "changed",
  "+": "added",
  "=": "faint",
};

/** More than these are too many to read at once. */
const mostItems = 20;
const mostNames = 5;

/** No newline at its end. */
export function renderConversionText(view: ConversionView, style: Style): string {
  const { summary, verdict, sections, access, closing } = view;
  return joinSections([
    [...wrap(summary, style.width).map((line) => paint(line, "strong", style)), ...wrap(verdict, style.width)],
    ...sections.map((section) => formatSection(section, style)),
    ...(access ? [formatAccessLines(access, style)] : []),
    closing.flatMap((note) => wrapIndented(note, 0, style.width, 2)).map((line) => paint(line, "faint", style)),
  ]);
}

function formatSection({ title, sign, items }: ConversionSection, style: Style): readonly string[] {
  const shown = style.full ? items : items.slice(0, mostItems);
  const left = items.length - shown.length;
  return [
    paint(title, "strong", style),
    ...shown.flatMap((item) => formatItem(item, sign, style)),
    ...(left > 0 ? [`  ... ${left} more (--full)`] : []),
  ];
}

function formatItem({ names, text }: ConversionItem, sign: ConversionSection["sign"], style: Style): readonly string[] {
  const named = style.full ? names : names.slice(0, mostNames);
  const more = names.length - named.length;
  const who = [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
  const line = text === "" ? who : names.length === 1 && sign === "=" ? `${who}: ${text}` : who;
  return [
    ...wrapIndented(`${sign} ${line}`, 2, style.width, 2).map((one) => paint(one, tones[sign], style)),
    ...(text === "" || sign === "=" ? [] : wrapIndented(text, 6, style.width)),
  ];
}
