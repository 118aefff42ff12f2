import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import type { IndexShareView, WhatCanView } from "../views/what-can.ts";
import { formatLimitLines } from "./access-shares.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** Roles, what they grant, then why something is unknown. No newline at its end. */
export function renderWhatCanText(view: WhatCanView, style: Style): string {
  const { who, refusal, roles, indices, otherIndices, cluster, tenants, doubts, closing } = view;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", paint(title, "strong", style), ...lines];
  const sentences = (all: readonly string[]) => all.flatMap((one) => say(one, 2, style));
  return joinLines([
    ...wrap(paint(who, "strong", style), style.width, 2),
    ...(refusal === "" ? [] : say(refusal, 2, style).map((line) => paint(line, "removed", style))),
    ...section("Roles", roles.length === 0 ? ["  none: no mapping gives one"] : sentences(roles)),
    ...section("Indices", [
      ...indices.flatMap((share, at) => [...(at > 0 ? [""] : []), ...shareLines(share, style)]),
      ...sentences(otherIndices),
    ]),
    ...section("Cluster", sentences(cluster)),
    ...section(
      "Tenants",
      tenants.flatMap(({ label, names }) => tenantLines(label, names, style)),
    ),
    ...section("Why it is unknown", sentences(doubts)),
    ...formatClosing(closing, style),
  ]);
}

function shareLines({ title, requests, limits, doubts, obstacles }: IndexShareView, style: Style): readonly string[] {
  const below = (text: string) => say(text, 4, style);
  return [
    ...say(title, 2, style),
    ...requests.flatMap(below),
    ...formatLimitLines(limits, 4, style),
    ...doubts.flatMap(below),
    ...obstacles.flatMap(below).map((line) => paint(line, "changed", style)),
  ];
}

function tenantLines(label: string, names: string, style: Style): readonly string[] {
  return wrap(names, style.width - 15).map((line, at) => `  ${(at === 0 ? label : "").padEnd(13)}${line}`);
}

function say(text: string, indent: number, style: Style): readonly string[] {
  return wrapIndented(text, indent, style.width, 2);
}
