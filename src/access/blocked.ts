import { BlockList, isIP } from "node:net";
import { blocks as blockFacts } from "../families/blocks.ts";
import { unknownIn } from "../families/unknown.ts";
import { type Fields, isList } from "../json/value.ts";
import type { Identity } from "../model/identity.ts";
import { includes } from "./patterns/includes.ts";
import { meets } from "./patterns/meets.ts";
import type { Subject } from "./subject.ts";
import { allOf, type Condition, conditionOf, ifAny, ifNot, type Verdict, verdictOf } from "./verdict.ts";

/**
 * Whether blocks keep somebody out. Each type stands for itself: where any entry of it allows, whoever is not allowed is
 * blocked, and whoever is disallowed is blocked in any case.
 */
export function isBlocked(blocks: readonly Fields[], { user, address }: Identity): Verdict {
  const host = address === undefined ? ("unknown" as const) : { name: address };
  return isShutOut(blocks, { user: { name: user }, backendRoles: [], host });
}

/**
 * As above; of somebody who comes from nowhere in particular, blocks by address say nothing, and of somebody who may have
 * any name, only blocks of all names do.
 */
export function isShutOut(blocks: readonly Fields[], subject: Subject): Verdict {
  return verdictOf(shutOutCondition(blocks, subject));
}

/** The same with what it depends on: a block with fields that gate-sync does not know may not hold. */
export function shutOutCondition(blocks: readonly Fields[], subject: Subject): Condition {
  return ifAny(
    Object.entries(tests).map(([type, isMeant]) => {
      const ours = blocks.filter((block) => block.type === type);
      if (type !== "name" && subject.host === undefined) return "no";
      const meant = (verdict: string): readonly Condition[] =>
        ours
          .filter((block) => block.verdict === verdict)
          .flatMap((block) => (isList(block.value) ? block.value.map((value) => ({ value, block })) : []))
          .map(({ value, block }) => {
            const met = typeof value === "string" ? isMeant(value, subject) : "unknown";
            // One that allows nobody else decides about whom it does not match, too.
            const isAbout = met !== "no" || verdict === "allow";
            const unknown = isAbout ? unknownIn(block, blockFacts.fields) : undefined;
            return conditionOf(unknown === undefined ? met : "unknown", () =>
              JSON.stringify(["block", type, value, unknown ?? null]),
            );
          });
      const [allowed, disallowed] = [meant("allow"), meant("disallow")];
      const isAnybody = type === "name" && !subject.user;
      return ifAny([...disallowed, allowed.length > 0 && !isAnybody ? ifNot(ifAny(allowed)) : "no"]);
    }),
  );
}

const tests: Readonly<Record<string, (value: string, subject: Subject) => Verdict>> = {
  name: (pattern, { user }) => {
    if (!user) return includes([pattern], "*");
    return "name" in user ? meets(pattern, user.name) : includes([pattern], user.pattern);
  },
  ip: (ip, { host }) => areWithin(ip, undefined, addressesOf(host)),
  net_mask: (network, { host }) => {
    const [base = "", bits = ""] = network.split("/");
    return areWithin(base, Number(bits || Number.NaN), addressesOf(host));
  },
};

/** All of them, or those between which the others lie. */
function addressesOf(host: Subject["host"]): readonly string[] {
  if (typeof host !== "object") return [];
  if ("name" in host) return [host.name];
  // `10.0.*` and `10.0.7.*`: whatever stands for the stars.
  const [, known] = /^((?:\d{1,3}\.){1,3})\*$/.exec(host.pattern) ?? [];
  if (known === undefined) return [];
  const bytes = known.split(".").slice(0, -1);
  return ["0", "255"].map((byte) => [...bytes, ...Array<string>(4 - bytes.length).fill(byte)].join("."));
}

function areWithin(base: string, bits: number | undefined, addresses: readonly string[]): Verdict {
  if (addresses.length === 0) return "unknown";
  return allOf(addresses.map((address) => isWithin(base, bits, address)));
}

function isWithin(base: string, bits: number | undefined, address: string): Verdict {
  const [of, ours] = [isIP(base), isIP(address)];
  if (of === 0 || ours === 0) return "unknown";
  if (of !== ours) return "no";
  const most = of === 4 ? 32 : 128;
  const prefix = bits ?? most;
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > most) return "unknown";
  const family = of === 4 ? "ipv4" : "ipv6";
  const network = new BlockList();
  network.addSubnet(base, prefix, family);
  return network.check(address, family) ? "yes" : "no";
}
