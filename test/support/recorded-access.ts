// Verdicts of real servers, as they were recorded: each as a fixture, a person and what its request needs. Of the
// recordings of access, whose lines the probe that made them explains: a head, then fixtures and requests in them.
import { readFileSync } from "node:fs";
import { decodeFamily, decodeResource } from "../../src/dialects/codec.ts";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { createDialect } from "../../src/dialects/index.ts";
import type { Fields } from "../../src/json/value.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Fixture, Index, Mapping, Person, Role } from "./evaluated.ts";

export type Document = { readonly [field: string]: string | number | Document };

export interface Head {
  readonly kind: "os" | "sg7" | "sg6";
  readonly engine: string;
  /** Of the config, set before all else. */
  readonly settings?: { readonly privileges_evaluation_type?: string };
  readonly today: string;
  readonly indices: Readonly<Record<string, Readonly<Record<string, Document>>>>;
  /** Members, some with a filter. */
  readonly aliases: Readonly<Record<string, readonly (string | readonly [string, Fields])[]>>;
  readonly shipped: Readonly<Record<"roles" | "rolesmapping" | "actiongroups", Fields>>;
  readonly securityIndex: string;
}

interface RecordedFixture {
  readonly world: string;
  readonly settings?: Fixture["settings"] & RecordedSettings;
  readonly groups?: Fields;
  readonly roles?: Fields;
  readonly mappings?: Fields;
  readonly tenants?: Fields;
  readonly users: Readonly<Record<string, RecordedUser>>;
  readonly refused?: Fields;
}

interface RecordedSettings {
  readonly do_not_fail_on_forbidden?: boolean;
  readonly do_not_fail_on_forbidden_empty?: boolean;
}

interface RecordedUser {
  readonly backend_roles: readonly string[];
  readonly attributes?: Readonly<Record<string, string>>;
  readonly direct_roles?: readonly string[];
}

/** One request and what came of it. */
export interface Explained {
  readonly w: string;
  readonly u: string;
  readonly from?: string;
  readonly m: string;
  readonly p: string;
  readonly b?: unknown;
  readonly a?: string | readonly string[];
  readonly n?: string;
  readonly v: "allowed" | "denied" | "partly" | "error";
  readonly s: number;
  readonly reason?: string;
  readonly docs?: readonly string[] | number;
  readonly fields?: readonly string[];
  readonly masked?: readonly string[];
  readonly count?: number;
  readonly items?: readonly string[];
  readonly indices?: readonly string[] | number;
  readonly roles?: readonly string[];
  readonly tenants?: Readonly<Record<string, boolean>>;
}

export interface Case {
  readonly head: Head;
  readonly fixture: Fixture;
  /** The same with the dates in it as they were written, which a server resolves when it is asked. */
  readonly written: Fixture;
  readonly settings: RecordedSettings;
  /** The server did not take this user. */
  readonly isRefused: boolean;
  readonly person: Person;
  readonly explained: Explained;
}

export function recordedCases(file: string): readonly Case[] {
  const [first = "", ...rest] = readFileSync(file, "utf8").trim().split("\n");
  const head = (JSON.parse(first) as { meta: Head }).meta;
  const lines = rest.map((line) => JSON.parse(line) as RecordedFixture | Explained | { readonly fact: unknown });
  const fixtures = new Map(lines.flatMap((line) => ("world" in line ? [[line.world, line]] : [])));
  const evaluated = new Map(
    [...fixtures].map(([name, recorded]) => [
      name,
      { fixture: fixtureOf(head, recorded, true), written: fixtureOf(head, recorded) },
    ]),
  );
  return lines.flatMap((explained) => {
    if (!("v" in explained)) return [];
    const [recorded, both] = [fixtures.get(explained.w), evaluated.get(explained.w)];
    if (!recorded || !both) throw new Error(`No fixture ${explained.w}`);
    const isRefused = `internalusers/${explained.u}` in (recorded.refused ?? {});
    return [
      { head, ...both, settings: recorded.settings ?? {}, isRefused, person: personOf(recorded, explained), explained },
    ];
  });
}

function personOf({ users }: RecordedFixture, { u, from }: Explained): Person {
  const user = users[u] ?? { backend_roles: [] };
  return {
    user: u,
    host: from ?? "127.0.0.1",
    backendRoles: user.backend_roles,
    ...(user.attributes && { attributes: user.attributes }),
    ...(user.direct_roles && { roles: user.direct_roles }),
  };
}

