import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import type { AccessMapView, MapGroup } from "../views/access-map.ts";
import { formatStep } from "../views/access-reasons.ts";
import type { MapChangeLine, MapChangesView } from "../views/map-changes.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** More are too many to read at once. */
const most = 50;

/** No newline at its end. */
export function renderAccessMapText(
  { summary, findings, groups, closing, changes }: AccessMapView,
  style: Style,
): string {
  const shown = style.full ? groups : groups.slice(0, most);
  const left = groups.length - shown.length;
  return joinLines([
    ...(changes ? [...formatChanges(changes, style), ""] : []),
    ...wrap(paint(summary, "strong", style), style.width),
    ...(findings.length > 0 ? [""] : []),
    ...cutList(findings, style).flatMap((one) => wrap(one, style.width, 2)),
    ...shown.flatMap((group) => ["", ...formatGroup(group, style)]),
    ...(left > 0 ? ["", `... ${left} more (--full)`] : []),
    ...formatClosing(closing, style),
  ]);
}

function formatChanges({ summary, groups }: MapChangesView, style: Style): readonly string[] {
  const shown = style.full ? groups : groups.slice(0, most);
  const left = groups.length - shown.length;
  return [
    ...wrap(paint(summary, "strong", style), style.width),
    ...shown.flatMap(({ who, lines }) => [
      "",
      ...formatWho(who, style),
      ...lines.flatMap((one) => formatLine(one, style)),
    ]),
    ...(left > 0 ? ["", `... ${left} more (--full)`] : []),
  ];
}

const tones: Readonly<Record<MapChangeLine["sign"], Tone>> = {
  "+": "added",
  "-": "removed",
  "~": "changed",
  "?": "faint",
};

function formatLine({ sign, sentence, chain, isGone, author }: MapChangeLine, style: Style): readonly string[] {
  const by = [
    ...(chain.length > 0 ? [`${isGone ? "was by" : "by"} ${chain.map((step) => formatStep(step)).join(" > ")}`] : []),
    ...(author ? [author] : []),
  ];
  return [
    ...wrapIndented(sentence, 4, style.width, 2).map((line, at) =>
      at === 0 ? `  ${paint(sign, tones[sign], style)}${line.slice(3)}` : line,
    ),
    ...(by.length > 0 ? wrapIndented(by.join("; "), 6, style.width, 2) : []),
  ];
}

function formatWho(who: readonly string[], style: Style): readonly string[] {
  return wrap(cutList(who, style).join(", "), style.width, 2).map((line) => paint(line, "strong", style));
}

function formatGroup({ who, access }: MapGroup, style: Style): readonly string[] {
  return [
    ...formatWho(who, style),
    ...access.flatMap(({ label, columns }) =>
      wrapIndented(`${label}: ${cutList(columns, style).join(", ")}`, 2, style.width, 2),
    ),
  ];
}

function cutList(all: readonly string[], { full }: Style): readonly string[] {
  return full || all.length <= most ? all : [...all.slice(0, most), `... ${all.length - most} more (--full)`];
}
