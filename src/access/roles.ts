import { canonicalText } from "../json/canonical.ts";
import { type Fields, isList, isObject, isText, text, type Value } from "../json/value.ts";
import type { Query } from "../model/access.ts";
import { type Expand, type Granted, textsOf } from "./groups.ts";

/** One element of `index_permissions`, `alias_permissions` or `data_stream_permissions`. */
export interface IndexRule {
  /** Its place in these lists laid end to end, from 0. */
  readonly at: number;
  readonly patterns: readonly string[];
  readonly actions: readonly Granted[];
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
  readonly actions: readonly Granted[];
}

/** A role as the server judges by it. */
export interface RoleRules {
  readonly name: string;
  readonly cluster: readonly Granted[];
  readonly index: readonly IndexRule[];
  readonly tenants: readonly TenantRule[];
  readonly notCluster: readonly Granted[];
  readonly notIndex: readonly { readonly patterns: readonly string[]; readonly actions: readonly Granted[] }[];
}

export function rulesOf(name: string, role: Fields, expand: Expand): RoleRules {
  return {
    name,
    cluster: expand(role.cluster_permissions),
    index: [
      ...elementsOf(role.index_permissions).map((element) => ({
        element,
        patterns: textsOf(element, "index_patterns"),
        ...(textsOf(element, "document_types").length > 0 && {
          hinges: "types" as const,
          types: textsOf(element, "document_types"),
        }),
      })),
      ...elementsOf(role.alias_permissions).map((element) => ({
        element,
        patterns: textsOf(element, "alias_patterns"),
        hinges: "alias" as const,
      })),
      ...elementsOf(role.data_stream_permissions).map((element) => ({
        element,
        patterns: textsOf(element, "data_stream_patterns"),
        hinges: "data-stream" as const,
      })),
    ].map(({ element, ...rule }, at) => ({
      ...rule,
      at,
      actions: expand(element.allowed_actions),
      restricts: restrictionOf(element),
    })),
    tenants: elementsOf(role.tenant_permissions).map((element, at) => ({
      at,
      patterns: textsOf(element, "tenant_patterns"),
      actions: expand(element.allowed_actions),
    })),
    notCluster: expand(role.exclude_cluster_permissions),
    notIndex: elementsOf(role.exclude_index_permissions).map((element) => ({
      patterns: textsOf(element, "index_patterns"),
      actions: expand(element.actions),
    })),
  };
}

export function isRestricting({ dls, fls, masks }: Restriction): boolean {
  return dls !== undefined || fls.length > 0 || masks.length > 0;
}

function restrictionOf(element: Fields): Restriction {
  const { dls } = element;
  return {
    ...(dls !== undefined && dls !== null && dls !== "" && { dls: queryOf(dls) }),
    fls: textsOf(element, "fls"),
    masks: textsOf(element, "masked_fields"),
  };
}

function queryOf(dls: Value): Query {
  if (!isText(dls)) return { key: canonicalText(dls), shown: canonicalText(dls) };
  return { key: queryKey(text(dls)), shown: String(dls) };
}

function queryKey(query: string): string {
  try {
    return canonicalText(JSON.parse(query) as Value);
  } catch {
    return query;
  }
}

function elementsOf(value: Value | undefined): readonly Fields[] {
  return isList(value) ? value.filter(isObject) : [];
}
