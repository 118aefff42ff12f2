// What everybody holds in a fixture of the proofs: asked of an evaluator once for all that comes to the same, so that millions of
// fixtures can be evaluated; and now and then again, of another whole fixture that is said to come to the same.
import { assert } from "../../../src/diagnostics/failure.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Member } from "../../../src/model/access.ts";
import type { Block, Element, Fixture, Mapping, Role } from "../../support/evaluated.ts";
import { type AskedPerson, both, personOf } from "../access/people.ts";
import { remembered } from "./remembered.ts";
import { fixtureAt, type Values } from "./slots.ts";
import { type Evaluate, parts } from "./two-evaluators.ts";

/** Everybody whom mappings and blocks of the fixtures name, and each two who may be one; in the planner's order. */
export const people: readonly AskedPerson[] = everybody();

/** Of each of the people, for each part, what is held: a bit for each piece. Who has the same roles has the same list. */
export type Holdings = readonly HeldParts[];
type HeldParts = readonly bigint[];

export interface Breach {
  /** The place among the people. */
  readonly whose: number;
  readonly kind: "leak" | "outage";
}

/** The breaches between two fixtures of one in between: each kind once for each of the people that it hits. */
export function breachesOf(was: Holdings, now: Holdings, is: Holdings): readonly Breach[] {
  const found: Breach[] = [];
  for (const [whose, between] of now.entries()) {
    const [before, after] = [was[whose], is[whose]];
    if (!before || !after || between === before || between === after) continue;
    for (const [part, held] of between.entries()) {
      const [had, has] = [before[part] ?? 0n, after[part] ?? 0n];
      if (held === had || held === has) continue;
      if (held & ~(had | has)) add(found, { whose, kind: "leak" });
      if (had & has & ~held) add(found, { whose, kind: "outage" });
    }
  }
  return found;
}

export interface Holder {
  readonly of: (values: Values) => Holdings;
  /** The names of the roles that one of the people is given. */
  readonly roles: (values: Values, whose: number) => readonly string[];
}

/** @param like what all fixtures have in common that are asked about */
export function holderBy(evaluate: Evaluate, like: Pick<Fixture, "product" | "settings">): Holder {
  const factsOf = factsBy(evaluate, like);
  const known = new Map<number, bigint>();
  let untilAsked = often;
  let last = { values: none, fixture: fixtureAt(none, like) };
  const ask = (key: number, values: Values, whose: number, part: number): bigint => {
    const [askedPerson, which] = [people[whose], parts[part]];
    assert(askedPerson && which, "A principal is asked about.");
    if (values !== last.values) last = { values, fixture: fixtureAt(values, like) };
    const [batches, again] = [known.get(key), evaluate.batches(last.fixture, askedPerson, which)];
    assert(batches === undefined || again === batches, `What comes to the same is the same: ${JSON.stringify(values)}`);
    known.set(key, again);
    return again;
  };
  /** What the roles come to, for each part. */
  const keysOf = ({ groups, tenants, roles }: Facts, which: number): readonly number[] =>
    parts.map((_, part) => {
      let key = 0;
      for (const [at, { sets }] of roles.entries()) if (which & (1 << at)) key |= sets[part] ?? 0;
      // Of tenants, whether they are there counts as well.
      const common = groups * 2 + (part === tenantsPart ? tenants : 0);
      return (key * most + common) * parts.length + part;
    });
  return {
    of(values) {
      const facts = factsOf(values);
      // By which of the roles are held, as they are so few.
      const asked: { readonly keys: readonly number[]; readonly held: HeldParts }[] = [];
      return people.map((_, whose) => {
        const which = facts.out[whose] ? 0 : bitsOf(facts.roles, whose);
        let own = asked[which];
        if (!own) {
          const keys = keysOf(facts, which);
          const held = keys.map((key, part) => known.get(key) ?? ask(key, values, whose, part));
          own = asked[which] = { keys, held };
        }
        untilAsked -= parts.length;
        if (untilAsked < 0) {
          const part = untilAsked + parts.length;
          ask(own.keys[part] ?? 0, values, whose, part);
          untilAsked += often;
        }
        return own.held;
      });
    },
    roles: (values, whose) => factsOf(values).given.flatMap(([name, holders]) => (holders[whose] ? [name] : [])),
  };
}

const none: Values = [];
const noPeople: OfPeople = [];
/** Each so often found, what was found is asked again: a prime, so that it comes to everybody and each part. */
const often = 4_999;
const most = 1 << 12;
const tenantsPart = parts.indexOf("tenants");

/** Whether of each of the people, by place. */
type OfPeople = readonly boolean[];

