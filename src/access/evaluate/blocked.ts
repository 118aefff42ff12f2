import { isIP } from "node:net";
import { blocks as blockFacts } from "../../families/blocks.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { type Fields, isList, type Value } from "../../json/value.ts";
import type { Identity } from "../../model/identity.ts";
import type { AccessState } from "../model/state.ts";
import type { KnownUser, Subject } from "../model/subject.ts";
import { includes, overlaps } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import { includesNetwork, type Network, parseAddress, parseAddressPattern, parseNetwork } from "../patterns/network.ts";
import { readMapped } from "../patterns/network-parts.ts";
import { type Condition, joinAny, negateCondition, toCondition, toVerdict, type Verdict } from "../verdict.ts";

/**
 * Whether blocks keep a principal out. Each type counts by itself: where an entry allows some, all others are
 * blocked, and a disallowed principal is blocked in any case.
 */
export function isBlocked(blocks: readonly Fields[], { user, address }: Identity): Verdict {
  const host = address === undefined ? ("unknown" as const) : { name: address };
  return isShutOut(blocks, { user: { name: user }, backendRoles: [], host });
}

/**
 * Like `isBlocked`, for a subject. Without an address, blocks by address say nothing, or leave it open where it may be
 * anywhere. Without a name, an entry that shuts out some names says nothing, and one that lets in some leaves it open.
 */
export function isShutOut(blocks: readonly Fields[], subject: Subject): Verdict {
  return toVerdict(getBlockedCondition(blocks, subject));
}

/** By the blocks of a state. */
export function isBlockedIn({ blocks }: Pick<AccessState, "blocks">, subject: Subject): Verdict {
  return isShutOut([...blocks.values()], subject);
}

/** The same with what it depends on: a block with fields that gate-sync does not know may not hold. */
export function getBlockedCondition(blocks: readonly Fields[], subject: Subject): Condition {
  return joinAny(
    Object.entries(tests).map(([type, isMeant]) => {
      const relevant = blocks.filter((block) => block.type === type);
      if (type !== "name" && subject.host === undefined && !subject.mayBeAnywhere) return "no";
      const meant = (verdict: string): readonly Condition[] =>
        relevant
          .filter((block) => block.verdict === verdict)
          .flatMap((block) => {
            const unknown = getUnknownText(block, blockFacts.fields);
            return listRelevantValues(block, subject, unknown !== undefined).map((value) => {
              const matched = typeof value === "string" ? isMeant(value, subject, verdict) : "unknown";
              // An entry that allows some also decides about those that it does not match.
              const isAbout = unknown !== undefined && (matched !== "no" || verdict === "allow");
              return toCondition(isAbout ? "unknown" : matched, () =>
                JSON.stringify(["block", type, value, isAbout ? unknown : null]),
              );
            });
          });
      const [allowed, disallowed] = [meant("allow"), meant("disallow")];
      const isAnyAllowed = relevant.some(
        ({ verdict, value }) => verdict === "allow" && isList(value) && value.length > 0,
      );
      return joinAny([...disallowed, isAnyAllowed ? negateCondition(joinAny(allowed)) : "no"]);
    }),
  );
}

/** Of thousands of names or addresses, a single one can only be equal to one. */
function listRelevantValues(block: Fields, { user, host }: Subject, isUnsure: boolean): readonly Value[] {
  const { all, single, others } = sortValues(block);
  const who = block.type === "name" ? user : typeof host === "object" ? host : undefined;
  if (isUnsure || !who || !("name" in who) || !isSingle(block.type, who.name)) return all;
  return single.has(who.name) ? [who.name, ...others] : others;
}

const sortValues = memoiseByObject(({ type, value }: Fields) => {
  const all = isList(value) ? value : [];
  const isPlain = (one: Value): one is string => typeof one === "string" && isSingle(type, one);
  return { all, single: new Set(all.filter(isPlain)), others: all.filter((one) => !isPlain(one)) };
});

/** Written in one way only, and no pattern. An address of version 6 has several forms. */
function isSingle(type: Value | undefined, text: string): boolean {
  return type === "name" ? !/[*?/$]/.test(text) : type === "ip" && isIP(text) === 4;
}

/** `no` only where a value and a subject have nothing in common: what no allowing entry matches is shut out. */
const tests: Readonly<Record<string, (value: string, subject: Subject, verdict: string) => Verdict>> = {
  name(pattern, { user, otherThan }, verdict) {
    if (user && "name" in user) return matchesPattern(pattern, user.name);
    const ofAll = includes([pattern], user?.pattern ?? "*");
    if (ofAll !== "no") return ofAll;
    if (!user) return verdict === "allow" ? "unknown" : "no";
    return otherThan?.has(pattern) || overlaps(pattern, user.pattern) === "no" ? "no" : "unknown";
  },
  ip: (ip, subject) => isFrom(ip, parseAddress(ip), subject),
  net_mask: (network, subject) => isFrom(network, parseNetwork(network), subject),
};

function isFrom(value: string, addresses: Network | undefined, { host, otherThan }: Subject): Verdict {
  if (typeof host !== "object") return "unknown";
  const isOther = "pattern" in host && otherThan?.has(value);
  const found = parseAddresses(host);
  if (!addresses || !found) return isOther ? "no" : "unknown";
  // Java knows an address of version 4 in one form only; how a block reads the other one is not documented.
  const own = readMapped(found) ?? found;
  const mapped = readMapped(addresses);
  if (mapped) {
    const mayMeet = includesNetwork(mapped, own) || includesNetwork(own, mapped);
    return mayMeet && !isOther ? "unknown" : "no";
  }
  // A network that is all of a pattern leaves no other address of it.
  if (includesNetwork(addresses, own)) return "yes";
  return includesNetwork(own, addresses) && !isOther ? "unknown" : "no";
}

function parseAddresses(host: KnownUser): Network | undefined {
  return "name" in host ? parseAddress(host.name) : parseAddressPattern(host.pattern);
}
