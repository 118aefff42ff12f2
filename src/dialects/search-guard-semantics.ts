// How Search Guard evaluates requests.

import { memoiseByKey } from "../json/memoise.ts";
import { doneByMaster, keptBySix, keptSinceSeven, reducedReads, update } from "./evaluated-actions.ts";
import type { Semantics, TenantWrite } from "./semantics.ts";

export const searchGuard7Semantics: Semantics = {
  groupsReplaceNames: true,
  allMatchesEverything: true,
  allRestricts: true,
  everythingTakesOnePattern: true,
  everythingTakesStar: false,
  askedOnAll: ["indices:admin/resize", "indices:admin/rollover", "indices:admin/shrink"],
  ofCluster: [],
  asksForNewNames: false,
  starMatchesNoBackendRole: false,
  roleSpan: true,
  tenantWrite: "text",
  tenantsAreNames: false,
  globalTenant: "SGS_GLOBAL_TENANT",
  globalTenantRoles: ["SGS_KIBANA_USER", "SGS_ALL_ACCESS"],
  tenantVariables: false,
  emptyRemoves: false,
  restrictsByOnePattern: true,
  aliasesDropRestrictions: false,
  aliasesSplitRestrictions: true,
  coversByAlias: true,
  oneOfRoleRestricts: false,
  fieldPatterns: false,
  invalidQueries: "fail",
  failsWithoutValue: false,
  failsOnTwoMasks: false,
  failsOverQueries: false,
  failsOverRewrites: true,
  anchorsExpressions: true,
  refusedExpressions: { beside: "element", cluster: ["*"], alwaysOnIndices: true },
  resolvesDatesToIndices: true,
  dotsMatchNothing: false,
  excludesWin: true,
  minusExcludes: false,
  anonymous: { user: "sg_anonymous", backendRole: "sg_anonymous_backendrole" },
  variables: ["user.name", "user_name", ...attributes("."), ...attributes("_")],
  roleVariables: ["user.roles", "user_roles"],
  substitutesVariables: false,
  heldRoleVariables: [],
  evaluatedAgain: [...doneByMaster, update, "indices:*[s]"],
  evaluatesOwnAgain: true,
  // Whatever does not write documents.
  dashboardsIndexReads: ["/(?!indices:data\\/write).*/"],
  hasDataStreams: false,
  showsHiddenIndices: false,
  securityIndex: "searchguard",
  securityIndexKeeps: keptSinceSeven,
  reduced: reducedReads,
  reducesByPattern: false,
  noneMeansAll: [],
  reducesComposites: true,
};

/**
 * 7.5.1-38 takes the text alone: tried. By the public sources it is otherwise from 7.x-40 on, the first release after 38,
 * with which `SGS_ALL_ACCESS` came to grant `*` for tenants: there and up to 48, a write is let through if any granted pattern
 * matches the text; from 49 on, if the text or `*` is granted. What has no build here may be any of them.
 */
function findTenantWrite(build: number | undefined): TenantWrite {
  if (build === undefined || build === 39) return "unknown";
  if (build < 39) return "text";
  return build < 49 ? "text-as-name" : "text-or-star";
}

export const findSearchGuard7Semantics = memoiseByKey(
  (build: number | undefined): Semantics => ({ ...searchGuard7Semantics, tenantWrite: findTenantWrite(build) }),
);

export const searchGuard6Semantics: Semantics = {
  ...searchGuard7Semantics,
  askedOnAll: [],
  roleSpan: false,
  tenantsAreNames: true,
  tenantWriteGroup: "SGS_KIBANA_ALL_WRITE",
  globalTenantRoles: [],
  dotsMatchNothing: true,
  failsOverRewrites: false,
  refusedExpressions: {
    beside: "element",
    cluster: ["indices:data/*", "cluster:monitor/health"],
    alwaysOnIndices: true,
  },
  securityIndexKeeps: keptBySix,
  // The others have dots.
  variables: ["user_name", ...attributes("_")],
  roleVariables: ["user_roles"],
  // A request that names no tenant is about none. Tried.
  dashboardsIndexReads: undefined,
};

export const flxSemantics: Semantics = {
  ...searchGuard7Semantics,
  groupsReplaceNames: false,
  // Not tried.
  askedOnAll: [],
  coversByAlias: false,
  tenantWrite: "pattern",
  emptyRemoves: true,
  excludesWin: false,
  minusExcludes: true,
  restrictsByOnePattern: false,
  aliasesSplitRestrictions: false,
  failsOverRewrites: false,
  refusedExpressions: undefined,
  dashboardsIndexReads: undefined,
};

/** Every attribute has two names, one with `_` for each dot. */
function attributes(dot: "." | "_"): readonly string[] {
  return ["internal", "jwt", "ldap", "proxy"].map((kind) => `attr${dot}${kind}${dot}`);
}
