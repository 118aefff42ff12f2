import { requestKinds } from "../dialects/requests.ts";
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
import type { Plan } from "../model/plan.ts";
import { listed, visible, word } from "./escape.ts";
import { clusterWords, regionWords, verbsFor } from "./gain-verbs.ts";
import { placeOf } from "./place.ts";
import { nounsAnd } from "./words.ts";

// What a plan gives and takes, in sentences that text and Markdown share.

/** `backend roles analysts and interns`, `user worf`, `whoever is backend role hr and also user ana`. */
export function affectedWords(who: readonly Affected[]): string {
  const principals = who.flatMap((one) => (one.kind === "principal" ? [one.way] : []));
  const rest = who.flatMap((one) => {
    if (one.kind === "persona") return [`persona ${word(one.name)}`];
    if (one.kind === "pair") return [`whoever is ${wayWords(one.ways[0])} and also ${wayWords(one.ways[1])}`];
    return [];
  });
  return nounsAnd([...waysWords(principals), ...rest]);
}

const mostNames = 6;

function waysWords(ways: readonly Way[]): readonly string[] {
  if (ways.some(isEverybody)) return ["everybody", ...waysWords(ways.filter((way) => !isEverybody(way)))];
  const simple = (["users", "backend_roles", "hosts"] as const).flatMap((field) => {
    const names = ways.flatMap((way) => (way.field === field ? way.entries : []));
    if (names.length === 0) return [];
    if (names.length === 1) return [`${nouns[field][0]} ${listed(names)}`];
    const shown = names.slice(0, mostNames);
    const left = names.length - shown.length;
    return [`${nouns[field][1]} ${listed(shown)}${left > 0 ? ` and ${left} more` : ""}`];
  });
  return [...simple, ...ways.filter(({ field }) => field === "and_backend_roles").map(wayWords)];
}

const nouns = {
  users: ["user", "users"],
  backend_roles: ["backend role", "backend roles"],
  hosts: ["host", "hosts"],
} as const;

function isEverybody({ field, entries }: Way): boolean {
  return field !== "and_backend_roles" && entries.every((entry) => /^\*+$/.test(entry));
}

function wayWords(way: Way): string {
  const { field, entries } = way;
  if (isEverybody(way)) return "anybody";
  if (field === "itself") return `a holder of ${listed(entries)}`;
  if (field !== "and_backend_roles") return `${nouns[field][0]} ${listed(entries)}`;
  return `backend roles ${entries.map((entry) => word(entry)).join(" and ")} together`;
}

/** One thing to be said of somebody, with what shows it. */
export interface Said {
  readonly sign: "+" | "-" | "~";
  readonly sentence: string;
  /** Each in parts that read best unbroken. */
  readonly details?: readonly (readonly string[])[];
}

/** Everything that a statement says; of a chain of grounds, what differs from the one before. */
export function saidOf({ who, differences, tenants }: Statement, plan: Pick<Plan, "changes">): readonly Said[] {
  const several = who.length > 1 || who.some((one) => one.kind === "principal" && one.way.entries.length > 1);
  const isPair = who.some(({ kind }) => kind === "pair");
  let told = "";
  const said = differences.map((one): Said => {
    const parts = one.via && !isPair ? viaParts(one.via, plan) : [];
    const grounds = parts.join(" ");
    const isNew = grounds !== told;
    told = grounds;
    const details = [...caseWords(one).map((words) => words.split(" ")), ...(isNew && grounds !== "" ? [parts] : [])];
    return { sign: signOf(one.kind), sentence: differenceWords(one, several), details };
  });
  return [...said, ...tenants.map((one) => ({ sign: tenantSign(one), sentence: tenantWords(one) }))];
}

/** `2 gained`, `1 lost`; empty where there is nothing. */
export function accessCounts({ statements, entering }: AccessDifferences): readonly string[] {
  const kinds = statements.flatMap(({ differences }) => differences.map(({ kind }) => kind));
  const signs = [...statements.flatMap(({ tenants }) => tenants.map(tenantSign)), ...entering.map(enteringSign)];
  const count = (...some: readonly Difference["kind"][]) => kinds.filter((kind) => some.includes(kind)).length;
  const withSign = (sign: string) => signs.filter((one) => one === sign).length;
  const all: readonly (readonly [number, string])[] = [
    [count("gained") + withSign("+"), "gained"],
    [count("lost") + withSign("-"), "lost"],
    [count("widened"), "widened"],
    [count("narrowed"), "narrowed"],
    [count("changed"), "changed"],
    [count("may-gain", "may-lose", "may-change") + withSign("~"), "cannot tell"],
  ];
  return all.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
}

/** A request that shows it, and what is seen by it. */
function caseWords(one: Difference): readonly string[] {
  const { kind, before, after } = one;
  const seen = limitsWords(kind === "lost" ? before : after);
  const was = kind === "widened" || kind === "narrowed" || kind === "changed" ? limitsWords(before) : "";
  // Of what cannot be told, nothing is an example.
  const example = kind.startsWith("may-") ? "" : witnessWords(one);
  return [
    ...(example === "" && seen === "" ? [] : [`e.g. ${[example, seen].filter(Boolean).join(": ")}`]),
    ...(was === "" ? [] : [`before: ${was}`]),
  ];
}

