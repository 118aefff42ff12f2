import type { ServerIdentity, TargetSummary } from "../../model/plan.ts";
import type { SavedTarget } from "../../model/plan-file.ts";

/** The cluster that a filed plan is for, in the form in which the plan of a run tells its own. */
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
