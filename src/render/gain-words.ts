import { isEverybody } from "../access/compare/touched.ts";
import { isDateMath } from "../access/patterns/date-math.ts";
import type {
  AccessDifferences,
  Affected,
  Difference,
  Entering,
  Limits,
  Statement,
  TenantDifference,
  Via,
  Way,
} from "../model/access.ts";
import { addressOf } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";
import { listed, visible, word } from "./escape.ts";
import { clusterWords, regionWords, verbsFor } from "./gain-verbs.ts";
import { nounsAnd } from "./words.ts";

// What a plan gives and takes, in lines that text and Markdown share.

/** `+` gained, `-` lost, `~` changed, `?` unknown. */
export type AccessSign = "+" | "-" | "~" | "?";

/** Each by itself: `backend roles analysts and interns, user worf`; as one: `principals with both backend role hr and user ana`. */
export function affectedWords(who: readonly Affected[]): string {
  const ways = who.flatMap((one) => (one.kind === "principal" ? [one.way] : []));
  const personas = who.flatMap((one) => (one.kind === "persona" ? [`persona ${word(one.name)}`] : []));
  const pairs = who.flatMap((one) => (one.kind === "pair" ? [nounsAnd(one.ways.map(wayWords))] : []));
  return [...principalsWords(ways), ...personas, ...pairsWords(pairs)].join(", ");
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
export function principalsWords(ways: readonly Way[]): readonly string[] {
  if (ways.some(isEverybody)) return ["everybody"];
  const simple = (["users", "backend_roles", "hosts"] as const).flatMap((field) => {
    const names = ways.flatMap((way) => (way.field === field ? way.entries : []));
    return names.length === 0 ? [] : [`${nouns[field][names.length === 1 ? 0 : 1]} ${listedMost(names)}`];
  });
  const others = ways.filter(({ field }) => field === "and_backend_roles" || field === "itself");
  return [...simple, ...others.map(wayWords)];
}

/** `a, b and 3 more`. */
function listedMost(names: readonly string[]): string {
  const left = names.length - mostNames;
  return left > 0 ? `${listed(names.slice(0, mostNames))} and ${left} more` : listed(names);
}

const nouns = {
  users: ["user", "users"],
  backend_roles: ["backend role", "backend roles"],
  hosts: ["host", "hosts"],
} as const;

function wayWords(way: Way): string {
  const { field, entries } = way;
  if (isEverybody(way)) return "anybody";
  if (field === "itself") return `role ${listed(entries)}`;
  if (field !== "and_backend_roles") return `${nouns[field][0]} ${listed(entries)}`;
  return `all of the backend roles ${nounsAnd(entries.map((entry) => word(entry)))}`;
}

/** One thing gained, lost, changed or unknown, with what is to be known of it. */
export interface Said {
  readonly sign: AccessSign;
  readonly sentence: string;
  readonly details?: readonly string[];
}

/** What is known first. What everybody gains or loses as well is said of everybody alone. */
export function saidOf({ differences, tenants }: Statement, plan: Pick<Plan, "changes">): readonly Said[] {
  const all = [...differences.filter(isSaidItself).map((one) => saidOfDifference(one, plan)), ...tenantsSaid(tenants)];
  return [...all.filter(({ sign }) => sign !== "?"), ...all.filter(({ sign }) => sign === "?")];
}

/** Not what everybody gains or loses as well, and not what belongs to an unknown grant that is named at the end. */
export function isSaidItself({ kind, depends, isOfEverybody }: Difference): boolean {
  return !isOfEverybody && !(kind === "may-change" && depends === undefined);
}

/** `2 gained`, `1 lost`; empty where there is nothing. */
export function accessCounts(access: AccessDifferences): readonly string[] {
  const { statements, entering, unchanged } = access;
  const signs = [
    ...statements.flatMap(({ differences, tenants }) => [
      ...differences.filter(isSaidItself).map(({ kind }) => signOf(kind)),
      ...tenants.map(tenantSign),
    ]),
    ...entering.map(enteringSign),
    ...unchanged.map((): AccessSign => "?"),
  ];
  return signCounts(signs);
}

export function signCounts(signs: readonly AccessSign[]): readonly string[] {
  const names = { "+": "gained", "-": "lost", "~": "changed", "?": "unknown" } as const;
  return (["+", "-", "~", "?"] as const).flatMap((sign) => {
    const count = signs.filter((one) => one === sign).length;
    return count === 0 ? [] : [`${count} ${names[sign]}`];
  });
}

function saidOfDifference(one: Difference, plan: Pick<Plan, "changes">): Said {
  const by = one.via ? ` (${viaWords(one.via, plan)})` : "";
  const depends = one.depends === undefined ? [] : [`unknown: ${one.depends.split(", ").map(dependsWords).join(", ")}`];
  return { sign: signOf(one.kind), sentence: `${whatWords(one)}${by}`, details: [...depends, ...limitsLines(one)] };
}

/** `read hr-*`, `fewer documents of hr-*`, `might gain: read home-${user_name}`. */
function whatWords(difference: Difference): string {
  const { kind, lacks } = difference;
  const what = grantWords(difference);
  switch (kind) {
    case "gained":
      return lacks ? `${what}, without effect as long as ${word(lacks)} is not granted` : what;
    case "lost":
      return lacks ? `${what}, without effect before as ${word(lacks)} was not granted` : what;
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

function grantWords({ kind, level, actions, indices, depends = "", isGrantSure }: Difference): string {
  if (level === "cluster" || !indices) return clusterWords(actions);
  // Which indices these are is what is unknown.
  const isPattern = kind !== "may-change" && !isGrantSure && (depends.includes("${") || isDateMath(depends));
  return `${verbsFor(actions)} ${isPattern ? visible(depends) : regionWords(indices)}`;
}

function sightWords({ before, after, indices, witness }: Difference, how: "more" | "fewer" | "other"): string {
  const where = indices ? regionWords(indices) : "";
  // Fields may differ by a permission by which no documents are seen.
  if (witness.action.startsWith("indices:admin/mappings/")) return `${how} fields of the mapping of ${where}`;
  const keys = (limits: Limits | undefined) => JSON.stringify(limits?.documents?.map(({ key }) => key) ?? null);
  const fields = (limits: Limits | undefined) => JSON.stringify(limits?.fields);
  const parts = [
    ...(keys(before) === keys(after) ? [] : ["documents"]),
    ...(fields(before) === fields(after) ? [] : ["fields"]),
  ];
  return `${how} ${parts.length === 0 ? "documents or fields" : nounsAnd(parts)} of ${where}`;
}

/** Of what an answer depends on: `which indices ${user_name} matches`. */
function dependsWords(depends: string): string {
  if (depends.startsWith("role ")) return `whether ${visible(depends)} applies`;
  if (depends === "blocks") return "whether a block applies";
  if (depends === "document_types") return "what the document types of 6.x leave";
  return `what ${visible(depends)} matches${isDateMath(depends) ? " (the date decides)" : ""}`;
}

/** `role hr_reader`, and the groups that lead to the action where one of them is part of the plan. */
function viaWords({ role, groups }: Via, { changes }: Pick<Plan, "changes">): string {
  const changed = new Set(changes.map(({ family, name }) => addressOf(family, name)));
  const isByGroup = groups.some((group) => changed.has(addressOf("action_groups", group)));
  return [`role ${word(role)}`, ...(isByGroup ? groups.map((group) => word(group)) : [])].join(" > ");
}

function limitsLines({ kind, before, after }: Difference): readonly string[] {
  const seen = limitsWords(kind === "lost" ? before : after);
  const isOther = kind === "widened" || kind === "narrowed" || kind === "changed";
  if (!isOther) return seen === "" ? [] : [seen];
  return [`before: ${limitsWords(before) || everythingSeen}`, `after: ${seen || everythingSeen}`];
}

const everythingSeen = "all documents and fields";

/** The same change of several tenants together. */
function tenantsSaid(tenants: readonly TenantDifference[]): readonly Said[] {
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

export function enteringWords({ who, after }: Entering): string {
  const whom = who === "everybody" ? "everybody whom no block names" : `${blockNouns[who.type]} ${word(who.value)}`;
  if (after === "unknown") return `${whom}: might be blocked`;
  return after === "yes" ? `${whom}: blocked` : `${whom}: no longer blocked`;
}

const blockNouns = { name: "user", ip: "requests from", net_mask: "requests from" } as const;

function signOf(kind: Difference["kind"]): AccessSign {
  if (kind === "gained" || kind === "widened") return "+";
  if (kind === "lost" || kind === "narrowed") return "-";
  return kind === "changed" ? "~" : "?";
}

function tenantSign({ before, after }: TenantDifference): AccessSign {
  const order = { nothing: 0, read: 1, write: 2, unknown: Number.NaN };
  const gain = order[after] - order[before];
  return gain > 0 ? "+" : gain < 0 ? "-" : "?";
}

export function enteringSign({ after }: Entering): AccessSign {
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
    ...(documents ? [`documents matching ${documents.map(({ shown }) => word(shown)).join(" or ")}`] : []),
    ...(only ? [`only the fields ${listed(only)}`] : []),
    ...(not.length > 0 ? [`all fields except ${listed(not)}`] : []),
    ...(masks.length > 0 ? [`masked: ${listed(masks.map((mask) => mask.split("::", 1)[0] ?? ""))}`] : []),
    ...(unsure.length > 0 ? [`unknown: restrictions of role ${listed(unsure)}`] : []),
  ];
  return parts.join(", ");
}
