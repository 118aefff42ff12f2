import type { TargetSummary } from "../model/plan.ts";

type Cluster = Pick<TargetSummary, "url" | "server">;

/** By the id that it keeps; one that does not tell its id is known by its address. */
export function isSameCluster(then: Cluster, now: Cluster): boolean {
  const [one, other] = [then.server, now.server];
  if (one.product !== other.product) return false;
  if (one.clusterUuid === undefined || other.clusterUuid === undefined) return then.url === now.url;
  return one.clusterUuid === other.clusterUuid;
}
