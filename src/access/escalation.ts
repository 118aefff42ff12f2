import { isShutOut } from "./blocked.ts";
import { changed, touchedRoles, waysTo } from "./compare/touched.ts";
import type { Granted } from "./groups.ts";
import type { AccessModel } from "./model.ts";
import { includes, overlaps } from "./patterns/includes.ts";
import { meets } from "./patterns/meets.ts";
import { mayContain } from "./patterns/required.ts";
import type { RoleRules } from "./roles.ts";
import { type Subject, type Way, wayTitle } from "./subject.ts";
import { subjectIn } from "./users.ts";
import { allOf, anyOf, not, type Verdict } from "./verdict.ts";

/** By which somebody may change who may do what, or seems to be meant to. */
export type Power =
  /** The API lets in whoever has the role. */
  | "api"
  /** A cluster permission `restapi:admin/…`. */
  | "rest-permission"
  /** Writing to the index with the product's own configuration, by a pattern that is not about all indices. */
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
    powersAfter(role).flatMap((found): readonly Escalation[] => {
      const { power, granted, pattern } = found;
      const keyOf = (one: Found) => JSON.stringify([one.power, one.verdict, one.granted?.pattern, one.pattern]);
      // What is unknown and stays as it is comes by nothing in this plan.
      const isAsBefore = !blocks && powersBefore(role).some((one) => keyOf(one) === keyOf(found));
      const old = new Set(isAsBefore ? waysTo(role, before.state).map(wayTitle) : []);
      const gains = waysTo(role, after.state).flatMap((way) => {
        if (old.has(wayTitle(way))) return [];
        const subject = subjectIn(after.state, way);
        const enters = not(shutOut(after, subject));
        const had = has(before, subject, power, powersBefore);
        return enters === "no" || had === "yes" ? [] : [{ way, verdict: allOf([enters, found.verdict, not(had)]) }];
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

interface Found extends Pick<Escalation, "power" | "granted" | "pattern"> {
  /** `yes` or `unknown`. */
  readonly verdict: Verdict;
}

type Powers = (role: string) => readonly Found[];

function powersIn(model: AccessModel, { roles, byPermission }: Administering): Powers {
  const known = new Map<string, ReturnType<Powers>>();
  return (role) => {
    const found = known.get(role);
    if (found) return found;
    const rules = model.rules(role);
    const permission = byPermission ? firstOf(rules?.cluster ?? [], ({ pattern }) => isRestPermission(pattern)) : none;
    const index = rules ? writesSecurityIndex(rules, model) : none;
    const powers: readonly Found[] = [
      ...(roles.includes(role) ? [{ power: "api", verdict: "yes" } as const] : []),
      ...permission.map(({ one, verdict }) => ({ power: "rest-permission", granted: one, verdict }) as const),
      ...index.map(({ one, verdict }) => ({ power: "security-index", ...one, verdict }) as const),
    ];
    known.set(role, powers);
    return powers;
  };
}

/** The first that certainly is so, else the first of which it is unknown; none where there is none. */
function firstOf<T>(
  all: readonly T[],
  of: (one: T) => Verdict,
): readonly { readonly one: T; readonly verdict: Verdict }[] {
  const found = all.map((one) => ({ one, verdict: of(one) })).filter(({ verdict }) => verdict !== "no");
  const first = found.find(({ verdict }) => verdict === "yes") ?? found[0];
  return first ? [first] : [];
}

const none: readonly never[] = [];

/** All cluster permissions together are none of them: the product wants these said. */
function isRestPermission(pattern: string): Verdict {
  return pattern === "*" ? "no" : overlaps(pattern, "restapi:admin/*");
}

/** By any of these somebody can change what the index says. */
const writes = [
  "indices:data/write/index",
  "indices:data/write/bulk[s]",
  "indices:data/write/update",
  "indices:data/write/delete",
  "indices:admin/delete",
  "indices:admin/mapping/put",
];

function writesSecurityIndex({ index }: RoleRules, { state }: AccessModel) {
  const { securityIndex } = state.judging;
  // Later builds of Search Guard put a dot before it.
  const names = [securityIndex, securityIndex.replace(/^\.?/, ".")];
  const cases = index.flatMap(({ patterns, actions }) =>
    patterns.flatMap((pattern) => actions.map((granted) => ({ pattern, granted }))),
  );
  return firstOf(cases, ({ pattern, granted }) =>
    allOf([isAbout(pattern, names), anyOf(writes.map((action) => meets(granted.pattern, action)))]),
  );
}

/** Whether an index pattern covers one of some names; never what is about all indices. */
function isAbout(pattern: string, names: readonly string[]): Verdict {
  if (pattern === "_all" || pattern === "*") return "no";
  if (pattern.includes("${")) {
    // What a user is called decides; where nothing else is said, that is no name of this index.
    const rest = pattern.replace(/\$\{[^}]*\}/g, "*");
    return /^[*?]*$/.test(rest) || !names.some((name) => mayContain(rest, name)) ? "no" : "unknown";
  }
  const covers = anyOf(names.map((name) => (mayContain(pattern, name) ? meets(pattern, name) : "no")));
  return covers === "no" || includes([pattern], "?*") === "yes" ? "no" : covers;
}

function has(model: AccessModel, subject: Subject, power: Power, powers: Powers): Verdict {
  const held = model.holdings(subject).flatMap(({ role, verdict }) => {
    const own = powers(role).filter((one) => one.power === power);
    return own.map((one) => allOf([verdict, one.verdict]));
  });
  return allOf([anyOf(held), not(shutOut(model, subject))]);
}

function shutOut({ state }: AccessModel, subject: Subject): Verdict {
  return isShutOut([...state.blocks.values()], subject);
}
