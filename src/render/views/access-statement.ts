import { isEverybody } from "../../access/compare/touched.ts";
import { isDateMath } from "../../access/patterns/date-math.ts";
import type {
  AccessDifference,
  AccessDifferences,
  AffectedPrincipal,
  BlockedDiff,
  GrantPath,
  Limits,
  Member,
  Statement,
  TenantDifference,
} from "../../model/access.ts";
import { createAddress } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { formatClusterActions, formatRegion, formatVerbs } from "./access-actions.ts";
import { joinWithAnd } from "./words.ts";

// What a plan gives and takes, in lines that text and Markdown share.

/** `+` gained, `-` lost, `~` changed, `?` unknown. */
export type AccessSign = "+" | "-" | "~" | "?";

/** Each by itself: `backend roles analysts and interns, user worf`; as one: `principals with both backend role hr and user ana`. */
export function formatAffected(who: readonly AffectedPrincipal[]): string {
  const members = who.flatMap((one) => (one.kind === "principal" ? [one.member] : []));
  const personas = who.flatMap((one) => (one.kind === "persona" ? [`persona ${formatName(one.name)}`] : []));
  const pairs = who.flatMap((one) => (one.kind === "pair" ? [joinWithAnd(one.members.map(memberWords))] : []));
  return [...formatPrincipals(members), ...personas, ...pairsWords(pairs)].join(", ");
}

const mostNames = 6;
const mostPairs = 3;

function pairsWords(pairs: readonly string[]): readonly string[] {
  if (pairs.length === 0) return [];
  const left = pairs.length - mostPairs;
  const rest = left > 0 ? `; or of ${left} more ${left === 1 ? "pair" : "pairs"}` : "";
  return [`principals with both ${pairs.slice(0, mostPairs).join("; or with both ")}${rest}`];
}

/** Of everybody and some more of whom the same holds, everybody is enough. */
export function formatPrincipals(members: readonly Member[]): readonly string[] {
  if (members.some(isEverybody)) return ["everybody"];
  const simple = (["users", "backend_roles", "hosts"] as const).flatMap((field) => {
    const names = members.flatMap((member) => (member.field === field ? member.entries : []));
    return names.length === 0 ? [] : [`${nouns[field][names.length === 1 ? 0 : 1]} ${listedMost(names)}`];
  });
  const others = members.filter(({ field }) => field === "and_backend_roles" || field === "itself");
  return [...simple, ...others.map(memberWords)];
}

/** `a, b and 3 more`. */
function listedMost(names: readonly string[]): string {
  const left = names.length - mostNames;
  return left > 0 ? `${joinNames(names.slice(0, mostNames))} and ${left} more` : joinNames(names);
}

const nouns = {
  users: ["user", "users"],
  backend_roles: ["backend role", "backend roles"],
  hosts: ["host", "hosts"],
} as const;

function memberWords(member: Member): string {
  const { field, entries } = member;
  if (isEverybody(member)) return "anybody";
  if (field === "itself") return `role ${joinNames(entries)}`;
  if (field !== "and_backend_roles") return `${nouns[field][0]} ${joinNames(entries)}`;
  return `all of the backend roles ${joinWithAnd(entries.map((entry) => formatName(entry)))}`;
}

/** One thing gained, lost, changed or unknown, with what is to be known of it. */
export interface ReportedStatement {
  readonly sign: AccessSign;
  readonly sentence: string;
  readonly details?: readonly string[];
}

/** Known access first, then unknown. What everybody gains or loses is reported for everybody only. */
export function formatAccessDiff(
  { differences, tenants }: Statement,
  plan: Pick<Plan, "changes">,
): readonly ReportedStatement[] {
  const all = [
    ...differences.filter(isReportedItself).map((one) => reportedOfDifference(one, plan)),
    ...tenantsReported(tenants),
  ];
  return [...all.filter(({ sign }) => sign !== "?"), ...all.filter(({ sign }) => sign === "?")];
}

/** Leaves out what everybody gains or loses too, and what belongs to an unknown grant that is named at the end. */
export function isReportedItself({ kind, depends, isOfEverybody }: AccessDifference): boolean {
  return !isOfEverybody && !(kind === "may-change" && depends === undefined);
}

/** `2 gained`, `1 lost`; empty where there is nothing. */
export function formatAccessCounts(access: AccessDifferences): readonly string[] {
  const { statements, blockedDiff, unchanged } = access;
  const signs = [
    ...statements.flatMap(({ differences, tenants }) => [
      ...differences.filter(isReportedItself).map(({ kind }) => signOf(kind)),
      ...tenants.map(tenantSign),
    ]),
    ...blockedDiff.map(getBlockedSign),
    ...unchanged.map((): AccessSign => "?"),
  ];
  return formatSignCounts(signs);
}

export function formatSignCounts(signs: readonly AccessSign[]): readonly string[] {
  const names = { "+": "gained", "-": "lost", "~": "changed", "?": "unknown" } as const;
  return (["+", "-", "~", "?"] as const).flatMap((sign) => {
    const count = signs.filter((one) => one === sign).length;
    return count === 0 ? [] : [`${count} ${names[sign]}`];
  });
}

function reportedOfDifference(one: AccessDifference, plan: Pick<Plan, "changes">): ReportedStatement {
  const by = one.via ? ` (${viaWords(one.via, plan)})` : "";
  const depends = one.depends === undefined ? [] : [`unknown: ${one.depends.split(", ").map(dependsWords).join(", ")}`];
  return { sign: signOf(one.kind), sentence: `${whatWords(one)}${by}`, details: [...depends, ...limitsLines(one)] };
}

