import { isShutOut } from "./blocked.ts";
import { coversIndex, type IndexName } from "./coverage.ts";
import type { Granted } from "./groups.ts";
import type { Holding } from "./holders.ts";
import type { AccessModel } from "./model.ts";
import { meets } from "./patterns/meets.ts";
import { possibleRules, type RoleRules } from "./roles.ts";
import type { Subject } from "./subject.ts";
import { mayHold } from "./users.ts";
import { allOf, anyOf, not, type Verdict } from "./verdict.ts";

/** What one transport action takes. */
export type Permission = { readonly action: string } & (
  | { readonly level: "cluster" }
  | { readonly level: "index"; readonly index: IndexName }
);

/** How a permission is come by, or may be. */
export interface Chain {
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
  readonly holding: Holding;
  /** The element of `index_permissions`, from 0; absent for a cluster permission. */
  readonly at?: number;
  /** The index pattern of it that covers the index. */
  readonly pattern?: string;
  readonly granted: Granted;
  /** It counts if there is an index that the pattern matches. */
  readonly anyOne?: true;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** Those that are certain first. */
  readonly chains: readonly Chain[];
  /** What keeps the subject out, or may: a block, or a permission that excludes. */
  readonly against: readonly Against[];
}

export type Against =
  | { readonly kind: "protected"; readonly verdict: Verdict }
  | { readonly kind: "blocked"; readonly verdict: Verdict }
  | { readonly kind: "excluded"; readonly verdict: Verdict; readonly role: string }
  /** It is the dashboards' own index, and the tenant is not permitted. */
  | { readonly kind: "tenant"; readonly verdict: Verdict; readonly tenant: string };

/** Whether a subject holds one permission, in any of its roles. */
export function judge(model: AccessModel, subject: Subject, permission: Permission): Judgement {
  const held = heldRules(model, subject);
  const blocked = isShutOut([...model.state.blocks.values()], subject);
  const against: Against[] = [
    ...(blocked === "no" ? [] : [{ kind: "blocked", verdict: blocked } as const]),
    ...(isProtected(permission, model) ? [{ kind: "protected", verdict: "yes" } as const] : []),
    ...[...held, ...perhapsHeld(model, subject)].flatMap(({ holding, rules }): readonly Against[] => {
      const verdict = allOf([holding.verdict, excludes(rules, permission, model, subject)]);
      return verdict === "no" ? [] : [{ kind: "excluded", verdict, role: holding.role }];
    }),
  ];
  const chains = held
    .flatMap(({ holding, rules }) => chainsOf(holding, rules, permission, model, subject))
    .toSorted((a, b) => Number(a.verdict !== "yes") - Number(b.verdict !== "yes"));
  const verdict = allOf([
    ...against.map((one) => not(one.verdict)),
    anyOf([...chains.map((chain) => chain.verdict), mayHold(subject)]),
  ]);
  return { verdict, chains, against };
}

/** A role that is there, as a subject has it. */
export interface Held {
  readonly holding: Holding;
  readonly rules: RoleRules;
}

/** The roles of a subject that are there. */
export function heldRules(model: AccessModel, subject: Subject): readonly Held[] {
  return model.holdings(subject).flatMap((holding) => {
    const rules = model.rules(holding.role);
    if (!rules) return [];
    return [{ holding, rules }, ...(rules.unknown === undefined ? [] : possiblyHeld(holding, rules, rules.unknown))];
  });
}

/** The roles that a subject may have besides, as its internal user could not be read: each of them may refuse and restrict. */
export function perhapsHeld(model: AccessModel, subject: Subject): readonly Held[] {
  if (mayHold(subject) === "no") return [];
  const sure = new Set(model.holdings(subject).flatMap(({ role, verdict }) => (verdict === "yes" ? [role] : [])));
  return [...model.state.roles.keys()].flatMap((role): readonly Held[] => {
    const rules = sure.has(role) ? undefined : model.rules(role);
    return rules ? [{ holding: { role, verdict: "unknown", way: { field: "itself", entries: [role] } }, rules }] : [];
  });
}

/** What the unknown fields of a role may do: granting and refusing are two facts, as either may be so without the other. */
function possiblyHeld(holding: Holding, rules: RoleRules, unknown: string): readonly Held[] {
  return possibleRules(rules, unknown).map((possible, at) => ({
    holding: { ...holding, verdict: "unknown", unknown: { by: at === 0 ? "grant" : "refusal", fields: unknown } },
    rules: possible,
  }));
}

function chainsOf(
  holding: Holding,
  { cluster, index }: RoleRules,
  permission: Permission,
  { state: { judging } }: AccessModel,
  subject: Subject,
): readonly Chain[] {
  const { action } = permission;
  if (permission.level === "cluster") {
    return cluster.flatMap((granted) => chain(holding, granted, meets(granted.pattern, action), {}));
  }
  return index.flatMap(({ at, patterns, actions, hinges }) => {
    const met = actions.filter(({ pattern }) => meets(pattern, action) !== "no");
    if (met.length === 0) return [];
    return patterns.flatMap((pattern) => {
      const covers = allOf([coversIndex(pattern, permission.index, judging, subject), hinges ? "unknown" : "yes"]);
      return met.flatMap((granted) =>
        chain(holding, granted, allOf([covers, meets(granted.pattern, action)]), {
          at,
          pattern,
          ...(permission.index.anyOne && covers === "unknown" && { anyOne: true }),
        }),
      );
    });
  });
}

function chain(
  holding: Holding,
  granted: Granted,
  given: Verdict,
  place: Pick<Chain, "at" | "pattern" | "anyOne">,
): readonly Chain[] {
  const verdict = allOf([holding.verdict, given]);
  return verdict === "no" ? [] : [{ verdict, holding, granted, ...place }];
}

function excludes(rules: RoleRules, permission: Permission, model: AccessModel, subject: Subject): Verdict {
  const { action } = permission;
  const isMeant = (actions: readonly Granted[]): Verdict => anyOf(actions.map(({ pattern }) => meets(pattern, action)));
  if (permission.level === "cluster") return isMeant(rules.notCluster);
  return anyOf(
    rules.notIndex.map(({ patterns, actions }) =>
      allOf([
        anyOf(patterns.map((pattern) => coversIndex(pattern, permission.index, model.state.judging, subject))),
        isMeant(actions),
      ]),
    ),
  );
}

/** The index with the configuration of the product itself: whoever may read it sees nothing in it, and nobody changes it. */
export function isProtected(permission: Permission, { state: { judging } }: AccessModel): boolean {
  if (permission.level === "cluster" || permission.index.name !== judging.securityIndex) return false;
  return judging.securityIndexKeeps.some((pattern) => meets(pattern, permission.action) === "yes");
}

/** With an index it is a permission on that, whatever the level by which the action is otherwise evaluated. */
export function permissionFor(action: string, index: IndexName | undefined): Permission {
  return index === undefined ? { level: "cluster", action } : { level: "index", action, index };
}
