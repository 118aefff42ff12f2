import { keeps, rightOf } from "../../access/administers.ts";
import { isBlocked } from "../../access/blocked.ts";
import { type Between, type Breach, breachFinder, type Concerned } from "../../access/compare/between.ts";
import { type AllConcerned, concernedBy } from "../../access/compare/concerned.ts";
import { parting } from "../../access/compare/parts.ts";
import type { AccessModel } from "../../access/model.ts";
import { wayTitle } from "../../access/subject.ts";
import { canHold } from "../../dialects/codec.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Change } from "../../model/change.ts";
import type { Applier } from "../../model/identity.ts";
import { type Address, addressOf } from "../../model/names.ts";
import type { Around, Moments } from "./moments.ts";

/** What speaks against a moment of a plan, or against the request that leads there. */
export interface Fault {
  readonly kind: Breach["kind"] | "refused" | "lock-out";
  /** A clause: `user ana holds …, which neither the state before nor the one after grants`. */
  readonly words: string;
  /** Of the plan's changes, those by which it comes about; never none. */
  readonly addresses: readonly Address[];
}

/** By what moments are judged. */
export interface Judging {
  readonly around: Around;
  readonly changes: readonly Change[];
  readonly dialect: Dialect;
  readonly applier?: Applier | undefined;
  /** Of the repository: judged beside principals. */
  readonly personas?: readonly Concerned[] | undefined;
}

/** What is wrong once something is made; the states before and after all of the plan are never asked about. */
export interface FaultFinder {
  readonly at: (moments: Moments, made: bigint) => Fault | undefined;
  /** The same, where there is one; of several the worst. */
  readonly worstAt: (moments: Moments, made: bigint) => Fault | undefined;
  /** What the server would say to the request that leads from one moment to the next. */
  readonly refused: (moments: Moments, made: bigint, next: bigint) => Fault | undefined;
  /** Whether it took too long to judge, so that nothing is found any more. */
  readonly isSpent: () => boolean;
  /** Whom there are too many of to judge all; known once anybody was judged. */
  readonly unjudged: () => { readonly principals: number; readonly pairs: boolean };
}

export function faultFinder({ around, changes, dialect, applier, personas }: Judging): FaultFinder {
  const { before, after } = around;
  const shutOut = shutOutFinder(around, applier);
  const betweenAt = (end: "before" | "after") => ({ touched: around.touched[end], all: around[end] });
  let all: AllConcerned | undefined;
  const concerned = () => {
    all ??= concernedBy(before, after, personas);
    return all.concerned;
  };
  const breaches = breachFinder([betweenAt("before"), betweenAt("after")], concerned, parting());
  const faultIn = (between: Between, breachIn: (between: Between) => Breach | undefined): Fault | undefined => {
    const user = shutOut(between.touched);
    if (user !== undefined) {
      const words = `${user}, who applies, could neither send the rest nor undo what was sent`;
      return { kind: "lock-out", words, addresses: addressesOf(changes, ["role_mappings", "blocks"]) };
    }
    const breach = breachIn(between);
    return breach && { kind: breach.kind, words: breachWords(breach), addresses: behind(breach) };
  };
  return {
    at: (moments, made) => faultIn(moments.at(made), breaches.first),
    worstAt: (moments, made) => faultIn(moments.at(made), breaches.worst),
    /** Some servers take no mapping to a role that is not there, and some cannot keep each role that lies in between. */
    refused(moments, made, next) {
      if (!dialect.checksRoles && !(dialect.documentTypes && moments.isCut)) return undefined;
      const { roles, mappings } = moments.at(next).touched.state;
      const had = moments.at(made).touched.state;
      for (const { family, name } of changes) {
        const mapping = dialect.checksRoles && family === "role_mappings" ? mappings.get(name) : undefined;
        const isToBe = before.state.roles.has(name) || after.state.roles.has(name);
        if (mapping && mapping !== had.mappings.get(name) && isToBe && !roles.has(name)) {
          const words = `the server takes no mapping to the role ${name}, which is not there then`;
          return { kind: "refused", words, addresses: [addressOf(family, name)] };
        }
        const role = dialect.documentTypes && family === "roles" ? roles.get(name) : undefined;
        if (role && role !== had.roles.get(name) && role !== after.state.roles.get(name) && !canHold(dialect, role)) {
          const words = `the server cannot keep the role ${name} as it would be then`;
          return { kind: "refused", words, addresses: [addressOf(family, name)] };
        }
      }
      return undefined;
    },
    isSpent: breaches.isSpent,
    unjudged: () => ({ principals: all?.others ?? 0, pairs: all?.tooManyPairs ?? false }),
  };

  function behind({ subject }: Breach): readonly Address[] {
    const roles = new Set([before, after].flatMap((model) => model.holdings(subject).map(({ role }) => role)));
    const own = changes.filter(
      ({ family, name }) => (family === "roles" || family === "role_mappings") && roles.has(name),
    );
    return own.length > 0 ? own.map(({ family, name }) => addressOf(family, name)) : addressesOf(changes);
  }
}

function addressesOf(changes: readonly Change[], families?: readonly string[]): readonly Address[] {
  const ours = changes.filter(({ family }) => !families || families.includes(family));
  return (ours.length > 0 ? ours : changes).map(({ family, name }) => addressOf(family, name));
}

/** Who of those that apply could not go on; nobody whom all of the plan shuts out, which is not for an order to avoid. */
function shutOutFinder({ before: { state }, touched: { before, after } }: Around, applier: Applier | undefined) {
  if (applier?.kind !== "known") return () => undefined;
  const all = applier.identities.map((identity) => ({
    identity,
    right: rightOf(identity, state.mappings, applier.adminRoles),
  }));
  // Roles that the plan does not touch are kept.
  const isShutOut = (
    { identity, right }: (typeof all)[number],
    { mappings, blocks }: AccessModel["state"],
  ): boolean => {
    if (right.held.length > 0 && keeps(right, identity, before.state.mappings, mappings).kept !== "yes") return true;
    return isBlocked([...blocks.values()], identity) === "yes";
  };
  const avoidable = all.filter((one) => !isShutOut(one, before.state) && !isShutOut(one, after.state));
  return (between: AccessModel) => avoidable.find((one) => isShutOut(one, between.state))?.identity.user;
}

function breachWords({ kind, who, action, index, tenant }: Breach): string {
  const whom =
    who.kind === "principal"
      ? wayTitle(who.way)
      : who.kind === "persona"
        ? `persona ${who.name}`
        : `whoever is ${who.ways.map(wayTitle).join(" and also ")}`;
  const what = tenant === undefined ? `${action}${index === undefined ? "" : ` on ${index}`}` : `tenant ${tenant}`;
  const seen = index === undefined ? "" : ", or some of what is seen by it";
  switch (kind) {
    case "leak":
      return `${whom} would hold ${what}, which neither the state before nor the one after grants`;
    case "outage":
      return `${whom} would miss ${what}${seen}, which both the state before and the one after grant`;
    case "unsure":
      return `${whom} may hold more or less of ${what} than before or after: cannot tell`;
  }
}
