import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import type { AccessMapView, MapGroup } from "../views/access-map.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** More are too many to read at once. */
const most = 50;

/** No newline at its end. */
export function renderAccessMapText({ summary, findings, groups, closing }: AccessMapView, style: Style): string {
  const shown = style.full ? groups : groups.slice(0, most);
  const left = groups.length - shown.length;
  return joinLines([
    ...wrap(paint(summary, "strong", style), style.width),
    ...(findings.length > 0 ? [""] : []),
    ...cutList(findings, style).flatMap((one) => wrap(one, style.width, 2)),
    ...shown.flatMap((group) => ["", ...formatGroup(group, style)]),
    ...(left > 0 ? ["", `... ${left} more (--full)`] : []),
    ...formatClosing(closing, style),
  ]);
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
