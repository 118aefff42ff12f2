import { keeps, rightOf } from "../../access/administers.ts";
import { isBlocked } from "../../access/blocked.ts";
import type { Breach } from "../../access/compare/between.ts";
import type { AccessModel } from "../../access/model.ts";
import { wayTitle } from "../../access/subject.ts";
import { canHold } from "../../dialects/codec.ts";
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

/**
 * What is wrong with a request that leads from one moment of a plan to another, or with that moment; undefined where
 * nothing is.
 */
export type Faulty = (moments: Moments, made: bigint, next: bigint) => Fault | undefined;

/** Some servers take no mapping to a role that is not there. */
export function unmapped({ before, after }: Around, mapping: Change, role: Change): Faulty {
  const { family, name } = mapping;
  const isToBe = before.state.roles.has(name) || after.state.roles.has(name);
  return (moments, made, next) => {
    const isWritten = (moments.bitsOf(mapping) & next & ~made) !== 0n && moments.valueAt(mapping, next) !== undefined;
    if (!isToBe || !isWritten || moments.valueAt(role, next)) return undefined;
    const words = `the server takes no mapping to the role ${name}, which is not there then`;
    return { kind: "refused", words, addresses: [addressOf(family, name)] };
  };
}

/** Some servers cannot keep each role that lies in between. */
export function unheld(role: Change, dialect: Parameters<typeof canHold>[0]): Faulty {
  const { family, name } = role;
  return (moments, made, next) => {
    const bits = moments.bitsOf(role);
    const isMidway = (bits & next) !== 0n && (bits & next) !== bits;
    const value = isMidway && (bits & next) !== (bits & made) ? moments.valueAt(role, next) : undefined;
    if (!value || canHold(dialect, value)) return undefined;
    const words = `the server cannot keep the role ${name} as it would be then`;
    return { kind: "refused", words, addresses: [addressOf(family, name)] };
  };
}

/** Whoever applies, and could be shut out by some moment; nobody whom all of the plan shuts out, which is not for an order to avoid. */
export function lockedOut(
  { before: { state }, touched }: Around,
  applier: Applier | undefined,
  changes: readonly Change[],
): { readonly faulty: Faulty; readonly concerns: (change: Change) => boolean } | undefined {
  if (applier?.kind !== "known") return undefined;
  const all = applier.identities.map((identity) => ({
    identity,
    right: rightOf(identity, state.mappings, applier.adminRoles),
  }));
  // Roles that the plan does not touch are kept.
  const isShutOut = (
    { identity, right }: (typeof all)[number],
    { mappings, blocks }: AccessModel["state"],
  ): boolean => {
    if (right.held.length > 0 && keeps(right, identity, state.mappings, mappings).kept !== "yes") return true;
    return isBlocked([...blocks.values()], identity) === "yes";
  };
  const avoidable = all.filter((one) => !isShutOut(one, state) && !isShutOut(one, touched.after.state));
  const roles = new Set(avoidable.flatMap(({ right: { held, enough = [] } }) => [...held, ...enough]));
  return {
    concerns: ({ family, name }) => family === "blocks" || (family === "role_mappings" && roles.has(name)),
    faulty(moments, _, next) {
      const between = moments.at(next).touched.state;
      const user = avoidable.find((one) => isShutOut(one, between))?.identity.user;
      if (user === undefined) return undefined;
      const words = `${user}, who applies, could neither send the rest nor undo what was sent`;
      return { kind: "lock-out", words, addresses: addressesOf(changes, ["role_mappings", "blocks"]) };
    },
  };
}

export function faultOf(breach: Breach, { before, after }: Around, changes: readonly Change[]): Fault {
  const roles = new Set([before, after].flatMap((model) => model.holdings(breach.subject).map(({ role }) => role)));
  const own = changes.filter(
    ({ family, name }) => (family === "roles" || family === "role_mappings") && roles.has(name),
  );
  const addresses = own.length > 0 ? own.map(({ family, name }) => addressOf(family, name)) : addressesOf(changes);
  return { kind: breach.kind, words: breachWords(breach), addresses };
}

function addressesOf(changes: readonly Change[], families?: readonly string[]): readonly Address[] {
  const ours = changes.filter(({ family }) => !families || families.includes(family));
  return (ours.length > 0 ? ours : changes).map(({ family, name }) => addressOf(family, name));
}

function breachWords(breach: Breach): string {
  const { kind, who, action, index, tenant } = breach;
  const whom =
    who.kind === "principal"
      ? wayTitle(who.way)
      : who.kind === "persona"
        ? `persona ${who.name}`
        : `whoever is ${who.ways.map(wayTitle).join(" and also ")}`;
  if (breach.isOfSight) return `${whom} ${sightWords[kind]} ${index} (${action}) ${endsWords[kind]}`;
  const what = tenant === undefined ? `${action}${index === undefined ? "" : ` on ${index}`}` : `tenant ${tenant}`;
  switch (kind) {
    case "leak":
      return `${whom} would hold ${what}, which neither the state before nor the one after grants`;
    case "outage":
      return `${whom} would miss ${what}, which both the state before and the one after grant`;
    case "unsure":
      return `${whom} may hold more or less of ${what} than before or after: cannot tell`;
  }
}

const sightWords: Readonly<Record<Breach["kind"], string>> = {
  leak: "would see more of",
  outage: "would see less of",
  unsure: "may see more or less of",
};

const endsWords: Readonly<Record<Breach["kind"], string>> = {
  leak: "than in the state before or the one after",
  outage: "than in both the state before and the one after",
  unsure: "than before or after: cannot tell",
};
