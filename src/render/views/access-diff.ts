import { isEverybody } from "../../access/compare/touched.ts";
import type { AccessDifference, AccessDifferences, Member, Statement, UnchangedUnknown } from "../../model/access.ts";
import { createAddress } from "../../model/names.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible, formatName, joinNames } from "../escape.ts";
import { formatAccessDiff, formatAffected, formatPrincipals, type ReportedStatement } from "./access-statement.ts";
import { joinWithAnd } from "./words.ts";

/** Everything that is reported for one principal. */
export interface Block {
  readonly who: string;
  readonly reported: readonly ReportedStatement[];
}

/** What a plan does to access, in the order in which it is shown. */
export interface Blocks {
  /** Those who come to administer access control: they may give themselves the rest. */
  readonly administering: readonly Block[];
  readonly others: readonly Block[];
  readonly pairs: readonly Block[];
  /** Principals for whom nothing else is reported. */
  readonly unknown: readonly Block[];
}

type StatePair = Pick<Plan, "changes" | "violations" | "waived">;

export function groupIntoBlocks({ statements: all }: Pick<AccessDifferences, "statements">, plan: StatePair): Blocks {
  const { statements, own } = withoutOwnNames(all);
  const { administering, others } = administeringFirst(statements, plan);
  const isOfPairs = ({ who }: Statement): boolean => who.every(({ kind }) => kind === "pair");
  const blocks = (some: readonly Statement[]) => folded(some, plan);
  const single = blocks(others.filter((one) => !isOfPairs(one)));
  const isUnknown = ({ reported }: Block): boolean => reported.every(({ sign }) => sign === "?");
  return {
    administering: blocks(administering),
    others: [...single.filter((one) => !isUnknown(one)), ...own],
    pairs: blocks(others.filter(isOfPairs)),
    unknown: single.filter(isUnknown),
  };
}

/**
 * With an index pattern of everybody that holds the user's name, each known user gains or loses another index,
 * without what other roles grant: one line for all of them.
 */
function withoutOwnNames(all: readonly Statement[]): { statements: readonly Statement[]; own: readonly Block[] } {
  const patterns = new Set(
    all.flatMap(({ who, differences }) =>
      who.some((one) => one.kind === "principal" && isEverybody(one.member))
        ? differences.flatMap(({ kind, via, depends = "" }) => [JSON.stringify([kind, via?.role, depends])])
        : [],
    ),
  );
  const found = new Map<string, { readonly members: Member[]; readonly reported: ReportedStatement }>();
  const isOwn = (member: Member, { kind, via, indices }: AccessDifference): boolean => {
    const [name = ""] = member.entries;
    const [term, ...rest] = indices?.terms ?? [];
    if (member.field !== "users" || !via || !term || rest.length > 0 || (kind !== "gained" && kind !== "lost"))
      return false;
    const might = kind === "gained" ? "gain" : "lose";
    const depends = userNames.map((variable) => ({ variable, text: term.allOf.join().replaceAll(name, variable) }));
    const pattern = depends.find(({ text }) => patterns.has(JSON.stringify([`may-${might}`, via.role, text])))?.text;
    if (name === "" || pattern === undefined) return false;
    const sentence = `all or some of the actions on ${escapeInvisible(pattern)} that everybody might ${might} (role ${formatName(via.role)})`;
    const key = `${kind} ${sentence}`;
    const known = found.get(key) ?? { members: [], reported: { sign: kind === "gained" ? "+" : "-", sentence } };
    found.set(key, known);
    if (!known.members.includes(member)) known.members.push(member);
    return true;
  };
  const statements = all.map((statement) => {
    const [one, ...others] = statement.who;
    if (others.length > 0 || one?.kind !== "principal") return statement;
    return { ...statement, differences: statement.differences.filter((difference) => !isOwn(one.member, difference)) };
  });
  const own = [...found.values()].map(({ members, reported }) => ({
    who: formatPrincipals(members).join(", "),
    reported: [reported],
  }));
  return { statements, own };
}

