import { isIP } from "node:net";

/** What is wrong with the value of a block for its type; undefined where nothing is. User names may be anything. */
export function findBlockValueFault(type: string, value: string): string | undefined {
  if (type === "ip") return isIP(value) === 0 ? `${JSON.stringify(value)} is no IP address.` : undefined;
  return type === "net_mask" ? networkFault(value) : undefined;
}

function networkFault(value: string): string | undefined {
  const [address = "", length, ...rest] = value.split("/");
  const version = isIP(address);
  const quoted = JSON.stringify(value);
  if (version === 0 || rest.length > 0) return `${quoted} is no network in CIDR notation.`;
  if (length === undefined) return `${quoted} is an address without the length of its network.`;
  const most = version === 4 ? 32 : 128;
  return /^\d{1,3}$/.test(length) && Number(length) <= most
    ? undefined
    : `The length of the network ${quoted} is not from 0 to ${most}.`;
}
