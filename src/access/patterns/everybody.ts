import { matchesPattern } from "./matches.ts";

/** Names that have nothing in common but being names, and addresses likewise. */
const names = [
  "a",
  "0",
  "svc-9_x",
  "Quinn.W@example.org",
  "CN=zoe,OU=ops,O=example",
  "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
];
const addresses = ["10.0.0.1", "192.168.77.30", "8.8.4.4", "172.31.254.255"];

/**
 * Whether a pattern of users or backend roles, or one of hosts, matches everybody, in whichever form it is written.
 */
export function meansEverybody(pattern: string, of: "names" | "addresses"): boolean {
  // To some products `*?` is any name that is not empty.
  const plain = /^\/.*\/$/s.test(pattern) ? pattern : pattern.replace(/\*+\?/g, "?*");
  return (of === "names" ? names : addresses).every((probe) => matchesPattern(plain, probe) === "yes");
}
