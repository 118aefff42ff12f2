// What has to hold of the order between two fixtures without a server: planned by our model of access, and held to the naive
// evaluator after each request.
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { type Fields, isEqual } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Fixture, Role } from "../../support/evaluated.ts";
import { breachesBetween } from "./batches.ts";
import { type Breach, breachesOf, type Holder, holderBy, people } from "./holdings.ts";
import type { Pair } from "./pairs.ts";
import { type Member, type Planned, plannedBy, plannedByProduct } from "./planned.ts";
import { changesBetween, fixtureAt, made, slotOf, slots, type Values, valuesOf } from "./slots.ts";
import { byModel, byNaiveEvaluate } from "./two-evaluators.ts";

const dialects: Readonly<Record<Fixture["product"], Dialect>> = {
  opensearch: createDialect("opensearch", "2.19"),
  "search-guard-7": createDialect("search-guard", "7.x-47"),
  "search-guard-6": createDialect("search-guard", "6"),
};

export interface Held {
  readonly counts: ReadonlyMap<string, number>;
  readonly broken: readonly string[];
}

/** So few of the pairs are planned once more by what the product itself evaluates by, and evaluated by all of the naive evaluator. */
const often = 1_000;

/** @param also what else has to hold: lines of what does not, and kinds to be counted */
export function holdToModel(
  product: Fixture["product"],
  pairs: Iterable<Pair>,
  every = often,
  also: (member: Member, planned: Planned) => Partial<Matched> = () => ({}),
): Held {
  const counts = new Map<string, number>();
  const broken: string[] = [];
  const holders = new Map<string, readonly [Holder, Holder]>();
  const count = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const [from, to] of pairs) {
    const member = pathBetween(from, to, dialects[product]);
    if (!member) {
      count("no such fixture");
      continue;
    }
    const key = JSON.stringify(member.like);
    const [model, naive] = holders.get(key) ?? [holderBy(byModel, member.like), holderBy(byNaiveEvaluate, member.like)];
    holders.set(key, [model, naive]);
    const planned = plannedBy(model, member);
    const isAgain = (counts.get("pairs") ?? 0) % every === 0;
    const matched = [
      propertyOf(member, planned, naive),
      ...(isAgain ? [planAgain(member, planned, naive)] : []),
      also(member, planned),
    ];
    count("pairs");
    for (const kind of matched.flatMap(({ kinds = [] }) => kinds)) count(kind);
    const wrong = matched.flatMap((one) => one.broken ?? []);
    if (broken.length < mostKept) broken.push(...wrong.map((what) => `${what}\n${scenario(member, planned)}`));
  }
  return { counts, broken };
}

/** What was met on a way. */
export interface Matched {
  readonly kinds: readonly string[];
  /** A line for each that does not hold, its kind first. */
  readonly broken: readonly string[];
}

const mostKept = 1_000;

/** Undefined where the server would refuse the fixture after: a mapping is to be written, and its role is nowhere. */
function pathBetween(from: Fixture, to: Fixture, dialect: Dialect): Member | undefined {
  const { product, settings } = from;
  const [before, after] = [valuesOf(from, dialect), valuesOf(to, dialect)];
  const isUnwritable = changesBetween(before, after).some(
    (change) => change?.family === "role_mappings" && change.after && !(change.name in to.roles),
  );
  if (dialect.checksRoles && isUnwritable) return undefined;
  return { before, after, dialect, like: { product, ...(settings && { settings }) } };
}

