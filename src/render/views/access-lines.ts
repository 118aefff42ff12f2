import { findHidingSource } from "../../access/evaluate/fields.ts";
import { formatConditionName, formatConditionNames } from "../../access/explain/conditions.ts";
import { type ChainStep, listPathSteps, type Places } from "../../access/explain/grant-path.ts";
import { formatMapped } from "../../access/explain/mapped-roles.ts";
import { isDateMath } from "../../access/patterns/date-math.ts";
import { groupItems } from "../../json/collections.ts";
import type {
  AccessDifference,
  BlockedDiff,
  GrantingRoles,
  LevelChange,
  Limits,
  LoginDifference,
  Statement,
  TenantDifference,
  UnknownCondition,
} from "../../model/access.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { formatClusterActions, formatIndexActions, formatRegion } from "./access-actions.ts";
import { joinSomeNames } from "./access-principals.ts";
import { formatMasks } from "./masks.ts";
import { joinWithAnd } from "./words.ts";

/** `+` gained, `-` lost, `~` changed, `?` unknown. */
export type AccessSign = "+" | "-" | "~" | "?";

/** One thing that principals gain or lose: `+ search hr-* (role hr_reader)`, with the limits of it below. */
export interface AccessLine {
  readonly sign: AccessSign;
  readonly sentence: string;
  readonly details: readonly string[];
  /** By which role and which groups the witness is granted, with their places in the files; empty where there is none. */
  readonly chain: readonly ChainStep[];
  /** As the model has it, for programs and pictures; of a line about access to indices or the cluster. */
  readonly difference?: AccessDifference;
  /** What each of the principals in turn holds there before and after; of a line with a difference. */
  readonly levels?: readonly LevelChange[];
  /** The same of a line about tenants. */
  readonly tenants?: readonly TenantDifference[];
}

/** The same for lines that a reader would take for the same. */
export function getLineKey({ sign, sentence, details }: AccessLine): string {
  return JSON.stringify([sign, sentence, details]);
}

/**
 * What is known first, then what is unknown. What everybody gains or loses is reported for everybody only.
 *
 * @param plannedGroups the action groups that the plan changes: access that leads through one names its groups
 */
export function createAccessLines(
  { differences, tenants, levels }: Statement,
  plannedGroups: ReadonlySet<string>,
  places: Places,
): readonly AccessLine[] {
  const all = [
    ...differences.flatMap((one, at) =>
      isReportedItself(one)
        ? [{ ...lineOfDifference(one, plannedGroups, places), levels: levels.flatMap((each) => each[at] ?? []) }]
        : [],
    ),
    ...groupItems(tenants, ({ before, after }) => `${before} ${after}`).map(lineOfTenants),
  ];
  return [...all.filter(({ sign }) => sign !== "?"), ...all.filter(({ sign }) => sign === "?")];
}

export function createBlockedLine({ who, except = [], before, after, depends }: BlockedDiff): AccessLine {
  const outside = except.length === 0 ? "" : ` outside of ${joinSomeNames(except)}`;
  const whom =
    who === "everybody"
      ? "all except those that blocks let in"
      : `${blockNouns[who.type]} ${formatName(who.value)}${outside}`;
  const [sign, what] = after === "unknown" && before === "yes" ? maybeUnblocked : blockedWords[after];
  const why = depends ? ` (the ${depends} decides)` : "";
  return { sign, sentence: `${whom}: ${what}${why}`, details: [], chain: [] };
}

export function createLoginLine(one: LoginDifference): AccessLine {
  const signs = { gained: "+", lost: "-", renewed: "~", unknown: "?" } as const;
  return {
    sign: signs[one.kind],
    sentence: escapeInvisible(`${one.what}${formatMapped(one)}`),
    details: [],
    chain: [],
  };
}

type BlockedWords = readonly [sign: AccessSign, what: string];

