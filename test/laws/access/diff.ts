// What the access diff says between two small worlds, held to the naive judge: at every index and action, of everybody.
import { compareAccess } from "../../../src/access/compare/compare.ts";
import type { AccessDifferences, Difference, TenantDifference, Way } from "../../../src/model/access.ts";
import { judge } from "../../support/judge.ts";
import { meets } from "../../support/judge-patterns.ts";
import type { World } from "../../support/judged.ts";
import { modelOfWorld } from "../../support/modelled.ts";
import { holds } from "./holds.ts";
import { both, isOut, personOf, type Somebody, waysIn, worldFor } from "./people.ts";
import { clusterActions, indexActions, indices, kindOf, levelIn, type Seen, seenBy, tenantsSeen } from "./seen.ts";

/** What is wrong with the diff, in lines; of some differences alone. */
export function brokenDiff(
  before: World,
  after: World,
  isMeant: (one: Difference) => boolean = () => true,
): readonly string[] {
  const whole = compareAccess(modelOfWorld(before), modelOfWorld(after));
  const statements = whole.statements.map((one) => ({ ...one, differences: one.differences.filter(isMeant) }));
  const diff = { ...whole, statements };
  const broken: string[] = diff.untold.map((text) => `untold: ${text}`);
  const ways = waysIn(before, after);
  const alone = ways.map((way): Somebody => ({ ways: [way], person: personOf([way]) }));
  for (const one of alone) broken.push(...ofPrincipal(before, after, diff, one));
  for (const [at, first] of alone.entries()) {
    for (const second of alone.slice(at + 1)) {
      const somebody = both(first, second);
      // Whoever is both may be a third: somebody who has all of a set.
      const parts = alone.filter((one) => one === first || one === second || (somebody && isSetIn(one, somebody)));
      if (somebody) broken.push(...ofPair(before, after, diff, somebody, parts));
    }
  }
  const known = new Set(alone.map(({ ways: [way] }) => JSON.stringify(way)));
  for (const { who } of diff.statements) {
    for (const one of who) {
      const theirs = one.kind === "principal" ? [one.way] : one.kind === "pair" ? one.ways : [];
      if (theirs.length === 0 || !theirs.every((way) => known.has(JSON.stringify(way))))
        broken.push(`nobody: ${JSON.stringify(one)}`);
    }
  }
  return [...broken, ...ofEntering(before, after, diff, alone)];
}

interface Told {
  readonly differences: readonly Difference[];
  readonly tenants: readonly TenantDifference[];
}

function ofPrincipal(before: World, after: World, diff: AccessDifferences, somebody: Somebody): readonly string[] {
  const { ways, person } = somebody;
  const key = JSON.stringify(ways[0]);
  const found = diff.statements.filter(({ who }) =>
    who.some((one) => one.kind === "principal" && JSON.stringify(one.way) === key),
  );
  const told: Told = {
    differences: found.flatMap(({ differences }) => differences),
    tenants: found.flatMap(({ tenants }) => tenants),
  };
  // Blocks are told by themselves.
  const isByBlock = isOut(worldFor(before, person), person) !== isOut(worldFor(after, person), person);
  const broken = eachCase(before, after, somebody, told.differences).flatMap(({ at, kind, kinds }) =>
    kinds.join() === (kind ?? "") || (isByBlock && kinds.length === 0) ? [] : [`${key} ${at}: ${kind} told ${kinds}`],
  );
  const [was, is] = [tenantsSeen(before, person), tenantsSeen(after, person)];
  for (const tenant of new Set([...was.keys(), ...is.keys(), ...told.tenants.map((one) => one.tenant)])) {
    const [from, to] = [was.get(tenant) ?? "nothing", is.get(tenant) ?? "nothing"];
    const said = told.tenants.filter((one) => one.tenant === tenant).map((one) => `${one.before} ${one.after}`);
    if (isByBlock && said.length === 0) continue;
    if (said.join() !== (from === to ? "" : `${from} ${to}`))
      broken.push(`${key} ${tenant}: ${from} ${to}, told ${said}`);
  }
  return [...broken, ...witnesses(before, after, somebody, told.differences)];
}

function ofPair(
  before: World,
  after: World,
  diff: AccessDifferences,
  somebody: Somebody,
  parts: readonly Somebody[],
): readonly string[] {
  const keyOf = (ways: readonly Way[]) =>
    ways
      .map((way) => JSON.stringify(way))
      .sort()
      .join(" ");
  const key = keyOf(somebody.ways);
  const differences = diff.statements
    .filter(({ who }) => who.some((one) => one.kind === "pair" && keyOf(one.ways) === key))
    .flatMap((statement) => statement.differences);
  const { person } = somebody;
  const isByBlock = isOut(worldFor(before, person), person) !== isOut(worldFor(after, person), person);
  const told = parts.map((one) => ({ ...one, cases: eachCase(before, after, one, ofOne(diff, one)) }));
  const broken = eachCase(before, after, somebody, differences).flatMap(({ at, kind, kinds, isUnknown }, index) => {
    // Of one of them it is told already that there is more, or less.
    const alike = told.filter(({ cases }) => directionOf(cases[index]?.kind) === directionOf(kind));
    // With a known name what is unknown by one of the two alone may be certain: then the pair adds that.
    const isOfTheTwo = alike.some(
      ({ ways: [way], cases }) =>
        way !== undefined && somebody.ways.includes(way) && (isUnknown || !cases[index]?.isUnknown),
    );
    const isSilent = kind === undefined || alike.length > 0 || isByBlock;
    const isRight = kinds.length === 0 ? isSilent : kinds.join() === kind && !isOfTheTwo;
    return isRight ? [] : [`${key} ${at}: ${kind} told ${kinds}`];
  });
  return [...broken, ...witnesses(before, after, somebody, differences)];
}

