// What the access diff says between two small fixtures, held to the naive evaluator: at every index and action, of everybody.
import { compareAccess } from "../../../src/access/compare/compare.ts";
import type { AccessDifference, AccessDifferences, Member, TenantDifference } from "../../../src/model/access.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { evaluate } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { modelOfFixture } from "../../support/modelled.ts";
import { holds } from "./holds.ts";
import { type AskedPerson, both, fixtureFor, isOut, membersIn, personOf } from "./people.ts";
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
  const broken: string[] = diff.unknowns.map((text) => `unknown: ${text}`);
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
  const isByBlock = isOut(fixtureFor(before, person), person) !== isOut(fixtureFor(after, person), person);
  const broken = eachCase(before, after, askedPerson, explained.differences).flatMap(({ at, kind, kinds }) =>
    kinds.join() === (kind ?? "") || (isByBlock && kinds.length === 0)
      ? []
      : [`${key} ${at}: ${kind} reported ${kinds}`],
  );
  const [was, is] = [tenantsSeen(before, person), tenantsSeen(after, person)];
  for (const tenant of new Set([...was.keys(), ...is.keys(), ...explained.tenants.map((one) => one.tenant)])) {
    const [from, to] = [was.get(tenant) ?? "nothing", is.get(tenant) ?? "nothing"];
    const reported = explained.tenants
      .filter((one) => one.tenant === tenant)
      .map((one) => `${one.before} ${one.after}`);
    if (isByBlock && reported.length === 0) continue;
    if (reported.join() !== (from === to ? "" : `${from} ${to}`))
      broken.push(`${key} ${tenant}: ${from} ${to}, reported ${reported}`);
  }
  return [...broken, ...witnesses(before, after, askedPerson, explained.differences)];
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
  const isByBlock = isOut(fixtureFor(before, person), person) !== isOut(fixtureFor(after, person), person);
  const explained = parts.map((one) => ({ ...one, cases: eachCase(before, after, one, ofOne(diff, one)) }));
  const broken = eachCase(before, after, askedPerson, differences).flatMap(({ at, kind, kinds, isUnknown }, index) => {
    // Of one of them it is reported already that there is more, or less.
    const alike = explained.filter(({ cases }) => directionOf(cases[index]?.kind) === directionOf(kind));
    // With a known name what is unknown by one of the two alone may be certain: then the pair adds that.
    const isOfTheTwo = alike.some(
      ({ members: [member], cases }) =>
        member !== undefined && askedPerson.members.includes(member) && (isUnknown || !cases[index]?.isUnknown),
    );
    const isSilent = kind === undefined || alike.length > 0 || isByBlock;
    const isRight = kinds.length === 0 ? isSilent : kinds.join() === kind && !isOfTheTwo;
    return isRight ? [] : [`${key} ${at}: ${kind} reported ${kinds}`];
  });
  return [...broken, ...witnesses(before, after, askedPerson, differences)];
}

function ofOne({ statements }: AccessDifferences, { members: [member] }: AskedPerson): readonly AccessDifference[] {
  const key = JSON.stringify(member);
  return statements
    .filter(({ who }) => who.some((one) => one.kind === "principal" && JSON.stringify(one.member) === key))
    .flatMap(({ differences }) => differences);
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
}

/**
 * What is lost goes together with its restriction. Where an unknown grant beside it is there, more is seen instead: `lost` alone
 * would be wrong, so the difference says `may-change`, of exactly what the known part loses.
 */
function isLossThatMayShowMore({ kind, before, depends, besides }: AccessDifference): boolean {
  return kind === "may-change" && depends !== undefined && besides !== undefined && before?.restricted === "yes";
}

function kindOfKnownPart(difference: AccessDifference): AccessDifference["kind"] {
  return isLossThatMayShowMore(difference) ? "lost" : difference.kind;
}

function eachCase(
  before: Fixture,
  after: Fixture,
  { person }: AskedPerson,
  differences: readonly AccessDifference[],
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
  before: Fixture,
  after: Fixture,
  { person }: AskedPerson,
  differences: readonly AccessDifference[],
): readonly string[] {
  return differences.flatMap((difference) => {
    const { witness, via, besides = [] } = difference;
    const kind = kindOfKnownPart(difference);
    const { action, index } = witness;
    const kinds = kindOf(levelIn(before, person, action, index), levelIn(after, person, action, index));
    const isIn = holds(difference, action, index);
    const fixture = kind === "lost" ? before : after;
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
          index === undefined ? [] : [{ name: index }],
        ));
    const isRight = kinds === kind && isIn && granted;
    return isRight ? [] : [`witness ${JSON.stringify([kind, witness, via?.role])}: ${kinds}, ${isIn}, ${!!granted}`];
  });
}

function ofBlocked(before: Fixture, after: Fixture, { blockedDiff }: AccessDifferences, all: readonly AskedPerson[]) {
  const shut = (fixture: Fixture, askedPerson: AskedPerson["person"]) => (isOut(fixture, askedPerson) ? "yes" : "no");
  const unreported = all.flatMap(({ person }) => {
    const [was, is] = [shut(before, person), shut(after, person)];
    const isNamed = blockedDiff.some(
      (one) =>
        one.before === was &&
        one.after === is &&
        (one.who === "everybody" ||
          matches(one.who.value, one.who.type === "name" ? person.user : (person.host ?? ""))),
    );
    return was === is || isNamed ? [] : [`blocked: ${JSON.stringify(person)} ${was} ${is} not reported`];
  });
  const wrong = blockedDiff.flatMap((one) => {
    const field = one.who !== "everybody" && one.who.type === "ip" ? "hosts" : "users";
    const person = personOf(one.who === "everybody" ? [] : [{ field, entries: [one.who.value] }]);
    // Of a user from an address, whatever the name.
    const at = (fixture: Fixture) => shut(one.who === "everybody" ? fixture : fixtureFor(fixture, person), person);
    const [was, is] = [at(before), at(after)];
    const isOfAll = blockedDiff.some(
      (all) => all !== one && all.who === "everybody" && all.before === one.before && all.after === one.after,
    );
    return one.before === was && one.after === is && !isOfAll
      ? []
      : [`entering: ${JSON.stringify(one)}, in truth ${was} ${is}`];
  });
  return [...unreported, ...wrong];
}

function directionOf(kind: string | undefined): string | undefined {
  if (kind === "gained" || kind === "widened") return "more";
  return kind === "lost" || kind === "narrowed" ? "less" : kind;
}
