import { memoiseByObject } from "../../json/memoise.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { ExpandedPermission } from "../model/groups.ts";
import type { Failing, Holding } from "../model/holders.ts";
import { listPossibleRules, type RoleRules } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";
import { mayHold } from "../model/users.ts";
import { beyondOneUnit, matchesPattern } from "../patterns/matches.ts";
import { matchEveryIndex } from "../patterns/partition.ts";
import { findMatchingStems, indexPositions, type Stems } from "../patterns/stem-index.ts";
import { getPatternHead } from "../patterns/syntax.ts";
import { combineAll, combineAny, negate, type Verdict } from "../verdict.ts";
import { isBlockedIn } from "./blocked.ts";
import { coversIndex, type IndexName, listNamesOf, resolveIndexPattern, widenPattern } from "./coverage.ts";
import { addFailures, type HeldRole } from "./refused-expressions.ts";

import { addUnfetched } from "./rewritten-queries.ts";

export type { HeldRole } from "./refused-expressions.ts";

/** One action, as a server asks for it: of the cluster, or on an index. */
export type Permission = { readonly action: string } & (
  | { readonly level: "cluster" }
  | { readonly level: "index"; readonly index: IndexName }
);

/** A role as a subject has it, and what of the role grants or restricts something. */
export interface GrantSource {
  readonly holding: Holding;
  /** The pattern that matches the index or the tenant; absent for a cluster permission. */
  readonly pattern?: string;
  /** The permission that grants it; absent where the element of a role grants by its pattern alone, or only restricts. */
  readonly granted?: ExpandedPermission;
}

/** What grants a permission, or may grant it. */
export interface Chain extends GrantSource {
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  /** The element of `index_permissions`, from 0; absent for a cluster permission. */
  readonly at?: number;
  readonly granted: ExpandedPermission;
  /** It counts if there is an index that the pattern matches, or if it matches the alias. */
  readonly anyOne?: IndexName["anyOne"];
  /** It counts if every index that there is matches it, or another one that grants the same. */
  readonly isOneOfSeveral?: true;
}

export interface Evaluation {
  readonly verdict: Verdict;
  /** Those that are certain first. */
  readonly chains: readonly Chain[];
  /** What keeps the subject out, or may: a block, or a permission that excludes. */
  readonly against: readonly Objection[];
}

export type Objection =
  | { readonly kind: "protected"; readonly verdict: Verdict }
  | { readonly kind: "blocked"; readonly verdict: Verdict }
  | { readonly kind: "excluded"; readonly verdict: Verdict; readonly role: string }
  /** The server fails over it. */
  | (Failing & { readonly verdict: Verdict; readonly role: string })
  /** It is the dashboards' own index, and the tenant is not permitted. */
  | { readonly kind: "tenant"; readonly verdict: Verdict; readonly tenant: string };

/** Whether a subject holds one permission, in any of its roles. */
export function evaluatePermission(model: AccessModel, subject: Subject, permission: Permission): Evaluation {
  const { held, excluding } = heldBy(model)(subject);
  const blocked = isBlockedIn(model.state, subject);
  const against: Objection[] = [
    ...(blocked === "no" ? [] : [{ kind: "blocked", verdict: blocked } as const]),
    ...(isProtected(permission, model) ? [{ kind: "protected", verdict: "yes" } as const] : []),
    ...excluding.flatMap(({ holding, rules }): readonly Objection[] => {
      const verdict = combineAll([holding.verdict, excludes(rules, permission, model, subject)]);
      if (verdict === "no") return [];
      const { role, failing } = holding;
      return [
        failing ? { kind: failing.kind, verdict, role, pattern: failing.pattern } : { kind: "excluded", verdict, role },
      ];
    }),
  ];
  const chainsOf = (some: readonly HeldRole[]): readonly Chain[] =>
    some.flatMap(({ holding, rules }) => listChains(holding, rules, permission, model, subject));
  const isOnAll = permission.level === "index" && permission.index.isAll === true;
  const chains = (
    isOnAll && !model.state.semantics.everythingTakesOnePattern
      ? pickChainsOnAll(chainsOf(held), permission.action, model, subject)
      : chainsOf(pickReaching(held, permission, model))
  ).toSorted((a, b) => Number(a.verdict !== "yes") - Number(b.verdict !== "yes"));
  const verdict = combineAll([
    ...against.map((one) => negate(one.verdict)),
    combineAny([...chains.map((chain) => chain.verdict), mayHold(subject)]),
  ]);
  return { verdict, chains, against };
}