/** The words of one difference: `read hr-*`, `fewer documents of hr-*`, `might gain: read home-${user_name}`. */
function whatWords(difference: AccessDifference): string {
  const { kind, lacks } = difference;
  const what = grantWords(difference);
  switch (kind) {
    case "gained":
      return lacks ? `${what}, without effect as long as ${formatName(lacks)} is not granted` : what;
    case "lost":
      return lacks ? `${what}, without effect before as ${formatName(lacks)} was not granted` : what;
    case "widened":
      return sightWords(difference, "more");
    case "narrowed":
      return sightWords(difference, "fewer");
    case "changed":
      return sightWords(difference, "other");
    case "may-gain":
      return `might gain: ${what}`;
    case "may-lose":
      return `might lose: ${what}`;
    case "may-change":
      return `might gain or lose: ${what}`;
  }
}

function grantWords({ kind, level, actions, indices, depends = "", isGrantSure }: AccessDifference): string {
  if (level === "cluster" || !indices) return formatClusterActions(actions);
  // Which indices these are is what is unknown.
  const isPattern = kind !== "may-change" && !isGrantSure && (depends.includes("${") || isDateMath(depends));
  return `${formatVerbs(actions)} ${isPattern ? escapeInvisible(depends) : formatRegion(indices)}`;
}

function sightWords({ before, after, indices, witness }: AccessDifference, how: "more" | "fewer" | "other"): string {
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

/** Of what an answer depends on: `which indices ${user_name} matches`. */
function dependsWords(depends: string): string {
  if (depends.startsWith("role ")) return `whether ${escapeInvisible(depends)} applies`;
  if (depends === "blocks") return "whether a block applies";
  if (depends === "document_types") return "what the document types of 6.x leave";
  return `what ${escapeInvisible(depends)} matches${isDateMath(depends) ? " (the date decides)" : ""}`;
}

/** `role hr_reader`, and the groups that lead to the action where one of them is part of the plan. */
function viaWords({ role, groups }: GrantPath, { changes }: Pick<Plan, "changes">): string {
  const changed = new Set(changes.map(({ family, name }) => createAddress(family, name)));
  const isByGroup = groups.some((group) => changed.has(createAddress("action_groups", group)));
  return [`role ${formatName(role)}`, ...(isByGroup ? groups.map((group) => formatName(group)) : [])].join(" > ");
}

function limitsLines({ kind, before, after }: AccessDifference): readonly string[] {
  const seen = limitsWords(kind === "lost" ? before : after);
  const isOther = kind === "widened" || kind === "narrowed" || kind === "changed";
  if (!isOther) return seen === "" ? [] : [seen];
  return [`before: ${limitsWords(before) || everythingSeen}`, `after: ${seen || everythingSeen}`];
}

const everythingSeen = "all documents and fields";

/** The same change of several tenants together. */
function tenantsReported(tenants: readonly TenantDifference[]): readonly ReportedStatement[] {
  const alike = new Map<string, TenantDifference[]>();
  for (const one of tenants) {
    const key = `${one.before} ${one.after}`;
    alike.set(key, [...(alike.get(key) ?? []), one]);
  }
  return [...alike.values()].flatMap((some) => {
    const [first] = some;
    if (!first) return [];
    const names = `${some.length === 1 ? "tenant" : "tenants"} ${listedMost(some.map(({ tenant }) => tenant))}`;
    return [{ sign: tenantSign(first), sentence: tenantWords(first, names) }];
  });
}

function tenantWords({ before, after }: TenantDifference, names: string): string {
  if (before === "unknown" || after === "unknown") return `might gain or lose: ${names}`;
  if (after === "write") return before === "read" ? `write ${names}` : `read and write ${names}`;
  if (after === "read") return before === "write" ? `write ${names} (read stays)` : `read ${names}`;
  return before === "write" ? `read and write ${names}` : `read ${names}`;
}

export function formatBlockedDiff({ who, after }: BlockedDiff): string {
  const whom =
    who === "everybody" ? "everybody whom no block names" : `${blockNouns[who.type]} ${formatName(who.value)}`;
  if (after === "unknown") return `${whom}: might be blocked`;
  return after === "yes" ? `${whom}: blocked` : `${whom}: no longer blocked`;
}

const blockNouns = { name: "user", ip: "requests from", net_mask: "requests from" } as const;

function signOf(kind: AccessDifference["kind"]): AccessSign {
  if (kind === "gained" || kind === "widened") return "+";
  if (kind === "lost" || kind === "narrowed") return "-";
  return kind === "changed" ? "~" : "?";
}

function tenantSign({ before, after }: TenantDifference): AccessSign {
  const order = { nothing: 0, read: 1, write: 2, unknown: Number.NaN };
  const gain = order[after] - order[before];
  return gain > 0 ? "+" : gain < 0 ? "-" : "?";
}

export function getBlockedSign({ after }: BlockedDiff): AccessSign {
  return after === "unknown" ? "?" : after === "yes" ? "-" : "+";
}

/** `documents matching {"term": …}, all fields except salary`; empty where nothing is left out. */
function limitsWords(limits: Limits | undefined): string {
  if (!limits) return "";
  const {
    documents,
    fields: { only, not, masks },
    unsure,
  } = limits;
  const parts = [
    ...(documents ? [`documents matching ${documents.map(({ shown }) => formatName(shown)).join(" or ")}`] : []),
    ...(only ? [`only the fields ${joinNames(only)}`] : []),
    ...(not.length > 0 ? [`all fields except ${joinNames(not)}`] : []),
    ...(masks.length > 0 ? [`masked: ${joinNames(masks.map((mask) => mask.split("::", 1)[0] ?? ""))}`] : []),
    ...(unsure.length > 0 ? [`unknown: restrictions of role ${joinNames(unsure)}`] : []),
  ];
  return parts.join(", ");
}
