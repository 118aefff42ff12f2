import type { Aliases } from "../model/aliases.ts";

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
  /** Actions on indices elsewhere that are permissions of the cluster here. */
  readonly ofCluster: readonly string[];
  /** Who makes an index of another, or an alias, has to hold that on the new name, too: to create it, or as it is. */
  readonly asksForNewNames: boolean;
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
  /**
   * Where an alias has a name that a pattern with a wildcard matches, the pattern is resolved to the indices of such
   * aliases, and is found as it is written by all others: a restriction by it then applies to these beside no other one.
   */
  readonly aliasesSplitRestrictions: boolean;
  /** Of the restrictions of one role on an index by plain patterns the last one counts: elements have no order here. */
  readonly oneOfRoleRestricts: boolean;
  /** Who may do something with an index by one of its names may do it by all: by those of aliases that lead to it, too. */
  readonly coversByAlias: boolean;
  /** Of one server, as it shows them; absent: none are known, and a name is that of an index that no alias leads to. */
  readonly aliases?: Aliases;
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
  /**
   * It reduces requests of several parts, too: such as `_msearch` by the action msearch, which takes it on the index. Where
   * no part is permitted, all of it is refused, also with `do_not_fail_on_forbidden_empty`; else each part is answered as a
   * search by itself, in whichever order. Tried with names of one's own, of others and of none, patterns, and no name.
   */
  readonly reducesComposites: boolean;
  /** Of these, a request reduced to nothing is answered about everything, by a fault of the product. */
  readonly noneMeansAll: readonly string[];
}

/** The name of the data stream whose documents an index holds, where the product has data streams. */
export function getDataStream(index: string): string | undefined {
  return /^\.ds-(.+)-\d{6}$/.exec(index)?.[1];
}

/** Which requests fail for who holds an index pattern that becomes a regular expression that Java refuses. */
interface RefusedExpressions {
  /** They fail where its element has DLS, FLS or masks, or any element that the subject holds. */
  readonly beside: "element" | "held";
  /** The cluster permissions that fail then, beside all on indices. */
  readonly cluster: readonly string[];
  /** Requests about indices fail without any restriction, too. */
  readonly alwaysOnIndices: boolean;
  /** One that is refused as it is written fails nothing. */
  readonly onlyFilledIn?: true;
}

export function isVariable(name: string, variables: Semantics["variables"]): boolean {
  return variables.some((known) => (/[._]$/.test(known) ? name.startsWith(known) : name === known));
}
