import type { RecordedTarget } from "../model/artifact.ts";

type Cluster = Pick<RecordedTarget, "url" | "server">;

/**
 * Whether it is certainly the cluster of then: for what is about to write. This one has to show the same id and name as far
 * as they were known; one that showed neither is known by its URL.
 */
export function isSameCluster(then: Cluster, now: Cluster): boolean {
  if (then.server.product !== now.server.product || contradicts(then, now)) return false;
  const { clusterUuid, clusterName } = then.server;
  if (clusterUuid !== undefined) return now.server.clusterUuid !== undefined && showsName(then, now);
  return then.url === now.url && (clusterName === undefined || showsName(then, now));
}

/** Whether it may be the cluster of then: for what only reports. One that does not show its id may be it, at the same URL. */
export function mayBeSameCluster(then: Cluster, now: Cluster): boolean {
  if (then.server.product !== now.server.product || contradicts(then, now)) return false;
  const known = then.server.clusterUuid !== undefined && now.server.clusterUuid !== undefined;
  return known || then.url === now.url;
}

function showsName(then: Cluster, now: Cluster): boolean {
  return then.server.clusterName === undefined || now.server.clusterName !== undefined;
}

/** Whether both show an id or a name, and another one. */
function contradicts({ server: then }: Cluster, { server: now }: Cluster): boolean {
  return (["clusterUuid", "clusterName"] as const).some(
    (field) => then[field] !== undefined && now[field] !== undefined && then[field] !== now[field],
  );
}
