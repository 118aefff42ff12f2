import { isWritingTenants } from "../access/evaluate/tenants.ts";
import type { ExpandedPermission } from "../access/model/groups.ts";
import { includes } from "../access/patterns/includes.ts";
import { matchesPattern } from "../access/patterns/matches.ts";
import type { Verdict } from "../access/verdict.ts";
import { getNoun } from "../families/index.ts";
import { type Fields, isObject, isText, listTexts, listValues, toComparable, type Value } from "../json/value.ts";
import type { ResourceFamily } from "../model/names.ts";
import { convertActions } from "./actions.ts";
import { convertIndexPatterns, reportVariables } from "./patterns.ts";
import { findUnsharedPart } from "./queries.ts";
import { addRenamedTenants } from "./tenants.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** A role in the words of the other product. */
export function convertRole(name: string, role: Fields, context: Converting, note: NoteWriter): Fields {
  const {
    cluster_permissions: cluster,
    index_permissions: indices,
    tenant_permissions: tenants,
    exclude_cluster_permissions: notCluster,
    exclude_index_permissions: notIndices,
    ...rest
  } = withoutForeignFields("roles", role, context, note);
  return {
    ...rest,
    cluster_permissions: convertActions(listTexts(cluster), context, note),
    index_permissions: listElements(indices).flatMap((one) => convertIndexElement(one, context, note)),
    tenant_permissions: [
      ...listElements(tenants).flatMap((one) => convertTenantElement(one, context, note)),
      ...addGlobalTenant(name, context, note),
    ],
    ...(notCluster !== undefined && {
      exclude_cluster_permissions: convertActions(listTexts(notCluster), context, note),
    }),
    ...(notIndices !== undefined && {
      exclude_index_permissions: listElements(notIndices).map((one) => ({
        ...one,
        index_patterns: convertIndexPatterns(listTexts(one.index_patterns), context, note),
        actions: convertActions(listTexts(one.actions), context, note),
      })),
    }),
  };
}

/** An entry without the fields that the other product does not take. */
export function withoutForeignFields(
  family: ResourceFamily,
  fields: Fields,
  { to, there }: Converting,
  note: NoteWriter,
): Fields {
  const taken = to.dialect.fields[family];
  const kept = Object.entries(fields).filter(([field]) => {
    if (taken.includes(field)) return true;
    note("left", `${field}: ${getNoun(family, 2)} of ${there} have no such field.`);
    return false;
  });
  return Object.fromEntries(kept);
}

function convertIndexElement(element: Fields, context: Converting, note: NoteWriter): readonly Fields[] {
  const { document_types: types, ...fields } = element;
  const { from, to, here, there } = context;
  const patterns = convertIndexPatterns(listTexts(fields.index_patterns), context, note);
  const { dls } = fields;
  if (dls !== undefined && dls !== null && isText(dls)) reportQuery(toComparable(dls), context, note);
  const isOfTypes = listValues(types).length > 0 && !to.dialect.documentTypes;
  if (isOfTypes)
    note(
      "left",
      `What is granted on ${listTexts(fields.index_patterns).join(", ")} for the document types ${listTexts(types).join(", ")}: ${there} has no document types.`,
    );
  const actions = isOfTypes ? [] : convertActions(listTexts(fields.allowed_actions), context, note);
  const isRestricting = [fields.dls, fields.fls, fields.masked_fields].some((one) => one !== undefined && one !== null);
  const restricting = { ...fields, allowed_actions: [] };
  const found: Fields[] = [];
  if (patterns.length > 0 && (!isOfTypes || isRestricting))
    found.push({ ...fields, index_patterns: patterns, allowed_actions: actions });
  // Of OpenSearch before 3.0 the pattern restricts everything, and grants nothing.
  const restrictsAll =
    !from.semantics.allMatchesEverything &&
    from.semantics.allRestricts &&
    listTexts(fields.index_patterns).includes("_all");
  if (restrictsAll && to.semantics.allMatchesEverything && isRestricting) {
    note("changed", `_all restricts every index in ${here}: that is written as * without any action.`);
    found.push({ ...restricting, index_patterns: ["*"] });
  }
  return found;
}

