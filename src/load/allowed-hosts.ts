import { RunError } from "../diagnostics/failure.ts";
import { matchesName } from "../families/scope.ts";
import { findMapEntry, type Node, toValue } from "../model/node.ts";

/**
 * Refuses a target at a host that `allowed_hosts` of gate-sync.yaml does not list.
 *
 * @throws RunError `invalid`
 */
export function refuseOtherHosts(config: Node, name: string, urls: readonly string[]): void {
  const listed = findMapEntry(config, "allowed_hosts")?.value;
  if (!listed) return;
  const patterns = toValue(listed) as readonly string[];
  for (const url of urls) {
    const { hostname } = new URL(url);
    if (patterns.some((pattern) => matchesHost(pattern, hostname))) continue;
    throw new RunError("invalid", {
      what: `The target ${JSON.stringify(name)} is at ${hostname}, which allowed_hosts does not list.`,
      why: "Its login would be sent there. Nothing was.",
      fix: `Correct its url, or add the host to allowed_hosts, which lists ${patterns.map((pattern) => pattern.replace(/^.*@/s, "")).join(", ")}.`,
    });
  }
}

/** `*` matches within one part of the name, as in certificates: `*.example` covers no `a.b.example`. */
export function matchesHost(pattern: string, host: string): boolean {
  const [wanted, given] = [pattern.toLowerCase().split("."), host.split(".")];
  return wanted.length === given.length && wanted.every((part, at) => matchesName(part, given[at] ?? ""));
}
