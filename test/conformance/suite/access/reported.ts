// The access diff as a plan prints it in JSON, and what it says of one request of one person.
import { matchesPattern } from "../../../../src/access/patterns/matches.ts";
import type { Limits } from "../../../../src/model/access.ts";
import type { User } from "./fixtures.ts";

/** As schemas/plan.schema.json has it. */
export interface ReportedAccess {
  readonly blocked: readonly unknown[];
  readonly statements: readonly Statement[];
  readonly unknown: readonly string[];
}

export interface Statement {
  readonly who: readonly Principal[];
  readonly differences: readonly ReportedDifference[];
  readonly tenants: readonly { readonly tenant: string; readonly before: string; readonly after: string }[];
}

type Member = Partial<
  Readonly<Record<"users" | "backend_roles" | "and_backend_roles" | "hosts" | "roles", readonly string[]>>
>;
export type Principal = Member | { readonly both: readonly Member[] } | { readonly persona: string };

export interface ReportedDifference {
  readonly kind: "gained" | "lost" | "widened" | "narrowed" | "changed" | "may-gain" | "may-lose" | "may-change";
  readonly level: "cluster" | "index";
  readonly actions: Region;
  readonly indices?: Region;
  readonly before?: ReportedLimits;
  readonly after?: ReportedLimits;
  readonly witness: { readonly action: string; readonly index?: string };
  /** Grants that are unknown before and after alike: by one of them it may be allowed, too. */
  readonly not_included?: readonly unknown[];
}

type Region = readonly { readonly all_of: readonly string[]; readonly none_of: readonly string[] }[];

interface ReportedLimits {
  readonly documents?: readonly string[];
  readonly only_fields?: readonly string[];
  readonly without_fields?: readonly string[];
  readonly masked_fields?: readonly string[];
  readonly unknown_roles?: readonly string[];
}

/** Undefined where it is unknown what is seen. */
export function limitsIn(limits: ReportedLimits = {}, fieldPatterns = false): Limits | undefined {
  const { documents, only_fields: only, without_fields: not = [], masked_fields: masks = [], unknown_roles } = limits;
  if (unknown_roles !== undefined) return undefined;
  return {
    ...(documents && { documents: documents.map((shown) => ({ key: shown, shown })) }),
    fields: { ...(only && { only }), not, masks, ...(fieldPatterns && { arePatterns: true }) },
    unsure: [],
    restricted: "unknown",
  };
}

/** Of each alias of a server, the indices behind it. */
export type Aliases = Readonly<Record<string, readonly string[]>>;

/** Those that cover an action, on an index unless it is a cluster permission. */
export function differencesAbout(
  differences: readonly ReportedDifference[],
  action: string,
  index: string | undefined,
  aliases: Aliases = {},
): readonly ReportedDifference[] {
  return differences.filter(
    ({ level, actions, indices }) =>
      (level === "cluster") === (index === undefined) &&
      isWithin(actions, action) &&
      (indices === undefined || (index !== undefined && isWithin(indices, index, aliases))),
  );
}

/** A pattern of a region covers an index by the names of its aliases, too. */
function isWithin(region: Region, name: string, aliases: Aliases = {}): boolean {
  const names = [name, ...Object.keys(aliases).filter((alias) => aliases[alias]?.includes(name))];
  return region.some(
    ({ all_of, none_of }) =>
      all_of.every((pattern) => names.some((one) => matchesPattern(pattern, one) !== "no")) &&
      !none_of.some((pattern) => names.some((one) => matchesPattern(pattern, one) === "yes")),
  );
}

/** Whether the plan leaves open what a server answers, before or after. */
export function isOpen({ kind, not_included: besides = [] }: ReportedDifference): boolean {
  return kind.startsWith("may-") || besides.length > 0;
}

/** Of a persona alone: all that it gains and loses. */
export function ofPersona({ statements }: ReportedAccess, name: string): readonly Statement[] {
  return statements.filter(({ who }) => who.some((one) => "persona" in one && one.persona === name));
}

/** Of the principals that a user is, variables in their regions replaced by what they are for this user. */
export function ofPrincipals({ statements }: ReportedAccess, user: User): readonly Statement[] {
  return statements
    .filter(({ who }) => who.some((one) => isOne(one, user)))
    .map((statement) => ({ ...statement, differences: statement.differences.map((one) => filledFor(user, one)) }));
}

function filledFor(user: User, { indices, ...difference }: ReportedDifference): ReportedDifference {
  const filled = (patterns: readonly string[]) => patterns.map((pattern) => pattern.replace(variable, valueFor(user)));
  const region = indices?.map(({ all_of, none_of }) => ({ all_of: filled(all_of), none_of: filled(none_of) }));
  return { ...difference, ...(region && { indices: region }) };
}

const variable = /\$\{([\w.]+)\}/g;

function valueFor({ name, backendRoles, attributes }: User): (written: string, variable: string) => string {
  const own = Object.entries(attributes).map(([key, value]) => [`attr.internal.${key}`, value] as const);
  const values = new Map([["user.name", name], ["user.roles", backendRoles.join(",")], ...own]);
  return (written, text) => values.get(text.replaceAll("_", ".")) ?? written;
}

function isOne(principal: Principal, user: User): boolean {
  if ("persona" in principal) return false;
  const members = "both" in principal ? principal.both : [principal];
  return members.every((member) => isMember(member, user));
}

function isMember(member: Member, { name, backendRoles, roles }: User): boolean {
  const names = {
    users: [name],
    hosts: ["127.0.0.1"],
    backend_roles: backendRoles,
    and_backend_roles: backendRoles,
    roles,
  };
  return Object.entries(names).some(([field, own]) => {
    const entries = member[field as keyof typeof names];
    const isMatched = (entry: string) =>
      own.some((one) => matchesPattern(entry, one) !== "no") || (entry === "*" && field === "backend_roles");
    return entries?.every(isMatched);
  });
}
