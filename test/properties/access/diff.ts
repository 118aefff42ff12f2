// What the access diff says between two small fixtures, held to the naive evaluator: at every index and action, of everybody.
import { compareAccess } from "../../../src/access/compare/compare.ts";
import type { Verdict } from "../../../src/access/verdict.ts";
import type { AccessDifference, AccessDifferences, Member, TenantDifference } from "../../../src/model/access.ts";
import type { Fixture, Person } from "../../support/evaluated.ts";
import { evaluate } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { modelOfFixture } from "../../support/modelled.ts";
import { isOfSeveralPermissions } from "../../support/several-permissions.ts";
import { holds } from "./holds.ts";
import {
  type AskedPerson,
  both,
  fixtureFor,
  hasName,
  isAt,
  isOut,
  membersIn,
  personOf,
  possiblePairs,
} from "./people.ts";
import { clusterActions, indexActions, indices, kindOf, levelIn, type Seen, seenBy, tenantsSeen } from "./seen.ts";

/** What is wrong with the diff, in lines; of some differences alone. */
export function brokenDiff(
  before: Fixture,
  after: Fixture,
  isMeant: (one: AccessDifference) => boolean = () => true,
): readonly string[] {
  const whole = compareAccess(modelOfFixture(before), modelOfFixture(after));
  const statements = whole.statements.map((one) => ({ ...one, differences: one.differences.filter(isMeant) }));
  const diff = { ...whole, statements };
  const isLeftOut = before.product === "opensearch" ? () => false : isOfSeveralPermissions;
  const unexpected = diff.unknowns.filter((text) => !isLeftOut(text));
  const broken: string[] = unexpected.map((text) => `unknown: ${text}`);
  const members = membersIn(before, after);
  const alone = members.map((member): AskedPerson => ({ members: [member], person: personOf([member]) }));
  for (const one of alone) broken.push(...ofPrincipal(before, after, diff, one));
  for (const [at, first] of alone.entries()) {
    for (const second of alone.slice(at + 1)) {
      const askedPerson = both(first, second);
      // A user who is both may be a third: one who has all of a set.
      const parts = alone.filter(
        (one) => one === first || one === second || (askedPerson && isSetIn(one, askedPerson)),
      );
      if (askedPerson) broken.push(...ofPair(before, after, diff, askedPerson, parts));
    }
  }
  const known = new Set(alone.map(({ members: [member] }) => JSON.stringify(member)));
  for (const { who } of diff.statements) {
    for (const one of who) {
      const theirs = one.kind === "principal" ? [one.member] : one.kind === "pair" ? one.members : [];
      if (theirs.length === 0 || !theirs.every((member) => known.has(JSON.stringify(member))))
        broken.push(`no such principal: ${JSON.stringify(one)}`);
    }
  }
  return [...broken, ...ofBlocked(before, after, diff, alone)];
}

interface Explained {
  readonly differences: readonly AccessDifference[];
  readonly tenants: readonly TenantDifference[];
}

