import { waysOf } from "../../access/subject.ts";
import { type Diagnostic, diagnosticAt } from "../../diagnostics/diagnostic.ts";
import type { Letter } from "../../diagnostics/failure.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { judgingOf } from "../../dialects/judging.ts";
import { shippedWith } from "../../dialects/shipped/index.ts";
import { mentionsOf } from "../../families/mentions.ts";
import type { AccessTest, Tested } from "../../model/access-test.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { ResourceFamily } from "../../model/names.ts";
import type { Persona } from "../../model/persona.ts";
import { isSlip, type Knowledge, knowledgeOf } from "../../validate/known-names.ts";
import { looksShipped, shippedNames } from "../../validate/shipped.ts";
import { areCounted, didYouMean, differsInOnePart } from "./misspelt.ts";

/**
 * Roles and tenants that access tests name and that are not there: not declared, not shipped, not on the server. They
 * may be somewhere else all the same, so it is a warning.
 *
 * @param live what was read of the server; undefined offline
 */
export function unknownIn(
  tests: readonly AccessTest[],
  personas: ReadonlyMap<string, Persona>,
  declared: DesiredState,
  live: LiveState | undefined,
  dialect: Dialect,
): readonly Diagnostic[] {
  const isAbout = ({ who, tenant }: AccessTest) => rolesIn(who).length > 0 || tenant !== undefined;
  if (!tests.some(isAbout)) return [];
  const [roles, tenants] = [knownRoles(declared, live, dialect), knownTenants(declared, live, dialect)];
  const users = new Set(usersIn(declared));
  return tests.flatMap(({ who, tenant, origin }) => {
    // Everybody has a tenant of their own, called as they are.
    const isOwn = tenant !== undefined && (users.has(tenant) || isUserOf(who, tenant, personas));
    const letters = [
      ...rolesIn(who).flatMap((name) => unknown("role", name, roles, dialect)),
      ...(tenant === undefined || isOwn || isPattern(tenant) ? [] : unknown("tenant", tenant, tenants, dialect)),
    ];
    return letters.map((letter) => diagnosticAt(origin, "doubtful-access-test", letter));
  });
}

function rolesIn(who: Tested): readonly string[] {
  return who.kind === "nobody-but" ? who.but.roles : [];
}

/** Also those that are mapped: whoever they are mapped to holds them, and the mapping has a warning of its own. */
function knownRoles(declared: DesiredState, live: LiveState | undefined, dialect: Dialect): Knowledge {
  const shipped = [...shippedWith(dialect).roles.keys()];
  const mapped = [declared, live].flatMap((state) => [...(state?.resources.get("role_mappings")?.keys() ?? [])]);
  // What other products ship is not there: the tests are judged by what this one does.
  return knowledgeOf("roles", declared, live, [...shipped, ...mapped], () => []);
}

/** Where tenants are not declared, or are no more than names, those that roles name are there as far as anybody can tell. */
function knownTenants(declared: DesiredState, live: LiveState | undefined, dialect: Dialect): Knowledge {
  const { tenantsAreNames } = judgingOf(dialect);
  const areTold = !tenantsAreNames && (declared.resources.has("tenants") || live?.resources.has("tenants"));
  return knowledgeOf("tenants", declared, live, [
    ...shippedWith(dialect).tenants.keys(),
    ...(areTold ? [] : [...granted(declared), ...(live ? granted(live) : [])]),
  ]);
}

interface WithRoles {
  readonly resources: ReadonlyMap<ResourceFamily, ReadonlyMap<string, Parameters<typeof mentionsOf>[0]>>;
}

/** The tenants that roles name. */
function granted({ resources }: WithRoles): readonly string[] {
  const mentions = [...(resources.get("roles")?.values() ?? [])].flatMap(mentionsOf);
  return mentions.flatMap(({ to, name }) => (to === "tenants" ? [name] : []));
}

function usersIn({ resources }: DesiredState): readonly string[] {
  const ways = [...(resources.get("role_mappings")?.values() ?? [])].flatMap(({ value }) => waysOf(value));
  return ways.flatMap(({ field, entries }) => (field === "users" ? entries : []));
}

function isUserOf(who: Tested, name: string, personas: ReadonlyMap<string, Persona>): boolean {
  switch (who.kind) {
    case "somebody":
      return who.is.user === name;
    case "persona":
      return personas.get(who.name)?.user === name;
    case "nobody-but":
      return who.but.users.includes(name) || who.but.personas.some((one) => personas.get(one)?.user === name);
  }
}

function isPattern(tenant: string): boolean {
  return /[*?]|^\/.*\/$/.test(tenant);
}

const consequences = {
  role: "Nobody holds a role that is not there: the test excepts nobody by it.",
  tenant: "Nobody may read or write a tenant that is not there: the test would hold nothing.",
} as const;

function unknown(
  noun: keyof typeof consequences,
  name: string,
  known: Knowledge,
  { product, release }: Dialect,
): readonly Letter[] {
  if (known.has(name)) return [];
  const meant = meantBy(name, known);
  if (!known.complete && !isSlip(name, meant)) return [];
  const isOfServers = known.offline && (looksShipped(name) || shippedNames(`${noun}s`).includes(name));
  const files = isOfServers ? `in these files, and ${product} ${release} ships none` : "in these files";
  const other = isOfServers
    ? "Name one that it ships; or say what the server is, by --product and --release or in the target."
    : `Name a ${noun} that is declared, or declare this one.`;
  return [
    {
      what: `There is no ${noun} "${name}" ${known.offline ? files : "in these files or on the server"}.${didYouMean(meant)}`,
      why: consequences[noun],
      fix: meant === undefined ? other : `Write ${meant}, if that is meant.`,
    },
  ];
}

/** Names of what is shipped are near to one another by what they share. */
function meantBy(name: string, { nearestTo }: Knowledge): string | undefined {
  const near = nearestTo(name);
  if (near === undefined || areCounted(near, name)) return undefined;
  return looksShipped(name) && !differsInOnePart(name, near, /_/) ? undefined : near;
}
