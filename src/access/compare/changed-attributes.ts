import { Secret } from "../../json/secret.ts";
import { isEqual, isList, isObject, listTexts, type Value } from "../../json/value.ts";
import { resolveVariables } from "../evaluate/coverage.ts";
import type { AccessModel } from "../model/access-model.ts";
import { listTenantPatterns } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";

/**
 * What a changed attribute of an internal user does by a role that it has before and after: another text in place of a
 * variable matches other indices, documents or tenants. Tables have one subject in both states, so that it is not worked
 * out which; and a value is not shown.
 */
export function describeChangedAttributes(before: AccessModel, after: AccessModel): readonly string[] {
  return [...(before.state.changedUsers?.names ?? [])].sort().flatMap((name) => {
    const [was, is] = [createSubject(before, name), createSubject(after, name)];
    if (!was || !is || isEqual(was.attributes, is.attributes)) return [];
    const kept = new Set(listRoles(after, is));
    return listRoles(before, was).flatMap((role) => {
      const where = kept.has(role) ? listPlaces([before, after], role, [was, is]) : [];
      if (where.length === 0) return [];
      return `what user ${name} gains and loses by role ${role}: an attribute of the user changes that is used in ${where.join(", ")}.`;
    });
  });
}

/** What of a role comes to another text. */
function listPlaces(
  models: readonly AccessModel[],
  role: string,
  subjects: readonly [before: Subject, after: Subject],
): readonly string[] {
  const found = models.flatMap(({ state: { roles, semantics } }) =>
    listTextsWithVariables(roles.get(role)).flatMap(({ text, place }) => {
      if (text === undefined) return place;
      const [was, is] = subjects.map((subject) => resolveVariables(text, semantics, subject));
      return isEqual(was, is) ? [] : place;
    }),
  );
  return [...new Set(found)].sort();
}

function createSubject({ state }: AccessModel, name: string): Subject | undefined {
  const attributes = state.changedUsers?.held.get(name)?.attributes;
  if (!isObject(attributes)) return undefined;
  const own = Object.entries(attributes).map(([key, value]) => [`internal.${key}`, String(value)]);
  return { user: { name }, backendRoles: [], attributes: Object.fromEntries(own) };
}

function listRoles({ holdings }: AccessModel, subject: Subject): readonly string[] {
  return [...new Set(holdings(subject).map(({ role }) => role))].sort();
}

interface TextWithVariables {
  /** Absent: it is a secret. */
  readonly text?: string;
  /** What may be said of it: a query may hold secrets. */
  readonly place: string;
}

function listTextsWithVariables(role: Readonly<Record<string, Value>> = {}): readonly TextWithVariables[] {
  const indices = [role.index_permissions, role.exclude_index_permissions].flatMap((one) => listMaps(one));
  const patterns = [...indices.flatMap((one) => listTexts(one.index_patterns)), ...listTenantPatterns(role)];
  const queries = indices.flatMap(({ dls }): readonly TextWithVariables[] => {
    if (dls instanceof Secret) return [{ place: query }];
    return typeof dls === "string" ? [{ text: dls, place: query }] : [];
  });
  return [...patterns.map((text) => ({ text, place: text })), ...queries].filter(({ text = "${" }) =>
    text.includes("${"),
  );
}

const query = "a document query";

function listMaps(value: Value | undefined): readonly Readonly<Record<string, Value>>[] {
  return isList(value) ? value.filter(isObject) : [];
}
