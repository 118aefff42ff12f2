// Which built-in entries of one product are like those of another one: by their names, and by all that they grant.
import { isWritingTenants } from "../access/evaluate/tenants.ts";
import { createGroupExpander, type GroupExpander } from "../access/model/groups.ts";
import { hasExclusions, isRestricting, parseRoleRules, type RoleRules } from "../access/model/roles.ts";
import { includes } from "../access/patterns/includes.ts";
import { type Builtins, createBuiltins } from "../dialects/builtin/index.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getSemantics } from "../dialects/find-semantics.ts";
import type { Semantics } from "../dialects/semantics.ts";
import type { Fields } from "../json/value.ts";

/** A built-in entry of the other product. */
export interface Equivalent {
  readonly name: string;
  /** It grants all that the one of the source grants. */
  readonly grantsAll: boolean;
  /** It grants just that. */
  readonly isEqual: boolean;
}

/** One product, with what it comes with. */
export interface ProductSide {
  readonly dialect: Dialect;
  readonly semantics: Semantics;
  readonly builtin: Builtins;
  /** By its built-in groups alone. */
  readonly expand: GroupExpander;
}

export function openSide(dialect: Dialect): ProductSide {
  const [semantics, builtin] = [getSemantics(dialect), createBuiltins(dialect)];
  return { dialect, semantics, builtin, expand: createGroupExpander(builtin.action_groups, semantics) };
}

/** `SGS_READ`, `sg_readall` and `READ` are what OpenSearch calls `read` and `readall`. */
function getPlainName(name: string): string {
  const plain = name.replace(/^sgs?_/i, "").toLowerCase();
  return renamedGroups.get(plain) ?? plain;
}

/** Of Search Guard 6. */
const renamedGroups: ReadonlyMap<string, string> = new Map([
  ["all", "indices_all"],
  ["monitor", "indices_monitor"],
]);

function findByPlainName(names: Iterable<string>, name: string): string | undefined {
  const plain = getPlainName(name);
  for (const one of names) if (getPlainName(one) === plain) return one;
  return undefined;
}

export function findEquivalentGroup(from: ProductSide, to: ProductSide, name: string): Equivalent | undefined {
  const found = findByPlainName(to.builtin.action_groups.keys(), name);
  if (found === undefined) return undefined;
  const [old, now] = [from, to].map(({ expand }, at) => expand([at === 0 ? name : found]).map((one) => one.pattern));
  // A name that stays a pattern matches no action.
  const actions = (list: readonly string[] = []): readonly string[] => list.filter((one) => /[:*]/.test(one));
  const grantsAll = includesAll(actions(now), actions(old));
  return { name: found, grantsAll, isEqual: grantsAll && includesAll(actions(old), actions(now)) };
}

export function findEquivalentRole(from: ProductSide, to: ProductSide, name: string): Equivalent | undefined {
  const found = findByPlainName(to.builtin.roles.keys(), name);
  const [old, now] = [from.builtin.roles.get(name), found === undefined ? undefined : to.builtin.roles.get(found)];
  if (found === undefined || !old || !now) return undefined;
  const [was, is] = [
    { rules: readRules(name, old, from), side: from },
    { rules: readRules(found, now, to), side: to },
  ];
  const isGlobal = (side: ProductSide, role: string) => side.semantics.globalTenantRoles.includes(role);
  const [gives, gave] = [isGlobal(to, found), isGlobal(from, name)];
  const grantsAll = (gives || !gave) && grantsAllOf(is, was);
  return { name: found, grantsAll, isEqual: grantsAll && gives === gave && grantsAllOf(was, is) };
}

/** The equivalent of a tenant: only the one that all users have is built in. */
export function findEquivalentTenant(from: ProductSide, to: ProductSide, name: string): Equivalent | undefined {
  if (name !== from.semantics.globalTenant) return undefined;
  return { name: to.semantics.globalTenant, grantsAll: true, isEqual: true };
}

export function readRules(name: string, fields: Fields, { expand }: Pick<ProductSide, "expand">): RoleRules {
  return parseRoleRules(name, fields, expand, () => [], { invalidQueries: "fail" });
}

/** Whether an entry of the user's own is what the other product comes with under the same name. */
export function isBuiltinThere(
  family: "action_groups" | "roles",
  { name, value }: { readonly name: string; readonly value: Fields },
  { from, to, expand }: { readonly from: ProductSide; readonly to: ProductSide; readonly expand: GroupExpander },
): boolean {
  const builtin = to.builtin[family].get(name);
  if (!builtin) return false;
  const [own, there] =
    family === "roles"
      ? [readRules(name, value, { expand }), readRules(name, builtin, to)]
      : [readGroup(value, expand), readGroup(builtin, to.expand)];
  if (own.index.some(({ restricts }) => isRestricting(restricts)) || hasExclusions(value)) return false;
  const [mine, theirs] = [
    { rules: own, side: from },
    { rules: there, side: to },
  ];
  return grantsAllOf(mine, theirs) && grantsAllOf(theirs, mine);
}

function readGroup({ allowed_actions = [] }: Fields, expand: GroupExpander): RoleRules {
  return readRules("", { cluster_permissions: allowed_actions }, { expand });
}

interface SideRules {
  readonly rules: RoleRules;
  readonly side: ProductSide;
}

/** Whether everything that a role grants is granted by another one. What restricts is no part of built-in roles. */
function grantsAllOf(big: SideRules, small: SideRules): boolean {
  return (
    includesAll(listPatterns(big.rules.cluster), listPatterns(small.rules.cluster)) &&
    small.rules.index.every(({ patterns, actions }) =>
      patterns.every((pattern) => {
        const covering = big.rules.index.filter((one) => includes(one.patterns, pattern) === "yes");
        return includesAll(
          covering.flatMap((one) => listPatterns(one.actions)),
          listPatterns(actions),
        );
      }),
    ) &&
    small.rules.tenants.every(({ patterns, actions }) =>
      patterns.every((pattern) => {
        const covering = big.rules.tenants.filter((one) => includes(one.patterns, pattern) === "yes");
        const granted = covering.flatMap((one) => one.actions);
        // Products have words of their own for it: what counts is whether tenants can be written.
        const writes = isWritingTenants(actions, small.side.semantics) !== "no";
        return covering.length > 0 && (!writes || isWritingTenants(granted, big.side.semantics) === "yes");
      }),
    )
  );
}

function listPatterns(actions: RoleRules["cluster"]): readonly string[] {
  return actions.map(({ pattern }) => pattern).filter((pattern) => /[:*]/.test(pattern));
}

function includesAll(patterns: readonly string[], others: readonly string[]): boolean {
  return others.every((one) => includes(patterns, one) === "yes");
}
