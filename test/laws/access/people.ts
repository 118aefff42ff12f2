// Whoever the entries of mappings stand for: somebody who is that, and nothing else.
import type { Way } from "../../../src/model/access.ts";
import { judge } from "../../support/judge.ts";
import { meets } from "../../support/judge-patterns.ts";
import type { Person, World } from "../../support/judged.ts";
import { rememberedByObject } from "../../support/remembered.ts";

export interface Somebody {
  readonly ways: readonly Way[];
  readonly person: Person;
}

const fields = ["users", "backend_roles", "hosts"] as const;

/** Each entry of each mapping, once. */
export function waysIn(...worlds: readonly World[]): readonly Way[] {
  const all = worlds.flatMap(({ mappings, roles, settings }): readonly Way[] => {
    const mode = settings?.roles_mapping_resolution ?? "MAPPING_ONLY";
    const mapped = Object.values(mappings).flatMap((mapping): readonly Way[] => [
      ...fields.flatMap((field) => (mapping[field] ?? []).map((entry): Way => ({ field, entries: [entry] }))),
      ...(mapping.and_backend_roles
        ? [{ field: "and_backend_roles", entries: mapping.and_backend_roles } as const]
        : []),
    ]);
    const named = Object.keys(roles).map((role): Way => ({ field: "backend_roles", entries: [role] }));
    return [...(mode === "BACKENDROLES_ONLY" ? [] : mapped), ...(mode === "MAPPING_ONLY" ? [] : named)];
  });
  return [...new Map(all.map((way) => [JSON.stringify(way), way])).values()];
}

/** Names that nobody else has stand for patterns, and for what is not said. */
export function personOf(ways: readonly Way[]): Person {
  const names = (...fields: readonly Way["field"][]) =>
    ways.filter(({ field }) => fields.includes(field)).flatMap(({ entries }) => entries.map(nameFor));
  const [user = nobody] = names("users");
  const [host = "203.0.113.9"] = names("hosts");
  return { user, host, backendRoles: [...new Set(names("backend_roles", "and_backend_roles"))] };
}

function nameFor(entry: string): string {
  return entry.replaceAll("*", "9");
}

/** Undefined where nobody can be both. */
export function both(a: Somebody, b: Somebody): Somebody | undefined {
  const ways = [...a.ways, ...b.ways];
  // The narrower first: its name meets both.
  const person = [ways, ways.toReversed()].map(personOf).find((one) =>
    ways.every(({ field, entries: [entry = ""] }) => {
      if (field === "users") return meets(entry, one.user);
      return field !== "hosts" || meets(entry, one.host ?? "");
    }),
  );
  return person && { ways, person };
}

const nobody = "nobody";

/** A world for somebody who may have any name, if none is said: no block by name is about that, but one of all. */
export const worldFor = rememberedByObject((world: World, { user }: Person): World => {
  if (user !== nobody) return world;
  return { ...world, blocks: (world.blocks ?? []).filter(({ type }) => type !== "name") };
});

/** Whether blocks keep somebody out, of just that name. */
export const isOut = rememberedByObject(
  (world: World, person: Person): boolean => judge({ ...world, roles: {} }, person, []) === false,
);
