// Whom the members of mappings represent: a user who is that, and nothing else.
import type { Member } from "../../../src/model/access.ts";
import type { Fixture, Person } from "../../support/evaluated.ts";
import { evaluate } from "../../support/evaluator.ts";
import { matches } from "../../support/evaluator-patterns.ts";
import { rememberedByObject } from "../../support/remembered.ts";

export interface AskedPerson {
  readonly members: readonly Member[];
  readonly person: Person;
}

const fields = ["users", "backend_roles", "hosts"] as const;

/** Each entry of each mapping, once. */
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
  return [...new Map(all.map((member) => [JSON.stringify(member), member])).values()];
}

/** Names that no other user has, in place of patterns and of what is not said. */
export function personOf(members: readonly Member[]): Person {
  const names = (...fields: readonly Member["field"][]) =>
    members.filter(({ field }) => fields.includes(field)).flatMap(({ entries }) => entries.map(nameFor));
  const [user = unmappedUser] = names("users");
  const [host = "203.0.113.9"] = names("hosts");
  return { user, host, backendRoles: [...new Set(names("backend_roles", "and_backend_roles"))] };
}

function nameFor(entry: string): string {
  return entry.replaceAll("*", "9");
}

/** Undefined where no user can be both. */
export function both(a: AskedPerson, b: AskedPerson): AskedPerson | undefined {
  const members = [...a.members, ...b.members];
  // The narrower first: its name meets both.
  const person = [members, members.toReversed()].map(personOf).find((one) =>
    members.every(({ field, entries: [entry = ""] }) => {
      if (field === "users") return matches(entry, one.user);
      return field !== "hosts" || matches(entry, one.host ?? "");
    }),
  );
  return person && { members, person };
}

const unmappedUser = "nobody";

/** A fixture for a user who may have any name, if none is said: no block by name is about that, but one of all. */
export const fixtureFor = rememberedByObject((fixture: Fixture, { user }: Person): Fixture => {
  if (user !== unmappedUser) return fixture;
  return { ...fixture, blocks: (fixture.blocks ?? []).filter(({ type }) => type !== "name") };
});

/** Whether blocks keep a user of just that name out. */
export const isOut = rememberedByObject(
  (fixture: Fixture, person: Person): boolean => evaluate({ ...fixture, roles: {} }, person, []) === false,
);