interface Facts {
  /** Who is given each role, there or not. */
  readonly given: readonly (readonly [name: string, holders: OfPeople])[];
  /** Roles that are there: who has them; and what they say of each part: which of all texts, by bits. */
  readonly roles: readonly { readonly holders: OfPeople; readonly sets: readonly number[] }[];
  /** Who is shut out. */
  readonly out: OfPeople;
  readonly groups: number;
  readonly tenants: number;
}

function add(found: Breach[], breach: Breach): void {
  if (!found.some(({ whose, kind }) => whose === breach.whose && kind === breach.kind)) found.push(breach);
}

/** A bit for each of the roles that one of the people has. */
function bitsOf(roles: Facts["roles"], whose: number): number {
  let bits = 0;
  for (const [at, { holders }] of roles.entries()) if (holders[whose]) bits |= 1 << at;
  return bits;
}

function factsBy(evaluate: Evaluate, { product }: Pick<Fixture, "product">): (values: Values) => Facts {
  const covers = remembered((pattern: string) => parts.map((index) => evaluate.covers(product, pattern, index)));
  const holders = byValue((mapping) => people.map((one) => evaluate.isMapped(product, mapping as Mapping, one)));
  const out = byValue((block) => people.map((one) => evaluate.isOut(product, block as unknown as Block, one)));
  const [allowed, restricted, tenants] = [numbered(10), numbered(12), numbered(20)];
  const sets = byValue((role) => {
    const { cluster_permissions = [], tenant_permissions = [], index_permissions = [] } = role as Role;
    const elements = index_permissions.map(({ index_patterns = [], allowed_actions = [], ...restriction }) => ({
      isOn: index_patterns.map(covers),
      bits: allowed(allowed_actions) | (restricted(textsOf(restriction)) << 10),
    }));
    return parts.map((part, at) => {
      if (part === "cluster") return allowed(cluster_permissions);
      if (part === "tenants") return tenants(tenant_permissions.map((one) => JSON.stringify(one)));
      return elements.reduce((sum, { isOn, bits }) => (isOn.some((one) => one[at]) ? sum | bits : sum), 0);
    });
  });
  const groups = byValue((group) => 1 + allowed(group.allowed_actions as readonly string[] | undefined));
  const roleOf = (role: Fields | undefined, mapping: Fields | undefined) =>
    role && mapping ? [{ holders: holders(mapping), sets: sets(role) }] : [];
  const given = (name: string, mapping: Fields | undefined) => (mapping ? [[name, holders(mapping)] as const] : []);
  return ([group, tenant, r, s, mappedR, mappedS, block]) => ({
    given: [...given("r", mappedR), ...given("s", mappedS)],
    roles: [...roleOf(r, mappedR), ...roleOf(s, mappedS)],
    out: block ? out(block) : noPeople,
    groups: group ? groups(group) : 0,
    tenants: tenant ? 1 : 0,
  });
}

/** Of a restriction, which is that of all that restrict the same index together. */
function textsOf(restriction: Element): readonly string[] {
  return Object.entries(restriction).flatMap(([field, texts]) => [texts].flat().map((text) => `${field} ${text}`));
}

/** A bit for each text that comes. */
function numbered(limit: number): (texts: readonly string[] | undefined) => number {
  const numbers = new Map<string, number>();
  const bitOf = (text: string): number => {
    const bit = numbers.get(text) ?? 1 << numbers.size;
    numbers.set(text, bit);
    assert(numbers.size <= limit, "There are bits enough.");
    return bit;
  };
  return (texts = []) => texts.reduce((sum, text) => sum | bitOf(text), 0);
}

/** The same for values that say the same; the same value is read once. */
function byValue<T>(of: (value: Fields) => T): (value: Fields) => T {
  const known = new WeakMap<Fields, T>();
  const byText = remembered((text: string) => of(JSON.parse(text) as Fields));
  return (value) => {
    const found = known.get(value) ?? byText(JSON.stringify(value));
    known.set(value, found);
    return found;
  };
}

function everybody(): readonly AskedPerson[] {
  const alone = (field: Member["field"], ...entries: readonly string[]): AskedPerson => {
    const members = [{ field, entries }];
    return { members, person: personOf(members) };
  };
  const backendRoles = [alone("backend_roles", "b1"), alone("and_backend_roles", "b1", "b2")];
  const users = ["u1", "u2", "u*", "else"].map((name) => alone("users", name));
  // Where blocks are about, elsewhere in the network of the mappings, and where neither is.
  const hosts = ["10.1.2.9", "10.1.2.4", "203.0.113.7"].map((address) => alone("hosts", address));
  const pairs = [...backendRoles, ...users].flatMap((one, at) =>
    [...users.slice(Math.max(at - backendRoles.length + 1, 0)), ...hosts].flatMap((other) => both(one, other) ?? []),
  );
  return [...backendRoles, ...users, ...hosts, ...pairs];
}
