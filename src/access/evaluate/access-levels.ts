import type { AccessLevel } from "../../model/access.ts";

export type LevelWords = readonly (readonly [level: AccessLevel, words: readonly string[]])[];

/** A level holds where one of its requests is permitted. Requests that are missing here, such as `stats`, are of no level. */
export const indexLevels: LevelWords = [
  ["read", ["search", "get"]],
  ["write", ["index", "delete", "update"]],
  ["manage", ["delete-index", "create-index", "put-mapping", "put-settings", "close-index", "put-alias"]],
];

export const clusterLevels: LevelWords = [
  ["read", ["health", "cluster-state", "nodes-info", "nodes-stats", "tasks"]],
  ["administer", ["put-cluster-settings", "put-template"]],
];
