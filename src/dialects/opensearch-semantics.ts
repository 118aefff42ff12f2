// How OpenSearch evaluates requests, by release: tried on 2.11.1, 2.19.1 and 3.4.0, recorded of 3.8.0, and by the sources.

import { doneByMaster, reducedReads, update } from "./evaluated-actions.ts";
import { isOpenSearchBefore } from "./release.ts";
import { searchGuard7Semantics } from "./search-guard-semantics.ts";
import type { Semantics } from "./semantics.ts";

const openSearch: Semantics = {
  ...searchGuard7Semantics,
  resolvesDatesToIndices: false,
  groupsReplaceNames: false,
  allMatchesEverything: false,
  everythingTakesOnePattern: false,
  askedOnAll: ["indices:admin/rollover", "indices:data/read/point_in_time/readall"],
  starMatchesNoBackendRole: true,
  roleSpan: "ignored",
  globalTenant: "global_tenant",
  globalTenantRoles: ["kibana_user", "all_access"],
  tenantVariables: true,
  failsOnTwoMasks: true,
  failsOverQueries: true,
  failsOverRewrites: false,
  anchorsExpressions: false,
  refusedExpressions: { beside: "held", cluster: ["*"], alwaysOnIndices: false },
  aliasesDropRestrictions: true,
  aliasesSplitRestrictions: false,
  coversByAlias: true,
  roleVariables: ["user.roles", "user_roles"],
  heldRoleVariables: ["user.securityRoles", "user_securityRoles"],
  evaluatedAgain: [...doneByMaster, update],
  evaluatesOwnAgain: false,
  hasDataStreams: true,
  showsHiddenIndices: true,
  dashboardsIndexReads: [
    "indices:admin/get",
    "indices:data/read/get",
    "indices:data/read/search",
    "indices:data/read/msearch",
    "indices:data/read/mget",
    "indices:data/read/mget[shard]",
  ],
  anonymous: { user: "opendistro_security_anonymous", backendRole: "opendistro_security_anonymous_backendrole" },
  securityIndex: ".opendistro_security",
  reduced: [
    ...reducedReads,
    "indices:admin/resolve/index",
    "indices:admin/aliases/get",
    "indices:monitor/stats",
    "indices:monitor/settings/get",
  ],
  reducesComposites: false,
  noneMeansAll: ["indices:admin/aliases/get", "indices:monitor/stats", "indices:monitor/settings/get"],
};

/** Tried on 2.11.1; which release was the first to evaluate requests as 2.19.1 does is said by its notes alone. */
const openSearchBefore219: Semantics = {
  ...openSearch,
  allMatchesEverything: true,
  resolvesDatesToIndices: true,
  everythingTakesOnePattern: true,
  everythingTakesStar: true,
  roleSpan: true,
  askedOnAll: [...searchGuard7Semantics.askedOnAll, ...openSearch.askedOnAll],
  reduced: openSearch.reduced.filter((action) => action !== "indices:admin/aliases/get"),
  reducesComposites: true,
};
const openSearch30: Semantics = {
  ...openSearch,
  allRestricts: false,
  restrictsByOnePattern: false,
  aliasesDropRestrictions: false,
  oneOfRoleRestricts: true,
  fieldPatterns: true,
  invalidQueries: "hide",
  failsWithoutValue: true,
  failsOnTwoMasks: false,
  // Expressions without variables are read with the roles, and left out where Java refuses them.
  refusedExpressions: { beside: "element", cluster: [], alwaysOnIndices: false, onlyFilledIn: true },
  showsHiddenIndices: false,
};

/** Tried on 3.4.0. */
const openSearch34: Semantics = {
  ...openSearch30,
  askedOnAll: openSearch.askedOnAll.filter((action) => action !== "indices:admin/rollover"),
};

const openSearch36: Semantics = { ...openSearch34, invalidQueries: "ignored" };

const openSearch37: Semantics = { ...openSearch36, substitutesVariables: true };

/** The evaluation that `privileges_evaluation_type: v4` turns on, from 3.7 on. */
const openSearchV4: Semantics = {
  ...openSearch37,
  reducesByPattern: true,
  coversByAlias: false,
  askedOnAll: [],
  ofCluster: ["indices:data/read/point_in_time/readall"],
  asksForNewNames: true,
  // What takes no list of indices that could be cut down is refused.
  reduced: ["/indices:(?!data/write/|admin/(aliases|auto_create|create|resize|rollover)$).*/"],
  noneMeansAll: [],
  globalTenantRoles: [],
  securityIndexKeeps: ["*"],
};

/** @param evaluation `privileges_evaluation_type` of the config */
export function getOpenSearchSemantics(release: string, evaluation: string | undefined): Semantics {
  if (evaluation === "v4" && !isOpenSearchBefore(release, "3.7.0")) return openSearchV4;
  if (isOpenSearchBefore(release, "2.19.0")) return openSearchBefore219;
  if (isOpenSearchBefore(release, "3.0.0")) return openSearch;
  if (isOpenSearchBefore(release, "3.4.0")) return openSearch30;
  if (isOpenSearchBefore(release, "3.6.0")) return openSearch34;
  return isOpenSearchBefore(release, "3.7.0") ? openSearch36 : openSearch37;
}
