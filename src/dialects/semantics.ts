import { memoiseByKey } from "../json/memoise.ts";
import type { Dialect } from "./dialect.ts";
import { doneByMaster, keptBySix, keptSinceSeven, reducedReads } from "./evaluated-actions.ts";
import { since30, since36, since37, v4 } from "./opensearch-3.ts";
import type { RefusedExpressions } from "./refused-expressions.ts";
import { getBuild, isOpenSearchBefore } from "./release.ts";

/**
 * The very text of the action; that or `*`; a pattern that matches this text; which of these is unknown; or a pattern that
 * matches the action, as FLX has it.
 */
export type TenantWrite = "text" | "text-or-star" | "text-as-name" | "unknown" | "pattern";

/**
 * How a product evaluates requests, where products differ. Tried on OpenSearch 2.19.1, 3.4.0 and 3.8.0, Search Guard
 * 7.5.1-38 and 6.5.4-24; FLX and later builds of 7 by their sources. `gate` says nothing of it, and is taken for the Search Guard of
 * its line.
 */
export interface Semantics {
  /** The name of a group is replaced by what the group holds; elsewhere it stays a pattern besides. */
  readonly groupsReplaceNames: boolean;
  /** The index pattern `_all` matches every index; elsewhere it matches none. */
  readonly allMatchesEverything: boolean;
  /** The index pattern `_all` restricts every index, even where it matches none. */
  readonly allRestricts: boolean;
  /** A request over all indices needs one pattern that matches everything; elsewhere any patterns that match each index. */
  readonly everythingTakesOnePattern: boolean;
  /** That pattern is `*` itself: no other one that matches everything will do. */
  readonly everythingTakesStar: boolean;
  /**
   * Actions that are asked for on all indices, whichever a request names: every route was tried by a user with rights
   * on one pattern. Resizing is asked for on the new index besides the old one, where it is not among these.
   */
  readonly askedOnAll: readonly string[];
  /** `*` among backend roles matches principals without any, too. */
  readonly starMatchesNoBackendRole: boolean;
  /** One role must hold all that a request takes where `multi_rolespan_enabled` is false; this is its default. */
  readonly roleSpan: "ignored" | boolean;
  /** What makes a tenant writable. */
  readonly tenantWrite: TenantWrite;
  /** Tenants are granted by plain names, whether they exist or not. */
  readonly tenantsAreNames: boolean;
  /** The word of a 6.x role for it, in canonical form: no group that is there. */
  readonly tenantWriteGroup?: string;
  /** Everybody's tenant, and the roles with which it may be written, whatever else is granted. */
  readonly globalTenant: string;
  readonly globalTenantRoles: readonly string[];
  /** A tenant pattern that begins with an attribute's variable is replaced, and is a name then; elsewhere none is. */
  readonly tenantVariables: boolean;
  /** An element without DLS, FLS or masks removes those of others. */
  readonly emptyRemoves: boolean;
  /** One field that is excluded anywhere, and no list of included ones counts. */
  readonly excludesWin: boolean;
  /** A name that begins with a minus takes indices out; elsewhere it is a name like any other. */
  readonly minusExcludes: boolean;
  /**
   * Of the restrictions of an index by different patterns, only one applies, and which is unknown: those by `*` and
   * by names count as one, as they are resolved to the index; each with `?` and each regular expression is another.
   */
  readonly restrictsByOnePattern: boolean;
  /**
   * A restriction by a pattern with `?` or by a regular expression applies, once an alias has a name that the pattern
   * matches, only to the indices of such aliases: all other indices that it matches are shown without it.
   */
  readonly aliasesDropRestrictions: boolean;
  /** Of the restrictions of one role on an index by plain patterns the last one counts: elements have no order here. */
  readonly oneOfRoleRestricts: boolean;
  /** `?` and expressions count in FLS, and a list of fields to show names each sub-field; elsewhere an object's name does. */
  readonly fieldPatterns: boolean;
  /** A query of DLS that is none fails all requests on the index; shows nothing, but hides nothing either; is ignored. */
  readonly invalidQueries: "fail" | "hide" | "ignored";
  /** Where a query of DLS has a variable without a value, all requests on the index fail; elsewhere it is plain text. */
  readonly failsWithoutValue: boolean;
  /** Two different masks of one field: what reads documents fails, or leaves some of them out; elsewhere one applies. */
  readonly failsOnTwoMasks: boolean;
  /** Where a query of DLS is none, or looks up terms, requests fail that read no documents, too. */
  readonly failsOverQueries: boolean;
  /** Which requests fail for who holds an index pattern that becomes a regular expression that Java refuses; undefined: none. */
  readonly refusedExpressions: RefusedExpressions | undefined;
  /** A document is held to a query of DLS as that is: one that has to be rewritten, such as a prefix, fails. */
  readonly failsOverRewrites: boolean;
  /** A regular expression is put between `^` and `$`. */
  readonly anchorsExpressions: boolean;
  /** `<…>` is resolved to the indices that there are; elsewhere to a pattern, with wildcards too. */
  readonly resolvesDatesToIndices: boolean;
  /** Index patterns with a dot in them never match anything. */
  readonly dotsMatchNothing: boolean;
  /** Under which names who has not logged in is let in, where the config says so. */
  readonly anonymous: { readonly user: string; readonly backendRole: string };
  /** The variables that index patterns know, without `${}`; those that end in a dot or `_` mean all that begin so. */
  readonly variables: readonly string[];
  /** `${…:-…}` and variables within variables are known, and all variables in index patterns, queries and tenants alike. */
  readonly substitutesVariables: boolean;
  /**
   * Variables that are replaced there by a quoted list of the user's backend roles, which no index has in its name, and by
   * nothing for a user without backend roles: `logs-*${user.roles}` then matches as `logs-*`.
   */
  readonly roleVariables: readonly string[];
  /** Variables of queries that are replaced by a quoted list of the roles that the user holds. */
  readonly heldRoleVariables: readonly string[];
  /** Actions that a server evaluates again where another node does them: the elected master, or the one with the shard. */
  readonly evaluatedAgain: readonly string[];
  /** What the node with the shard asks for on its part is evaluated again even where that is the node that was asked. */
  readonly evaluatesOwnAgain: boolean;
  /** Indices named `.ds-NAME-000001` belong to the data stream NAME: what covers that name covers them. */
  readonly hasDataStreams: boolean;
  /** A restriction by a pattern with `*` does not apply to hidden indices, unless the pattern and the name begin with a dot. */
  readonly showsHiddenIndices: boolean;
  /**
   * With multitenancy, a request about the dashboards' own index alone needs the global tenant besides: to read it for actions
   * that these match, to write it for all others. Undefined: it does not.
   */
  readonly dashboardsIndexReads: readonly string[] | undefined;
  /** The index in which the product keeps its own configuration. */
  readonly securityIndex: string;
  /** Actions on it that only an administrator's certificate may do. */
  readonly securityIndexKeeps: readonly string[];
  /** What a request over several indices is reduced to the permitted ones for, with `do_not_fail_on_forbidden`. */
  readonly reduced: readonly string[];
  /** A request is reduced where it names a pattern, and never otherwise, whatever `do_not_fail_on_forbidden` says. */
  readonly reducesByPattern: boolean;
  /** It reduces requests of several parts, too: such as `_msearch` by the action msearch, which takes it on the index. */
  readonly reducesComposites: boolean;
  /** Of these, a request reduced to nothing is answered about everything, by a fault of the product. */
  readonly noneMeansAll: readonly string[];
}

