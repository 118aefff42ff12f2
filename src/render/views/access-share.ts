import { findHidingSource } from "../../access/evaluate/fields.ts";
import { findBlindFields } from "../../access/explain/blind-fields.ts";
import type { PermissionExplanation, ShareExplanation } from "../../access/explain/explanation.ts";
import type { Places } from "../../access/explain/grant-path.ts";
import { groupItems } from "../../json/collections.ts";
import type { Limits } from "../../model/access.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { formatDoubt, formatMiss, formatStep, suggestValue } from "./access-reasons.ts";
import { formatMasks } from "./masks.ts";

/** Indices with the same verdict and why that is, as every format shows it. */
export interface ShareView {
  /** `hr-public-* (such as hr-public-2026)`; empty of a question about no index. */
  readonly title: string;
  readonly verdict: ShareExplanation["verdict"];
  readonly permissions: readonly PermissionView[];
  /** What the server does though each permission is granted, or not, in sentences. */
  readonly remarks: readonly string[];
  readonly limits: readonly LimitRow[];
  /** Why more may be left out: `may be restricted: …`. */
  readonly doubts: readonly string[];
  /** As the model has it, for programs. */
  readonly share: ShareExplanation;
}

/** Permissions with the same grant path or, without one, with the same reasons. */
export interface PermissionView {
  /** `indices:data/read/search: not granted`. */
  readonly what: string;
  /** `mapping hr_reader (mappings.yml:8)`, `role hr_reader on hr-* (roles/hr.yml:12)`, `READ`; empty without a role. */
  readonly chain: readonly string[];
  /** ` (and by one other grant path)`; else empty. */
  readonly otherPaths: string;
  /** Why it is held without a role, is not held, or is unknown. */
  readonly reasons: readonly string[];
}

/** What is left to be seen: `fields`, `only name`. Without rows that is everything. */
export interface LimitRow {
  readonly label: string;
  readonly text: string;
  /** A query, which may be long: it is cut where there is no space, and never wrapped. */
  readonly isQuery: boolean;
}

/** @param others all shares of the answer, where not all are shown: “all others” would not say which those are */
export function createShareView(
  share: ShareExplanation,
  places: Places,
  others: readonly ShareExplanation[] = [],
): ShareView {
  const { indices, verdict, permissions, limits, unsure } = share;
  return {
    title: indices ? formatIndices(indices, others) : "",
    verdict,
    permissions: groupItems(permissions, keyOf).map((group) => createPermissionView(group, places)),
    remarks: listRemarks(share),
    limits: limits ? listLimitRows(limits) : [],
    doubts: unsure.map((doubt) => `may be restricted: ${formatDoubt(doubt)}`),
    share,
  };
}

type ShareIndices = NonNullable<ShareExplanation["indices"]>;

function formatIndices({ by, example, one }: ShareIndices, others: readonly ShareExplanation[]): string {
  if (one) return example === "*" ? "all indices" : formatName(example);
  const but = others.flatMap(({ indices }) => (indices ? listPatterns(indices) : []));
  const rest = but.length === 0 ? "all others" : `all but ${limitNames(but)}`;
  return `${by.length === 0 ? rest : listPatterns({ by }).join(", ")} (such as ${formatName(example)})`;
}

function listPatterns({ by }: Pick<ShareIndices, "by">): readonly string[] {
  return by.map((patterns) => patterns.map(formatName).join(" and "));
}

/** Of more names, some say what kind they are. */
const mostNames = 5;

function limitNames(names: readonly string[]): string {
  const left = names.length - mostNames;
  return left > 0 ? `${names.slice(0, mostNames).join(", ")} and ${left} more` : names.join(", ");
}

function keyOf({ verdict, level, chain, misses, doubts }: PermissionExplanation): string {
  return JSON.stringify([verdict, level, chain?.map(({ kind, name, on }) => [kind, name, on]), misses, doubts]);
}

/** After what is not granted, or may not be. */
const refusals = { yes: "", no: ": not granted", unknown: ": unknown" } as const;