/** Kept, as a subject with thousands of roles is asked about thousands of permissions. */
const heldBy = memoiseByObject((model: AccessModel) =>
  memoiseByObject((subject: Subject) => {
    const held = listHeldRules(model, subject);
    const isExcluding = ({ rules }: HeldRole): boolean => rules.notCluster.length + rules.notIndex.length > 0;
    return { held, excluding: [...held, ...listPerhapsHeld(model, subject)].filter(isExcluding) };
  }),
);

/** Trying each of these takes less than finding out which to try. */
const fewHeld = 16;

/** Without roles that have no pattern that may cover the index: of thousands nearly all. */
function pickReaching(
  held: readonly HeldRole[],
  permission: Permission,
  { state: { semantics } }: AccessModel,
): readonly HeldRole[] {
  if (permission.level === "cluster" || permission.index.anyOne || held.length < fewHeld) return held;
  const names = listNamesOf(permission.index.name, semantics);
  // Whether some patterns match these is unknown, whatever they begin with.
  if (names.some((one) => beyondOneUnit.test(one))) return held;
  const places = new Set(names.flatMap((one) => findMatchingStems(headsOf(held), one)));
  return [...places].sort((a, b) => a - b).flatMap((place) => held[place] ?? []);
}

/** What the names begin with that a role may cover, with the places of those roles. */
const headsOf = memoiseByObject((held: readonly HeldRole[]): Stems => {
  const heads = held.flatMap(({ rules }, place) =>
    [...new Set(rules.index.flatMap(({ patterns }) => patterns.map(getReachingHead)))].map((head) => ({ head, place })),
  );
  const positions = indexPositions(heads.map(({ head }) => head));
  return new Map([...positions].map(([head, all]) => [head, all.flatMap((at) => heads[at]?.place ?? [])]));
});

/** Nothing where what the pattern means begins with something else than what is written. */
function getReachingHead(pattern: string): string {
  const most = pattern === "_all" || pattern === "/" ? undefined : widenPattern(pattern);
  return most === undefined ? "" : getPatternHead(most);
}

/** The roles that a subject holds, without those that do not exist. */
export function listHeldRules(model: AccessModel, subject: Subject): readonly HeldRole[] {
  const held = model.holdings(subject).flatMap((given): readonly HeldRole[] => {
    const rules = model.rules(given.role);
    if (!rules) return [];
    const holding: Holding = rules.isUnlisted
      ? { ...given, verdict: "unknown", unlisted: { isGiven: given.verdict } }
      : given;
    return [
      { holding, rules },
      ...(rules.unknown === undefined ? [] : listPossiblyHeld(holding, rules, rules.unknown)),
    ];
  });
  return addUnfetched(addFailures(held, model, subject), model, subject);
}

/** The roles that a subject may have besides, as its internal user could not be read: each may refuse and restrict. */
export function listPerhapsHeld(model: AccessModel, subject: Subject): readonly HeldRole[] {
  if (mayHold(subject) === "no") return [];
  const sure = new Set(model.holdings(subject).flatMap(({ role, verdict }) => (verdict === "yes" ? [role] : [])));
  return [...model.state.roles.keys()].flatMap((role): readonly HeldRole[] => {
    const rules = sure.has(role) ? undefined : model.rules(role);
    return rules
      ? [{ holding: { role, verdict: "unknown", member: { field: "itself", entries: [role] } }, rules }]
      : [];
  });
}

/** What unknown fields of a role may do: to grant and to refuse are two facts, either may be true alone. */
function listPossiblyHeld(holding: Holding, rules: RoleRules, unknown: string): readonly HeldRole[] {
  return listPossibleRules(rules, unknown).map((possible, at) => ({
    holding: { ...holding, verdict: "unknown", unknown: { by: at === 0 ? "grant" : "refusal", fields: unknown } },
    rules: possible,
  }));
}