const dialects: Readonly<Record<Head["kind"], Dialect>> = {
  os: createDialect("opensearch", "2.19"),
  sg7: createDialect("search-guard", "7.x-38"),
  sg6: createDialect("search-guard", "6"),
};
const products = { os: "opensearch", sg7: "search-guard-7", sg6: "search-guard-6" } as const;

/** There before the fixtures, and not in the head, like the hidden mapping. */
const standingTenants = {
  os: ["global_tenant", "admin_tenant"],
  sg7: ["SGS_GLOBAL_TENANT", "admin_tenant", "real_plain", "real_reserved", "real_hidden"],
  sg6: [],
} as const;

export function isOfV4({ settings }: Head): boolean {
  return settings?.privileges_evaluation_type === "v4";
}

function fixtureOf(head: Head, recorded: RecordedFixture, isDated = false): Fixture {
  const { groups, roles, mappings, tenants, settings, refused = {} } = recorded;
  const dialect = dialects[head.kind];
  const taken = (family: ResourceFamily, path: keyof Head["shipped"], own: Fields = {}) => {
    const sent = Object.entries(own).filter(([name]) => !(`${path}/${name}` in refused));
    const shipped = [...(decodeFamily(dialect, family, head.shipped[path]) ?? [])];
    const values = sent.map(([name, value]) => [name, decodeResource(dialect, family, value as Fields)] as const);
    return Object.fromEntries([...shipped.map(([name, { value }]) => [name, value] as const), ...values]);
  };
  const actions = Object.entries(taken("action_groups", "actiongroups", groups));
  // 6 takes only what was written with a dot for a pattern with one.
  const day = head.kind === "sg6" ? head.today.replaceAll(".", "?") : head.today;
  const written = JSON.stringify(taken("roles", "roles", roles));
  const held = isDated ? written.replaceAll("<day-{now/d}>", `day-${day}`) : written;
  return {
    product: products[head.kind],
    ...(head.kind === "os" && { release: head.engine.replace(/\.\d+$/, "") }),
    ...(isOfV4(head) && { evaluation: "v4" }),
    groups: Object.fromEntries(actions.map(([name, group]) => [name, (group.allowed_actions ?? []) as string[]])),
    roles: JSON.parse(held) as Record<string, Role>,
    mappings: {
      ...(taken("role_mappings", "rolesmapping", mappings) as Record<string, Mapping>),
      ...(head.kind !== "os" && { real_hidden: { users: ["alice"] } }),
    },
    tenants: [...standingTenants[head.kind], ...Object.keys(tenants ?? {})],
    ...(settings && { settings }),
  };
}

/** An index that a request came to, and the filter of the alias by which alone it did. */
export interface Target extends Index {
  readonly filter?: Fields;
}

export function aliasesOf({ aliases }: Head, index: string): readonly string[] {
  return Object.entries(aliases).flatMap(([alias, members]) =>
    members.some((member) => [member].flat()[0] === index) ? [alias] : [],
  );
}

/** Everything there is: no index named, `_all` or `*`. */
export function isEverything(expression: string | undefined): boolean {
  return expression === undefined || expression === "_all" || expression === "*";
}

/** What the names and wildcards of a request represent; names of nothing represent themselves. */
export function targetsOf(head: Head, expression: string): readonly Target[] {
  const found = new Map<string, Target>();
  const existing = [...Object.keys(head.indices), head.securityIndex];
  const add = (name: string, filter?: Fields) => {
    const aliases = aliasesOf(head, name);
    const known = found.get(name);
    const isFiltered = filter !== undefined && (!known || known.filter !== undefined);
    found.set(name, { name, aliases, ...(isFiltered && { filter }) });
  };
  for (const part of expression.split(",")) {
    const text = part.replace("<day-{now/d}>", `day-${head.today}`);
    const [isOut, pattern] = text.startsWith("-") ? [true, text.slice(1)] : [false, text];
    const regex = new RegExp(`^${pattern.replace(/[.+]/g, "\\$&").replaceAll("*", ".*")}$`);
    const matched = existing.filter((name) => regex.test(name) || pattern === "_all");
    if (isOut) for (const name of matched) found.delete(name);
    else if (pattern in head.aliases || pattern.includes("*")) {
      for (const name of matched) add(name);
      for (const [alias, members] of Object.entries(head.aliases)) {
        if (!regex.test(alias)) continue;
        for (const member of members) typeof member === "string" ? add(member) : add(...member);
      }
    } else for (const name of matched.length > 0 ? matched : [pattern]) add(name);
  }
  return [...found.values()];
}