function ofPrincipal(
  before: Fixture,
  after: Fixture,
  diff: AccessDifferences,
  askedPerson: AskedPerson,
): readonly string[] {
  const { members, person } = askedPerson;
  const key = JSON.stringify(members[0]);
  const found = diff.statements.filter(({ who }) =>
    who.some((one) => one.kind === "principal" && JSON.stringify(one.member) === key),
  );
  const explained: Explained = {
    differences: found.flatMap(({ differences }) => differences),
    tenants: found.flatMap(({ tenants }) => tenants),
  };
  // Blocks are reported by themselves.
  const pairs = pairsFor(before, after, person);
  const isByBlock = isOtherwiseBlocked(pairs, person);
  const broken = eachCase(pairs, askedPerson, explained.differences).flatMap(({ at, kind, kinds }) =>
    kinds.join() === (kind ?? "") || (isByBlock && kinds.length === 0)
      ? []
      : [`${key} ${at}: ${kind} reported ${kinds}`],
  );
  const levels = pairs.map((pair) => pair.map((fixture) => tenantsSeen(fixture, person)));
  const tenants = levels.flat().flatMap((seen) => [...seen.keys()]);
  for (const tenant of new Set([...tenants, ...explained.tenants.map((one) => one.tenant)])) {
    const at = (end: 0 | 1) => only(levels.map((ends) => ends[end]?.get(tenant) ?? "nothing")) ?? "unknown";
    const isSame = levels.every(([was, is]) => was?.get(tenant) === is?.get(tenant));
    const [from, to] = [at(0), at(1)];
    const reported = explained.tenants
      .filter((one) => one.tenant === tenant)
      .map((one) => `${one.before} ${one.after}`);
    if (isByBlock && reported.length === 0) continue;
    if (reported.join() !== (isSame ? "" : `${from} ${to}`))
      broken.push(`${key} ${tenant}: ${from} ${to}, reported ${reported}`);
  }
  return [...broken, ...witnesses(pairs, askedPerson, explained.differences)];
}

/** All that they may be for a principal. */
function pairsFor(before: Fixture, after: Fixture, person: Person): Pairs {
  return hasName(person) ? [[before, after]] : possiblePairs(before, after);
}

type Pairs = readonly (readonly [before: Fixture, after: Fixture])[];

function isOtherwiseBlocked(pairs: Pairs, person: Person): boolean {
  return pairs.some((pair) => {
    const [was, is] = pair.map((fixture) => isOut(fixtureFor(fixture, person), person));
    return was !== is;
  });
}

/** Undefined where they differ. */
function only<T>(all: readonly T[]): T | undefined {
  return new Set(all).size === 1 ? all[0] : undefined;
}

function ofPair(
  before: Fixture,
  after: Fixture,
  diff: AccessDifferences,
  askedPerson: AskedPerson,
  parts: readonly AskedPerson[],
): readonly string[] {
  const keyOf = (members: readonly Member[]) =>
    members
      .map((member) => JSON.stringify(member))
      .sort()
      .join(" ");
  const key = keyOf(askedPerson.members);
  const differences = diff.statements
    .filter(({ who }) => who.some((one) => one.kind === "pair" && keyOf(one.members) === key))
    .flatMap((statement) => statement.differences);
  const { person } = askedPerson;
  const pairs = pairsFor(before, after, person);
  const isByBlock = isOtherwiseBlocked(pairs, person);
  const explained = parts.map((one) => ({
    ...one,
    cases: eachCase(pairsFor(before, after, one.person), one, ofOne(diff, one)),
  }));
  const broken = eachCase(pairs, askedPerson, differences).flatMap(
    ({ at, kind, kinds, isUnknown, isMoreAlone }, index) => {
      // Of one of them it is reported already that there is more, or less.
      const directions = [directionOf(kind), ...(kind === undefined ? [] : ["may-change"])];
      const alike = explained.filter(({ cases }) => directions.includes(directionOf(cases[index]?.kind)));
      // With a known name what is unknown by one of the two alone may be certain, and what one of them restricts and the other
      // one loses may be unknown: then the pair adds that.
      const isOfTheTwo = alike.some(
        ({ members: [member], cases }) =>
          member !== undefined && askedPerson.members.includes(member) && isUnknown === isOpen(cases[index]),
      );
      const isSilent = kind === undefined || alike.length > 0 || isByBlock;
      // That one of them loses it is reported, and of both what may be seen more instead.
      const isReported = kinds.length === 0 || (isMoreAlone && alike.length > 0);
      const isRight = isReported ? isSilent : kinds.join() === kind && !isOfTheTwo;
      return isRight ? [] : [`${key} ${at}: ${kind} reported ${kinds}`];
    },
  );
  return [...broken, ...witnesses(pairs, askedPerson, differences)];
}

