import { isIP } from "node:net";
import { isNetwork } from "../../access/patterns/network.ts";
import type { LintRule } from "../rule.ts";

export const cidrInHosts: LintRule = {
  code: "cidr-in-hosts",
  find: ({ mappings }) =>
    mappings.flatMap(({ hosts }) =>
      hosts
        .filter(({ value }) => isNetwork(value))
        .map((host) => ({
          at: host,
          what: `${JSON.stringify(host.value)} is a network, and hosts are patterns of texts.`,
          why: "It is compared with the address as text, matches none, and so has no effect.",
          fix: `Write a pattern of the addresses, such as ${JSON.stringify(patternFor(host.value))}.`,
        })),
    ),
};

export const starBackendRole: LintRule = {
  code: "star-backend-role",
  where: ({ starMatchesNoBackendRole }) => starMatchesNoBackendRole,
  find: ({ mappings }) =>
    mappings.flatMap(({ backendRoles }) =>
      backendRoles
        .filter(({ value }) => value === "*")
        .map((role) => ({
          at: role,
          what: "The backend role * is everybody who can log in.",
          why: "On OpenSearch it matches principals without a backend role, too.",
          fix: "Name the backend roles, unless everybody is meant.",
        })),
    ),
};

/** A pattern of the parts that all addresses of a network share; it may match more addresses. */
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
