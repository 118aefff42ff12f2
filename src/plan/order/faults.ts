import { checkRightKept, findAdminRight } from "../../access/compare/administers.ts";
import type { Breach } from "../../access/compare/between/intermediate-check.ts";
import { isBlocked } from "../../access/evaluate/blocked.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import { formatMember } from "../../access/model/subject.ts";
import { canHold } from "../../dialects/codec.ts";
import type { Change } from "../../model/change.ts";
import type { ApplyingIdentity } from "../../model/identity.ts";
import { type Address, createAddress } from "../../model/names.ts";
import type { AffectedBetween } from "../../model/plan.ts";
import type { IntermediateStates, StatePair } from "./intermediate-states.ts";

/** What is wrong with an intermediate state of a plan, or with the request that leads to it. */
export interface IntermediateFault {
  readonly kind: Breach["kind"] | "refused" | "lock-out";
  /** A clause: `user ana would temporarily gain …, granted neither before nor after`. */
  readonly words: string;
  /** Of the plan's changes, those by which it comes about; never none. */
  readonly addresses: readonly Address[];
}

/** Of several faults of one state the worst. */
export interface WorstFault extends IntermediateFault {
  /** Other entries are refused, or other principals are harmed, as well. */
  readonly isOneOfSeveral?: boolean;
  /** All principals that are harmed; they are evaluated when they are asked for. */
  readonly listAffected?: () => readonly AffectedBetween[];
}

/** A pair of which one member is affected alone is nobody else. */
export function omitPairsOfAffected(all: readonly AffectedBetween[]): readonly AffectedBetween[] {
  const alone = new Set(all.flatMap(({ who }) => (who.kind === "principal" ? [JSON.stringify(who.member)] : [])));
  return all.filter(({ who }) => who.kind !== "pair" || !who.members.some((one) => alone.has(JSON.stringify(one))));
}

/**
 * Finds what is wrong with a request that leads from one intermediate state to another, or with the second state.
 *
 * @param made the batches that are made before the request, as bits
 * @param next those that are made after it
 */
export type FaultFinder = (
  intermediateStates: IntermediateStates,
  made: bigint,
  next: bigint,
) => IntermediateFault | undefined;

/** A mapping that the server refuses, as its role is not there yet or not any more; asked where `checksRoles`. */
export function findUnmapped({ before, after }: StatePair, mapping: Change, role: Change): FaultFinder {
  const { family } = mapping;
  const { name } = role;
  const isToBe = before.state.roles.has(name) || after.state.roles.has(name);
  return (intermediateStates, made, next) => {
    const isWritten =
      (intermediateStates.bitsOf(mapping) & next & ~made) !== 0n &&
      intermediateStates.valueAt(mapping, next) !== undefined;
    if (!isToBe || !isWritten || intermediateStates.valueAt(role, next)) return undefined;
    const what = family === "internal_users" ? `user ${mapping.name}` : "mapping";
    const words = `the server refuses the ${what}, as role ${name} does not exist then`;
    return { kind: "refused", words, addresses: [createAddress(family, mapping.name)] };
  };
}

/** A role as it is only in between, in a form that the server cannot store: see `canHold`. */
export function findUnholdable(role: Change, dialect: Parameters<typeof canHold>[0]): FaultFinder {
  const { family, name } = role;
  return (intermediateStates, made, next) => {
    const bits = intermediateStates.bitsOf(role);
    const isIntermediate = (bits & next) !== 0n && (bits & next) !== bits;
    const value =
      isIntermediate && (bits & next) !== (bits & made) ? intermediateStates.valueAt(role, next) : undefined;
    if (!value || canHold(dialect, value)) return undefined;
    const words = `the server cannot store role ${name} as it would temporarily be`;
    return { kind: "refused", words, addresses: [createAddress(family, name)] };
  };
}

/**
 * The applying identities that an intermediate state could lock out; not those that the whole plan locks out, which
 * no order avoids.
 *
 * Mappings and blocks alone can do it. Servers let an identity administer by the names of the roles that it has, not by
 * what these permit, so roles and action groups count for nothing. Node settings are never written, and the internal user that
 * applies only with a waiver.
 * A config that decides who may log in (`loginChildren`) is sent last, before the license alone, which it would
 * overwrite: no order avoids what it does.
 */