function ofOne({ statements }: AccessDifferences, { ways: [way] }: Somebody): readonly Difference[] {
  const key = JSON.stringify(way);
  return statements
    .filter(({ who }) => who.some((one) => one.kind === "principal" && JSON.stringify(one.way) === key))
    .flatMap(({ differences }) => differences);
}

function isSetIn({ ways: [way] }: Somebody, { person }: Somebody): boolean {
  return way?.field === "and_backend_roles" && way.entries.every((role) => person.backendRoles.includes(role));
}

interface Case {
  readonly at: string;
  readonly kind: string | undefined;
  /** As told. */
  readonly kinds: readonly string[];
  /** Lost, or shown without a restriction by a grant that is unknown. */
  readonly isUnknown: boolean;
}

/**
 * What is lost goes together with its restriction. Where an unknown grant beside it is there, more is seen instead: `lost` alone
 * would be wrong, so the difference says `may-change`, of exactly what the known part loses.
 */
function isLossThatMayShowMore({ kind, before, depends, besides }: Difference): boolean {
  return kind === "may-change" && depends !== undefined && besides !== undefined && before?.restricted === "yes";
}

function kindOfKnownPart(difference: Difference): Difference["kind"] {
  return isLossThatMayShowMore(difference) ? "lost" : difference.kind;
}

function eachCase(
  before: World,
  after: World,
  { person }: Somebody,
  differences: readonly Difference[],
): readonly Case[] {
  const [was, is] = [seenBy(before, person), seenBy(after, person)];
  const one = (action: string, index?: string): Case => {
    const at = index === undefined ? action : `${action} ${index}`;
    const found = differences.filter((difference) => holds(difference, action, index));
    const kind = kindOf(was.get(at) as Seen, is.get(at) as Seen);
    return { at, kind, kinds: found.map(kindOfKnownPart), isUnknown: found.some(isLossThatMayShowMore) };
  };
  return [
    ...clusterActions.map((action) => one(action)),
    ...indexActions.flatMap((action) => indices.map((index) => one(action, index))),
  ];
}

/** A witness is of its own difference, flips, and is granted, or shown otherwise, by the role that is named. */
function witnesses(
  before: World,
  after: World,
  { person }: Somebody,
  differences: readonly Difference[],
): readonly string[] {
  return differences.flatMap((difference) => {
    const { witness, via, besides = [] } = difference;
    const kind = kindOfKnownPart(difference);
    const { action, index } = witness;
    const kinds = kindOf(levelIn(before, person, action, index), levelIn(after, person, action, index));
    const isIn = holds(difference, action, index);
    const world = kind === "lost" ? before : after;
    const isSight = kind === "widened" || kind === "narrowed" || kind === "changed";
    const restricts = (world: World): boolean =>
      (world.roles[via?.role ?? ""]?.index_permissions ?? []).some(
        ({ dls, fls = [], masked_fields: masks = [] }) => dls || fls.length + masks.length > 0,
      );
    const granted =
      // What may be seen otherwise is so by the unknown grant.
      (isLossThatMayShowMore(difference) && besides.some(({ role }) => role === via?.role)) ||
      (via && isSight && restricts(kind === "widened" ? before : after)) ||
      (via &&
        judge(
          { ...world, blocks: [], mappings: {} },
          { ...person, roles: [via.role] },
          [action],
          index === undefined ? [] : [{ name: index }],
        ));
    const isRight = kinds === kind && isIn && granted;
    return isRight ? [] : [`witness ${JSON.stringify([kind, witness, via?.role])}: ${kinds}, ${isIn}, ${!!granted}`];
  });
}

function ofEntering(before: World, after: World, { entering }: AccessDifferences, all: readonly Somebody[]) {
  const shut = (world: World, somebody: Somebody["person"]) => (isOut(world, somebody) ? "yes" : "no");
  const untold = all.flatMap(({ person }) => {
    const [was, is] = [shut(before, person), shut(after, person)];
    const isNamed = entering.some(
      (one) =>
        one.before === was &&
        one.after === is &&
        (one.who === "everybody" || meets(one.who.value, one.who.type === "name" ? person.user : (person.host ?? ""))),
    );
    return was === is || isNamed ? [] : [`entering: ${JSON.stringify(person)} ${was} ${is} untold`];
  });
  const wrong = entering.flatMap((one) => {
    const field = one.who !== "everybody" && one.who.type === "ip" ? "hosts" : "users";
    const person = personOf(one.who === "everybody" ? [] : [{ field, entries: [one.who.value] }]);
    // Of whoever comes from an address, whatever the name.
    const at = (world: World) => shut(one.who === "everybody" ? world : worldFor(world, person), person);
    const [was, is] = [at(before), at(after)];
    const isOfAll = entering.some(
      (all) => all !== one && all.who === "everybody" && all.before === one.before && all.after === one.after,
    );
    return one.before === was && one.after === is && !isOfAll
      ? []
      : [`entering: ${JSON.stringify(one)}, in truth ${was} ${is}`];
  });
  return [...untold, ...wrong];
}

function directionOf(kind: string | undefined): string | undefined {
  if (kind === "gained" || kind === "widened") return "more";
  return kind === "lost" || kind === "narrowed" ? "less" : kind;
}
