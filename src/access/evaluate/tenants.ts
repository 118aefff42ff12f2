import type { Semantics } from "../../dialects/semantics.ts";
import { tenants as tenantFacts } from "../../families/tenants.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { memoiseByKey } from "../../json/memoise.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import { getHoldingCondition } from "../model/holders.ts";
import type { RoleRules } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { mayHold } from "../model/users.ts";
import { matchesPattern } from "../patterns/matches.ts";
import {
  type Condition,
  getConditionKey,
  joinAll,
  joinAny,
  negateCondition,
  toCondition,
  toVerdict,
  type Verdict,
} from "../verdict.ts";
import { getBlockedCondition } from "./blocked.ts";
import { getPatternCondition, resolveVariables } from "./coverage.ts";
import { type GrantSource, listHeldRules } from "./permission.ts";

/** What a subject may do in a tenant of the dashboards. */
export interface TenantAccess {
  readonly reads: Verdict;
  readonly writes: Verdict;
  /** The same with what they depend on. */
  readonly conditions: { readonly reads: Condition; readonly writes: Condition };
  readonly chains: readonly TenantChain[];
}

/** How a subject gets at a tenant: by a role that it holds, and the element of the role that matches the tenant. */
export interface TenantChain extends GrantSource {
  /** Whether it makes the tenant readable: `yes` or `unknown`. */
  readonly verdict: Verdict;
  /** The element of `tenant_permissions`, from 0; absent where the product gives it with the role. */
  readonly at?: number;
  /** Whether it makes the tenant writable, too. */
  readonly writes: Verdict;
}

/** The action that makes a tenant writable. */
const write = "kibana:saved_objects/*/write";

/**
 * An entry that matches a tenant makes it readable, whatever it grants; writable if it grants the product's own write
 * permission.
 */
export function evaluateTenantAccess(model: AccessModel, subject: Subject, tenant: string): TenantAccess {
  return createTenantEvaluator(model, subject)(tenant);
}

/**
 * The same of many tenants: what a subject holds is looked for once. The product makes the global tenant writable
 * only where no entry matches it: one that grants less takes that away. Tried on OpenSearch 2.19.1 and Search Guard
 * 7.5.1-38.
 */
export function createTenantEvaluator(model: AccessModel, subject: Subject): (tenant: string) => TenantAccess {
  const { semantics, tenants, blocks } = model.state;
  const roles = listHeldRules(model, subject);
  const isUnblocked = negateCondition(getBlockedCondition([...blocks.values()], subject));
  const refusing = roles.filter(({ holding }) => holding.unknown?.by === "refusal");
  const isLetIn = joinAll([
    isUnblocked,
    ...refusing.map(({ holding }) => negateCondition(getHoldingCondition(holding))),
  ]);
  const isGlobal = (role: string): boolean => semantics.globalTenantRoles.includes(role);
  const ofTenants = roles.filter(({ holding, rules }) => rules.tenants.length > 0 || isGlobal(holding.role));
  const held = ofTenants.map(({ holding, rules }) => ({
    holding,
    isHeld: getHoldingCondition(holding),
    isGlobal: isGlobal(holding.role),
    elements: rules.tenants.map(({ at, patterns, actions }) => {
      const { writes, granted } = findWriteGrant(actions, semantics);
      return { at, patterns, isWriting: writes, ...(granted && { granted }) };
    }),
  }));
  const more = toCondition(mayHold(subject), () => "roles that are not known");
  const inTenant = (conditions: readonly Condition[]): Condition => joinAll([isLetIn, joinAny(conditions)]);
  const patterns = new Set(held.flatMap(({ elements }) => elements.flatMap((element) => element.patterns)));
  const nothing = createTenantAccess([], { reads: "no", writes: "no" });
  return (tenant) => {
    if (subject.user && "name" in subject.user && subject.user.name === tenant) {
      return createTenantAccess([], { reads: isUnblocked, writes: isUnblocked });
    }
    const isThere = semantics.tenantsAreNames || tenants.has(tenant);
    const exists = isThere ? "yes" : toCondition(subject.undeclared === undefined ? "no" : "unknown", () => "tenant");
    const matched = memoiseByKey((pattern: string) => matchesTenant(pattern, tenant, semantics, subject));
    const unknown = getUnknownText(tenants.get(tenant) ?? {}, tenantFacts.fields);
    const isReached = tenant === semantics.globalTenant || [...patterns].some((pattern) => matched(pattern) !== "no");
    if (!isReached && more === "no" && unknown === undefined) return nothing;
    const written = held.flatMap(({ holding, isHeld, elements }) =>
      elements.flatMap(({ at, patterns, isWriting, granted }) =>
        patterns.flatMap((pattern) => {
          const isMatched = getPatternCondition(pattern, matched(pattern));
          if (isMatched === "no") return [];
          const reads = joinAll([isHeld, exists, isMatched]);
          const writes = joinAll([reads, isWriting]);
          return { holding, at, pattern, reads, writes, isWriting, ...(granted && { granted }) };
        }),
      ),
    );
    const readOnly = joinAny([
      ...written.map(({ reads, isWriting }) => joinAll([reads, negateCondition(isWriting)])),
      more,
    ]);
    const builtIn = held.flatMap(({ holding, isHeld, isGlobal }) =>
      isGlobal && tenant === semantics.globalTenant
        ? [{ holding, reads: isHeld, writes: joinAll([isHeld, negateCondition(readOnly)]) }]
        : [],
    );
    const all = [...builtIn, ...written.map(({ isWriting: _, ...chain }) => chain)];
    const chains = all
      .filter(({ reads }) => reads !== "no")
      .map(({ reads, writes, ...chain }): TenantChain => {
        return { ...chain, verdict: toVerdict(reads), writes: toVerdict(writes) };
      });
    const mayBe = joinAll([more, exists]);
    const settled = (condition: Condition): Condition =>
      unknown === undefined ? condition : addUnknownFields(condition, unknown);
    return createTenantAccess(chains, {
      reads: settled(inTenant([...all.map(({ reads }) => reads), mayBe])),
      writes: settled(inTenant([...all.map(({ writes }) => writes), mayBe])),
    });
  };
}

