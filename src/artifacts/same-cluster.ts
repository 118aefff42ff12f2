import type { RecordedTarget } from "../model/artifact.ts";

type Cluster = Pick<RecordedTarget, "url" | "server">;

/**
 * For what would be written: whatever was known of the cluster then has to be shown by this one, and to be the same. One
 * that showed neither id nor name is known by its address.
 */
export function isSameCluster(then: Cluster, now: Cluster): boolean {
  if (then.server.product !== now.server.product || contradicts(then, now)) return false;
  const { clusterUuid, clusterName } = then.server;
  if (clusterUuid !== undefined) return now.server.clusterUuid !== undefined && showsName(then, now);
  return then.url === now.url && (clusterName === undefined || showsName(then, now));
}

/** For what is only reported: one that does not show who it is may be the same, where its address is. */
export function mayBeSameCluster(then: Cluster, now: Cluster): boolean {
  if (then.server.product !== now.server.product || contradicts(then, now)) return false;
  const known = then.server.clusterUuid !== undefined && now.server.clusterUuid !== undefined;
  return known || then.url === now.url;
}

function showsName(then: Cluster, now: Cluster): boolean {
  return then.server.clusterName === undefined || now.server.clusterName !== undefined;
}

/** Both say it, and not the same. */
function contradicts({ server: then }: Cluster, { server: now }: Cluster): boolean {
  return (["clusterUuid", "clusterName"] as const).some(
    (field) => then[field] !== undefined && now[field] !== undefined && then[field] !== now[field],
  );
}
