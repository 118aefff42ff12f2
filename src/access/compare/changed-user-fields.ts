import type { Semantics } from "../../dialects/semantics.ts";
import { Secret } from "../../json/secret.ts";
import { isEqual, isList, isObject, isText, listTexts, toComparable, type Value } from "../../json/value.ts";
import { resolveVariables } from "../evaluate/coverage.ts";
import type { AccessModel } from "../model/access-model.ts";
import { listTenantPatterns } from "../model/roles.ts";
import type { Subject } from "../model/subject.ts";

/**
 * What changed fields of an internal user do by a role that it has before and after: another text in place of a variable
 * matches other indices, documents or tenants. Tables have one subject in both states, so that it is not worked out which;
 * and the value of an attribute is not shown.
 */
export function describeChangedUserFields(before: AccessModel, after: AccessModel): readonly string[] {
  return [...(before.state.changedUsers?.names ?? [])].sort().flatMap((name) => {
    const [was, is] = [createUser(before, name), createUser(after, name)];
    if (!was || !is) return [];
    const changed = fieldsWithVariables.filter((field) => !isEqual(was[field], is[field]));
    if (changed.length === 0) return [];
    return was.roles.flatMap((role) => {
      const where = is.roles.includes(role) ? listPlaces([before, after], role, [was, is]) : [];
      if (where.length === 0) return [];
      return `what user ${name} gains and loses by role ${role}: ${nameFields(changed)} used in ${where.join(", ")}.`;
    });
  });
}

/** An internal user, with the roles that it holds. */
type User = Required<Pick<Subject, "user" | "backendRoles" | "attributes" | "roles">>;

const fieldsWithVariables = ["attributes", "backendRoles", "roles"] as const;
const words = { attributes: "attributes", backendRoles: "backend roles", roles: "roles" } as const;

function nameFields(changed: readonly (typeof fieldsWithVariables)[number][]): string {
  return changed.join() === "attributes"
    ? "an attribute of the user changes that is"
    : `${changed.map((field) => words[field]).join(" or ")} of the user change that are`;
}

/** What of a role comes to another text. */
function listPlaces(
  models: readonly AccessModel[],
  role: string,
  users: readonly [before: User, after: User],
): readonly string[] {
  const found = models.flatMap(({ state: { roles, semantics } }) =>
    listTextsWithVariables(roles.get(role)).flatMap(({ text, place, isQuery }) => {
      if (text === undefined) return place;
      const [was, is] = users.map((user) =>
        isQuery ? resolveQuery(text, user) : resolvePattern(text, semantics, user),
      );
      return isEqual(was, is) ? [] : place;
    }),
  );
  return [...new Set(found)].sort();
}

/** A list of backend roles is quoted, and no index is called so: such patterns match nothing. */
function resolvePattern(text: string, semantics: Semantics, user: User) {
  const resolved = resolveVariables(text, semantics, user);
  const isOfRoles = semantics.roleVariables.some((variable) => text.includes(`\${${variable}}`));
  return isOfRoles && typeof resolved === "string" && resolved.includes('"') ? null : resolved;
}

/** Queries know all variables, on every product; one that a product does not know is no reason to call it unchanged. */
function resolveQuery(text: string, user: User) {
  const ofHeld = text.replace(/\$\{user[._]securityRoles\}/g, JSON.stringify(user.roles));
  return resolveVariables(ofHeld, queryVariables, user);
}

const queryVariables = {
  variables: ["user.name", "user_name", "attr.", "attr_"],
  roleVariables: ["user.roles", "user_roles"],
  substitutesVariables: true,
};

function createUser(model: AccessModel, name: string): User | undefined {
  const held = model.state.changedUsers?.held.get(name);
  if (!held) return undefined;
  const own = Object.entries(isObject(held.attributes) ? held.attributes : {}).map(([key, value]) => [
    `internal.${key}`,
    String(value),
  ]);
  return {
    user: { name },
    backendRoles: [...listTexts(held.backend_roles)].sort().map((role) => ({ name: role })),
    attributes: Object.fromEntries(own),
    roles: listRoles(model, { user: { name }, backendRoles: [] }),
  };
}

function listRoles({ holdings }: AccessModel, subject: Subject): readonly string[] {
  return [...new Set(holdings(subject).map(({ role }) => role))].sort();
}

interface TextWithVariables {
  /** Absent: it is a secret whose value is not known. Only for comparing. */
  readonly text?: string;
  /** What may be said of it: a query may hold secrets. */
  readonly place: string;
  readonly isQuery?: true;
}

function listTextsWithVariables(role: Readonly<Record<string, Value>> = {}): readonly TextWithVariables[] {
  const elements = [
    role.index_permissions,
    role.alias_permissions,
    role.data_stream_permissions,
    role.exclude_index_permissions,
  ].flatMap(listMaps);
  const patterns = elements.flatMap((one) =>
    [one.index_patterns, one.alias_patterns, one.data_stream_patterns].flatMap(listTexts),
  );
  const queries = elements.flatMap(({ dls }): readonly TextWithVariables[] => {
    if (!isText(dls)) return [];
    const isUnknown = dls instanceof Secret && !dls.resolved;
    return [{ ...(!isUnknown && { text: toComparable(dls) }), place: query, isQuery: true }];
  });
  return [...[...patterns, ...listTenantPatterns(role)].map((text) => ({ text, place: text })), ...queries].filter(
    ({ text = "${" }) => text.includes("${"),
  );
}

const query = "a document query";

function listMaps(value: Value | undefined): readonly Readonly<Record<string, Value>>[] {
  return isList(value) ? value.filter(isObject) : [];
}
