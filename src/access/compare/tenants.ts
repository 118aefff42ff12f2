import type { TenantDifference, TenantLevel } from "../../model/access.ts";
import { heldRules } from "../judge.ts";
import type { AccessModel } from "../model.ts";
import type { Subject } from "../subject.ts";
import { type TenantAccess, tenantJudge } from "../tenants.ts";
import type { Verdict } from "../verdict.ts";

export function tenantDifferences(
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
): readonly TenantDifference[] {
  return [...tenantLevels([before, after], subject)].flatMap(([tenant, [was = "nothing", is = "nothing"]]) =>
    was === is ? [] : [{ tenant, before: was, after: is }],
  );
}

/** What a subject may do in each tenant that any state knows, in each of the states; tenants in order. */
export function tenantLevels(
  models: readonly AccessModel[],
  subject: Subject,
): ReadonlyMap<string, readonly TenantLevel[]> {
  // Without a rule about tenants nobody gets at any, but for the one that a product gives with a role.
  const isConcerned = models.some((model) =>
    heldRules(model, subject).some(
      ({ rules, holding }) => rules.tenants.length > 0 || model.state.judging.globalTenantRoles.includes(holding.role),
    ),
  );
  if (!isConcerned) return new Map();
  const named = models.flatMap(({ state }) => [...state.tenants.keys(), state.judging.globalTenant]);
  const written = models.flatMap((model) =>
    model.state.judging.tenantsAreNames
      ? heldRules(model, subject).flatMap(({ rules }) => rules.tenants.flatMap(({ patterns }) => patterns))
      : [],
  );
  const tenants = [...new Set([...named, ...written])].sort();
  const judges = models.map((model) => tenantJudge(model, subject));
  return new Map(tenants.map((tenant) => [tenant, judges.map((judge) => levelOf(judge(tenant)))]));
}

function levelOf({ reads, writes }: TenantAccess): TenantLevel {
  if (writes === "yes") return "write";
  if (isUnknown(writes) || isUnknown(reads)) return "unknown";
  return reads === "yes" ? "read" : "nothing";
}

function isUnknown(verdict: Verdict): boolean {
  return verdict === "unknown";
}