const update = "indices:data/write/update";

const searchGuard7: Semantics = {
  groupsReplaceNames: true,
  allMatchesEverything: true,
  allRestricts: true,
  everythingTakesOnePattern: true,
  everythingTakesStar: false,
  askedOnAll: ["indices:admin/resize", "indices:admin/rollover", "indices:admin/shrink"],
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

const searchGuard7Builds = memoiseByKey(
  (build: number | undefined): Semantics => ({ ...searchGuard7, tenantWrite: findTenantWrite(build) }),
);

const searchGuard6: Semantics = {
  ...searchGuard7,
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

const flx: Semantics = {
  ...searchGuard7,
  groupsReplaceNames: false,
  // Not tried.
  askedOnAll: [],
  tenantWrite: "pattern",
  emptyRemoves: true,
  excludesWin: false,
  minusExcludes: true,
  restrictsByOnePattern: false,
  failsOverRewrites: false,
  refusedExpressions: undefined,
  dashboardsIndexReads: undefined,
};

const openSearch: Semantics = {
  ...searchGuard7,
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
  everythingTakesOnePattern: true,
  everythingTakesStar: true,
  askedOnAll: [...searchGuard7.askedOnAll, ...openSearch.askedOnAll],
};
const openSearch30: Semantics = { ...openSearch, ...since30 };
/** Tried on 3.4.0. */
const openSearch34: Semantics = {
  ...openSearch30,
  askedOnAll: openSearch.askedOnAll.filter((action) => action !== "indices:admin/rollover"),
};
const openSearch36: Semantics = { ...openSearch34, ...since36 };
const openSearch37: Semantics = { ...openSearch36, ...since37 };
const openSearchV4: Semantics = { ...openSearch37, ...v4 };

/** Every attribute has two names, one with `_` for each dot. */
function attributes(dot: "." | "_"): readonly string[] {
  return ["internal", "jwt", "ldap", "proxy"].map((kind) => `attr${dot}${kind}${dot}`);
}

export function isVariable(name: string, variables: Semantics["variables"]): boolean {
  return variables.some((known) => (/[._]$/.test(known) ? name.startsWith(known) : name === known));
}

/** @param evaluation `privileges_evaluation_type` of the config */
export function getSemantics({ product, release }: Dialect, evaluation?: string): Semantics {
  if (product === "opensearch") return getOpenSearchSemantics(release, evaluation);
  if (release === "FLX") return flx;
  if (release.startsWith("6")) return searchGuard6;
  return searchGuard7Builds(getBuild(release));
}

function getOpenSearchSemantics(release: string, evaluation: string | undefined): Semantics {
  if (evaluation === "v4" && !isOpenSearchBefore(release, "3.7.0")) return openSearchV4;
  if (isOpenSearchBefore(release, "2.19.0")) return openSearchBefore219;
  if (isOpenSearchBefore(release, "3.0.0")) return openSearch;
  if (isOpenSearchBefore(release, "3.4.0")) return openSearch30;
  if (isOpenSearchBefore(release, "3.6.0")) return openSearch34;
  return isOpenSearchBefore(release, "3.7.0") ? openSearch36 : openSearch37;
}
