// What a request on the way does to somebody, as the naive judge says it: everything that is held, piece by piece, so that
// what is neither before nor after (a leak) or both before and after and not in between (an outage) is told by sets.
import type { Way } from "../../../src/model/access.ts";
import { rolesOf } from "../../support/judge.ts";
import type { World } from "../../support/judged.ts";
import { rememberedByObject } from "../../support/remembered.ts";
import { both, isOut, personOf, type Somebody, waysIn, worldFor } from "../access/people.ts";
import { type Seen, seenBy, tenantsSeen } from "../access/seen.ts";

/** Breaches of a state between two others, as lines; none where it is clean. */
export type Between = (between: World) => readonly string[];

/** For everybody who is named before or after, and for each two of them as one. */
export function breachesBetween(before: World, after: World): Between {
  const people = peopleIn(before, after).map((somebody) => {
    const [was, is] = [held(before, somebody), held(after, somebody)];
    return { somebody, was, is };
  });
  return (between) =>
    people.flatMap(({ somebody, was, is }) => {
      const now = held(between, somebody);
      if (now === was || now === is) return [];
      const found = breachesOf(was, now, is);
      return found.slice(0, 2).map((what) => `${JSON.stringify(somebody.ways)} ${what}`);
    });
}

const known = new Map<string, readonly Somebody[]>();

function peopleIn(before: World, after: World): readonly Somebody[] {
  const ways = [...waysIn(before, after), ...[before, after].flatMap(waysOfBlocks)];
  const key = JSON.stringify(ways);
  const people = known.get(key) ?? withPairs(unique(ways).map((way) => ({ ways: [way], person: personOf([way]) })));
  known.set(key, people);
  return people;
}

/** Whoever a block is about may be anybody whom a mapping names; an `allow` is about everybody else. */
function waysOfBlocks({ blocks = [] }: World): readonly Way[] {
  return blocks.flatMap(({ type, value, verdict }) => {
    const [field, anybodyElse] = type === "name" ? (["users", "else"] as const) : (["hosts", "203.0.113.7"] as const);
    const named = value.map((entry) => entry.split("/", 1)[0] ?? "");
    return [...named, ...(verdict === "allow" ? [anybodyElse] : [])].map((entry): Way => ({ field, entries: [entry] }));
  });
}

function unique(ways: readonly Way[]): readonly Way[] {
  return [...new Map(ways.map((way) => [JSON.stringify(way), way])).values()];
}

function withPairs(alone: readonly Somebody[]): readonly Somebody[] {
  return [...alone, ...alone.flatMap((one, at) => alone.slice(at + 1).flatMap((other) => both(one, other) ?? []))];
}

/** A bit for each piece. */
type Pieces = Uint32Array;

function breachesOf(was: Pieces, now: Pieces, is: Pieces): readonly string[] {
  const leaks = now.map((word, at) => word & ~((was[at] ?? 0) | (is[at] ?? 0)));
  const outages = now.map((word, at) => (was[at] ?? 0) & (is[at] ?? 0) & ~word);
  return [...namesIn(leaks).map((name) => `leak ${name}`), ...namesIn(outages).map((name) => `outage ${name}`)];
}

function namesIn(pieces: Pieces): readonly string[] {
  if (pieces.every((word) => word === 0)) return [];
  return names.filter((_, bit) => (((pieces[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1);
}

const names: string[] = [];
const bits = new Map<string, number>();

function bitOf(name: string): number {
  const bit = bits.get(name) ?? names.push(name) - 1;
  if (bit >= most * 32) throw new Error("bug: more pieces than there are bits");
  bits.set(name, bit);
  return bit;
}

const all = new Map<string, Pieces>();

/** The same object for all who hold the same roles alike: of people without variables nothing else counts. */
const held = rememberedByObject((world: World, somebody: Somebody): Pieces => {
  const key = keyOf(world, somebody);
  const pieces = all.get(key) ?? packed(piecesOf(world, somebody));
  all.set(key, pieces);
  return pieces;
});

/** By their names products know only the roles of their dashboards; no tenant has the name of a user. */
function keyOf(world: World, { person }: Somebody): string {
  const { product, settings, groups, tenants = [] } = world;
  const roles = rolesOf(world, person).map((name) => {
    const known = /^(SGS_)?KIBANA_USER$/i.test(name) ? name : "";
    return JSON.stringify([known, world.roles[name] ?? {}]);
  });
  const isKeptOut = isOut(worldFor(world, person), person);
  return JSON.stringify([product, settings, isKeptOut, roles.sort(), groups, tenants]);
}

function packed(pieces: readonly string[]): Pieces {
  const words = new Uint32Array(most);
  for (const bit of pieces.map(bitOf)) words[bit >> 5] = (words[bit >> 5] ?? 0) | (1 << (bit & 31));
  return words;
}

/** Words of 32 bits: more than there are pieces in worlds of these actions, indices, documents and fields. */
const most = 256;

/** Of a document with a field, as clearly as it is shown. */
function piecesOf(world: World, { person }: Somebody): readonly string[] {
  const seen = [...seenBy(world, person)].flatMap(([at, what]) => piecesSeen(what).map((piece) => `${at} ${piece}`));
  const tenants = [...tenantsSeen(world, person)].flatMap(([tenant, level]) =>
    level === "write" ? [`tenant ${tenant} read`, `tenant ${tenant} write`] : [`tenant ${tenant} read`],
  );
  return [...seen, ...tenants];
}

function piecesSeen(seen: Seen): readonly string[] {
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
