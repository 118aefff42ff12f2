import { isBlockedIn, isShutOut } from "../evaluate/blocked.ts";
import { covers } from "../evaluate/index-parts.ts";
import { createPermission, evaluatePermission, type GrantSource, listHeldRules } from "../evaluate/permission.ts";
import type { PermissionPart as Single } from "../evaluate/request.ts";
import { createRoleFinder } from "../evaluate/roles-about.ts";
import { evaluateTenantAccess } from "../evaluate/tenants.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import type { Failing } from "../model/holders.ts";
import type { RoleRules } from "../model/roles.ts";
import { listMembers, type Member, type Subject } from "../model/subject.ts";
import { listInternalHolders } from "../model/users.ts";
import { matchesPattern } from "../patterns/matches.ts";

/** Why a permission is not held, and what comes near it. */
export type Miss =
  | { readonly kind: "blocked"; readonly blocks: readonly string[] }
  | { readonly kind: "protected"; readonly index: string }
  | { readonly kind: "excluded"; readonly role: string }
  /** It takes a right on all indices, whichever the request names. */
  | { readonly kind: "all-indices" }
  /** The server fails over it. */
  | (Failing & { readonly role: string })
  /** It is the dashboards' own index, and takes that tenant besides: to write it, or to read it. */
  | { readonly kind: "tenant"; readonly index: string; readonly tenant: string }
  /** A role that is held grants it on other indices. */
  | {
      readonly kind: "other-indices";
      readonly role: string;
      readonly patterns: readonly string[];
      /** Whether it is known that none of the patterns is the name of an alias that leads there. */
      readonly knowsAliases?: true;
    }
  /** A role that is held is about the index, with other actions. */
  | {
      readonly kind: "other-actions";
      readonly role: string;
      readonly pattern: string;
      readonly actions: readonly string[];
    }
  /** It is among the permissions of the other level (cluster or index), where it grants nothing. */
  | { readonly kind: "wrong-level"; readonly role: string; readonly granted: ExpandedPermission }
  /** A role that grants it, and the members of its mappings; without members, no principal has the role. */
  | { readonly kind: "not-held"; readonly role: string; readonly members: readonly Member[] }
  /** A role that is held by a mapping, and is not there. */
  | { readonly kind: "no-such-role"; readonly role: string }
  | { readonly kind: "no-role" }
  | { readonly kind: "no-such-tenant"; readonly tenant: string }
  /** A role that is held lets it be read. */
  | { readonly kind: "read-only"; readonly role: string; readonly pattern: string };

/** At most so many of each kind: a longer list is not read. */
const most = 3;

/** Why one permission is refused: what refuses it first, then what comes near it. */
export function findMisses(model: AccessModel, subject: Subject, single: Single): readonly Miss[] {
  const { action, index, evaluation } = single;
  const against = evaluation.against.filter(({ verdict }) => verdict === "yes");
  const shut: readonly Miss[] = against.flatMap((one): readonly Miss[] => {
    switch (one.kind) {
      case "blocked":
        return [{ kind: "blocked", blocks: findBlocksAgainst(model, subject) }];
      case "protected":
        return [{ kind: "protected", index: index?.name ?? "" }];
      case "tenant":
        return [{ kind: "tenant", index: index?.name ?? "", tenant: one.tenant }];
      case "refused-expression":
      case "rewritten-query":
        return [{ kind: one.kind, role: one.role, pattern: one.pattern }];
      default:
        return [{ kind: "excluded", role: one.role }];
    }
  });
  if (shut.length > 0 && evaluation.chains.length > 0) return shut;
  const onAll: readonly Miss[] = index?.isAll ? [{ kind: "all-indices" }] : [];
  const held = listHeldRules(model, subject);
  const near = index
    ? uniteRoles(held.map(({ rules }) => rules)).flatMap((rules) => [
        ...listOtherIndices(model.state, rules, action),
        ...listOtherActions(model, subject, rules, action, index),
      ])
    : [];
  const wrong = uniteRoles(held.map(({ rules }) => rules)).flatMap((rules) => listWrongLevels(rules, single));
  const missing = [...new Set(model.holdings(subject).map(({ role }) => role))]
    .filter((role) => model.rules(role) === undefined)
    .map((role): Miss => ({ kind: "no-such-role", role }));
  const none: readonly Miss[] = model.holdings(subject).length === 0 ? [{ kind: "no-role" }] : [];
  const others =
    held.length > most * 100
      ? []
      : listRolesNotHeld(
          model,
          subject,
          (holder) => listCertainChains(model, holder, single),
          createRoleFinder(model, { cluster: index ? [] : [action], indices: index ? [index.name] : [] }),
        );
  return [
    ...shut,
    ...onAll,
    ...wrong,
    ...sortByLikeness(near, index?.name).slice(0, most),
    ...missing.slice(0, most),
    ...none,
    ...others,
  ];
}

function listCertainChains(model: AccessModel, subject: Subject, { action, index }: Single): readonly GrantSource[] {
  return evaluatePermission(model, subject, createPermission(action, index)).chains.filter(
    ({ verdict }) => verdict === "yes",
  );
}

