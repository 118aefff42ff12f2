import { isShutOut } from "./blocked.ts";
import { changed, touchedRoles, waysTo } from "./compare/touched.ts";
import type { Granted } from "./groups.ts";
import type { AccessModel } from "./model.ts";
import { includes, overlaps } from "./patterns/includes.ts";
import { meets } from "./patterns/meets.ts";
import type { IndexRule, RoleRules } from "./roles.ts";
import type { Subject, Way } from "./subject.ts";
import { subjectIn } from "./users.ts";
import { allOf, anyOf, not, type Verdict } from "./verdict.ts";

/** By which somebody may change who may do what, or seems to be meant to. */
export type Power =
  /** The API lets in whoever has the role. */
  | "api"
  /** A cluster permission `restapi:admin/…`. */
  | "rest-permission"
  /** Unlimited actions on the index with the product's own configuration, by a pattern that is not about all indices. */
  | "security-index";

/** Those who come to administer access control by one role. */
export interface Escalation {
  readonly role: string;
  readonly power: Power;
  /** The permission, and what leads to it; absent for `api`. */
  readonly granted?: Granted;
  /** The index pattern, for `security-index`. */
  readonly pattern?: string;
  /** How they come by the role; none of them certainly had the same power before. */
  readonly ways: readonly Way[];
  /** Whether they certainly gain it. */
  readonly verdict: Verdict;
}

/** What a product lets administer. */
export interface Administering {
  /** Roles that the API lets in. */
  readonly roles: readonly string[];
  /** Whether `restapi:admin/…` among cluster permissions does so too. */
  readonly byPermission: boolean;
}

/** By roles that are touched, or by all where blocks are. */
export function escalations(
  before: AccessModel,
  after: AccessModel,
  administering: Administering,
): readonly Escalation[] {
  const powersBefore = powersIn(before, administering);
  const powersAfter = powersIn(after, administering);
  const blocks = changed(before.state.blocks, after.state.blocks).length > 0;
  const roles = blocks
    ? new Set([...after.state.mappings.keys(), ...after.state.roles.keys()])
    : touchedRoles(before.state, after.state);
  return [...roles].sort().flatMap((role) =>
    powersAfter(role).flatMap(({ power, granted, pattern }): readonly Escalation[] => {
      const gains = waysTo(role, after.state).flatMap((way) => {
        const subject = subjectIn(after.state, way);
        const enters = not(shutOut(after, subject));
        const had = has(before, subject, power, powersBefore);
        return enters === "no" || had === "yes" ? [] : [{ way, verdict: allOf([enters, not(had)]) }];
      });
      if (gains.length === 0) return [];
      return [
        {
          role,
          power,
          ...(granted && { granted }),
          ...(pattern !== undefined && { pattern }),
          ways: gains.map(({ way }) => way),
          verdict: anyOf(gains.map(({ verdict }) => verdict)),
        },
      ];
    }),
  );
}

type Powers = (role: string) => readonly Pick<Escalation, "power" | "granted" | "pattern">[];

function powersIn(model: AccessModel, { roles, byPermission }: Administering): Powers {
  const known = new Map<string, ReturnType<Powers>>();
  return (role) => {
    const found = known.get(role);
    if (found) return found;
    const rules = model.rules(role);
    const permission = byPermission ? rules?.cluster.find(({ pattern }) => isRestPermission(pattern)) : undefined;
    const index = rules && unlimitedOnSecurityIndex(rules, model);
    const powers = [
      ...(roles.includes(role) ? [{ power: "api" } as const] : []),
      ...(permission ? [{ power: "rest-permission", granted: permission } as const] : []),
      ...(index ? [{ power: "security-index", ...index } as const] : []),
    ];
    known.set(role, powers);
    return powers;
  };
}

/** All cluster permissions together are none of them: the product wants these said. */
function isRestPermission(pattern: string): boolean {
  return pattern !== "*" && overlaps(pattern, "restapi:admin/*") !== "no";
}

function unlimitedOnSecurityIndex({ index }: RoleRules, { state }: AccessModel) {
  const { securityIndex } = state.judging;
  // Later builds of Search Guard put a dot before it.
  const names = [securityIndex, securityIndex.replace(/^\.?/, ".")];
  const isAbout = (pattern: string): boolean =>
    names.some((name) => meets(pattern, name) === "yes") && includes([pattern], "*") !== "yes" && pattern !== "_all";
  const rule = index.find((one) => one.patterns.some(isAbout) && isUnlimited(one));
  const [granted] = rule?.actions ?? [];
  const pattern = rule?.patterns.find(isAbout);
  return granted && pattern !== undefined ? { granted, pattern } : undefined;
}

function isUnlimited({ actions }: IndexRule): boolean {
  return (
    includes(
      actions.map(({ pattern }) => pattern),
      "indices:*",
    ) === "yes"
  );
}

function has(model: AccessModel, subject: Subject, power: Power, powers: Powers): Verdict {
  const held = model.holdings(subject).filter(({ role }) => powers(role).some((one) => one.power === power));
  return allOf([anyOf(held.map(({ verdict }) => verdict)), not(shutOut(model, subject))]);
}

function shutOut({ state }: AccessModel, subject: Subject): Verdict {
  return isShutOut([...state.blocks.values()], subject);
}
