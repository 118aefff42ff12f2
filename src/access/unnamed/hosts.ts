import { matchesPattern } from "../patterns/matches.ts";

/** An address, and which patterns match it. */
export interface Host {
  readonly host: string;
  readonly matched: string;
}

/**
 * Addresses that patterns of few literal characters, and networks, distinguish: one for each combination.
 *
 * @param networks addresses and networks in CIDR notation
 */
export function pickHosts(patterns: readonly string[], networks: readonly string[]): readonly Host[] {
  const isTrivial = patterns.every((pattern) => /^\*+$/.test(pattern));
  const matchedBy = (host: string): Host => ({
    host,
    matched: patterns.map((pattern) => matchesPattern(pattern, host)).join(),
  });
  const sorts = new Map((isTrivial ? [] : listSorts()).map(matchedBy).map((one) => [one.matched, one]));
  return [...documentation, ...networks.flatMap(listAddressesWithin)].map(matchedBy).concat([...sorts.values()]);
}

/** Networks reserved for examples: no real client has such an address. */
const documentation = ["203.0.113.99", "198.51.100.99", "192.0.2.99", "2001:db8::99"];

/** Its base, and others in it that end in each digit where it has so many. */
function listAddressesWithin(network: string): readonly string[] {
  const [base = "", bits = "32"] = network.split("/");
  const bytes = base.split(".").map(Number);
  const free = 32 - Number(bits);
  if (bytes.length !== 4 || bytes.some((byte) => !(byte >= 0 && byte < 256)) || !(free > 0 && free <= 32))
    return [base];
  const last = bytes.map((byte, at) => byte | (2 ** Math.max(0, Math.min(8, free - (3 - at) * 8)) - 1));
  const start = last.slice(0, 3).join(".");
  return [base, last.join("."), ...(free >= 8 ? ends.map((end) => `${start}.${end}`) : [])];
}

/** Ending in each digit, with one, two and three of them. */
const ends = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 42, 177];

function listSorts(): readonly string[] {
  const four = Array.from({ length: 256 }, (_, first) => ends.map((end) => `${first}.${end}.${end}.${end}`)).flat();
  const digits = [..."0123456789abcdef"];
  const six = digits.flatMap((first) => digits.map((last) => `${first}e80::1:${last}`));
  return [...four, ...six];
}