function createPermissionView(
  group: readonly [PermissionExplanation, ...PermissionExplanation[]],
  places: Places,
): PermissionView {
  const [{ verdict, level, chain = [], own, otherMembers, misses, doubts }] = group;
  const names = joinNames(group.map(({ action }) => action));
  const others = otherMembers === 1 ? "one other grant path" : `${otherMembers} other grant paths`;
  return {
    what: `${names}${level === "cluster" ? " (cluster permission)" : ""}${refusals[verdict]}`,
    chain: chain.map(formatStep),
    otherPaths: otherMembers > 0 ? ` (and by ${others})` : "",
    reasons: [
      ...(own ? ["a user's own tenant"] : []),
      ...misses.map((miss) => formatMiss(miss, places)),
      ...doubts.map(formatDoubt),
    ],
  };
}

const byQuery =
  "The server fails over such a request where a query of DLS is invalid, has a variable without a value (OpenSearch 3), looks up terms or uses now, or FLS hides _version or _seq_no";

const failsAsResizing = "Resizing an index fails wherever DLS, FLS or masking applies, as it does here.";
const mayFailAsResizing = "Resizing an index may fail where DLS, FLS or masking applies.";
const failsAsUpdate =
  "Updates fail wherever DLS, FLS or masking applies, as it does here. Where one is in a _bulk, OpenSearch 2.x and Search Guard fail all of that.";

const byRoleOrder =
  "The server answers 500: DLS, FLS or masking of this user has ${user.roles} in a pattern or query, and the node with the shard lists these roles in another order. Use an attribute instead of ${user.roles}.";

function listRemarks({
  permissions,
  failsAsRestricted,
  failsByQuery,
  lacksValue,
  failsByRoleOrder,
  takesOneRole,
  answersAll,
}: ShareExplanation): readonly string[] {
  const isResizing = permissions.some(({ action }) => action === "indices:admin/resize");
  return [
    ...(takesOneRole ? ["Each of these is granted, but one role has to grant all of them, and none does."] : []),
    ...(answersAll
      ? [
          "Warning: nothing grants this. With do_not_fail_on_forbidden_empty, OpenSearch answers this request about every index in the cluster, a fault of the server. Set do_not_fail_on_forbidden_empty: false to close it.",
        ]
      : []),
    ...(failsAsRestricted === "yes" ? [isResizing ? failsAsResizing : failsAsUpdate] : []),
    ...(failsAsRestricted === "unknown"
      ? [isResizing ? mayFailAsResizing : "It fails if DLS, FLS or masking applies, which is unknown."]
      : []),
    ...(failsByQuery === "yes" ? [`${byQuery}, as it does here.`] : []),
    ...(lacksValue
      ? [
          `OpenSearch 3 answers 500 where ${formatName(lacksValue)} of a query of DLS has no value: ${suggestValue(lacksValue)}.`,
        ]
      : []),
    ...(failsByQuery === "unknown" && !lacksValue ? [`${byQuery}: whether it does here is unknown.`] : []),
    ...(failsByRoleOrder === "yes" ? [byRoleOrder] : []),
    ...(failsByRoleOrder === "unknown" ? [`may fail: ${formatDoubt({ kind: "role-order" })}`] : []),
  ];
}

export function listLimitRows(limits: Limits): readonly LimitRow[] {
  const { documents, fields, unsure } = limits;
  const blind = findBlindFields(limits);
  const hiding = findHidingSource(fields);
  const row = (label: string, text: string) => [{ label, text, isQuery: false }];
  const isRestricted =
    documents !== undefined || fields.only !== undefined || fields.not.length + fields.masks.length > 0;
  return [
    ...(unsure.length > 0 && isRestricted ? row("perhaps", "some of these apply and others do not:") : []),
    ...(documents ?? []).map(({ shown }, at) => ({
      label: at === 0 ? "documents" : "or",
      text: escapeInvisible(shown),
      isQuery: true,
    })),
    ...(fields.only ? row("fields", `only ${joinNames(fields.only)}`) : []),
    ...(fields.not.length > 0 ? row("fields", `all but ${joinNames(fields.not)}`) : []),
    ...(hiding.length > 0
      ? row("!", `documents are shown without any field: all are in _source, which ${joinNames(hiding)} hides, too`)
      : []),
    ...(fields.masks.length > 0 ? row("masked", formatMasks(fields.masks)) : []),
    ...(blind.length > 0
      ? row("!", `what is asked of ${joinNames(blind)} finds no document, as that is hidden or masked`)
      : []),
  ];
}
