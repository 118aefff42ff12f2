import type { TenantDifference, TenantLevel } from "../../model/access.ts";
import { heldRules } from "../judge.ts";
import type { AccessModel } from "../model.ts";
import type { Subject } from "../subject.ts";
import { tenantAccess } from "../tenants.ts";
import type { Verdict } from "../verdict.ts";

export function tenantDifferences(
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
): readonly TenantDifference[] {
  const models = [before, after];
  // Without a rule about tenants nobody gets at any, but for the one that a product gives with a role.
  const isConcerned = models.some((model) =>
    heldRules(model, subject).some(
      ({ rules, holding }) => rules.tenants.length > 0 || model.state.judging.globalTenantRoles.includes(holding.role),
    ),
  );
  if (!isConcerned) return [];
  const named = models.flatMap(({ state }) => [...state.tenants.keys(), state.judging.globalTenant]);
  const written = models.flatMap((model) =>
    model.state.judging.tenantsAreNames
      ? heldRules(model, subject).flatMap(({ rules }) => rules.tenants.flatMap(({ patterns }) => patterns))
      : [],
  );
  return [...new Set([...named, ...written])].sort().flatMap((tenant) => {
    const [was, is] = [levelOf(before, subject, tenant), levelOf(after, subject, tenant)];
    return was === is ? [] : [{ tenant, before: was, after: is }];
  });
}

function levelOf(model: AccessModel, subject: Subject, tenant: string): TenantLevel {
  const { reads, writes } = tenantAccess(model, subject, tenant);
  if (writes === "yes") return "write";
  if (isUnknown(writes) || isUnknown(reads)) return "unknown";
  return reads === "yes" ? "read" : "nothing";
}

function isUnknown(verdict: Verdict): boolean {
  return verdict === "unknown";
}