/** Why one tenant is refused, and what comes near it. */
export function findTenantMisses(
  model: AccessModel,
  subject: Subject,
  { tenant, writes }: { readonly tenant: string; readonly writes: boolean },
): readonly Miss[] {
  const { semantics, tenants } = model.state;
  if (isBlockedIn(model.state, subject) === "yes") {
    return [{ kind: "blocked", blocks: findBlocksAgainst(model, subject) }];
  }
  if (!semantics.tenantsAreNames && !tenants.has(tenant)) return [{ kind: "no-such-tenant", tenant }];
  const certain = (holder: Subject) =>
    evaluateTenantAccess(model, holder, tenant)
      .chains.filter((one) => (writes ? one.writes : one.verdict) === "yes")
      .map(({ holding, pattern = "" }) => ({ holding, pattern }));
  const readOnly = evaluateTenantAccess(model, subject, tenant).chains.flatMap(({ holding: { role }, pattern }) =>
    pattern === undefined ? [] : [{ kind: "read-only", role, pattern } as const],
  );
  const none: readonly Miss[] = model.holdings(subject).length === 0 ? [{ kind: "no-role" }] : [];
  return [...readOnly, ...none, ...listRolesNotHeld(model, subject, certain)];
}

/** Names of the blocks that alone shut a subject out. */
export function findBlocksAgainst({ state: { blocks } }: AccessModel, subject: Subject): readonly string[] {
  return [...blocks].filter(([, block]) => isShutOut([block], subject) === "yes").map(([name]) => name);
}

function uniteRoles(rules: readonly RoleRules[]): readonly RoleRules[] {
  return [...new Set(rules)];
}

function listOtherIndices(
  { semantics: { aliases } }: AccessModel["state"],
  { name, index }: RoleRules,
  action: string,
): readonly Miss[] {
  const patterns = index.filter(({ actions }) => grantsAction(actions, action)).flatMap((rule) => rule.patterns);
  if (patterns.length === 0) return [];
  return [
    { kind: "other-indices", role: name, patterns: [...new Set(patterns)], ...(aliases && { knowsAliases: true }) },
  ];
}

function listOtherActions(
  model: AccessModel,
  subject: Subject,
  { name, index: rules }: RoleRules,
  action: string,
  index: NonNullable<Single["index"]>,
): readonly Miss[] {
  return rules.flatMap(({ patterns, actions }): readonly Miss[] => {
    const pattern = patterns.find((one) => covers(model, subject, one, index) === "yes");
    if (pattern === undefined || grantsAction(actions, action)) return [];
    return [{ kind: "other-actions", role: name, pattern, actions: restoreGroupNames(actions) }];
  });
}

/** Names of groups as a role has them, else the patterns themselves. */
export function restoreGroupNames(actions: readonly ExpandedPermission[]): readonly string[] {
  return [...new Set(actions.map(({ pattern, via: [first = pattern] }) => first))];
}

function listWrongLevels({ name, cluster, index }: RoleRules, { action, index: on }: Single): readonly Miss[] {
  const others = on ? cluster : index.flatMap(({ actions }) => actions);
  // What is meant for everything of its level is no mistake.
  const granted =
    others.find(({ pattern }) => pattern === action) ??
    others.find(({ pattern }) => /^[a-z]+:.*\w/.test(pattern) && matchesPattern(pattern, action) === "yes");
  return granted ? [{ kind: "wrong-level", role: name, granted }] : [];
}

function grantsAction(actions: readonly ExpandedPermission[], action: string): boolean {
  return actions.some(({ pattern }) => matchesPattern(pattern, action) === "yes");
}

/**
 * Roles that would grant it, the narrowest first; roles without members only where there are no others.
 *
 * @param grantsOf what certainly grants it to a subject
 * @param mayGrant false for roles that are about something else
 */
function listRolesNotHeld(
  model: AccessModel,
  subject: Subject,
  grantsOf: (holder: Subject) => readonly GrantSource[],
  mayGrant: (role: string) => boolean = () => true,
): readonly Miss[] {
  const held = new Set(model.holdings(subject).map(({ role }) => role));
  // Without a host: it decides nothing of a role that is held, and holding it against all mappings again takes long.
  const { user, attributes } = subject;
  const alone: Subject = { ...(user && { user }), backendRoles: [], ...(attributes && { attributes }) };
  const found = [...model.state.roles.keys()].flatMap((role) => {
    if (held.has(role) || !mayGrant(role)) return [];
    const source = grantsOf({ ...alone, roles: [role] }).find(({ holding }) => holding.role === role);
    if (!source) return [];
    const members = [...listMembers(model.state.mappings.get(role) ?? {}), ...listInternalHolders(role, model.state)];
    const narrowness = (source.pattern ?? "").length + (source.granted?.pattern ?? "").length;
    return [{ miss: { kind: "not-held", role, members } as const, narrowness }];
  });
  const had = found.filter(({ miss }) => miss.members.length > 0);
  return (had.length > 0 ? had : found)
    .toSorted((a, b) => b.narrowness - a.narrowness)
    .slice(0, most)
    .map(({ miss }) => miss);
}

/** First those whose pattern begins most like the index. */
function sortByLikeness(misses: readonly Miss[], name = ""): readonly Miss[] {
  const likeness = (miss: Miss): number => {
    const patterns = miss.kind === "other-indices" ? miss.patterns : miss.kind === "other-actions" ? [name] : [];
    return Math.max(0, ...patterns.map((pattern) => countSharedStart(pattern, name)));
  };
  return misses.toSorted((a, b) => likeness(b) - likeness(a));
}

function countSharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}
