import { BlockList, isIP } from "node:net";
import { blocks as blockFacts } from "../../families/blocks.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { type Fields, isList } from "../../json/value.ts";
import type { Identity } from "../../model/identity.ts";
import type { AccessState } from "../model/state.ts";
import type { Subject } from "../model/subject.ts";
import { includes } from "../patterns/includes.ts";
import { matchesPattern } from "../patterns/matches.ts";
import {
  type Condition,
  combineAll,
  joinAny,
  negateCondition,
  toCondition,
  toVerdict,
  type Verdict,
} from "../verdict.ts";

/**
 * Whether blocks keep a principal out. Each type counts by itself: where an entry allows some, all others are
 * blocked, and a disallowed principal is blocked in any case.
 */
export function isBlocked(blocks: readonly Fields[], { user, address }: Identity): Verdict {
  const host = address === undefined ? ("unknown" as const) : { name: address };
  return isShutOut(blocks, { user: { name: user }, backendRoles: [], host });
}

/**
 * Like `isBlocked`, for a subject: without an address, blocks by address say nothing; with any name, only blocks of
 * all names do.
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
      if (type !== "name" && subject.host === undefined) return "no";
      const meant = (verdict: string): readonly Condition[] =>
        relevant
          .filter((block) => block.verdict === verdict)
          .flatMap((block) => (isList(block.value) ? block.value.map((value) => ({ value, block })) : []))
          .map(({ value, block }) => {
            const matched = typeof value === "string" ? isMeant(value, subject) : "unknown";
            // An entry that allows some also decides about those that it does not match.
            const isAbout = matched !== "no" || verdict === "allow";
            const unknown = isAbout ? getUnknownText(block, blockFacts.fields) : undefined;
            return toCondition(unknown === undefined ? matched : "unknown", () =>
              JSON.stringify(["block", type, value, unknown ?? null]),
            );
          });
      const [allowed, disallowed] = [meant("allow"), meant("disallow")];
      const isAnybody = type === "name" && !subject.user;
      return joinAny([...disallowed, allowed.length > 0 && !isAnybody ? negateCondition(joinAny(allowed)) : "no"]);
    }),
  );
}

const tests: Readonly<Record<string, (value: string, subject: Subject) => Verdict>> = {
  name: (pattern, { user }) => {
    if (!user) return includes([pattern], "*");
    return "name" in user ? matchesPattern(pattern, user.name) : includes([pattern], user.pattern);
  },
  ip: (ip, { host }) => areWithin(ip, undefined, listAddresses(host)),
  net_mask: (network, { host }) => {
    const [base = "", bits = ""] = network.split("/");
    return areWithin(base, Number(bits || Number.NaN), listAddresses(host));
  },
};

/** All of them, or those between which the others lie. */
function listAddresses(host: Subject["host"]): readonly string[] {
  if (typeof host !== "object") return [];
  if ("name" in host) return [host.name];
  // `10.0.*` matches `10.0.7.*`: a star matches anything.
  const [, known] = /^((?:\d{1,3}\.){1,3})\*$/.exec(host.pattern) ?? [];
  if (known === undefined) return [];
  const bytes = known.split(".").slice(0, -1);
  return ["0", "255"].map((byte) => [...bytes, ...Array<string>(4 - bytes.length).fill(byte)].join("."));
}

function areWithin(base: string, bits: number | undefined, addresses: readonly string[]): Verdict {
  if (addresses.length === 0) return "unknown";
  return combineAll(addresses.map((address) => isWithin(base, bits, address)));
}

function isWithin(base: string, bits: number | undefined, address: string): Verdict {
  const [of, relevant] = [isIP(base), isIP(address)];
  if (of === 0 || relevant === 0) return "unknown";
  if (of !== relevant) return "no";
  const most = of === 4 ? 32 : 128;
  const prefix = bits ?? most;
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > most) return "unknown";
  const family = of === 4 ? "ipv4" : "ipv6";
  const network = new BlockList();
  network.addSubnet(base, prefix, family);
  return network.check(address, family) ? "yes" : "no";
}