function ofOne({ statements }: AccessDifferences, { members: [member] }: AskedPerson): readonly AccessDifference[] {
  const key = JSON.stringify(member);
  return statements
    .filter(({ who }) => who.some((one) => one.kind === "principal" && JSON.stringify(one.member) === key))
    .flatMap(({ differences }) => differences);
}

/** Whether more is certain of a user of whom more is known. */
function isOpen(one: Case | undefined): boolean {
  return one?.isUnknown === true || one?.kind?.startsWith("may-") === true;
}

function isSetIn({ members: [member] }: AskedPerson, { person }: AskedPerson): boolean {
  return member?.field === "and_backend_roles" && member.entries.every((role) => person.backendRoles.includes(role));
}

interface Case {
  readonly at: string;
  readonly kind: string | undefined;
  /** As reported. */
  readonly kinds: readonly string[];
  /** Lost, or shown without a restriction by a grant that is unknown. */
  readonly isUnknown: boolean;
  /** Of the two, only that it may be shown without a restriction is reported. */
  readonly isMoreAlone: boolean;
}

/**
 * What is lost goes together with its restriction. Where an unknown grant beside it is there, more is seen instead: `lost` alone
 * would be wrong, so that `may-change` is reported beside it, of exactly what the known part loses; alone where that may be lost.
 */
function isLossThatMayShowMore({ kind, before, depends, besides }: AccessDifference): boolean {
  return kind === "may-change" && depends !== undefined && besides !== undefined && before?.restricted === "yes";
}

function kindOfKnownPart(difference: AccessDifference, pairs: Pairs): AccessDifference["kind"] {
  if (!isLossThatMayShowMore(difference)) return difference.kind;
  return pairs.length > 1 ? "may-lose" : "lost";
}

/** Of a change that may be each of these. */
function kindOfAll(kinds: readonly Kind[]): Kind {
  const all = new Set(kinds);
  if (all.size === 1) return kinds[0];
  const isAmong = (...some: readonly Kind[]) => [...all].every((kind) => kind === undefined || some.includes(kind));
  // More or less of what is seen is another sight.
  if (!all.has("gained") && !all.has("lost")) return "may-change";
  if (isAmong("gained", "widened")) return "may-gain";
  return isAmong("lost", "narrowed") ? "may-lose" : "may-change";
}

type Kind = AccessDifference["kind"] | undefined;

function eachCase(pairs: Pairs, { person }: AskedPerson, differences: readonly AccessDifference[]): readonly Case[] {
  const seen = pairs.map(([before, after]) => [seenBy(before, person), seenBy(after, person)] as const);
  const one = (action: string, index?: string): Case => {
    const at = index === undefined ? action : `${action} ${index}`;
    const found = differences.filter((difference) =>
      holds(difference, action, index, pairs[0]?.[0].aliases?.[index ?? ""]),
    );
    const kind = kindOfAll(seen.map(([was, is]) => kindOf(was.get(at) as Seen, is.get(at) as Seen)));
    const [beside, known] = [found.filter(isLossThatMayShowMore), found.filter((one) => !isLossThatMayShowMore(one))];
    return {
      at,
      kind,
      kinds: known.length > 0 ? known.map((difference) => difference.kind) : beside.map(() => "may-lose" as const),
      isUnknown: beside.length > 0,
      isMoreAlone: beside.length > 0 && known.length === 0,
    };
  };
  return [
    ...clusterActions.map((action) => one(action)),
    ...indexActions.flatMap((action) => indices.map((index) => one(action, index))),
  ];
}

