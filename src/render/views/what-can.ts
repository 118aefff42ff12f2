import type { AccessDoubt } from "../../access/explain/doubts.ts";
import type { WhatCanAnswer } from "../../access/questions/answers.ts";
import type { TenantShare } from "../../access/questions/tenant-shares.ts";
import type { ClusterShare, IndexShare, Obstacle } from "../../access/questions/what.ts";
import type { Verdict } from "../../access/verdict.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { moreOnAnswers } from "./access-answer.ts";
import { formatDoubt, formatMemberKind, formatMiss, formatPlaceSuffix, formatUnknownGrant } from "./access-reasons.ts";
import { type LimitRow, listLimitRows } from "./access-share.ts";

/** Everything that a format shows of the answer to `what-can`. Texts are fit to be shown. */
export interface WhatCanView {
  readonly who: string;
  /** Why nothing is granted at all; else empty. */
  readonly refusal: string;
  readonly roles: readonly string[];
  /** The rest, which no pattern names, comes last. */
  readonly indices: readonly IndexShareView[];
  /** Patterns whose matches are unknown, and that there are more indices than are listed. */
  readonly otherIndices: readonly string[];
  readonly cluster: readonly string[];
  /** Names by what may be done; rows without names are left out. */
  readonly tenants: readonly { readonly label: string; readonly names: string }[];
  /** Each reason once: most of them concern everything that the subject may do. */
  readonly doubts: readonly string[];
  readonly closing: readonly string[];
  /** As the model has it, for programs. */
  readonly answer: WhatCanAnswer;
}

/** Indices that evaluate alike. */
export interface IndexShareView {
  readonly title: string;
  /** `search, get`, `unknown: index`. */
  readonly requests: readonly string[];
  readonly limits: readonly LimitRow[];
  readonly doubts: readonly string[];
  /** What a role seems to grant and does not. */
  readonly obstacles: readonly string[];
}

export function createWhatCanView(answer: WhatCanAnswer): WhatCanView {
  const { who, roles, shutOutBy, indices, tooMany, opaque, unknownGrants, cluster, places } = answer;
  const { basis, assumptions, notes } = answer;
  const sorted = indices.toSorted((a, b) => Number(a.by.length === 0) - Number(b.by.length === 0));
  return {
    who: escapeInvisible(who),
    refusal: shutOutBy ? `nothing is granted: ${formatMiss({ kind: "blocked", blocks: shutOutBy }, places)}` : "",
    roles: roles.map(formatHeldRole),
    indices: sorted.map((share) => createIndexShareView(share, sorted.length > 1)),
    otherIndices: [
      ...opaque.map(
        ({ role, pattern, actions }) =>
          `${formatName(pattern)}: ${joinNames(actions)} by role ${formatName(role)}; what it matches is unknown here`,
      ),
      ...unknownGrants.map((grant) => `${formatUnknownGrant(grant)}: gate-sync knows no request for it`),
      ...(tooMany ? ["… and more: roles distinguish more indices than are shown"] : []),
    ],
    cluster: listClusterLines(cluster),
    tenants: listTenantRows(answer),
    doubts: listReasons(answer),
    closing: [...[...assumptions, ...notes, basis].map(escapeInvisible), moreOnAnswers],
    answer,
  };
}

function listReasons({ indices, opaque, cluster, tenants }: WhatCanAnswer): readonly string[] {
  const isExplained = (doubt: AccessDoubt) =>
    doubt.kind === "expression" && opaque.some(({ role, pattern }) => role === doubt.role && pattern === doubt.pattern);
  const doubts = [...indices, cluster, ...tenants].flatMap((share) => share.doubts);
  return [...new Set(doubts.filter((doubt) => !isExplained(doubt)).map(formatDoubt))];
}

const withoutRole: Readonly<Record<Verdict, string>> = {
  yes: "",
  unknown: "; whether there is such a role is unknown",
  no: "; there is no such role: it grants nothing",
};

