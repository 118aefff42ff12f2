import type { ServerIdentity, TargetSummary } from "../../model/plan.ts";
import type { SavedTarget } from "../../model/plan-file.ts";

/** The cluster of a saved plan, in the form of a plan's target. */
export function parseSavedCluster(target: SavedTarget): Pick<TargetSummary, "name" | "url" | "server"> {
  const { name, url, product, release, cluster_name: clusterName, cluster_uuid: clusterUuid } = target;
  const server: ServerIdentity = {
    product,
    release,
    how: "plan file",
    ...(clusterName !== undefined && { clusterName }),
    ...(clusterUuid !== undefined && { clusterUuid }),
  };
  return { name, url, server };
}