const blockedWords: Readonly<Record<BlockedDiff["after"], BlockedWords>> = {
  unknown: ["?", "might be blocked"],
  yes: ["-", "blocked"],
  no: ["+", "no longer blocked"],
};

const maybeUnblocked: BlockedWords = ["?", "might no longer be blocked"];

const blockNouns = { name: "user", ip: "requests from", net_mask: "requests from" } as const;

/** Leaves out what everybody gains or loses too, and what belongs to an unknown grant that is named at the end. */
function isReportedItself({ kind, depends, isOfEverybody }: AccessDifference): boolean {
  return !isOfEverybody && !(kind === "may-change" && depends === undefined);
}

const signs: Readonly<Record<AccessDifference["kind"], AccessSign>> = {
  gained: "+",
  widened: "+",
  lost: "-",
  narrowed: "-",
  changed: "~",
  "may-gain": "?",
  "may-lose": "?",
  "may-change": "?",
};

function lineOfDifference(
  difference: AccessDifference,
  plannedGroups: ReadonlySet<string>,
  places: Places,
): AccessLine {
  const { kind, via, viaParts, depends } = difference;
  const through = via && (viaParts ?? { roles: [via.role], groups: via.groups });
  const own = via?.member.field === "api_keys" ? "its own permissions" : undefined;
  const by = through ? ` (${formatRoles(through, plannedGroups, own)})` : "";
  const unknown = depends === undefined ? [] : [`unknown: ${depends.map(formatCondition).join(", ")}`];
  return {
    sign: signs[kind],
    sentence: `${formatDifference(difference)}${by}`,
    details: [...unknown, ...listLimits(difference)],
    chain: via ? listPathSteps(via, places) : [],
    difference,
  };
}

/** `read hr-*`, `fewer documents of hr-*`, `might gain: read home-${user_name}`. */
function formatDifference(difference: AccessDifference): string {
  const { kind, lacks } = difference;
  const what = formatGrant(difference);
  switch (kind) {
    case "gained":
      return lacks ? `${what}, without effect as long as ${formatName(lacks)} is not granted` : what;
    case "lost":
      return lacks ? `${what}, without effect before as ${formatName(lacks)} was not granted` : what;
    case "widened":
      return formatVisibility(difference, "more");
    case "narrowed":
      return formatVisibility(difference, "fewer");
    case "changed":
      return formatVisibility(difference, "other");
    case "may-gain":
      return `might gain: ${what}`;
    case "may-lose":
      return `might lose: ${what}`;
    case "may-change":
      return `might gain or lose: ${what}`;
  }
}

function formatGrant({ kind, level, actions, indices, depends = [], isGrantSure }: AccessDifference): string {
  if (level === "cluster" || !indices) return formatClusterActions(actions);
  // Which indices these are is what is unknown.
  const what = formatConditionNames(depends);
  const isPattern = kind !== "may-change" && !isGrantSure && (what.includes("${") || isDateMath(what));
  return `${formatIndexActions(actions)} ${isPattern ? escapeInvisible(what) : formatRegion(indices)}`;
}

/** `fewer documents and fields of hr-*`. */
function formatVisibility(
  { before, after, indices, witness }: AccessDifference,
  how: "more" | "fewer" | "other",
): string {
  const where = indices ? formatRegion(indices) : "";
  // Fields may differ by a permission by which no documents are seen.
  if (witness.action.startsWith("indices:admin/mappings/")) return `${how} fields of the mapping of ${where}`;
  const keys = (limits: Limits | undefined) => JSON.stringify(limits?.documents?.map(({ key }) => key) ?? null);
  const fields = (limits: Limits | undefined) => JSON.stringify(limits?.fields);
  const parts = [
    ...(keys(before) === keys(after) ? [] : ["documents"]),
    ...(fields(before) === fields(after) ? [] : ["fields"]),
  ];
  return `${how} ${parts.length === 0 ? "documents or fields" : joinWithAnd(parts)} of ${where}`;
}