function formatHeldRole({ role, verdict, isThere, chain: [held] }: WhatCanAnswer["roles"][number]): string {
  const by =
    held?.member && held.kind === "mapping"
      ? `, by ${formatMemberKind(held.member)}${formatPlaceSuffix(held.place)}`
      : "";
  const sure = verdict === "yes" ? "" : "; whether it is held is unknown";
  return `${formatName(role)}${by}${sure}${withoutRole[isThere]}`;
}

/** @param isOneOfMany there are other shares, so that what no pattern names is what they leave */
function createIndexShareView(
  { by, everything, can, perhaps, obstacles, limits, unsure }: IndexShare,
  isOneOfMany: boolean,
): IndexShareView {
  const rest = isOneOfMany ? "all others" : "all";
  const isSeen = can.some((kind) => kind === "search" || kind === "get");
  return {
    title: by.length === 0 ? rest : by.map((patterns) => patterns.map(formatName).join(" and ")).join(", "),
    requests:
      everything === "no"
        ? [
            ...(can.length > 0 ? [can.join(", ")] : []),
            ...(perhaps.length > 0 ? [`unknown: ${perhaps.join(", ")}`] : []),
          ]
        : [everythingWords[everything]],
    limits: isSeen ? listLimitRows(limits) : [],
    doubts: isSeen ? unsure.map((doubt) => `may be restricted: ${formatDoubt(doubt)}`) : [],
    obstacles: obstacles.map(formatObstacle),
  };
}

/** Instead of each request by its name. */
const everythingWords = { yes: "everything", unknown: "unknown: everything" } as const;

function formatObstacle(obstacle: Obstacle): string {
  const requests = obstacle.requests.join(", ");
  if (obstacle.kind === "fails-by-query") return `! ${requests}: granted, but the server fails over its DLS or FLS`;
  if (obstacle.kind === "fails-by-role-order")
    return `! ${requests}: granted, but the server answers 500, as it reorders \${user.roles} in DLS, FLS or masking`;
  if (obstacle.kind === "fails-as-restricted")
    return `! ${requests}: granted, but fails wherever DLS, FLS or masking applies`;
  const { missing } = obstacle;
  const what = missing.length === 1 ? `permission ${missing[0]} is` : `permissions ${joinNames(missing)} are`;
  return `! ${requests}: granted here, and refused all the same, as the cluster ${what} missing`;
}

function listClusterLines(share: ClusterShare): readonly string[] {
  const { everything, can, perhaps, permissions, perhapsPermissions } = share;
  const name = (names: readonly string[], all: Verdict) => (everything === all ? ["everything"] : names);
  return [
    ...formatGrants("", name(can, "yes"), "by", permissions),
    ...formatGrants("unknown: ", name(perhaps, "unknown"), "perhaps by", perhapsPermissions),
  ];
}

/** What is granted, then by what; where none of it has a name that is known here, that alone. */
function formatGrants(
  head: string,
  names: readonly string[],
  by: string,
  permissions: readonly string[],
): readonly string[] {
  const others = permissions.filter((permission) => !names.includes(permission));
  if (names.length === 0) return others.length === 0 ? [] : [`${head}whatever ${joinNames(others)} grants`];
  return [`${head}${names.join(", ")}`, ...(others.length > 0 ? [`${by} ${joinNames(others)}`] : [])];
}

function listTenantRows({ tenants, everyTenant }: WhatCanAnswer): WhatCanView["tenants"] {
  if (everyTenant === "yes") return [{ label: "everything", names: "read and write in every tenant" }];
  if (everyTenant === "unknown" && tenants.every(({ writes }) => writes === "unknown"))
    return [{ label: "unknown", names: "everything: read and write in every tenant" }];
  const row = (label: string, isMeant: (one: TenantShare) => boolean) => ({
    label,
    names: joinNames(tenants.filter(isMeant).map(({ name }) => name)),
  });
  return [
    row("read, write", ({ writes }) => writes === "yes"),
    row("read", ({ reads, writes }) => reads === "yes" && writes !== "yes"),
    row("unknown", ({ reads, writes }) => reads === "unknown" || writes === "unknown"),
  ].filter(({ names }) => names !== "");
}
