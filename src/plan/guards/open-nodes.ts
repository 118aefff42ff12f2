// Node certificate lists that name no certificate: each that the nodes trust is then one of a node.
import { matchesPattern } from "../../access/patterns/matches.ts";
import { isOpen } from "../../access/unnamed/open.ts";
import { listTexts } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import { createAddress } from "../../model/names.ts";
import type { GuardFinding } from "./guard.ts";

export function findOpenNodes(pending: readonly Change[]): readonly GuardFinding[] {
  return pending.flatMap(({ family, name, before, after }) => {
    if (family !== "nodes_dn" || listTexts(before?.nodes_dn).some(isOpenNode)) return [];
    const open = listTexts(after?.nodes_dn).filter(isOpenNode);
    if (open.length === 0) return [];
    const entries = open.map((entry) => JSON.stringify(entry)).join(" and ");
    return [
      {
        family,
        what: `Any certificate that the nodes trust would be taken for a node's: ${entries} names none.`,
        why: "Who has the certificate of a node may do everything on the cluster, whatever the roles grant.",
        addresses: [createAddress(family, name)],
      },
    ];
  });
}

/** Whether a distinguished name is matched whatever its values are. The types of its parts, such as `CN=`, name nothing. */
function isOpenNode(entry: string): boolean {
  const values = entry.replaceAll(/[a-z][\w.-]*=/gi, "").replaceAll(/\s*([,+])\s*/g, "$1");
  return isOpen(values) || matchesPattern(entry, "CN=zq1,OU=zq2,O=zq3,L=zq4,ST=zq5,C=zq") !== "no";
}
