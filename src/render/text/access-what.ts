import type { WhatCanAnswer } from "../../access/questions/answers.ts";
import type { Doubt } from "../../access/questions/doubts.ts";
import type { Effective, IndexShare, Trap } from "../../access/questions/what.ts";
import type { Limits } from "../../model/access.ts";
import { paint } from "../ansi.ts";
import { listed, visible, word } from "../escape.ts";
import { joined, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { closing } from "./access.ts";
import { limitLines } from "./access-limits.ts";
import { doubtWords, placeWords, wayWords } from "./access-words.ts";

/** Roles, then what they come to. No newline at its end. */
export function whatCanToText(told: WhatCanAnswer, style: Style): string {
  const { who, roles, indices, tooMany, opaque, cluster, tenants, basis, notes } = told;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", paint(title, "strong", style), ...lines];
  const sorted = indices.toSorted((a, b) => Number(a.by.length === 0) - Number(b.by.length === 0));
  return joined([
    ...wrap(paint(visible(who), "strong", style), style.width, 2),
    ...section(
      "Roles",
      roles.length === 0 ? ["  none: no mapping gives one"] : roles.flatMap((role) => roleLines(role, style)),
    ),
    ...section("Indices", [
      ...sorted.flatMap((share, at) => [...(at > 0 ? [""] : []), ...shareLines(share, sorted.length > 1, style)]),
      ...opaque.flatMap(({ role, pattern, actions }) =>
        say(
          `${word(pattern)}: ${listed(actions)} by role ${word(role)}; what it meets cannot be worked out here`,
          2,
          style,
        ),
      ),
      ...(tooMany ? say("… and more: roles tell more indices apart than are shown", 2, style) : []),
    ]),
    ...section("Cluster", clusterLines(cluster, style)),
    ...section("Tenants", tenantLines(tenants, style)),
    ...closing(basis, notes, style),
  ]);
}

function roleLines({ role, verdict, missing, chain }: WhatCanAnswer["roles"][number], style: Style): readonly string[] {
  const [held] = chain;
  const by = held?.way && held.kind === "mapping" ? `, by ${wayWords(held.way)}${placeWords(held.place)}` : "";
  const sure = verdict === "yes" ? "" : "; whether it is held cannot be told";
  return say(`${word(role)}${by}${sure}${missing ? "; there is no such role: it grants nothing" : ""}`, 2, style);
}

function shareLines(
  { by, can, perhaps, traps, limits, unsure }: IndexShare,
  others: boolean,
  style: Style,
): readonly string[] {
  const what =
    by.length === 0
      ? others
        ? "all others"
        : "all"
      : by.map((patterns) => patterns.map(word).join(" and ")).join(", ");
  return [
    ...say(what, 2, style),
    ...(can.length > 0 ? say(can.join(", "), 4, style) : []),
    ...(perhaps.length > 0 ? say(`cannot be told: ${perhaps.join(", ")}`, 4, style) : []),
    ...seenLines(can, limits, unsure, style),
    ...traps.flatMap((trap) => say(trapWords(trap), 4, style).map((line) => paint(line, "changed", style))),
  ];
}

function seenLines(can: readonly string[], limits: Limits, unsure: readonly Doubt[], style: Style): readonly string[] {
  if (!can.some((kind) => kind === "search" || kind === "get")) return [];
  return [
    ...limitLines(limits, 4, style),
    ...unsure.flatMap((doubt) => say(`may be restricted: ${doubtWords(doubt)}`, 4, style)),
  ];
}

export function trapWords(trap: Trap): string {
  const requests = trap.requests.join(", ");
  return trap.kind === "fails-as-restricted"
    ? `! ${requests}: granted, but fails wherever DLS, FLS or masking applies`
    : `! ${requests}: granted here, and refused all the same, as the cluster permission ${trap.missing.join(", ")} is missing`;
}

function clusterLines({ can, permissions }: Effective["cluster"], style: Style): readonly string[] {
  return [
    ...(can.length > 0 ? say(can.join(", "), 2, style) : []),
    ...(permissions.length > 0 ? say(`by ${listed(permissions)}`, 2, style) : []),
  ];
}

function tenantLines(tenants: Effective["tenants"], style: Style): readonly string[] {
  const row = (label: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : wrap(listed(names), style.width - 15, 0).map((line, at) => `  ${(at === 0 ? label : "").padEnd(13)}${line}`);
  const those = (isMeant: (one: Effective["tenants"][number]) => boolean) =>
    tenants.filter(isMeant).map(({ name }) => name);
  return [
    ...row(
      "read, write",
      those(({ writes }) => writes === "yes"),
    ),
    ...row(
      "read",
      those(({ reads, writes }) => reads === "yes" && writes !== "yes"),
    ),
    ...row(
      "cannot tell",
      those(({ reads, writes }) => reads === "unknown" || writes === "unknown"),
    ),
  ];
}

function say(text: string, indent: number, style: Style): readonly string[] {
  return wrap(text, style.width - indent, 2).map((line) => " ".repeat(indent) + line);
}
