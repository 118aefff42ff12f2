import type { Judging } from "../dialects/judging.ts";
import { tenants as tenantFacts } from "../families/tenants.ts";
import { unknownIn } from "../families/unknown.ts";
import { shutOutCondition } from "./blocked.ts";
import { patternCondition, resolved } from "./coverage.ts";
import type { Granted } from "./groups.ts";
import { type Holding, holdingCondition } from "./holders.ts";
import { heldRules } from "./judge.ts";
import type { AccessModel } from "./model.ts";
import { meets } from "./patterns/meets.ts";
import type { RoleRules } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { mayHold } from "./users.ts";
import { type Condition, conditionOf, ifAll, ifAny, ifNot, type Verdict, verdictOf } from "./verdict.ts";

/** What a subject may do in a tenant of the dashboards. */
export interface TenantAccess {
  readonly reads: Verdict;
  readonly writes: Verdict;
  /** The same with what they depend on. */
  readonly conditions: { readonly reads: Condition; readonly writes: Condition };
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
  const roles = heldRules(model, subject);
  const isIn = ifNot(shutOutCondition([...blocks.values()], subject));
  const refusing = roles.filter(({ holding }) => holding.unknown?.by === "refusal");
  const entering = ifAll([isIn, ...refusing.map(({ holding }) => ifNot(holdingCondition(holding)))]);
  const held = roles.map(({ holding, rules }) => ({
    holding,
    isHeld: holdingCondition(holding),
    isGlobal: judging.globalTenantRoles.includes(holding.role),
    elements: rules.tenants.map(({ at, patterns, actions }) => {
      const { writes, granted } = writeGrantIn(actions, judging);
      return { at, patterns, isWriting: writes, ...(granted && { granted }) };
    }),
  }));
  const more = conditionOf(mayHold(subject), () => "roles that are not known");
  const inTenant = (conditions: readonly Condition[]): Condition => ifAll([entering, ifAny(conditions)]);
  return (tenant) => {
    if (subject.user && "name" in subject.user && subject.user.name === tenant) {
      return accessBy([], { reads: isIn, writes: isIn });
    }
    const exists = judging.tenantsAreNames || tenants.has(tenant) ? "yes" : "no";
    const written = held.flatMap(({ holding, isHeld, elements }) =>
      elements.flatMap(({ at, patterns, isWriting, granted }) =>
        patterns.map((pattern) => {
          const isMatched = patternCondition(pattern, meetsTenant(pattern, tenant, judging, subject));
          const reads = ifAll([isHeld, exists, isMatched]);
          const writes = ifAll([reads, isWriting]);
          return { holding, at, pattern, reads, writes, isWriting, ...(granted && { granted }) };
        }),
      ),
    );
    const readOnly = ifAny([...written.map(({ reads, isWriting }) => ifAll([reads, ifNot(isWriting)])), more]);
    const builtIn = held.flatMap(({ holding, isHeld, isGlobal }) =>
      isGlobal && tenant === judging.globalTenant
        ? [{ holding, reads: isHeld, writes: ifAll([isHeld, ifNot(readOnly)]) }]
        : [],
    );
    const all = [...builtIn, ...written.map(({ isWriting: _, ...chain }) => chain)];
    const chains = all
      .filter(({ reads }) => reads !== "no")
      .map(({ reads, writes, ...chain }): TenantChain => {
        return { ...chain, verdict: verdictOf(reads), writes: verdictOf(writes) };
      });
    const mayBe = ifAll([more, exists]);
    const unknown = unknownIn(tenants.get(tenant) ?? {}, tenantFacts.fields);
    const settled = (condition: Condition): Condition =>
      unknown === undefined ? condition : eitherWay(condition, unknown);
    return accessBy(chains, {
      reads: settled(inTenant([...all.map(({ reads }) => reads), mayBe])),
      writes: settled(inTenant([...all.map(({ writes }) => writes), mayBe])),
    });
  };
}

/** Fields of a tenant that gate-sync does not know may let in and keep out: two facts, as either may be so without the other. */
function eitherWay(condition: Condition, fields: string): Condition {
  const may = (what: string) => conditionOf("unknown", () => `tenant that may ${what} by ${fields}`);
  return ifAny([ifAll([condition, ifNot(may("keep out"))]), may("let in")]);
}

/** Whether an entry makes a tenant writable, and by what of it; else it can only be read. */
function writeGrantIn(
  actions: readonly Granted[],
  judging: Judging,
): { readonly writes: Condition; readonly granted?: Granted } {
  const all = actions.map((granted) => ({ granted, verdict: makesWritable(granted, judging) }));
  const found = all.find(({ verdict }) => verdict === "yes") ?? all.find(({ verdict }) => verdict === "unknown");
  return {
    writes: ifAny(all.map(({ granted: { pattern }, verdict }) => patternCondition(pattern, verdict))),
    ...(found && { granted: found.granted }),
  };
}

/** Whether a role may take away that the global tenant is writable, which the product gives with some roles. */
export function takesGlobalTenant({ tenants }: RoleRules, { state: { judging } }: AccessModel): boolean {
  const mayMatch = (pattern: string): boolean =>
    pattern.includes("${") || meetsTenant(pattern, judging.globalTenant, judging, { backendRoles: [] }) !== "no";
  return (
    judging.globalTenantRoles.length > 0 &&
    tenants.some(({ patterns, actions }) => patterns.some(mayMatch) && writeGrantIn(actions, judging).writes !== "yes")
  );
}

function accessBy(chains: readonly TenantChain[], conditions: TenantAccess["conditions"]): TenantAccess {
  return { reads: verdictOf(conditions.reads), writes: verdictOf(conditions.writes), conditions, chains };
}

function makesWritable({ pattern, via }: Granted, { tenantWrite, tenantWriteGroup }: Judging): Verdict {
  if (pattern === write || (tenantWriteGroup !== undefined && [pattern, ...via].includes(tenantWriteGroup)))
    return "yes";
  if (tenantWrite === "text") return "no";
  if (tenantWrite === "text-or-star") return pattern === "*" ? "yes" : "no";
  return meets(pattern, "kibana:saved_objects/_/write");
}

function meetsTenant(pattern: string, tenant: string, judging: Judging, subject: Subject): Verdict {
  if (judging.tenantsAreNames) return pattern === tenant ? "yes" : "no";
  if (!judging.tenantVariables || !pattern.startsWith("${attr")) return meets(pattern, tenant);
  const name = resolved(pattern, judging, subject);
  return typeof name !== "string" ? "unknown" : name === tenant ? "yes" : "no";
}
