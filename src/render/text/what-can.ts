import type { AccessDoubt } from "../../access/explain/doubts.ts";
import type { WhatCanAnswer } from "../../access/questions/answers.ts";
import type { ClusterShare, IndexShare, Obstacle, TenantShare } from "../../access/questions/what.ts";
import type { Limits } from "../../model/access.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatDoubt, formatMemberKind, formatMiss, formatPlaceSuffix } from "../views/access-reasons.ts";
import { formatLimitLines } from "./access-limits.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** Roles, what they grant, then why something is unknown. No newline at its end. */
export function renderWhatCanText(explained: WhatCanAnswer, style: Style): string {
  const { who, roles, shutOutBy, indices, tooMany, opaque, cluster, tenants, places, basis, assumptions, notes } =
    explained;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", paint(title, "strong", style), ...lines];
  const sorted = indices.toSorted((a, b) => Number(a.by.length === 0) - Number(b.by.length === 0));
  return joinLines([
    ...wrap(paint(escapeInvisible(who), "strong", style), style.width, 2),
    ...(shutOutBy
      ? say(`nothing is granted: ${formatMiss({ kind: "blocked", blocks: shutOutBy }, places)}`, 2, style).map((line) =>
          paint(line, "removed", style),
        )
      : []),
    ...section(
      "Roles",
      roles.length === 0 ? ["  none: no mapping gives one"] : roles.flatMap((role) => roleLines(role, style)),
    ),
    ...section("Indices", [
      ...sorted.flatMap((share, at) => [...(at > 0 ? [""] : []), ...shareLines(share, sorted.length > 1, style)]),
      ...opaque.flatMap(({ role, pattern, actions }) =>
        say(
          `${formatName(pattern)}: ${joinNames(actions)} by role ${formatName(role)}; what it matches is unknown here`,
          2,
          style,
        ),
      ),
      ...(tooMany ? say("… and more: roles distinguish more indices than are shown", 2, style) : []),
    ]),
    ...section("Cluster", clusterLines(cluster, style)),
    ...section("Tenants", tenantLines(tenants, style)),
    ...section(
      "Why it is unknown",
      reasonsIn(explained).flatMap((reason) => say(reason, 2, style)),
    ),
    ...formatClosing([...assumptions, ...notes, basis], style),
  ]);
}

/** Each reason once: most of them concern everything that the subject may do. */
function reasonsIn({ indices, opaque, cluster, tenants }: WhatCanAnswer): readonly string[] {
  const isExplained = (doubt: AccessDoubt) =>
    doubt.kind === "expression" && opaque.some(({ role, pattern }) => role === doubt.role && pattern === doubt.pattern);
  const doubts = [...indices, cluster, ...tenants].flatMap((share) => share.doubts);
  return [...new Set(doubts.filter((doubt) => !isExplained(doubt)).map(formatDoubt))];
}

function roleLines({ role, verdict, missing, chain }: WhatCanAnswer["roles"][number], style: Style): readonly string[] {
  const [held] = chain;
  const by =
    held?.member && held.kind === "mapping"
      ? `, by ${formatMemberKind(held.member)}${formatPlaceSuffix(held.place)}`
      : "";
  const sure = verdict === "yes" ? "" : "; whether it is held is unknown";
  return say(`${formatName(role)}${by}${sure}${missing ? "; there is no such role: it grants nothing" : ""}`, 2, style);
}

function shareLines(
  { by, can, perhaps, obstacles, limits, unsure }: IndexShare,
  others: boolean,
  style: Style,
): readonly string[] {
  const what =
    by.length === 0
      ? others
        ? "all others"
        : "all"
      : by.map((patterns) => patterns.map(formatName).join(" and ")).join(", ");
  return [
    ...say(what, 2, style),
    ...(can.length > 0 ? say(can.join(", "), 4, style) : []),
    ...(perhaps.length > 0 ? say(`unknown: ${perhaps.join(", ")}`, 4, style) : []),
    ...seenLines(can, limits, unsure, style),
    ...obstacles.flatMap((obstacle) =>
      say(formatObstacle(obstacle), 4, style).map((line) => paint(line, "changed", style)),
    ),
  ];
}

function seenLines(
  can: readonly string[],
  limits: Limits,
  unsure: readonly AccessDoubt[],
  style: Style,
): readonly string[] {
  if (!can.some((kind) => kind === "search" || kind === "get")) return [];
  return [
    ...formatLimitLines(limits, 4, style),
    ...unsure.flatMap((doubt) => say(`may be restricted: ${formatDoubt(doubt)}`, 4, style)),
  ];
}

export function formatObstacle(obstacle: Obstacle): string {
  const requests = obstacle.requests.join(", ");
  if (obstacle.kind === "fails-by-query") return `! ${requests}: granted, but the server fails over its DLS or FLS`;
  return obstacle.kind === "fails-as-restricted"
    ? `! ${requests}: granted, but fails wherever DLS, FLS or masking applies`
    : `! ${requests}: granted here, and refused all the same, as the cluster ${obstacle.missing.length === 1 ? `permission ${obstacle.missing[0]} is` : `permissions ${joinNames(obstacle.missing)} are`} missing`;
}

function clusterLines(cluster: ClusterShare, style: Style): readonly string[] {
  const { can, perhaps, permissions, perhapsPermissions } = cluster;
  return [
    ...grantLines("", can, "by", permissions, style),
    ...grantLines("unknown: ", perhaps, "perhaps by", perhapsPermissions, style),
  ];
}

/** What is granted, then by what; where none of it has a name that is known here, that alone. */
function grantLines(
  head: string,
  names: readonly string[],
  by: string,
  permissions: readonly string[],
  style: Style,
): readonly string[] {
  const others = permissions.filter((permission) => !names.includes(permission));
  if (names.length === 0)
    return others.length === 0 ? [] : say(`${head}whatever ${joinNames(others)} grants`, 2, style);
  return [
    ...say(`${head}${names.join(", ")}`, 2, style),
    ...(others.length > 0 ? say(`${by} ${joinNames(others)}`, 2, style) : []),
  ];
}

function tenantLines(tenants: readonly TenantShare[], style: Style): readonly string[] {
  const row = (label: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : wrap(joinNames(names), style.width - 15, 0).map((line, at) => `  ${(at === 0 ? label : "").padEnd(13)}${line}`);
  const those = (isMeant: (one: TenantShare) => boolean) => tenants.filter(isMeant).map(({ name }) => name);
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
      "unknown",
      those(({ reads, writes }) => reads === "unknown" || writes === "unknown"),
    ),
  ];
}

function say(text: string, indent: number, style: Style): readonly string[] {
  return wrapIndented(text, indent, style.width, 2);
}