function listChains(
  holding: Holding,
  { cluster, index }: RoleRules,
  permission: Permission,
  { state: { semantics } }: AccessModel,
  subject: Subject,
): readonly Chain[] {
  const { action } = permission;
  if (permission.level === "cluster") {
    return cluster.flatMap((granted) => createChain(holding, granted, matchesPattern(granted.pattern, action), {}));
  }
  return index.flatMap(({ at, patterns, actions, hinges }) => {
    const matched = actions.filter(({ pattern }) => matchesPattern(pattern, action) !== "no");
    if (matched.length === 0) return [];
    return patterns.flatMap((pattern) => {
      const covers = combineAll([
        coversIndex(pattern, permission.index, semantics, subject),
        hinges ? "unknown" : "yes",
      ]);
      return matched.flatMap((granted) =>
        createChain(holding, granted, combineAll([covers, matchesPattern(granted.pattern, action)]), {
          at,
          pattern,
          ...(permission.index.anyOne && covers === "unknown" && { anyOne: permission.index.anyOne }),
          ...(permission.index.isAll && covers === "unknown" && { isOneOfSeveral: true }),
        }),
      );
    });
  });
}

/**
 * What grants an action on all indices: a pattern by itself, or several that together match every name. Others may match
 * every index that there is, if one of them matches the product's own, which is on every cluster.
 */
function pickChainsOnAll(
  chains: readonly Chain[],
  action: string,
  { state: { semantics } }: AccessModel,
  subject: Subject,
): readonly Chain[] {
  const alone = chains.filter(({ verdict }) => verdict === "yes");
  if (alone.length > 0) return alone;
  const sure = chains.flatMap((chain) => {
    const meant = resolveIndexPattern(chain.pattern ?? "", semantics, subject);
    const isSure = chain.holding.verdict === "yes" && matchesPattern(chain.granted.pattern, action) === "yes";
    return isSure && typeof meant === "string" ? [{ chain, meant }] : [];
  });
  if (matchEveryIndex(sure.map(({ meant }) => meant)))
    return sure.map(({ chain: { isOneOfSeveral: _, ...chain } }) => ({ ...chain, verdict: "yes" }));
  const own = { name: semantics.securityIndex };
  const mayMatchOwn = chains.some(({ pattern = "" }) => coversIndex(pattern, own, semantics, subject) !== "no");
  return mayMatchOwn ? chains : [];
}

function createChain(
  holding: Holding,
  granted: ExpandedPermission,
  given: Verdict,
  place: Pick<Chain, "at" | "pattern" | "anyOne">,
): readonly Chain[] {
  const verdict = combineAll([holding.verdict, given]);
  return verdict === "no" ? [] : [{ verdict, holding, granted, ...place }];
}

function excludes(rules: RoleRules, permission: Permission, model: AccessModel, subject: Subject): Verdict {
  const { action } = permission;
  const isMeant = (actions: readonly ExpandedPermission[]): Verdict =>
    combineAny(actions.map(({ pattern }) => matchesPattern(pattern, action)));
  if (permission.level === "cluster") return isMeant(rules.notCluster);
  return combineAny(
    rules.notIndex.map(({ patterns, actions }) =>
      combineAll([
        combineAny(patterns.map((pattern) => coversIndex(pattern, permission.index, model.state.semantics, subject))),
        isMeant(actions),
      ]),
    ),
  );
}

/**
 * The product's own configuration index: a principal that may read it sees no documents, and no role can change it.
 */
export function isProtected(permission: Permission, { state: { semantics } }: AccessModel): boolean {
  if (permission.level === "cluster" || permission.index.name !== semantics.securityIndex) return false;
  return semantics.securityIndexKeeps.some((pattern) => matchesPattern(pattern, permission.action) === "yes");
}

/** With an index it is a permission on that, whatever the level by which the action is otherwise evaluated. */
export function createPermission(action: string, index: IndexName | undefined): Permission {
  return index === undefined ? { level: "cluster", action } : { level: "index", action, index };
}