export function findLockedOut(
  { before: { state }, touched }: StatePair,
  applyingIdentity: ApplyingIdentity | undefined,
  changes: readonly Change[],
): { readonly fault: FaultFinder; readonly concerns: (change: Change) => boolean } | undefined {
  if (applyingIdentity?.kind !== "known") return undefined;
  const all = applyingIdentity.identities.map((identity) => ({
    identity,
    right: findAdminRight(identity, state.mappings, applyingIdentity.adminRoles),
  }));
  // Roles that the plan does not touch are kept.
  const isShutOut = (
    { identity, right }: (typeof all)[number],
    { mappings, blocks }: AccessModel["state"],
  ): boolean => {
    if (right.held.length > 0 && checkRightKept(right, identity, state.mappings, mappings).kept !== "yes") return true;
    return isBlocked([...blocks.values()], identity) === "yes";
  };
  const avoidable = all.filter((one) => !isShutOut(one, state) && !isShutOut(one, touched.after.state));
  const roles = new Set(avoidable.flatMap(({ right: { held, enough = [] } }) => [...held, ...enough]));
  return {
    concerns: ({ family, name }) => family === "blocks" || (family === "role_mappings" && roles.has(name)),
    fault(intermediateStates, _, next) {
      const between = intermediateStates.at(next).touched.state;
      const user = avoidable.find((one) => isShutOut(one, between))?.identity.user;
      if (user === undefined) return undefined;
      const words = `${user}, the applying identity, could neither send the other requests nor undo those already sent`;
      return { kind: "lock-out", words, addresses: addressesOf(changes, ["role_mappings", "blocks"]) };
    },
  };
}

/** A breach as a fault: by the changes of the roles that the principal has before or after, else by all of the plan. */
export function describeBreach(
  breach: Breach,
  { before, after }: StatePair,
  changes: readonly Change[],
): IntermediateFault {
  const roles = new Set([before, after].flatMap((model) => model.holdings(breach.subject).map(({ role }) => role)));
  const own = changes.filter(
    ({ family, name }) =>
      ((family === "roles" || family === "role_mappings") && roles.has(name)) ||
      (family === "internal_users" && isUser(breach.subject, name)),
  );
  const addresses = own.length > 0 ? own.map(({ family, name }) => createAddress(family, name)) : addressesOf(changes);
  return { kind: breach.kind, words: formatBreach(breach), addresses };
}

function isUser({ user }: Breach["subject"], name: string): boolean {
  return user !== undefined && "name" in user && user.name === name;
}

function addressesOf(changes: readonly Change[], families?: readonly string[]): readonly Address[] {
  const relevant = changes.filter(({ family }) => !families || families.includes(family));
  return (relevant.length > 0 ? relevant : changes).map(({ family, name }) => createAddress(family, name));
}

/** `user ana would temporarily gain …, granted neither before nor after`. */
export function formatBreach(breach: Breach): string {
  const { kind, who, action, index, tenant, setting } = breach;
  const whom =
    who.kind === "principal"
      ? formatMember(who.member)
      : who.kind === "persona"
        ? `persona ${who.name}`
        : `principals with ${who.members.map(formatMember).join(" and ")}`;
  if (breach.isOfSight) return `${whom} ${sightWords[kind]} ${index} (${action})${endsWords[kind]}`;
  const by = setting === undefined ? "" : ` by ${setting} of the config`;
  const what = tenant === undefined ? `${action}${index === undefined ? "" : ` on ${index}`}${by}` : `tenant ${tenant}`;
  switch (kind) {
    case "leak":
      return `${whom} would temporarily gain ${what}, granted neither before nor after`;
    case "outage":
      return `${whom} would temporarily lose ${what}, granted before and after`;
    case "unsure":
      return `${whom} might temporarily gain or lose ${what}: unknown`;
  }
}

const sightWords: Readonly<Record<Breach["kind"], string>> = {
  leak: "would temporarily see more of",
  outage: "would temporarily see less of",
  unsure: "might temporarily see more or less of",
};

const endsWords: Readonly<Record<Breach["kind"], string>> = {
  leak: " than before or after",
  outage: " than before and after",
  unsure: ": unknown",
};