function reportQuery(query: string, context: Converting, note: NoteWriter): void {
  reportVariables(query, "The query of dls", context, note, ["heldRoleVariables"]);
  const unshared = findUnsharedPart(query);
  if (query.trim() !== "" && unshared !== undefined)
    note(
      "unknown",
      `The query of dls has ${unshared}: whether ${context.there} answers it with the same documents is unknown.`,
    );
}

function convertTenantElement(element: Fields, context: Converting, note: NoteWriter): readonly Fields[] {
  const { from, to, expand, there } = context;
  const patterns = listTexts(element.tenant_patterns).flatMap((one) => convertTenantPattern(one, context, note));
  const [was, is] = [from.dialect.tenantAccess, to.dialect.tenantAccess];
  const actions = listTexts(element.allowed_actions).flatMap((action) =>
    action === was.RW ? is.RW : action === was.RO ? is.RO : convertActions([action], context, note),
  );
  const writes = (some: readonly ExpandedPermission[], side: Converting["from"]) =>
    isWritingTenants(some, side.semantics);
  const [wrote, writesNow] = [writes(expand(element.allowed_actions), from), writes(to.expand(actions), to)];
  if (patterns.length === 0) return [];
  if (wrote === writesNow) return [{ ...element, tenant_patterns: patterns, allowed_actions: actions }];
  const { RW, RO } = is;
  note(
    "changed",
    `The actions on ${patterns.join(", ")} are written as ${wrote === "yes" ? RW : RO}: ${explainWrites(wrote, writesNow, there)}.`,
  );
  return [{ ...element, tenant_patterns: patterns, allowed_actions: [wrote === "yes" ? RW : RO] }];
}

function explainWrites(wrote: Verdict, writesNow: Verdict, there: string): string {
  if (wrote === "unknown") return "whether they write is unknown";
  if (writesNow === "unknown") return `whether they would write in ${there} is unknown`;
  return `in ${there} they would ${wrote === "yes" ? "only read" : "write"}`;
}

function convertTenantPattern(pattern: string, context: Converting, note: NoteWriter): readonly string[] {
  const { from, names, there, renamedTenants } = context;
  const found = names.find("tenants", pattern);
  // Where roles alone name tenants, there is no other entry to say it of.
  if (found.kind === "own" && found.name !== pattern && from.semantics.tenantsAreNames)
    note("changed", `The tenant ${pattern} is called ${found.name}: ${there} has another ${pattern} of its own.`);
  if (found.kind !== "undefined") return [found.name];
  const [, ...renamed] = addRenamedTenants(pattern, renamedTenants);
  if (renamed.length > 0)
    note(
      "changed",
      `The tenant pattern ${pattern} matches what is called ${renamed.join(", ")} now: that is written besides.`,
    );
  return [...addGlobalTenantName(pattern, context, note), ...renamed];
}

function addGlobalTenantName(pattern: string, { from, to }: Converting, note: NoteWriter): readonly string[] {
  const { globalTenant: was } = from.semantics;
  const { globalTenant: is } = to.semantics;
  if (was === is || matchesPattern(pattern, was) !== "yes" || includes([pattern], is) === "yes") return [pattern];
  note("changed", `The tenant pattern ${pattern} matches ${was}: ${is} is written besides.`);
  return [pattern, is];
}

/** Some products give the global tenant with roles of certain names. */
function addGlobalTenant(name: string, context: Converting, note: NoteWriter): readonly Fields[] {
  const { from, to, names, here } = context;
  if (!from.semantics.globalTenantRoles.includes(name)) return [];
  if (to.semantics.globalTenantRoles.includes(names.find("roles", name).name)) return [];
  note("changed", `${to.semantics.globalTenant} is granted besides: ${here} gives its global tenant with this role.`);
  return [{ tenant_patterns: [to.semantics.globalTenant], allowed_actions: [to.dialect.tenantAccess.RW] }];
}

function listElements(value: Value | undefined): readonly Fields[] {
  return listValues(value).filter(isObject);
}
