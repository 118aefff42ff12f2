import { findQueryFaults } from "../../dialects/dls-query.ts";
import type { Semantics } from "../../dialects/semantics.ts";
import { roles } from "../../families/roles.ts";
import { getUnknownText } from "../../families/unknown.ts";
import { encodeCanonical } from "../../json/canonical.ts";
import { type Fields, isObject, isText, listTexts, listValues, toComparable, type Value } from "../../json/value.ts";
import { canonicaliseJson } from "../../json/written-json.ts";
import type { Query } from "../../model/access.ts";
import type { ExpandedPermission, GroupExpander, UnknownGroups } from "./groups.ts";

/** One element of `index_permissions`, `alias_permissions` or `data_stream_permissions`. */
export interface IndexRule {
  /** Its place in these lists laid end to end, from 0. */
  readonly at: number;
  readonly patterns: readonly string[];
  readonly actions: readonly ExpandedPermission[];
  readonly restricts: Restriction;
  /** What no file and no answer of the API says, so that an index whose name matches is covered, or is not. */
  readonly hinges?: "types" | "alias" | "data-stream";
  /** The mapping types that it is about (6.x), where it hinges on these. */
  readonly types?: readonly string[];
}

/** What of the indices that it covers an element leaves to be seen. An empty one restricts nothing. */
export interface Restriction {
  readonly dls?: Query;
  readonly fls: readonly string[];
  /** Fields with how they are masked, as written. */
  readonly masks: readonly string[];
}

export interface TenantRule {
  readonly at: number;
  readonly patterns: readonly string[];
  readonly actions: readonly ExpandedPermission[];
}

/** A role as the server evaluates it. */
export interface RoleRules {
  readonly name: string;
  /** Canonical text of unknown fields of the role or of its action groups: they may grant, refuse and restrict. */
  readonly unknown?: string;
  /** Whether there is such a role is unknown. */
  readonly isUnlisted?: true;
  readonly cluster: readonly ExpandedPermission[];
  readonly index: readonly IndexRule[];
  readonly tenants: readonly TenantRule[];
  readonly notCluster: readonly ExpandedPermission[];
  readonly notIndex: readonly {
    readonly patterns: readonly string[];
    readonly actions: readonly ExpandedPermission[];
  }[];
}

export function parseRoleRules(
  name: string,
  role: Fields,
  expand: GroupExpander,
  unknownGroups: UnknownGroups,
  { invalidQueries }: Pick<Semantics, "invalidQueries">,
): RoleRules {
  const ofGroups = unknownGroups(listPermissionNames(role)).map(({ name: group, fields }) => `${group} ${fields}`);
  const unknown = [getUnknownText(role, roles.fields) ?? [], ofGroups].flat().join(" ") || undefined;
  return {
    name,
    ...(unknown !== undefined && { unknown }),
    cluster: expand(role.cluster_permissions),
    index: [
      ...listElements(role.index_permissions).map((element) => ({
        element,
        patterns: listTexts(element.index_patterns),
        ...(listTexts(element.document_types).length > 0 && {
          hinges: "types" as const,
          types: listTexts(element.document_types),
        }),
      })),
      ...listElements(role.alias_permissions).map((element) => ({
        element,
        patterns: listTexts(element.alias_patterns),
        hinges: "alias" as const,
      })),
      ...listElements(role.data_stream_permissions).map((element) => ({
        element,
        patterns: listTexts(element.data_stream_patterns),
        hinges: "data-stream" as const,
      })),
    ].map(({ element, ...rule }, at) => ({
      ...rule,
      at,
      actions: expand(element.allowed_actions),
      restricts: readRestriction(element, invalidQueries),
    })),
    tenants: listElements(role.tenant_permissions).map((element, at) => ({
      at,
      patterns: listTexts(element.tenant_patterns),
      actions: expand(element.allowed_actions),
    })),
    notCluster: expand(role.exclude_cluster_permissions),
    notIndex: listElements(role.exclude_index_permissions).map((element) => ({
      patterns: listTexts(element.index_patterns),
      actions: expand(element.actions),
    })),
  };
}

