import { listTexts } from "../../json/value.ts";
import { isShutOut } from "../evaluate/blocked.ts";
import type { HeldEntries } from "../model/state.ts";
import type { Member, Subject } from "../model/subject.ts";
import { parseAddress, parseNetwork } from "../patterns/network.ts";
import { type AddressRange, compareRanges, findAddressOutside, toRange } from "../patterns/network-parts.ts";

/** What a value of a block names. */
export interface Named {
  readonly type: "name" | "ip" | "net_mask";
  readonly value: string;
}

interface NamedRange extends Named {
  readonly range: AddressRange;
}

/** What blocks name, as often as they do. */
export function listNamed(blocks: HeldEntries): readonly Named[] {
  return [...blocks.values()].flatMap(({ type, value }) =>
    type === "name" || type === "ip" || type === "net_mask"
      ? listTexts(value).map((text): Named => ({ type, value: text }))
      : [],
  );
}

/** The networks and addresses among these as ranges, sorted, each once; equal ranges that are written otherwise, too. */
export function listNamedRanges(named: readonly Named[]): readonly NamedRange[] {
  const unique = new Map(named.map((one) => [`${one.type} ${one.value}`, one]));
  const found = [...unique.values()].flatMap((one) => {
    const range = readRange(one);
    return range ? [{ ...one, range }] : [];
  });
  return found.sort((one, other) => compareRanges(one.range, other.range));
}

function readRange({ type, value }: Named): AddressRange | undefined {
  const network = type === "ip" ? parseAddress(value) : type === "net_mask" ? parseNetwork(value) : undefined;
  return network && toRange(network);
}

/**
 * What is named within a network, but not the whole of it.
 *
 * @param ranges sorted: what is within a range follows it
 */
export function listWithin(named: Named, ranges: readonly NamedRange[]): readonly NamedRange[] {
  const range = named.type === "net_mask" ? readRange(named) : undefined;
  if (!range) return [];
  const within: NamedRange[] = [];
  for (let at = findPlace(ranges, range); at < ranges.length; at++) {
    const other = ranges[at] as NamedRange;
    if (other.range.version !== range.version || other.range.first > range.last) break;
    if (compareRanges(other.range, range) !== 0) within.push(other);
  }
  return within;
}

function findPlace(ranges: readonly NamedRange[], range: AddressRange): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareRanges((ranges[middle] as NamedRange).range, range) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * One principal for what a value names and no other value names more narrowly: the user, the address, or an address of
 * the network that is in no network or address within it. Undefined where those are all of it.
 *
 * @returns `except`: the widest of those within it, as they are written
 */
export function placeNamed(
  named: Named,
  ranges: readonly NamedRange[],
): { readonly member: Member; readonly except: readonly string[] } | undefined {
  const { type, value } = named;
  const range = type === "net_mask" ? readRange(named) : undefined;
  if (!range) return { member: { field: type === "name" ? "users" : "hosts", entries: [value] }, except: [] };
  const within = listWithin(named, ranges);
  const address = findAddressOutside(
    range,
    within.map((other) => other.range),
  );
  if (address === undefined) return undefined;
  return { member: { field: "hosts", entries: [address] }, except: listWidest(within) };
}

/** Sorted, the widest come first. */
function listWidest(within: readonly NamedRange[]): readonly string[] {
  let last = -1n;
  return within.flatMap(({ value, range }) => {
    if (range.last <= last) return [];
    last = range.last;
    return [value];
  });
}

/** A user that no block names, and an address that none names, as far as there is one. */
export function findUnnamed(blocks: readonly Named[]): Pick<Subject, "user" | "host"> {
  const isNamed = (subject: Subject): boolean =>
    blocks.some(({ type, value }) => isShutOut([{ type, verdict: "disallow", value: [value] }], subject) === "yes");
  const find = (subjects: readonly Subject[]): Subject | undefined => subjects.find((subject) => !isNamed(subject));
  const { user } = find(names.map((name) => ({ backendRoles: [], user: { name } }))) ?? {};
  const { host } = find(addresses.map((name) => ({ backendRoles: [], host: { name } }))) ?? {};
  return { ...(user && { user }), ...(host && { host }) };
}

const names = ["nadia", "0", "zoe@example.org"];
/** Addresses reserved for documentation: no real client has one. */
const addresses = ["203.0.113.9", "198.51.100.9", "192.0.2.9", "2001:db8::9"];
