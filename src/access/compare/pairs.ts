import type { AccessModel } from "../model.ts";
import { overlaps } from "../patterns/includes.ts";
import { isRestricting, type RoleRules } from "../roles.ts";
import type { Subject, Who } from "../subject.ts";
import { shownWho } from "../subject.ts";
import { type Principal, principalsOf } from "./touched.ts";

/** Two principals that may be one person, of which the first has a role that restricts what others grant. */
export interface Pair {
  readonly first: Principal;
  readonly second: Principal;
  readonly subject: Subject;
}

/** More pairs than these nobody reads, and they take too long to judge. */
const mostPairs = 2000;

/**
 * Access does not add up: DLS, FLS, masking and exclusions of one role take from what another grants. So where such a
 * role is touched, whoever has it is judged together with whoever else has a role on the same indices.
 */
export function pairsOf(
  touched: Iterable<string>,
  models: readonly AccessModel[],
): { readonly pairs: readonly Pair[]; readonly tooMany: boolean } {
  const restricting = [...touched].filter((role) =>
    models.some((model) => restrictedPatterns(model.rules(role)).length > 0),
  );
  if (restricting.length === 0) return { pairs: [], tooMany: false };
  const pairs = new Map<string, Pair>();
  const found = new Map<string, boolean>();
  const mayMeet = (a: string, b: string): boolean => {
    const key = `${a} ${b}`;
    const known = found.get(key) ?? overlaps(a, b) !== "no";
    found.set(key, known);
    return known;
  };
  for (const role of restricting) {
    const patterns = [...new Set(models.flatMap((model) => restrictedPatterns(model.rules(role))))];
    const others = new Set(
      models.flatMap((model) =>
        [...model.state.roles.keys()].filter((other) =>
          indexPatterns(model.rules(other)).some((one) => patterns.some((pattern) => mayMeet(pattern, one))),
        ),
      ),
    );
    others.delete(role);
    const firsts = principalsOf([role], models);
    for (const second of principalsOf(others, models)) {
      for (const first of firsts) {
        const subject = first.key === second.key ? undefined : together(first.subject, second.subject);
        const key = [first.key, second.key].sort().join(" ");
        if (subject && !pairs.has(key)) pairs.set(key, { first, second, subject });
        if (pairs.size > mostPairs) return { pairs: [...pairs.values()], tooMany: true };
      }
    }
  }
  return { pairs: [...pairs.values()], tooMany: false };
}

function restrictedPatterns(rules: RoleRules | undefined): readonly string[] {
  if (!rules) return [];
  return [
    ...rules.index.filter(({ restricts }) => isRestricting(restricts)).flatMap(({ patterns }) => patterns),
    ...rules.notIndex.flatMap(({ patterns }) => patterns),
    ...(rules.notCluster.length > 0 ? ["*"] : []),
  ];
}

function indexPatterns(rules: RoleRules | undefined): readonly string[] {
  return rules?.index.flatMap(({ patterns }) => patterns) ?? [];
}

/** Somebody who is both; undefined where nobody can be, having one name and one address. */
export function together(a: Subject, b: Subject): Subject | undefined {
  const user = same(a.user, b.user);
  const host = same(whoIn(a.host), whoIn(b.host));
  if (user === "none" || host === "none") return undefined;
  const roles = new Map([...a.backendRoles, ...b.backendRoles].map((who) => [shownWho(who), who]));
  return { ...(user && { user }), ...(host && { host }), backendRoles: [...roles.values()] };
}

function whoIn(host: Subject["host"]): Who | undefined {
  return host === "unknown" ? undefined : host;
}

/** The narrower of two. Of two patterns that overlap, nobody is a better name for who meets both than the first. */
function same(a: Who | undefined, b: Who | undefined): Who | undefined | "none" {
  if (!a || !b) return a ?? b;
  if (overlaps(shownWho(a), shownWho(b)) === "no") return "none";
  return "name" in b ? b : a;
}
