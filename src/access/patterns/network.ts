import { isIP } from "node:net";

/** A network in CIDR notation. As a host of a mapping it is compared as text, and no address or name of a host has a slash. */
export function isNetwork(text: string): boolean {
  if (!text.includes("/")) return false;
  const [, address = "", bits] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
  return bits !== undefined && isIP(address) !== 0;
}
