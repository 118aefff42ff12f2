import { isIP } from "node:net";
import type { Network } from "./network.ts";

// Networks that are named divide each other: 10.0.0.0/8 beside 10.5.0.0/16 is all of it outside of 10.5.0.0/16, and that.

/** All addresses from one to another, both included, as numbers of 32 or 128 bits. */
export interface AddressRange {
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

export function toRange({ address, bits }: Network): AddressRange {
  const version = isIP(address) === 4 ? 4 : 6;
  const free = BigInt(lengths[version] - bits);
  const first = (toNumber(address, version) >> free) << free;
  return { version, first, last: first + (1n << free) - 1n };
}

/** Ranges of networks are disjoint, or one is within the other: in this order each is before those within it. */
export function compareRanges(one: AddressRange, other: AddressRange): number {
  if (one.version !== other.version) return one.version - other.version;
  if (one.first !== other.first) return one.first < other.first ? -1 : 1;
  return one.last === other.last ? 0 : one.last > other.last ? -1 : 1;
}

/**
 * The first address of a range that is in none of others; undefined where they cover it.
 *
 * @param others ranges within it, sorted
 */
export function findAddressOutside(range: AddressRange, others: readonly AddressRange[]): string | undefined {
  let next = range.first;
  for (const { first, last } of others) {
    if (first > next) break;
    if (last >= next) next = last + 1n;
  }
  return next > range.last ? undefined : toAddress(next, range.version);
}

/** The network of version 4 that one of version 6 means: `::ffff:10.0.0.0/104` is 10.0.0.0/8. */
export function readMapped(network: Network): Network | undefined {
  if (network.bits < 96 || !network.address.includes(":")) return undefined;
  const { first } = toRange(network);
  return first >> 32n === 0xffffn ? { address: toAddress(first & 0xffffffffn, 4), bits: network.bits - 96 } : undefined;
}

const lengths = { 4: 32, 6: 128 } as const;

function toNumber(address: string, version: 4 | 6): bigint {
  const [parts, width] = version === 4 ? [address.split(".").map(BigInt), 8n] : [listGroups(address), 16n];
  return parts.reduce((sum, part) => (sum << width) + part, 0n);
}

/** The eight groups of an address of version 6, in whatever form. */
function listGroups(address: string): readonly bigint[] {
  const [withoutZone = ""] = address.split("%");
  const [head = "", tail = ""] = new URL(`http://[${withoutZone}]/`).hostname.slice(1, -1).split("::");
  const read = (text: string) => text.split(":").flatMap((group) => (group === "" ? [] : [BigInt(`0x${group}`)]));
  const [before, after] = [read(head), read(tail)];
  return [...before, ...Array<bigint>(8 - before.length - after.length).fill(0n), ...after];
}

function toAddress(number: bigint, version: 4 | 6): string {
  const [count, width] = version === 4 ? [4, 8n] : [8, 16n];
  const parts = Array.from({ length: count }, (_, at) => {
    const part = (number >> (width * BigInt(count - 1 - at))) & ((1n << width) - 1n);
    return part.toString(version === 4 ? 10 : 16);
  });
  return parts.join(version === 4 ? "." : ":");
}
