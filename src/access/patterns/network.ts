import { isIP } from "node:net";

/** A network in CIDR notation. Servers compare hosts of a mapping as text: it matches none, as no host has a slash. */
export function isNetwork(text: string): boolean {
  if (!text.includes("/")) return false;
  const [, address = "", bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return bits !== undefined && isIP(address) !== 0;
}
