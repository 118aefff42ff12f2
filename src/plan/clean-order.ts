import { type Breach, breachIn } from "../access/compare/between.ts";
import { concernedBy } from "../access/compare/concerned.ts";
import { parting } from "../access/compare/parts.ts";
import { type AccessModel, modelOf } from "../access/model.ts";
import { wayTitle } from "../access/subject.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { nounOf } from "../families/index.ts";
import { type Change, isPending } from "../model/change.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { AccessAround } from "./guards/guard.ts";

/** The order of the writes of resource families. */
export interface FamilyOrder {
  readonly families: readonly ResourceFamily[];
  /** The first that stands where another usually does, and why. */
  readonly moved?: { readonly family: ResourceFamily; readonly reason: string };
  /** What nobody can avoid by an order of whole families. */
  readonly notes: readonly string[];
}

/** Each family after those it refers to. */
const usual: readonly ResourceFamily[] = ["action_groups", "tenants", "roles", "role_mappings", "blocks"];

type Between = readonly [AccessModel, AccessModel, AccessModel];

/**
 * The order in which nobody, after any of the requests, holds what neither the state before nor the one after grants,
 * or misses what both grant; the usual one where it is such, or where none is. Families are written whole.
 */
export function familyOrder(
  changes: readonly Change[],
  access: AccessAround | undefined,
  dialect: Pick<Dialect, "checksRoles">,
): FamilyOrder {
  const pending = changes.filter(isPending);
  const changed = usual.filter((family) => pending.some((change) => change.family === family));
  if (!access || "unread" in access || changed.length < 2) return { families: usual, notes: [] };
  const { before, after } = access;
  const concerned = concernedBy(before, after);
  const part = parting();
  const known = new Map<string, Breach | "refused" | undefined>();
  const breachAfter = (done: readonly ResourceFamily[]): Breach | "refused" | undefined => {
    const key = changed.filter((family) => done.includes(family)).join();
    if (!known.has(key)) known.set(key, judged([before, midway(before, after, done), after], done));
    return known.get(key);
  };
  const judged = (models: Between, done: readonly ResourceFamily[]) =>
    dialect.checksRoles && isRefused(done, pending, before) ? "refused" : breachIn(models, concerned, part);

  const found = cleanPath(changed, [], breachAfter);
  const first = changed.map((_, at) => changed.slice(0, at + 1)).slice(0, -1);
  const breaches = first.flatMap((done) => {
    const breach = breachAfter(done);
    return breach && breach !== "refused" ? [{ done, breach }] : [];
  });
  if (!found) return { families: usual, notes: breaches.map(({ done, breach }) => noteOf(breach, done)) };
  if (found.join() === changed.join()) return { families: usual, notes: [] };
  const [avoided] = breaches;
  const at = found.findIndex((family, place) => family !== changed[place]);
  const [family, instead] = [found[at], changed[at]];
  return {
    families: [...found, ...usual.filter((other) => !found.includes(other))],
    ...(avoided &&
      family &&
      instead && {
        moved: { family, reason: `before the ${nounOf(instead, 2)}: else ${breachWords(avoided.breach)}` },
      }),
    notes: [],
  };
}

/** Depth first, in the usual order: there are five families, and thirty-two states at most. */
function cleanPath(
  left: readonly ResourceFamily[],
  done: readonly ResourceFamily[],
  breachAfter: (done: readonly ResourceFamily[]) => Breach | "refused" | undefined,
): readonly ResourceFamily[] | undefined {
  if (left.length === 0) return done;
  for (const family of left) {
    const next = [...done, family];
    const rest = left.filter((other) => other !== family);
    if (rest.length > 0 && breachAfter(next)) continue;
    const path = cleanPath(rest, next, breachAfter);
    if (path) return path;
  }
  return undefined;
}

/** Some families as they are to be, the others as they are. */
function midway(before: AccessModel, after: AccessModel, done: readonly ResourceFamily[]): AccessModel {
  const of = (family: ResourceFamily) => (done.includes(family) ? after.state : before.state);
  return modelOf({
    ...before.state,
    groups: of("action_groups").groups,
    tenants: of("tenants").tenants,
    roles: of("roles").roles,
    mappings: of("role_mappings").mappings,
    blocks: of("blocks").blocks,
  });
}

/** A mapping to a role that is not there yet. */
function isRefused(done: readonly ResourceFamily[], pending: readonly Change[], { state }: AccessModel): boolean {
  if (!done.includes("role_mappings") || done.includes("roles")) return false;
  return pending.some(
    ({ family, action, name }) => family === "role_mappings" && action !== "delete" && !state.roles.has(name),
  );
}

function noteOf(breach: Breach, done: readonly ResourceFamily[]): string {
  const written = done.map((family) => nounOf(family, 2)).join(" and ");
  return `Between the requests: once ${written} are written and the rest is not, ${breachWords(breach)}. No order of whole families avoids it.`;
}

function breachWords({ kind, who, action, index, tenant }: Breach): string {
  const whom =
    who.kind === "principal"
      ? wayTitle(who.way)
      : who.kind === "persona"
        ? `persona ${who.name}`
        : `whoever is ${who.ways.map(wayTitle).join(" and also ")}`;
  const what = tenant === undefined ? `${action}${index === undefined ? "" : ` on ${index}`}` : `tenant ${tenant}`;
  switch (kind) {
    case "leak":
      return `${whom} holds ${what}, which neither the state before nor the one after grants`;
    case "outage":
      return `${whom} misses ${what}, or some of what is seen by it, which both the state before and the one after grant`;
    case "unsure":
      return `${whom} may hold more or less of ${what} than before or after: cannot tell`;
  }
}