/** All actions and names of action groups in a role. */
export function listPermissionNames(role: Fields): readonly string[] {
  const lists = ["index_permissions", "alias_permissions", "data_stream_permissions", "tenant_permissions"];
  return [
    ...listTexts(role.cluster_permissions),
    ...listTexts(role.exclude_cluster_permissions),
    ...lists.flatMap((list) => listElements(role[list]).flatMap((one) => listTexts(one.allowed_actions))),
    ...listElements(role.exclude_index_permissions).flatMap((one) => listTexts(one.actions)),
  ];
}

/** All index patterns by which a role grants, restricts or excludes. */
export function listWrittenIndexPatterns(role: Fields): readonly string[] {
  return indexLists.flatMap(([list, patterns]) =>
    listElements(role[list]).flatMap((element) => listTexts(element[patterns])),
  );
}

const indexLists = [
  ["index_permissions", "index_patterns"],
  ["alias_permissions", "alias_patterns"],
  ["data_stream_permissions", "data_stream_patterns"],
  ["exclude_index_permissions", "index_patterns"],
] as const;

export function hasExclusions({ exclude_cluster_permissions, exclude_index_permissions }: Fields): boolean {
  return [exclude_cluster_permissions, exclude_index_permissions].some((list) => listValues(list).length > 0);
}

export function listTenantPatterns(role: Fields): readonly string[] {
  return listElements(role.tenant_permissions).flatMap((one) => listTexts(one.tenant_patterns));
}

/** What unknown fields may do, as two roles that may be held: one grants everything, one refuses and restricts it. */
export function listPossibleRules({ name }: RoleRules, unknown: string): readonly [RoleRules, RoleRules] {
  const everything = { patterns: ["*"], actions: [{ pattern: "*", via: [] }] };
  const free = { fls: [], masks: [] };
  const none = { name, cluster: [], index: [], tenants: [], notCluster: [], notIndex: [] };
  const query = { key: unknown, shown: "by fields that gate-sync does not know", isOpaque: true } as const;
  return [
    {
      ...none,
      cluster: everything.actions,
      index: [{ ...everything, at: 0, restricts: free }],
      tenants: [{ ...everything, at: 0 }],
    },
    {
      ...none,
      index: [{ ...everything, at: 0, actions: [], restricts: { ...free, dls: query } }],
      notCluster: everything.actions,
      notIndex: [everything],
    },
  ];
}

export function isRestricting({ dls, fls, masks }: Restriction): boolean {
  return dls !== undefined || fls.length > 0 || masks.length > 0;
}

function readRestriction(element: Fields, invalidQueries: Semantics["invalidQueries"]): Restriction {
  const { dls } = element;
  const isIgnored = invalidQueries === "ignored" ? isInvalid : invalidQueries === "hide" ? isBlank : () => false;
  const isQuery = dls !== undefined && dls !== null && dls !== "" && !isIgnored(dls);
  return {
    ...(isQuery && { dls: readQuery(dls) }),
    fls: listTexts(element.fls),
    masks: listTexts(element.masked_fields),
  };
}

function isBlank(dls: Value): boolean {
  return isText(dls) && toComparable(dls).trim() === "";
}

/** One with variables is read once these have values, and a secret without a value may be any query. */
function isInvalid(dls: Value): boolean {
  const query = isText(dls) ? toComparable(dls) : "";
  if (query.includes("${") || query.includes("\u0000")) return false;
  return findQueryFaults(query, { product: "opensearch" }).some(({ kind }) => kind !== "unread");
}

function readQuery(dls: Value): Query {
  if (!isText(dls)) return { key: encodeCanonical(dls), shown: encodeCanonical(dls) };
  const query = toComparable(dls);
  return { key: canonicaliseJson(query) ?? query, shown: String(dls) };
}

function listElements(value: Value | undefined): readonly Fields[] {
  return listValues(value).filter(isObject);
}
