// What an intermediate request does to a principal, as the naive evaluator says it: everything that is held, part by part, so that
// what is neither before nor after (a leak) or both before and after and not in between (an outage) is found by sets.
import type { Member } from "../../../src/model/access.ts";
import type { Fixture } from "../../support/evaluated.ts";
import { rolesOf } from "../../support/evaluator.ts";
import { rememberedByObject } from "../../support/remembered.ts";
import { type AskedPerson, both, fixtureFor, isOut, membersIn, personOf } from "../access/people.ts";
import { type Seen, seenBy, tenantsSeen } from "../access/seen.ts";

/** Breaches of a state between two others, as lines; none where it is clean. */
export type Between = (between: Fixture) => readonly string[];

/** For everybody who is named before or after, and for each two of them as one. */
export function breachesBetween(before: Fixture, after: Fixture): Between {
  const people = peopleIn(before, after).map((askedPerson) => {
    const [was, is] = [held(before, askedPerson), held(after, askedPerson)];
    return { askedPerson, was, is };
  });
  return (between) =>
    people.flatMap(({ askedPerson, was, is }) => {
      const now = held(between, askedPerson);
      if (now === was || now === is) return [];
      const found = breachesOf(was, now, is);
      return found.slice(0, 2).map((what) => `${JSON.stringify(askedPerson.members)} ${what}`);
    });
}

const known = new Map<string, readonly AskedPerson[]>();

function peopleIn(before: Fixture, after: Fixture): readonly AskedPerson[] {
  const members = [...membersIn(before, after), ...[before, after].flatMap(membersOfBlocks)];
  const key = JSON.stringify(members);
  const people =
    known.get(key) ?? withPairs(unique(members).map((member) => ({ members: [member], person: personOf([member]) })));
  known.set(key, people);
  return people;
}

/** A block may be about anybody whom a mapping names; an `allow` is about everybody else. */
function membersOfBlocks({ blocks = [] }: Fixture): readonly Member[] {
  return blocks.flatMap(({ type, value, verdict }) => {
    const [field, anybodyElse] = type === "name" ? (["users", "else"] as const) : (["hosts", "203.0.113.7"] as const);
    const named = value.map((entry) => entry.split("/", 1)[0] ?? "");
    return [...named, ...(verdict === "allow" ? [anybodyElse] : [])].map(
      (entry): Member => ({ field, entries: [entry] }),
    );
  });
}

function unique(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [JSON.stringify(member), member])).values()];
}

function withPairs(alone: readonly AskedPerson[]): readonly AskedPerson[] {
  return [...alone, ...alone.flatMap((one, at) => alone.slice(at + 1).flatMap((other) => both(one, other) ?? []))];
}

/** A bit for each piece. */
type Batches = Uint32Array;

function breachesOf(was: Batches, now: Batches, is: Batches): readonly string[] {
  const leaks = now.map((word, at) => word & ~((was[at] ?? 0) | (is[at] ?? 0)));
  const outages = now.map((word, at) => (was[at] ?? 0) & (is[at] ?? 0) & ~word);
  return [...namesIn(leaks).map((name) => `leak ${name}`), ...namesIn(outages).map((name) => `outage ${name}`)];
}

function namesIn(batches: Batches): readonly string[] {
  if (batches.every((word) => word === 0)) return [];
  return names.filter((_, bit) => (((batches[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1);
}

const names: string[] = [];
const bits = new Map<string, number>();

function bitOf(name: string): number {
  const bit = bits.get(name) ?? names.push(name) - 1;
  if (bit >= most * 32) throw new Error("bug: more pieces than there are bits");
  bits.set(name, bit);
  return bit;
}

const all = new Map<string, Batches>();

/** The same object for all who hold the same roles alike: of people without variables nothing else counts. */
const held = rememberedByObject((fixture: Fixture, askedPerson: AskedPerson): Batches => {
  const key = keyOf(fixture, askedPerson);
  const batches = all.get(key) ?? packed(batchesOf(fixture, askedPerson));
  all.set(key, batches);
  return batches;
});

/** By their names products know only the roles of their dashboards; no tenant has the name of a user. */
function keyOf(fixture: Fixture, { person }: AskedPerson): string {
  const { product, settings, groups, tenants = [] } = fixture;
  const roles = rolesOf(fixture, person).map((name) => {
    const known = /^(SGS_)?KIBANA_USER$/i.test(name) ? name : "";
    return JSON.stringify([known, fixture.roles[name] ?? {}]);
  });
  const isKeptOut = isOut(fixtureFor(fixture, person), person);
  return JSON.stringify([product, settings, isKeptOut, roles.sort(), groups, tenants]);
}

function packed(batches: readonly string[]): Batches {
  const words = new Uint32Array(most);
  for (const bit of batches.map(bitOf)) words[bit >> 5] = (words[bit >> 5] ?? 0) | (1 << (bit & 31));
  return words;
}

/** Words of 32 bits: more than there are pieces in fixtures of these actions, indices, documents and fields. */
const most = 256;

/** Of a document with a field, as clearly as it is shown. */
function batchesOf(fixture: Fixture, { person }: AskedPerson): readonly string[] {
  const seen = [...seenBy(fixture, person)].flatMap(([at, what]) => batchesSeen(what).map((batch) => `${at} ${batch}`));
  const tenants = [...tenantsSeen(fixture, person)].flatMap(([tenant, level]) =>
    level === "write" ? [`tenant ${tenant} read`, `tenant ${tenant} write`] : [`tenant ${tenant} read`],
  );
  return [...seen, ...tenants];
}

function batchesSeen(seen: Seen): readonly string[] {
  if (seen === "denied") return [];
  if (seen === "allowed") return ["allowed"];
  return seen.docs.flatMap((document) => [
    `${document}`,
    ...seen.fields.flatMap((look, field) => {
      if (look === "hidden") return [];
      return look === "shown" ? [`${document} ${field} 1`, `${document} ${field} 2`] : [`${document} ${field} 1`];
    }),
  ]);
}
