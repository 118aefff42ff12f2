// Whom the members of mappings represent: a user who is that, and nothing else.
import type { Member } from "../../../src/model/access.ts";
import type { Block, Fixture, Person } from "../../support/evaluated.ts";
import { evaluate } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { rememberedByObject } from "../../support/remembered.ts";

export interface AskedPerson {
  readonly members: readonly Member[];
  readonly person: Person;
}

const fields = ["users", "backend_roles", "hosts"] as const;

/** Each entry of each mapping, once, and what blocks let in of an entry that is a pattern. */
export function membersIn(...fixtures: readonly Fixture[]): readonly Member[] {
  const all = fixtures.flatMap(({ mappings, roles, settings }): readonly Member[] => {
    const mode = settings?.roles_mapping_resolution ?? "MAPPING_ONLY";
    const mapped = Object.values(mappings).flatMap((mapping): readonly Member[] => [
      ...fields.flatMap((field) => (mapping[field] ?? []).map((entry): Member => ({ field, entries: [entry] }))),
      ...(mapping.and_backend_roles
        ? [{ field: "and_backend_roles", entries: mapping.and_backend_roles } as const]
        : []),
    ]);
    const named = Object.keys(roles).map((role): Member => ({ field: "backend_roles", entries: [role] }));
    return [...(mode === "BACKENDROLES_ONLY" ? [] : mapped), ...(mode === "MAPPING_ONLY" ? [] : named)];
  });
  const letIn = all.flatMap((member) => letInOf(member, fixtures));
  return [...new Map([...all, ...letIn].map((member) => [JSON.stringify(member), member])).values()];
}

function letInOf({ field, entries: [entry = ""] }: Member, fixtures: readonly Fixture[]): readonly Member[] {
  if ((field !== "users" && field !== "hosts") || !entry.includes("*")) return [];
  const blocks = fixtures.flatMap((fixture) => fixture.blocks ?? []);
  const values = blocks
    .filter(({ type, verdict }) => verdict === "allow" && (type === "name") === (field === "users"))
    .flatMap(({ value }) => value);
  const parts = values.filter((value) => value !== entry && matches(entry, nameFor(value)));
  return parts.map((value) => ({ field, entries: [value] }));
}

/** Names that no other user has, in place of patterns and of what is not said. */
export function personOf(members: readonly Member[]): Person {
  const names = (...fields: readonly Member["field"][]) =>
    members.filter(({ field }) => fields.includes(field)).flatMap(({ entries }) => entries.map(nameFor));
  const [user = unmappedUser] = names("users");
  const [host = unplacedHost] = names("hosts");
  return { user, host, backendRoles: [...new Set(names("backend_roles", "and_backend_roles"))] };
}

/** Of a network its first address. */
function nameFor(entry: string): string {
  if (/^[\d.]+\.\*$/.test(entry))
    return entry.replace(
      "*",
      Array(5 - entry.split(".").length)
        .fill("9")
        .join("."),
    );
  return entry.replaceAll("*", "9").replace(/\/\d+$/, "");
}

/** Undefined where no user can be both. */
export function both(a: AskedPerson, b: AskedPerson): AskedPerson | undefined {
  const members = [...a.members, ...b.members];
  // The narrower first: its name meets both.
  const person = [members, members.toReversed()].map(personOf).find((one) =>
    members.every(({ field, entries: [entry = ""] }) => {
      if (field === "users") return matches(entry, one.user);
      return field !== "hosts" || isAt(entry, one.host);
    }),
  );
  return person && { members, person };
}

/** Networks are those of three bytes. */
export function isAt(entry: string, host = ""): boolean {
  return matches(entry.replace(/\.0\/24$/, ".*"), host);
}

const unmappedUser = "nobody";

const unplacedHost = "203.0.113.9";

/**
 * A fixture for a user who may have any name, or be anywhere, if none is said: no block by name is about that, but one of all,
 * and none by address.
 */
export const fixtureFor = rememberedByObject((fixture: Fixture, { user, host }: Person): Fixture => {
  const isAbout = ({ type, value = [] }: Block): boolean =>
    type === "name" ? user !== unmappedUser || value.includes("*") : host !== unplacedHost;
  const blocks = fixture.blocks ?? [];
  return blocks.every(isAbout) ? fixture : { ...fixture, blocks: blocks.filter(isAbout) };
});

/** What two fixtures may be for a user who may have any name: let in by that name, or shut out. */
export const possiblePairs = rememberedByObject(
  (before: Fixture, after: Fixture): readonly (readonly [before: Fixture, after: Fixture])[] => {
    const letIn = (fixture: Fixture): readonly string[] =>
      (fixture.blocks ?? []).flatMap(({ type, verdict, value }) =>
        type === "name" && verdict === "allow" ? value : [],
      );
    const pair = [before, after];
    const names = [...new Set(pair.flatMap(letIn)), unmappedUser].map(nameFor);
    const shut: Block = { type: "name", verdict: "disallow", value: ["*"] };
    const kinds = names.map((name) =>
      pair.map((fixture) => {
        const some = letIn(fixture);
        return some.length === 0 || some.some((value) => matches(value, name));
      }),
    );
    const pairs = [...new Map(kinds.map((kind) => [kind.join(), kind])).values()];
    return pairs.map((isLetIn) => {
      const [was = before, is = after] = pair.map((fixture, at) =>
        isLetIn[at] ? fixture : { ...fixture, blocks: [...(fixture.blocks ?? []), shut] },
      );
      return [was, is];
    });
  },
);

export function hasName({ user }: Person): boolean {
  return user !== unmappedUser;
}

/** Whether blocks keep a user of just that name out. */
export const isOut = rememberedByObject(
  (fixture: Fixture, person: Person): boolean => evaluate({ ...fixture, roles: {} }, person, []) === false,
);
