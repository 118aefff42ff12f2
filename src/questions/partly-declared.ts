import { evaluateTenantAccess } from "../access/evaluate/tenants.ts";
import { type AccessModel, createAccessModel } from "../access/model/access-model.ts";
import { listPermissionNames } from "../access/model/roles.ts";
import type { Subject } from "../access/model/subject.ts";
import { getNoun } from "../families/index.ts";
import { isInScope } from "../families/scope.ts";
import { collectReached } from "../json/graph.ts";
import { listTexts } from "../json/value.ts";
import type { DesiredState } from "../model/desired.ts";
import { type FamilyPolicy, getMode, type Policies } from "../model/policy.ts";
import type { Asker } from "./subject.ts";

/** What decides about access, and may be declared in part: of tenants, whether there are more. */
const granting = ["roles", "role_mappings", "action_groups", "tenants"] as const;
type Granting = (typeof granting)[number];

/** Families of which a server may hold what the files do not say: by the settings of a target. */
export interface PartlyDeclared {
  /** `mode: adopt` of each such family. */
  readonly settings: ReadonlyMap<Granting, string>;
  /** Whether the server's entry of this name may be another one than the files say, or one that they lack. */
  readonly isOpen: (family: Granting, name: string) => boolean;
  readonly isDeclared: (family: Granting, name: string) => boolean;
}

/** Undefined where all that grants access is managed whole. */
export function findPartlyDeclared(policies: Policies, { resources }: DesiredState): PartlyDeclared | undefined {
  const settings = new Map(
    granting.flatMap((family) => {
      const setting = describeSetting(getMode(family, policies), policies[family]);
      return setting === undefined ? [] : [[family, setting] as const];
    }),
  );
  if (settings.size === 0) return undefined;
  const isDeclared = (family: Granting, name: string) => resources.get(family)?.has(name) ?? false;
  return {
    settings,
    isDeclared,
    isOpen(family, name) {
      const mode = getMode(family, policies);
      if (mode === "observe" || !isInScope(policies[family], name)) return true;
      return mode === "adopt" && !isDeclared(family, name);
    },
  };
}

/** Internal users may have roles by themselves: where files declare some, the server may have others. */
export function listNotesAboutUsers(policies: Policies, { resources }: DesiredState): readonly string[] {
  const setting = describeSetting(getMode("internal_users", policies), policies.internal_users);
  if (setting === undefined || !resources.has("internal_users")) return [];
  return [
    `Internal users are declared in part (${setting}): a user whom the files do not declare has what the question states, and nothing else.`,
  ];
}

function describeSetting(mode: string, policy: FamilyPolicy = {}): string | undefined {
  if (mode !== "manage") return `mode: ${mode}`;
  if (policy.include) return "include";
  return policy.exclude && policy.exclude.length > 0 ? "exclude" : undefined;
}

/**
 * `roles (mode: adopt) and role mappings (exclude)`; empty where none of it is asked about.
 *
 * @param ofTenants whether tenants are
 */
export function formatPartlyDeclared({ settings }: PartlyDeclared, ofTenants: boolean): string {
  const parts = [...settings]
    .filter(([family]) => ofTenants || family !== "tenants")
    .map(([family, setting]) => `${getNoun(family, 2)} (${setting})`);
  return [parts.slice(0, -1).join(", "), ...parts.slice(-1)].filter((part) => part !== "").join(" and ");
}

/** The subject as one that may have what only the server says; undefined where nothing of that could concern it. */
export function openSubject(
  partly: PartlyDeclared,
  model: AccessModel,
  subject: Subject,
  tenant?: AskedTenant,
): Subject | undefined {
  const undeclared =
    explainOpen(partly, model, subject) ?? (tenant && explainOpenTenant(partly, model, subject, tenant));
  return undeclared === undefined ? undefined : { ...subject, undeclared };
}

/** Those of some askers who may have more by what only the server says, and who else may be there. */
export function listOpenAskers(
  partly: PartlyDeclared,
  model: AccessModel,
  askers: readonly Asker[],
  tenant?: AskedTenant,
): readonly Asker[] {
  const undeclared = explainOpenMappings(partly);
  if (undeclared !== undefined) {
    return [{ subject: { backendRoles: [], undeclared }, title: "a principal that only the server has" }];
  }
  return askers.flatMap(({ subject, title }) => {
    const open = openSubject(partly, model, subject, tenant);
    return open ? [{ subject: open, title }] : [];
  });
}

/** What a question about a tenant asks. */
export interface AskedTenant {
  readonly tenant: string;
  readonly writes: boolean;
}

/** What is granted of a tenant that the files lack counts if the server has it. */
function explainOpenTenant(
  { settings, isOpen }: PartlyDeclared,
  { state }: AccessModel,
  subject: Subject,
  { tenant, writes }: AskedTenant,
): string | undefined {
  const setting = settings.get("tenants");
  if (setting === undefined || state.tenants.has(tenant) || !isOpen("tenants", tenant)) return undefined;
  const there = createAccessModel({ ...state, tenants: new Map([...state.tenants, [tenant, {}]]) });
  const access = evaluateTenantAccess(there, subject, tenant);
  if ((writes ? access.writes : access.reads) === "no") return undefined;
  return `the server may have a tenant ${tenant} (${setting})`;
}

function explainOpen(partly: PartlyDeclared, model: AccessModel, subject: Subject): string | undefined {
  const roles = model.holdings(subject).map(({ role }) => role);
  return explainOpenMappings(partly) ?? explainOpenRole(partly, model, roles) ?? explainOpenGroup(partly, model, roles);
}

function explainOpenMappings({ settings }: PartlyDeclared): string | undefined {
  const setting = settings.get("role_mappings");
  return setting && `role mappings that only the server has may give it roles (${setting})`;
}

function explainOpenRole(
  { settings, isOpen, isDeclared }: PartlyDeclared,
  { state }: AccessModel,
  held: readonly string[],
): string | undefined {
  const setting = settings.get("roles");
  if (setting === undefined) return undefined;
  // What the product comes with is the same on every server.
  const open = held.find((role) => isOpen("roles", role) && (isDeclared("roles", role) || !state.roles.has(role)));
  return open && `role ${open} of the server may grant more than the files say (${setting})`;
}

function explainOpenGroup(
  { settings, isOpen, isDeclared }: PartlyDeclared,
  { state: { roles, groups } }: AccessModel,
  held: readonly string[],
): string | undefined {
  const setting = settings.get("action_groups");
  if (setting === undefined) return undefined;
  const named = held.flatMap((role) => listPermissionNames(roles.get(role) ?? {}));
  const reached = collectReached(named, (name) => listTexts(groups.get(name)?.allowed_actions));
  const open = [...reached].find(
    (name) =>
      !/[:*?/]/.test(name) && isOpen("action_groups", name) && (isDeclared("action_groups", name) || !groups.has(name)),
  );
  return open && `action group ${open} of the server may hold more than the files say (${setting})`;
}
