import { listHeldRules } from "../evaluate/permission.ts";
import { evaluateTenantAccess } from "../evaluate/tenants.ts";
import { type AccessDoubt, listTenantDoubts } from "../explain/doubts.ts";
import type { AccessModel } from "../model/access-model.ts";
import { formatWho, type Subject } from "../model/subject.ts";
import type { Verdict } from "../verdict.ts";

export interface TenantShare {
  readonly name: string;
  readonly reads: Verdict;
  readonly writes: Verdict;
  readonly doubts: readonly AccessDoubt[];
}

/** What a subject may do with each tenant that it may use, or perhaps. */
export function evaluateTenantShares(model: AccessModel, subject: Subject): readonly TenantShare[] {
  const { tenants, semantics } = model.state;
  const granted = listHeldRules(model, subject).flatMap(({ rules }) =>
    rules.tenants.flatMap(({ patterns }) => patterns),
  );
  const names = new Set([
    ...tenants.keys(),
    semantics.globalTenant,
    ...(semantics.tenantsAreNames ? granted : []),
    ...(subject.user && "name" in subject.user ? [formatWho(subject.user)] : []),
  ]);
  return [...names]
    .sort()
    .map((name) => ({ name, ...evaluateTenantAccess(model, subject, name) }))
    .filter(({ reads, writes }) => reads !== "no" || writes !== "no")
    .map(({ name, reads, writes, chains }) => ({
      name,
      reads,
      writes,
      doubts:
        reads === "unknown" || writes === "unknown"
          ? listTenantDoubts(
              model,
              subject,
              name,
              chains.map(({ holding }) => holding.role),
            )
          : [],
    }));
}
