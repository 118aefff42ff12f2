import { BlockList, isIP } from "node:net";

/** A network in CIDR notation. Servers compare hosts of a mapping as text: it matches none, as no host has a slash. */
export function isNetwork(text: string): boolean {
  const [, address = "", bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return bits !== undefined && isIP(address) !== 0;
}

/** All addresses that have their first `bits` in common with one; a single address is one of them, too. */
export interface Network {
  readonly address: string;
  readonly bits: number;
}

export function parseAddress(text: string): Network | undefined {
  const bits = bitsOfVersion[isIP(text)];
  return bits === undefined ? undefined : { address: text, bits };
}

/** CIDR notation. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  const whole = parseAddress(address);
  return whole && Number(bits) <= whole.bits ? { address, bits: Number(bits) } : undefined;
}

/**
 * The network of a pattern such as `10.0.*`: here 10.0.0.0/16, as a star also matches `7.1`. Undefined for a pattern that
 * is none.
 */
export function parseAddressPattern(pattern: string): Network | undefined {
  const [, known] = /^((?:\d{1,3}\.){1,3})\*$/.exec(pattern) ?? [];
  if (known === undefined) return undefined;
  const bytes = known.split(".").slice(0, -1);
  const address = [...bytes, ...Array<string>(4 - bytes.length).fill("0")].join(".");
  return isIP(address) === 0 ? undefined : { address, bits: 8 * bytes.length };
}

export function includesNetwork({ address, bits }: Network, other: Network): boolean {
  const version = isIP(address);
  if (bits > other.bits || version !== isIP(other.address)) return false;
  const family = version === 4 ? "ipv4" : "ipv6";
  const network = new BlockList();
  network.addSubnet(address, bits, family);
  return network.check(other.address, family);
}

const bitsOfVersion: Readonly<Record<number, number>> = { 4: 32, 6: 128 };