/** Unknown fields of a tenant may let in and keep out: two facts, either may be true alone. */
function addUnknownFields(condition: Condition, fields: string): Condition {
  const may = (what: string) => toCondition("unknown", () => `tenant that may ${what} by ${fields}`);
  return joinAny([joinAll([condition, negateCondition(may("keep out"))]), may("let in")]);
}

/** Whether the actions of an element make a tenant writable, and which of them does; else it can only be read. */
function findWriteGrant(
  actions: readonly ExpandedPermission[],
  semantics: Semantics,
): { readonly writes: Condition; readonly granted?: ExpandedPermission } {
  const all = actions.map((granted) => ({ granted, verdict: makesWritable(granted, semantics) }));
  const found = all.find(({ verdict }) => verdict === "yes") ?? all.find(({ verdict }) => verdict === "unknown");
  return {
    writes: joinAny(all.map(({ granted: { pattern }, verdict }) => getPatternCondition(pattern, verdict))),
    ...(found && { granted: found.granted }),
  };
}

/** Whether actions on a tenant make it writable. */
export function isWritingTenants(actions: readonly ExpandedPermission[], semantics: Semantics): Verdict {
  return toVerdict(findWriteGrant(actions, semantics).writes);
}

/** Of each element of a role about tenants, the key of the condition on which it makes them writable. */
export function listTenantWrites({ tenants }: RoleRules, { state: { semantics } }: AccessModel): readonly string[] {
  return tenants.map(({ actions }) => getConditionKey(findWriteGrant(actions, semantics).writes));
}

/** Whether a role may take away that the global tenant is writable, which the product gives with some roles. */
export function takesGlobalTenant({ tenants }: RoleRules, { state: { semantics } }: AccessModel): boolean {
  const mayMatch = (pattern: string): boolean =>
    pattern.includes("${") || matchesTenant(pattern, semantics.globalTenant, semantics, { backendRoles: [] }) !== "no";
  return (
    semantics.globalTenantRoles.length > 0 &&
    tenants.some(
      ({ patterns, actions }) => patterns.some(mayMatch) && findWriteGrant(actions, semantics).writes !== "yes",
    )
  );
}

function createTenantAccess(chains: readonly TenantChain[], conditions: TenantAccess["conditions"]): TenantAccess {
  return { reads: toVerdict(conditions.reads), writes: toVerdict(conditions.writes), conditions, chains };
}

function makesWritable({ pattern, via }: ExpandedPermission, { tenantWrite, tenantWriteGroup }: Semantics): Verdict {
  if (pattern === write || (tenantWriteGroup !== undefined && [pattern, ...via].includes(tenantWriteGroup)))
    return "yes";
  switch (tenantWrite) {
    case "text":
      return "no";
    case "text-or-star":
      return pattern === "*" ? "yes" : "no";
    case "text-as-name":
      return matchesPattern(pattern, write);
    case "unknown":
      return matchesPattern(pattern, write) === "no" ? "no" : "unknown";
    case "pattern":
      return matchesPattern(pattern, "kibana:saved_objects/_/write");
  }
}

function matchesTenant(pattern: string, tenant: string, semantics: Semantics, subject: Subject): Verdict {
  if (semantics.tenantsAreNames) return pattern === tenant ? "yes" : "no";
  const { tenantVariables, substitutesVariables } = semantics;
  if (!substitutesVariables && (!tenantVariables || !pattern.startsWith("${attr")))
    return matchesPattern(pattern, tenant);
  const name = resolveVariables(pattern, semantics, subject);
  if (typeof name !== "string") return "unknown";
  // What an attribute holds is a pattern there.
  if (substitutesVariables) return matchesPattern(name, tenant);
  return name === tenant ? "yes" : "no";
}
