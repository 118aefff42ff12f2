import type { Judging } from "../dialects/judging.ts";
import { isShutOut } from "./blocked.ts";
import { resolved } from "./coverage.ts";
import type { Granted } from "./groups.ts";
import type { Holding } from "./holders.ts";
import { heldRules } from "./judge.ts";
import type { AccessModel } from "./model.ts";
import { meets } from "./patterns/meets.ts";
import type { RoleRules } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { mayHold } from "./users.ts";
import { allOf, anyOf, not, type Verdict } from "./verdict.ts";

/** What a subject may do in a tenant of the dashboards. */
export interface TenantAccess {
  readonly reads: Verdict;
  readonly writes: Verdict;
  readonly chains: readonly TenantChain[];
}

export interface TenantChain {
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly holding: Holding;
  /** The element of `tenant_permissions`, from 0; absent where the product gives it with the role. */
  readonly at?: number;
  readonly pattern?: string;
  readonly writes: Verdict;
  /** Absent where the entry makes it readable alone, which any entry does. */
  readonly granted?: Granted;
}

/** The action that makes a tenant writable. */
const write = "kibana:saved_objects/*/write";

/** An entry that meets a tenant makes it readable, whatever it grants; writable, if it grants that as the product wants it said. */
export function tenantAccess(model: AccessModel, subject: Subject, tenant: string): TenantAccess {
  return tenantJudge(model, subject)(tenant);
}

/**
 * The same of many tenants: what a subject holds is looked for once. The product makes the global tenant writable only
 * where no entry matches it: one that grants less takes that away. Tried on OpenSearch 2.19.1 and Search Guard 7.5.1-38.
 */
export function tenantJudge(model: AccessModel, subject: Subject): (tenant: string) => TenantAccess {
  const { judging, tenants, blocks } = model.state;
  const enters = not(isShutOut([...blocks.values()], subject));
  const held = heldRules(model, subject).map(({ holding, rules }) => ({
    holding,
    isGlobal: judging.globalTenantRoles.includes(holding.role),
    elements: rules.tenants.map(({ at, patterns, actions }) => {
      return { at, patterns, granted: writeGrantIn(actions, judging) };
    }),
  }));
  const inTenant = (verdicts: readonly Verdict[]): Verdict => allOf([enters, anyOf(verdicts)]);
  const more = mayHold(subject);
  return (tenant) => {
    if (subject.user && "name" in subject.user && subject.user.name === tenant) {
      return { reads: enters, writes: enters, chains: [] };
    }
    const exists = judging.tenantsAreNames || tenants.has(tenant) ? "yes" : "no";
    const written = held.flatMap(({ holding, elements }) =>
      elements.flatMap(({ at, patterns, granted }) =>
        patterns.flatMap((pattern): readonly TenantChain[] => {
          const verdict = allOf([holding.verdict, exists, meetsTenant(pattern, tenant, judging, subject)]);
          if (verdict === "no") return [];
          return [{ verdict, holding, at, pattern, writes: granted ? verdict : "no", ...(granted && { granted }) }];
        }),
      ),
    );
    const readOnly = anyOf([...written.filter(({ granted }) => !granted).map(({ verdict }) => verdict), more]);
    const builtIn = held.flatMap(({ holding, isGlobal }): readonly TenantChain[] =>
      isGlobal && tenant === judging.globalTenant
        ? [{ verdict: holding.verdict, holding, writes: allOf([holding.verdict, not(readOnly)]) }]
        : [],
    );
    const chains = [...builtIn, ...written];
    const mayBe = allOf([more, exists]);
    return {
      reads: inTenant([...chains.map(({ verdict }) => verdict), mayBe]),
      writes: inTenant([...chains.map(({ writes }) => writes), mayBe]),
      chains,
    };
  };
}

/** What of an entry makes a tenant writable; undefined: it can only be read. */
function writeGrantIn(actions: readonly Granted[], judging: Judging): Granted | undefined {
  return actions.find((one) => makesWritable(one, judging));
}

/** Whether a role may take away that the global tenant is writable, which the product gives with some roles. */
export function takesGlobalTenant({ tenants }: RoleRules, { state: { judging } }: AccessModel): boolean {
  const mayMatch = (pattern: string): boolean =>
    pattern.includes("${") || meetsTenant(pattern, judging.globalTenant, judging, { backendRoles: [] }) !== "no";
  return (
    judging.globalTenantRoles.length > 0 &&
    tenants.some(({ patterns, actions }) => patterns.some(mayMatch) && !writeGrantIn(actions, judging))
  );
}

function makesWritable({ pattern, via }: Granted, { tenantWrite, tenantWriteGroup }: Judging): boolean {
  if (pattern === write || (tenantWriteGroup !== undefined && [pattern, ...via].includes(tenantWriteGroup)))
    return true;
  if (tenantWrite === "text") return false;
  if (tenantWrite === "text-or-star") return pattern === "*";
  return meets(pattern, "kibana:saved_objects/_/write") === "yes";
}

function meetsTenant(pattern: string, tenant: string, judging: Judging, subject: Subject): Verdict {
  if (judging.tenantsAreNames) return pattern === tenant ? "yes" : "no";
  if (!judging.tenantVariables || !pattern.startsWith("${attr")) return meets(pattern, tenant);
  const name = resolved(pattern, judging.variables, subject);
  return typeof name !== "string" ? "unknown" : name === tenant ? "yes" : "no";
}
