// What a team makes of a small fixture: the state that a plan leads to.
import type { Random } from "../../../fixtures/random.ts";
import type { Entries, Fixtures } from "./fixtures.ts";

type Entry = Readonly<Record<string, unknown>>;

/** @param other has the same names: what is written otherwise is written as there */
export function alterFixture(random: Random, fixture: Fixtures, other: Fixtures): Fixtures {
  // Of some plans it is to be clear what a single change does.
  const rate = random.pick([0.15, 0.4, 0.8]);
  const of = (before: Entries, drawn: Entries, part: (before: Entry, drawn: Entry) => Entry): Entries =>
    new Map(
      [...new Set([...before.keys(), ...drawn.keys()])].flatMap((name) => {
        const [was, is] = [before.get(name), drawn.get(name)];
        if (!random.chance(rate)) return was ? [[name, was] as const] : [];
        if (random.chance(0.12)) return [];
        if (!was || !is || random.chance(0.25)) return is ? [[name, is] as const] : [];
        return [[name, part(was, is)] as const];
      }),
    );
  const roles = of(fixture.roles, other.roles, (before, drawn) => alteredRole(random, before, drawn));
  const mappings = of(fixture.mappings, other.mappings, (before, drawn) => {
    const field = random.pick(["users", "backend_roles", "and_backend_roles", "hosts"]);
    return withField(before, field, drawn[field]);
  });
  return {
    groups: of(fixture.groups, other.groups, (_, drawn) => drawn),
    roles,
    // One of a role that is not there is an error.
    mappings: new Map([...mappings].filter(([name]) => roles.has(name))),
    tenants: of(fixture.tenants, other.tenants, (_, drawn) => drawn),
    users: fixture.users,
  };
}

/** Without some of its entries, which a plan may create. */
export function thinFixture(random: Random, fixture: Fixtures): Fixtures {
  const of = (entries: Entries): Entries => new Map([...entries].filter(() => !random.chance(0.15)));
  return {
    groups: of(fixture.groups),
    // Of an internal user's own role there has to be one.
    roles: fixture.roles,
    mappings: of(fixture.mappings),
    tenants: of(fixture.tenants),
    users: fixture.users,
  };
}

function alteredRole(random: Random, before: Entry, drawn: Entry): Entry {
  if (random.chance(0.2)) {
    const field = random.pick(["cluster_permissions", "tenant_permissions"]);
    return withField(before, field, drawn[field]);
  }
  const [elements, others] = [before, drawn].map((role) => role.index_permissions as readonly Entry[]);
  if (!elements || !others) return drawn;
  const [at, source] = [random.below(elements.length), random.pick(others)];
  const field = random.pick(["dls", "dls", "fls", "masked_fields", "allowed_actions", "index_patterns"]);
  const index_permissions = elements.map((element, number) =>
    number === at ? withField(element, field, source[field]) : element,
  );
  return { ...before, index_permissions };
}

function withField(entry: Entry, field: string, value: unknown): Entry {
  const { [field]: _, ...rest } = entry;
  return value === undefined ? rest : { ...rest, [field]: value };
}
