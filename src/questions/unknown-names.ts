import { listMembers } from "../access/model/subject.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Message } from "../diagnostics/failure.ts";
import { areNumbered, differsInOnePart, formatSuggestion } from "../diagnostics/suggest.ts";
import { createBuiltins } from "../dialects/builtin/index.ts";
import { isBuiltinName, looksBuiltin } from "../dialects/builtin/names.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getSemantics } from "../dialects/find-semantics.ts";
import { listMentions } from "../families/mentions.ts";
import type { AccessTest, TestedQuestion } from "../model/access-test.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Persona } from "../model/persona.ts";
import { collectKnownNames, isSlip, type KnownNames } from "../validate/known-names.ts";

/**
 * Roles and tenants that access tests name and that do not exist: not declared, not built-in, not on the server. They
 * may exist elsewhere all the same, so these are warnings.
 *
 * @param live what was read of the server; undefined offline
 */
export function findUnknownTestNames(
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
    const messages = [
      ...rolesIn(who).flatMap((name) => unknown("role", name, roles, dialect)),
      ...(tenant === undefined || isOwn || isPattern(tenant) ? [] : unknown("tenant", tenant, tenants, dialect)),
    ];
    return messages.map((userMessage) => createDiagnostic(origin, "doubtful-access-test", userMessage));
  });
}

function rolesIn(who: TestedQuestion): readonly string[] {
  return who.kind === "only" ? who.but.roles : [];
}

/** Mapped roles count as well: principals hold them, and the mapping has a warning of its own. */
function knownRoles(declared: DesiredState, live: LiveState | undefined, dialect: Dialect): KnownNames {
  const builtin = [...createBuiltins(dialect).roles.keys()];
  const mapped = [declared, live].flatMap((state) => [...(state?.resources.get("role_mappings")?.keys() ?? [])]);
  // Built-in entries of other products do not exist: the tests are evaluated for this one.
  return collectKnownNames("roles", declared, live, [...builtin, ...mapped], () => []);
}

/** Where tenants are not declared, or are no more than names, the tenants that roles name count as existing. */
function knownTenants(declared: DesiredState, live: LiveState | undefined, dialect: Dialect): KnownNames {
  const { tenantsAreNames } = getSemantics(dialect);
  const areExplained = !tenantsAreNames && (declared.resources.has("tenants") || live?.resources.has("tenants"));
  return collectKnownNames("tenants", declared, live, [
    ...createBuiltins(dialect).tenants.keys(),
    ...(areExplained ? [] : [...granted(declared), ...(live ? granted(live) : [])]),
  ]);
}

interface WithRoles {
  readonly resources: ReadonlyMap<ResourceFamily, ReadonlyMap<string, Parameters<typeof listMentions>[0]>>;
}

/** The tenants that roles name. */
function granted({ resources }: WithRoles): readonly string[] {
  const mentions = [...(resources.get("roles")?.values() ?? [])].flatMap((role) => listMentions(role));
  return mentions.flatMap(({ to, name }) => (to === "tenants" ? [name] : []));
}

function usersIn({ resources }: DesiredState): readonly string[] {
  const members = [...(resources.get("role_mappings")?.values() ?? [])].flatMap(({ value }) => listMembers(value));
  return members.flatMap(({ field, entries }) => (field === "users" ? entries : []));
}

function isUserOf(who: TestedQuestion, name: string, personas: ReadonlyMap<string, Persona>): boolean {
  switch (who.kind) {
    case "principal":
      return who.is.user === name;
    case "persona":
      return personas.get(who.name)?.user === name;
    case "only":
      return who.but.users.includes(name) || who.but.personas.some((one) => personas.get(one)?.user === name);
  }
}

function isPattern(tenant: string): boolean {
  return /[*?]|^\/.*\/$/.test(tenant);
}

const consequences = {
  role: "No principal holds a role that is not there: the test excepts none by it.",
  tenant: "No principal may read or write a tenant that is not there: the test would check nothing.",
} as const;

function unknown(
  noun: keyof typeof consequences,
  name: string,
  known: KnownNames,
  { product, release }: Dialect,
): readonly Message[] {
  if (known.has(name)) return [];
  const meant = meantBy(name, known);
  if (!known.complete && !isSlip(name, meant)) return [];
  const isOfServers = known.offline && isBuiltinName(`${noun}s`, name);
  const files = isOfServers ? `in these files, and ${product} ${release} ships none` : "in these files";
  const other = isOfServers
    ? "Name one that it ships; or say what the server is, by --product and --release or in the target."
    : `Name a ${noun} that is declared, or declare this one.`;
  return [
    {
      what: `There is no ${noun} "${name}" ${known.offline ? files : "in these files or on the server"}.${formatSuggestion(meant)}`,
      why: consequences[noun],
      fix: meant === undefined ? other : `Write ${meant}, if that is meant.`,
    },
  ];
}

/** Built-in names resemble each other by what they share. */
function meantBy(name: string, { nearestTo }: KnownNames): string | undefined {
  const near = nearestTo(name);
  if (near === undefined || areNumbered(near, name)) return undefined;
  return looksBuiltin(name) && !differsInOnePart(name, near, /_/) ? undefined : near;
}
