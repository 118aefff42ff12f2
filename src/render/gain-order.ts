import { isEverybody } from "../access/compare/touched.ts";
import type { AccessDifferences, Difference, Statement, UnchangedUnknown, Way } from "../model/access.ts";
import { addressOf } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";
import { listed, visible, word } from "./escape.ts";
import { affectedWords, principalsWords, type Said, saidOf } from "./gain-words.ts";
import { nounsAnd } from "./words.ts";

/** All that is said of somebody. */
export interface Block {
  readonly who: string;
  readonly said: readonly Said[];
}

/** What a plan does to access, in the order in which it is shown. */
export interface Blocks {
  /** Those who come to administer access control: they may give themselves the rest. */
  readonly administering: readonly Block[];
  readonly others: readonly Block[];
  readonly pairs: readonly Block[];
  /** Those of whom nothing else is to be said. */
  readonly unknown: readonly Block[];
}

type Around = Pick<Plan, "changes" | "violations" | "lifted">;

export function blocksOf({ statements: all }: Pick<AccessDifferences, "statements">, plan: Around): Blocks {
  const { statements, own } = withoutOwnNames(all);
  const { administering, others } = administeringFirst(statements, plan);
  const isOfPairs = ({ who }: Statement): boolean => who.every(({ kind }) => kind === "pair");
  const blocks = (some: readonly Statement[]) => folded(some, plan);
  const single = blocks(others.filter((one) => !isOfPairs(one)));
  const isUnknown = ({ said }: Block): boolean => said.every(({ sign }) => sign === "?");
  return {
    administering: blocks(administering),
    others: [...single.filter((one) => !isUnknown(one)), ...own],
    pairs: blocks(others.filter(isOfPairs)),
    unknown: single.filter(isUnknown),
  };
}

/**
 * With an index pattern of everybody that holds the user's name, each user whose name is known gains or loses another index,
 * less what they have by other roles: one line for all of them.
 */
function withoutOwnNames(all: readonly Statement[]): { statements: readonly Statement[]; own: readonly Block[] } {
  const patterns = new Set(
    all.flatMap(({ who, differences }) =>
      who.some((one) => one.kind === "principal" && isEverybody(one.way))
        ? differences.flatMap(({ kind, via, depends = "" }) => [JSON.stringify([kind, via?.role, depends])])
        : [],
    ),
  );
  const found = new Map<string, { readonly ways: Way[]; readonly said: Said }>();
  const isOwn = (way: Way, { kind, via, indices }: Difference): boolean => {
    const [name = ""] = way.entries;
    const [term, ...rest] = indices?.terms ?? [];
    if (way.field !== "users" || !via || !term || rest.length > 0 || (kind !== "gained" && kind !== "lost"))
      return false;
    const might = kind === "gained" ? "gain" : "lose";
    const depends = userNames.map((variable) => ({ variable, text: term.allOf.join().replaceAll(name, variable) }));
    const pattern = depends.find(({ text }) => patterns.has(JSON.stringify([`may-${might}`, via.role, text])))?.text;
    if (name === "" || pattern === undefined) return false;
    const sentence = `all or some of the actions on ${visible(pattern)} that everybody might ${might} (role ${word(via.role)})`;
    const key = `${kind} ${sentence}`;
    const known = found.get(key) ?? { ways: [], said: { sign: kind === "gained" ? "+" : "-", sentence } };
    found.set(key, known);
    if (!known.ways.includes(way)) known.ways.push(way);
    return true;
  };
  const statements = all.map((statement) => {
    const [one, ...others] = statement.who;
    if (others.length > 0 || one?.kind !== "principal") return statement;
    return { ...statement, differences: statement.differences.filter((difference) => !isOwn(one.way, difference)) };
  });
  const own = [...found.values()].map(({ ways, said }) => ({ who: principalsWords(ways).join(", "), said: [said] }));
  return { statements, own };
}

const userNames = ["${user_name}", "${user.name}"];

/** Those of whom the same is said, in one block. */
function folded(statements: readonly Statement[], plan: Around): readonly Block[] {
  const alike = new Map<string, { readonly who: Statement["who"][number][]; readonly said: readonly Said[] }>();
  for (const statement of statements) {
    const said = saidOf(statement, plan);
    if (said.length === 0) continue;
    const key = JSON.stringify(said);
    const same = alike.get(key);
    if (same) same.who.push(...statement.who);
    else alike.set(key, { who: [...statement.who], said });
  }
  return [...alike.values()].map(({ who, said }) => ({ who: affectedWords(who), said }));
}

/** What the guard `escalation` found is said before all else. */
function administeringFirst(
  statements: readonly Statement[],
  { violations, lifted }: Pick<Plan, "violations" | "lifted">,
): { readonly administering: readonly Statement[]; readonly others: readonly Statement[] } {
  const found = [...violations, ...lifted].filter(({ rule }) => rule === "escalation");
  const addresses = new Set(found.flatMap((one) => one.addresses));
  const isByThese = ({ kind, via }: Difference): boolean =>
    via !== undefined &&
    (kind === "gained" || kind === "may-gain") &&
    [
      addressOf("roles", via.role),
      addressOf("role_mappings", via.role),
      ...via.groups.map((name) => addressOf("action_groups", name)),
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
export function unchangedWords(unchanged: readonly UnchangedUnknown[]): readonly string[] {
  const all = unchanged.length <= mostUnchanged ? unchanged.map(oneUnchanged) : manyUnchanged(unchanged);
  return all.map((one) => `${one}; not included above`);
}

function oneUnchanged({ role, depends, ways }: UnchangedUnknown): string {
  const [whom = "", ...others] = principalsWords(ways);
  const isAll = whom === "everybody";
  const who = isAll ? "every user" : nounsAnd([whom, ...others]);
  if (depends.startsWith("role ")) return `mapping ${word(role)}: unknown whether it applies to ${who}`;
  if (!depends.includes("${")) return `role ${word(role)} grants ${who} what depends on ${visible(depends)}`;
  const own = isAll || ways.length === 1 ? "its" : "their";
  return `mapping ${word(role)} grants ${who} ${own} own index pattern ${visible(depends)}`;
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
  const names = left > 0 ? `${listed(roles.slice(0, mostNames))} and ${left} more` : listed(roles);
  return `${roles.length === 1 ? "mapping" : "mappings"} ${names}`;
}
