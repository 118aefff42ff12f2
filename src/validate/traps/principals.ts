import { isIP } from "node:net";
import { isNetwork } from "../../access/network.ts";
import { diagnosticAt } from "../../diagnostics/diagnostic.ts";
import type { Trap } from "./trap.ts";

export const cidrInHosts: Trap = {
  code: "cidr-in-hosts",
  find: ({ mappings }) =>
    mappings.flatMap(({ hosts }) =>
      hosts
        .filter(({ value }) => isNetwork(value))
        .map((host) =>
          diagnosticAt(host, "cidr-in-hosts", {
            what: `${JSON.stringify(host.value)} is a network, and hosts are patterns of texts.`,
            why: "It is compared with the address letter by letter, meets none, and so maps nobody.",
            fix: `Write a pattern of the addresses, such as ${JSON.stringify(patternFor(host.value))}.`,
          }),
        ),
    ),
};

export const starBackendRole: Trap = {
  code: "star-backend-role",
  where: ({ starMeetsNoBackendRole }) => starMeetsNoBackendRole,
  find: ({ mappings }) =>
    mappings.flatMap(({ backendRoles }) =>
      backendRoles
        .filter(({ value }) => value === "*")
        .map((role) =>
          diagnosticAt(role, "star-backend-role", {
            what: "The backend role * is everybody who can log in.",
            why: "OpenSearch takes it to be met by whoever has no backend role, too.",
            fix: "Name the backend roles, unless everybody is meant.",
          }),
        ),
    ),
};

/** Of the parts that all its addresses share; it may meet more of them. */
function patternFor(network: string): string {
  const [address = "", bits = ""] = network.split("/");
  if (isIP(address) !== 4)
    return `${address
      .split(":")
      .slice(0, Math.max(1, Math.floor(Number(bits) / 16)))
      .join(":")}:*`;
  if (Number(bits) >= 32) return address;
  return [...address.split(".").slice(0, Math.floor(Number(bits) / 8)), "*"].join(".");
}