/** A witness is of its own difference, flips, and is granted, or shown otherwise, by the role that is named. */
function witnesses(pairs: Pairs, { person }: AskedPerson, differences: readonly AccessDifference[]): readonly string[] {
  const [before, after] = pairs[0] as Pairs[number];
  return differences.flatMap((difference) => {
    const { witness, via, besides = [] } = difference;
    const kind = kindOfKnownPart(difference, pairs);
    const { action, index } = witness;
    const kinds = kindOfAll(
      pairs.map(([was, is]) => kindOf(levelIn(was, person, action, index), levelIn(is, person, action, index))),
    );
    const aliases = before.aliases?.[index ?? ""] ?? [];
    const isIn = holds(difference, action, index, aliases);
    const fixture = kind === "lost" || kind === "may-lose" ? before : after;
    const isSight = kind === "widened" || kind === "narrowed" || kind === "changed";
    const restricts = (fixture: Fixture): boolean =>
      (fixture.roles[via?.role ?? ""]?.index_permissions ?? []).some(
        ({ dls, fls = [], masked_fields: masks = [] }) => dls || fls.length + masks.length > 0,
      );
    const granted =
      // What may be seen otherwise is so by the unknown grant.
      (isLossThatMayShowMore(difference) && besides.some(({ role }) => role === via?.role)) ||
      (via && isSight && restricts(kind === "widened" ? before : after)) ||
      (via &&
        evaluate(
          { ...fixture, blocks: [], mappings: {} },
          { ...person, roles: [via.role] },
          [action],
          index === undefined ? [] : [{ name: index, aliases }],
        ));
    const isRight = kinds === kind && isIn && granted;
    return isRight ? [] : [`witness ${JSON.stringify([kind, witness, via?.role])}: ${kinds}, ${isIn}, ${!!granted}`];
  });
}

function ofBlocked(before: Fixture, after: Fixture, { blockedDiff }: AccessDifferences, all: readonly AskedPerson[]) {
  const shut = (fixture: Fixture, askedPerson: Person): Verdict => (isOut(fixture, askedPerson) ? "yes" : "no");
  const unreported = all.flatMap(({ person }) => {
    const [was, is] = [shut(before, person), shut(after, person)];
    const isNamed = blockedDiff.some(
      (one) =>
        isOrUnknown(one.before, was) &&
        isOrUnknown(one.after, is) &&
        (one.who === "everybody"
          ? !isNamedIn([before, after], person)
          : one.who.type === "name"
            ? matches(one.who.value, person.user)
            : isAt(one.who.value, person.host)),
    );
    return was === is || isNamed ? [] : [`blocked: ${JSON.stringify(person)} ${was} ${is} not reported`];
  });
  const wrong = blockedDiff.flatMap((one) => {
    const field = one.who !== "everybody" && one.who.type !== "name" ? "hosts" : "users";
    const person = personOf(one.who === "everybody" ? [] : [{ field, entries: [one.who.value] }]);
    // Of an address, whatever the name, or of a name from wherever; and of a name and an address that no block names.
    const [was, is] = [before, after].map((fixture) =>
      (one.who === "everybody" ? [fixture] : [fixtureFor(fixture, person), fixture]).map((each) => shut(each, person)),
    );
    const isTrue = one.before === (only(was ?? []) ?? "unknown") && one.after === (only(is ?? []) ?? "unknown");
    return isTrue ? [] : [`entering: ${JSON.stringify(one)}, in truth ${was} ${is}`];
  });
  return [...unreported, ...wrong];
}

function isOrUnknown(reported: Verdict, real: Verdict): boolean {
  return reported === real || reported === "unknown";
}

/** Of a principal that a block names, the line about everybody says nothing. */
function isNamedIn(fixtures: readonly Fixture[], { user, host }: Person): boolean {
  return fixtures.some(({ blocks = [] }) =>
    blocks.some(({ type, value }) => value.some((one) => (type === "name" ? matches(one, user) : isAt(one, host)))),
  );
}

function directionOf(kind: string | undefined): string | undefined {
  if (kind === "gained" || kind === "widened" || kind === "may-gain") return "more";
  if (kind === "may-lose") return "less";
  return kind === "lost" || kind === "narrowed" ? "less" : kind;
}