/** `via role hr`, `(roles.yml:3,`, `mapped in mappings.yml:8)`, `> READ`. */
function viaParts({ role, way, groups }: Via, { changes }: Pick<Plan, "changes">): readonly string[] {
  const at = (family: "roles" | "role_mappings", name: string): string => {
    const change = changes.find((one) => one.family === family && one.name === name);
    return change ? placeOf(change) : "";
  };
  const mapped = way.field === "itself" ? "" : at("role_mappings", role);
  const places = [at("roles", role), ...(mapped === "" ? [] : [`mapped in ${mapped}`])].filter(Boolean);
  const told = places.map((place, at) => `${at === 0 ? "(" : ""}${place}${at === places.length - 1 ? ")" : ","}`);
  return [`via role ${word(role)}`, ...told, ...groups.map((group) => `> ${word(group)}`)];
}

/** `can now read hr-*`. */
function differenceWords(difference: Difference, several: boolean): string {
  const { kind, level, actions, indices, depends = "", lacks } = difference;
  const where = indices ? regionWords(indices) : "";
  const what = level === "cluster" ? clusterWords(actions) : `${verbsFor(actions)} ${where}`;
  const sees = several ? "see" : "sees";
  // Who sees other fields by a mapping may see no other documents.
  const sight = `${difference.witness.action.startsWith("indices:admin/mappings/") ? "the mapping of " : ""}${where}`;
  const isPattern = depends !== "" && !/^(?:role |blocks|document_types)/.test(depends);
  const onWhat = isPattern && level === "index" ? `${verbsFor(actions)} what ${visible(depends)} meets` : what;
  const tell = isPattern ? "which indices these are cannot be told" : `cannot tell, it depends on ${visible(depends)}`;
  switch (kind) {
    case "gained":
      return lacks ? `could now ${what}, were it not for ${word(lacks)}, which is not granted` : `can now ${what}`;
    case "lost":
      return lacks ? `could no longer ${what} (nor before, without ${word(lacks)})` : `can no longer ${what}`;
    case "widened":
      return `${sees} more of ${sight}`;
    case "narrowed":
      return `${sees} less of ${sight}`;
    case "changed":
      return `${sees} something else of ${sight}`;
    case "may-gain":
      return `may come to ${onWhat}: ${tell}`;
    case "may-lose":
      return `may no longer ${onWhat}: ${tell}`;
    case "may-change":
      return `may ${what} otherwise than before: ${tell}`;
  }
}

function tenantWords({ tenant, before, after }: TenantDifference): string {
  const name = word(tenant);
  if (before === "unknown" || after === "unknown") return `may be let into tenant ${name} or not: cannot tell`;
  if (after === "write") return `can now write tenant ${name}`;
  if (after === "read") {
    return before === "write" ? `can only read tenant ${name} now` : `can now read tenant ${name}`;
  }
  return `can no longer ${before} tenant ${name}`;
}

export function enteringWords({ who, after }: Entering): string {
  const whom = who === "everybody" ? "whoever is not named by a block" : `${blockNouns[who.type]} ${word(who.value)}`;
  if (after === "unknown") return `${whom} may be shut out by a block: cannot tell`;
  return after === "yes" ? `${whom} is shut out by a block` : `${whom} is no longer shut out by a block`;
}

const blockNouns = { name: "user", ip: "whoever comes from", net_mask: "whoever comes from" } as const;

/** Whether somebody comes to have more, or less, or nobody can say. */
function signOf(kind: Difference["kind"]): "+" | "-" | "~" {
  if (kind === "gained" || kind === "widened") return "+";
  return kind === "lost" || kind === "narrowed" ? "-" : "~";
}

function tenantSign({ before, after }: TenantDifference): "+" | "-" | "~" {
  const order = { nothing: 0, read: 1, write: 2, unknown: Number.NaN };
  const gain = order[after] - order[before];
  return gain > 0 ? "+" : gain < 0 ? "-" : "~";
}

export function enteringSign({ after }: Entering): "+" | "-" | "~" {
  return after === "unknown" ? "~" : after === "yes" ? "-" : "+";
}

/** `documents that meet {"term": …}, all fields but salary`; empty where nothing is left out. */
function limitsWords(limits: Limits | undefined): string {
  if (!limits) return "";
  const {
    documents,
    fields: { only, not, masks },
  } = limits;
  const parts = [
    ...(documents ? [`documents that meet ${documents.map(({ shown }) => word(shown)).join(" or ")}`] : []),
    ...(only ? [`only the fields ${listed(only)}`] : []),
    ...(not.length > 0 ? [`all fields but ${listed(not)}`] : []),
    ...(masks.length > 0 ? [`masked: ${listed(masks.map((mask) => mask.split("::", 1)[0] ?? ""))}`] : []),
  ];
  return parts.join(", ");
}

/** A request that shows it: `GET hr-2026/_search`; empty where the sentence says it all. */
function witnessWords({ level, witness: { action, index } }: Difference): string {
  const kind = requestKinds.find((one) =>
    level === "cluster" ? one.index.length === 0 && one.cluster.includes(action) : one.index.at(-1) === action,
  );
  if (kind) return kind.example.replace("{index}", word(index ?? ""));
  return level === "cluster" ? "" : `${word(action)} on ${word(index ?? "")}`;
}
