import type { TenantDifference, TenantLevel } from "../../model/access.ts";
import { listHeldRules } from "../evaluate/permission.ts";
import { createTenantEvaluator } from "../evaluate/tenants.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import { type Condition, compareConditions, toVerdict } from "../verdict.ts";

export function findTenantDifferences(
  before: AccessModel,
  after: AccessModel,
  subject: Subject,
): readonly TenantDifference[] {
  return [...listTenantConditions([before, after], subject)].flatMap(([tenant, [was, is]]) => {
    if (!was || !is) return [];
    const isSame =
      compareConditions(was.reads, is.reads) === "same" && compareConditions(was.writes, is.writes) === "same";
    return isSame ? [] : [{ tenant, before: getTenantLevel(was), after: getTenantLevel(is) }];
  });
}

/** The conditions for reading and for writing a tenant; a principal that writes it reads it. */
interface TenantConditions {
  readonly reads: Condition;
  readonly writes: Condition;
}

/** What a subject may do in each tenant that any state knows, in each of the states; tenants in order. */
export function listTenantConditions(
  models: readonly AccessModel[],
  subject: Subject,
): ReadonlyMap<string, readonly TenantConditions[]> {
  // Without a rule about tenants, a principal reaches only the tenant that a product gives with a role.
  const isConcerned = models.some((model) =>
    listHeldRules(model, subject).some(
      ({ rules, holding }) =>
        rules.tenants.length > 0 || model.state.semantics.globalTenantRoles.includes(holding.role),
    ),
  );
  if (!isConcerned) return new Map();
  const named = models.flatMap(({ state }) => [...state.tenants.keys(), state.semantics.globalTenant]);
  const written = models.flatMap((model) =>
    model.state.semantics.tenantsAreNames
      ? listHeldRules(model, subject).flatMap(({ rules }) => rules.tenants.flatMap(({ patterns }) => patterns))
      : [],
  );
  const tenants = [...new Set([...named, ...written])].sort();
  const evaluates = models.map((model) => createTenantEvaluator(model, subject));
  return new Map(tenants.map((tenant) => [tenant, evaluates.map((evaluate) => evaluate(tenant).conditions)]));
}

function getTenantLevel({ reads, writes }: TenantConditions): TenantLevel {
  const [read, written] = [toVerdict(reads), toVerdict(writes)];
  if (written === "yes") return "write";
  if (written === "unknown" || read === "unknown") return "unknown";
  return read === "yes" ? "read" : "nothing";
}