/** What an answer depends on: `what ${user_name} matches`. */
function formatCondition(condition: UnknownCondition): string {
  const name = escapeInvisible(formatConditionName(condition));
  switch (condition.kind) {
    case "role":
      return `whether ${name} applies`;
    case "blocks":
      return "whether a block applies";
    case "indices":
      return "which indices there are";
    case "types":
      return "what the document types of 6.x leave";
    case "pattern":
      return `what ${name} matches${isDateMath(condition.pattern) ? " (the date decides)" : ""}`;
    default:
      return `what ${name} matches`;
  }
}

/**
 * `role hr_reader`, and the groups that lead to the action where the plan is about one of them; `roles a and b`.
 *
 * @param own instead of a role, which a key does not hold
 */
function formatRoles(
  { roles, groups, hasMore }: GrantingRoles,
  plannedGroups: ReadonlySet<string>,
  own: string | undefined,
): string {
  if (roles.length > 1 || hasMore) {
    const left = roles.length - mostRoles;
    const more = hasMore ? ["others"] : left > 0 ? [`${left} more`] : [];
    return `roles ${joinWithAnd([...roles.slice(0, mostRoles).map((role) => joinNames([role])), ...more])}`;
  }
  const isByGroup = groups.some((group) => plannedGroups.has(group));
  return [own ?? `role ${formatName(roles[0] ?? "")}`, ...(isByGroup ? groups.map(formatName) : [])].join(" > ");
}

/** More than these are counted. */
const mostRoles = 4;

function listLimits({ kind, before, after }: AccessDifference): readonly string[] {
  const seen = formatLimits(kind === "lost" ? before : after);
  const isOther = kind === "widened" || kind === "narrowed" || kind === "changed";
  if (!isOther) return seen === "" ? [] : [seen];
  return [`before: ${formatLimits(before) || everythingSeen}`, `after: ${seen || everythingSeen}`];
}

const everythingSeen = "all documents and fields";

/** `documents matching {"term": …}, all fields except salary`; empty where nothing is left out. */
function formatLimits(limits: Limits | undefined): string {
  if (!limits) return "";
  const { documents, fields, unsure } = limits;
  const { only, not, masks } = fields;
  const hiding = findHidingSource(fields);
  return [
    ...(documents ? [`documents matching ${documents.map(({ shown }) => formatName(shown)).join(" or ")}`] : []),
    ...(only ? [`only the fields ${joinNames(only)}`] : []),
    ...(not.length > 0
      ? [`all fields except ${joinNames(not)}${hiding.length > 0 ? " (which hides _source, and so all)" : ""}`]
      : []),
    ...(masks.length > 0 ? [`masked: ${formatMasks(masks)}`] : []),
    ...(unsure.length > 0 ? [`unknown: restrictions of role ${joinNames(unsure)}`] : []),
  ].join(", ");
}

/** @param tenants all with the same change */
function lineOfTenants(tenants: readonly [TenantDifference, ...TenantDifference[]]): AccessLine {
  const names = joinSomeNames(tenants.map(({ tenant }) => tenant));
  const sentence = formatTenants(tenants[0], `${tenants.length === 1 ? "tenant" : "tenants"} ${names}`);
  return { sign: getTenantSign(tenants[0]), sentence, details: [], chain: [], tenants };
}

function formatTenants({ before, after }: TenantDifference, names: string): string {
  if (before === "unknown" || after === "unknown") return `might gain or lose: ${names}`;
  if (after === "write") return before === "read" ? `write ${names}` : `read and write ${names}`;
  if (after === "read") return before === "write" ? `write ${names} (read stays)` : `read ${names}`;
  return before === "write" ? `read and write ${names}` : `read ${names}`;
}

function getTenantSign({ before, after }: TenantDifference): AccessSign {
  const order = { nothing: 0, read: 1, write: 2, unknown: Number.NaN };
  const gain = order[after] - order[before];
  return gain > 0 ? "+" : gain < 0 ? "-" : "?";
}