function propertyOf(member: Member, planned: Planned, naive: Holder): Matched {
  const { before, after } = member;
  const { requests, faults, families } = planned;
  const [was, is] = [naive.of(before), naive.of(after)];
  const broken: string[] = [];
  // Documents are compared by what queries find, which the product does not know.
  const explained = new Set(faults.flatMap(({ kind, after: at }) => (kind === "unsure" ? [] : `${at} ${kind}`)));
  const matched = new Set<string>();
  let now = before;
  for (const [at, changes] of requests.entries()) {
    broken.push(...changes.flatMap((change) => (startsAt(change, now) ? [] : [`starts elsewhere: ${change.name}`])));
    now = made(now, changes);
    const breaches = breachesOf(was, naive.of(now), is);
    for (const { kind } of breaches) matched.add(`${at + 1} ${kind}`);
    if (refusals(changes, now, member).length > 0) matched.add(`${at + 1} refused`);
    if (faults.length === 0)
      broken.push(...breaches.map((breach) => `breach that is not reported: ${lineOf(breach, at)}`));
  }
  if (faults.length === 0 && [...matched].some((one) => one.endsWith("refused")))
    broken.push("refused and not reported:");
  broken.push(...[...explained].filter((one) => !matched.has(one)).map((one) => `reported and not so: ${one}`));
  const [isWhere, ends] = [JSON.stringify(now), JSON.stringify(after)];
  if (isWhere !== ends) broken.push(`ends elsewhere: in ${isWhere}`);
  const places = requests.map(([change]) => slots.findIndex(([family]) => family === change?.family));
  const isMoved = places.some((place, at) => place < (places[at - 1] ?? 0));
  return {
    kinds: [
      `requests ${requests.length}`,
      ...(isMoved ? ["moved"] : []),
      ...(requests.length > families ? ["split"] : []),
      ...(faults.length === 0 && (isMoved || requests.length > families) ? ["moved or split"] : []),
      ...(faults.length > 0 ? ["reported"] : []),
      ...(planned.isSpent ? ["not all evaluated"] : []),
    ],
    broken,
  };
}

/** What a request is to change is what is there. */
function startsAt({ family, name, before }: Change, values: Values): boolean {
  const value = values[slotOf(family, name)];
  return value === before || (value !== undefined && before !== undefined && isEqual(value, before));
}

/** Written in between: mappings of roles that come later, and what has no place in Search Guard 6. */
function refusals(
  changes: readonly Change[],
  now: Values,
  { before, after, like, dialect }: Member,
): readonly Change[] {
  const roleIn = (values: Values, name: string) => values[slotOf("roles", name)];
  return changes.filter(({ family, name, after: value }) => {
    if (!value) return false;
    if (family === "role_mappings")
      return dialect.checksRoles && !roleIn(now, name) && (roleIn(before, name) ?? roleIn(after, name));
    return (
      family === "roles" && like.product === "search-guard-6" && hasOneTwice(value) && value !== roleIn(after, name)
    );
  });
}

function hasOneTwice(role: Fields): boolean {
  const patterns = ((role as Role).index_permissions ?? []).flatMap(({ index_patterns = [] }) => index_patterns);
  return new Set(patterns).size < patterns.length;
}

/**
 * By what the product itself evaluates by it is an order of as many requests, or none is clean by that, too: of several breaches
 * of a moment either may name another one, and of several orders find another one. And all of the naive evaluator, asked about
 * whole fixtures, finds nothing in it.
 */
function planAgain(member: Member, planned: Planned, naive: Holder): Matched {
  const other = plannedByProduct(member);
  const [isExplained, isExplainedThere] = [planned, other].map(({ faults }) => faults.length > 0);
  const theirs = JSON.stringify(other.requests);
  const broken = isExplained !== isExplainedThere ? [`reported by one alone: ${theirs}`] : [];
  if (!isExplained && !isExplainedThere && planned.requests.length !== other.requests.length)
    broken.push(`an order of another length by the product: ${theirs}`);
  broken.push(...propertyOf(member, other, naive).broken.map((what) => `by the product, ${what}`));
  const fixtureOf = (values: Values) => fixtureAt(values, member.like);
  const find = breachesBetween(fixtureOf(member.before), fixtureOf(member.after));
  let now = member.before;
  for (const changes of isExplained ? [] : planned.requests) {
    now = made(now, changes);
    broken.push(...find(fixtureOf(now)).map((what) => `breach that only the whole evaluator finds: ${what}`));
  }
  return { kinds: ["planned again"], broken };
}

function lineOf({ whose, kind }: Breach, at: number): string {
  return `after ${at + 1}: ${kind} ${JSON.stringify(people[whose]?.members)}`;
}

function scenario(member: Member, { requests, faults }: Planned): string {
  const fixtures = [member.before, member.after].map((values) => fixtureAt(values, member.like));
  const lines = requests.map(
    (changes) => `  ${changes.map((one) => `${one.action} ${one.family} ${one.name} ${JSON.stringify(one.after)}`)}`,
  );
  return [
    `  ${JSON.stringify(fixtures)}`,
    ...lines,
    `  reported: ${JSON.stringify(faults.map(({ kind, after }) => [after, kind]))}`,
  ].join("\n");
}