const userNames = ["${user_name}", "${user.name}"];

/** Principals with equal statements, in one block. */
function folded(statements: readonly Statement[], plan: StatePair): readonly Block[] {
  const alike = new Map<
    string,
    { readonly who: Statement["who"][number][]; readonly reported: readonly ReportedStatement[] }
  >();
  for (const statement of statements) {
    const reported = formatAccessDiff(statement, plan);
    if (reported.length === 0) continue;
    const key = JSON.stringify(reported);
    const same = alike.get(key);
    if (same) same.who.push(...statement.who);
    else alike.set(key, { who: [...statement.who], reported });
  }
  return [...alike.values()].map(({ who, reported }) => ({ who: formatAffected(who), reported }));
}

/** The principals that the guard `escalation` found come first. */
function administeringFirst(
  statements: readonly Statement[],
  { violations, waived }: Pick<Plan, "violations" | "waived">,
): { readonly administering: readonly Statement[]; readonly others: readonly Statement[] } {
  const found = [...violations, ...waived].filter(({ rule }) => rule === "escalation");
  const addresses = new Set(found.flatMap((one) => one.addresses));
  const isByThese = ({ kind, via }: AccessDifference): boolean =>
    via !== undefined &&
    (kind === "gained" || kind === "may-gain") &&
    [
      createAddress("roles", via.role),
      createAddress("role_mappings", via.role),
      ...via.groups.map((name) => createAddress("action_groups", name)),
    ].some((address) => addresses.has(address));
  const [administering, others]: [Statement[], Statement[]] = [[], []];
  for (const statement of statements) {
    (statement.differences.some(isByThese) ? administering : others).push(statement);
  }
  return { administering, others };
}

/** More than these are named together. */
const mostUnchanged = 3;
const mostNames = 6;

/** What is unknown before and after alike, once for a plan. */
export function formatUnchangedUnknown(unchanged: readonly UnchangedUnknown[]): readonly string[] {
  const all = unchanged.length <= mostUnchanged ? unchanged.map(oneUnchanged) : manyUnchanged(unchanged);
  return all.map((one) => `${one}; not included above`);
}

function oneUnchanged({ role, depends, members }: UnchangedUnknown): string {
  const [whom = "", ...others] = formatPrincipals(members);
  const isAll = whom === "everybody";
  const who = isAll ? "every user" : joinWithAnd([whom, ...others]);
  if (depends.startsWith("role ")) return `mapping ${formatName(role)}: unknown whether it applies to ${who}`;
  if (!depends.includes("${"))
    return `role ${formatName(role)} grants ${who} what depends on ${escapeInvisible(depends)}`;
  const own = isAll || members.length === 1 ? "its" : "their";
  return `mapping ${formatName(role)} grants ${who} ${own} own index pattern ${escapeInvisible(depends)}`;
}

function manyUnchanged(unchanged: readonly UnchangedUnknown[]): readonly string[] {
  const rolesOf = (some: readonly UnchangedUnknown[]) => [...new Set(some.map(({ role }) => role))];
  const [own, others] = [
    rolesOf(unchanged.filter(({ depends }) => depends.includes("${"))),
    rolesOf(unchanged.filter(({ depends }) => !depends.includes("${"))),
  ];
  return [
    ...(own.length === 0
      ? []
      : [`${mappingsWords(own)} ${own.length === 1 ? "grants" : "grant"} each user index patterns with variables`]),
    ...(others.length === 0
      ? []
      : [`${mappingsWords(others)}: unknown what ${others.length === 1 ? "it grants" : "they grant"}`]),
  ];
}

function mappingsWords(roles: readonly string[]): string {
  const left = roles.length - mostNames;
  const names = left > 0 ? `${joinNames(roles.slice(0, mostNames))} and ${left} more` : joinNames(roles);
  return `${roles.length === 1 ? "mapping" : "mappings"} ${names}`;
}
