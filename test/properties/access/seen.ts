// What a user may do and see in a small fixture, as the naive evaluator says, and what a change of it is to be called.
import type { DifferenceKind, TenantLevel } from "../../../src/model/access.ts";
import type { Access, Fixture, Person } from "../../support/evaluated.ts";
import { evaluate } from "../../support/evaluator.ts";
import { tenantsOf } from "../../support/evaluator-tenants.ts";
import { fixtureFor, isOut } from "./people.ts";

/** One for each way in which the rules of the fixtures distinguish actions, and some that they do not. */
export const indexActions = [
  "indices:data/read/search",
  "indices:data/read/get",
  "indices:data/read/other",
  "indices:data/read",
  "indices:data/write/index",
  "indices:data/write/update",
  "indices:data/write/bulk[s]",
  "indices:admin/create",
  "indices:admin/mappings/get",
];
export const clusterActions = [
  "cluster:monitor/main",
  "cluster:admin/other",
  "indices:data/write/bulk",
  "indices:data/read/mget",
];

/** Any two of these are distinguished by some pattern of the fixtures: `a*`, `ab`, `?b`, `*c`, `*`. */
export const indices = ["a", "ab", "abb", "ac", "b", "bb", "c", "xy"];

/** Of the fixtures, each of them met by other documents: a document for each set of them. */
export const queries = ['{"term":{"k":1}}', '{"term":{"k":2}}'];
const fields = ["f", "f.x", "g", "g.x", "h", "h.x", "hx", "z"];

/** Seen: documents, and each field as it is seen. */
export type Seen = "denied" | "allowed" | { readonly docs: readonly number[]; readonly fields: readonly string[] };

const known = new WeakMap<Fixture, Map<string, ReadonlyMap<string, Seen>>>();

/** By `action` of the cluster, and `action index`. */
export function seenBy(fixture: Fixture, person: Person): ReadonlyMap<string, Seen> {
  const all = known.get(fixture) ?? new Map<string, ReadonlyMap<string, Seen>>();
  known.set(fixture, all);
  const key = JSON.stringify(person);
  const seen = all.get(key) ?? new Map(casesOf(fixture, person));
  all.set(key, seen);
  return seen;
}

function casesOf(fixture: Fixture, person: Person): readonly (readonly [string, Seen])[] {
  return [
    ...clusterActions.map((action) => [action, levelIn(fixture, person, action)] as const),
    ...indexActions.flatMap((action) =>
      indices.map((index) => [`${action} ${index}`, levelIn(fixture, person, action, index)] as const),
    ),
  ];
}

export function levelIn(fixture: Fixture, person: Person, action: string, index?: string): Seen {
  const evaluated = evaluate(
    fixtureFor(fixture, person),
    person,
    [action],
    index === undefined ? [] : [{ name: index, aliases: fixture.aliases?.[index] ?? [] }],
  );
  if (evaluated === false) return "denied";
  const [access] = evaluated;
  if (access?.isRestricted && action === "indices:data/write/update") return "denied";
  // Servers restrict what is read, whatever the action is called.
  if (access && action.startsWith("indices:data/read")) return looked(access);
  return access && action.startsWith("indices:admin/mappings/") ? looked(inMapping(access)) : "allowed";
}

/** It shows fields, and neither documents nor values. */
function inMapping({ field, ...access }: Access): Access {
  return { ...access, docs: "all", field: (path) => (typeof field(path) === "object" ? "shown" : field(path)) };
}

function looked({ docs, field }: Access): Seen {
  const isMatched = (document: number) => (query: string) =>
    query.includes("match_all") || (document & (1 << queries.indexOf(query))) !== 0;
  return {
    docs: [0, 1, 2, 3].filter((document) => docs === "all" || docs.some(isMatched(document))),
    fields: fields.map((path) => {
      const look = field(path);
      return typeof look === "object" ? `masked ${look.mask}` : look;
    }),
  };
}

/** Undefined: nothing changes. */
export function kindOf(was: Seen, is: Seen): DifferenceKind | undefined {
  if (was === "denied" || is === "denied") return was === is ? undefined : was === "denied" ? "gained" : "lost";
  if (was === "allowed" || is === "allowed") return undefined;
  const isMore = (a: typeof was, b: typeof was) =>
    a.docs.some((document) => !b.docs.includes(document)) ||
    a.fields.some((look, at) => clarity(look) > clarity(b.fields[at]));
  const isOther = was.fields.some((look, at) => look !== is.fields[at] && clarity(look) === clarity(is.fields[at]));
  const [more, less] = [isMore(is, was), isMore(was, is)];
  if (isOther || (more && less)) return "changed";
  return more ? "widened" : less ? "narrowed" : undefined;
}

function clarity(look = ""): number {
  return look === "hidden" ? 0 : look === "shown" ? 2 : 1;
}

/** Those that are open, but for one's own. */
export function tenantsSeen(fixture: Fixture, person: Person): ReadonlyMap<string, TenantLevel> {
  const open = isOut(fixtureFor(fixture, person), person)
    ? []
    : [...tenantsOf(fixture, person)].filter(([tenant]) => tenant !== person.user);
  return new Map(open.map(([tenant, isWritten]) => [tenant, isWritten ? "write" : "read"]));
}
