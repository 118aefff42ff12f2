import { resolve } from "node:path";
import { compareByCodeUnit } from "../../json/canonical.ts";
import { memoiseByObject } from "../../json/memoise.ts";
import { isObject, listTexts, toList, type Value } from "../../json/value.ts";
import { type Cursor, findCursor } from "../../language/cursor.ts";
import { configNames } from "../../load/config-file.ts";
import { getFamilyOfProductName } from "../../load/file-names.ts";
import { findSchemas, type SchemaNode } from "../../load/schema-tree.ts";
import { listVariableNames } from "../../load/variables.ts";
import { isResourceFamily } from "../../model/names.ts";
import type { CheckedFiles } from "../pipeline/checked-files.ts";
import { getDeclaredAccess } from "./declared-access.ts";
import type { EditorPlace, ProjectNames } from "./names.ts";

export interface Completion {
  readonly kind:
    | "key"
    | "value"
    | "action"
    | "action group"
    | "role"
    | "tenant"
    | "member"
    | "pattern"
    | "variable"
    | "target";
  /** As it is called. */
  readonly label: string;
  /** What replaces the text from `start` to `end`, or else to the cursor. */
  readonly text: string;
  readonly start: number;
  readonly end?: number;
  readonly description?: string;
}

/** What may be written at a place; the editor picks those that begin as it is typed. */
export function listCompletions(names: ProjectNames, { absolute, text, offset }: EditorPlace): readonly Completion[] {
  const variable = /\$\{var:([\w.-]*)$/.exec(text.slice(Math.max(0, offset - 200), offset));
  if (variable) {
    const start = offset - (variable[1] ?? "").length;
    const all = names.targets.flatMap(({ vars }) => listVariableNames(vars));
    return unique(all).map((label) => ({ kind: "variable", label, text: label, start }));
  }
  const cursor = findCursor(text, offset);
  if (!cursor) return [];
  const { schema, path } = placeInSchema(cursor, absolute, names);
  const isConfig = schema === "gate-sync";
  const schemas = findSchemas(schema, path);
  const found = [
    ...(cursor.isBehindKey ? [] : listKeys(schemas, cursor)),
    ...(isConfig ? listOfConfig(names, path, cursor) : listNames(names, path, cursor)),
    ...listValues(schemas, cursor),
  ];
  // Editors write the closing quote along with the first one.
  const isClosed = cursor.quote !== "" && text.charAt(offset) === cursor.quote;
  return isClosed ? found.map((one) => ({ ...one, end: offset + 1 })) : found;
}

/** The schema that describes a file, and where in it a cursor is. */
export function placeInSchema(
  cursor: Cursor,
  absolute: string,
  names: ProjectNames,
): { readonly schema: "gate-sync" | "state"; readonly path: readonly string[] } {
  const isConfig = configNames.some((name) => resolve(names.folder, name) === absolute);
  return isConfig
    ? { schema: "gate-sync", path: cursor.path }
    : { schema: "state", path: withFamily(cursor.path, absolute, names) };
}

/** From the top of a file by family; what overrides and templates hold is what entries do. */
function withFamily(path: readonly string[], absolute: string, { folder, files }: ProjectNames): readonly string[] {
  const [first = "", second = ""] = path;
  if ((first === "overrides" || first === "generate") && isResourceFamily(second) && path.length > 2) {
    return path.slice(1);
  }
  const documents = files.flatMap(({ whole }) => whole.documents);
  const own = documents.find(({ file }) => resolve(folder, file.path) === absolute);
  const native = own ? (own.form === "native" ? own.sections[0]?.family : undefined) : getFamilyOfProductName(absolute);
  return native === undefined ? path : [native, ...path];
}

function listKeys(schemas: readonly SchemaNode[], { start, quote }: Cursor): readonly Completion[] {
  const keys = schemas.flatMap(({ properties = {} }) => Object.entries(properties));
  const known = new Set<string>();
  return keys.flatMap(([label, { description }]): readonly Completion[] => {
    if (known.has(label)) return [];
    known.add(label);
    const text = quote === "" ? `${label}: ` : `${quote}${label}${quote}: `;
    return [{ kind: "key", label, text, start, ...(description && { description }) }];
  });
}

function listValues(schemas: readonly SchemaNode[], cursor: Cursor): readonly Completion[] {
  const values = schemas.flatMap(({ type, const: only, enum: some = [] }) => [
    ...some,
    ...(only === undefined ? [] : [only]),
    ...(toTypes(type).includes("boolean") ? [true, false] : []),
  ]);
  const plain = values.filter((one) => typeof one === "string" || typeof one === "boolean").map(String);
  return createCompletions("value", plain, cursor);
}

function toTypes(type: SchemaNode["type"]): readonly string[] {
  return typeof type === "string" ? [type] : (type ?? []);
}

const kindsOf: Readonly<Record<string, readonly Completion["kind"][]>> = {
  cluster_permissions: ["action group", "action"],
  exclude_cluster_permissions: ["action group", "action"],
  allowed_actions: ["action group", "action"],
  actions: ["action group", "action"],
  cluster: ["action group", "action"],
  permissions: ["action group", "action"],
  tenant_patterns: ["tenant"],
  index_patterns: ["pattern"],
  opendistro_security_roles: ["role"],
  search_guard_roles: ["role"],
};

const memberFields = ["users", "backend_roles", "and_backend_roles", "hosts"];

function listOfConfig(names: ProjectNames, path: readonly string[], cursor: Cursor): readonly Completion[] {
  const field = path.findLast((key) => key !== "-");
  if (field === "default_target") return createCompletions("target", names.targetNames, cursor);
  return field === "admin_roles" ? listKind(names, "role", cursor) : [];
}

/** Names that the files and the product have, at the places where these are named. */
function listNames(names: ProjectNames, path: readonly string[], cursor: Cursor): readonly Completion[] {
  // The name of a mapping is that of its role.
  if (path.length === 1 && path[0] === "role_mappings") {
    return listKind(names, "role", cursor).map((one) => ({ ...one, text: `${one.text}: ` }));
  }
  const field = path.findLast((key) => key !== "-") ?? "";
  if (path[0] === "role_mappings" && memberFields.includes(field)) {
    return createCompletions(
      "member",
      names.files.flatMap((files) => namesOf(files).get(field) ?? []),
      cursor,
    );
  }
  return (kindsOf[field] ?? []).flatMap((kind) => listKind(names, kind, cursor));
}

function listKind({ files }: ProjectNames, kind: Completion["kind"], cursor: Cursor): readonly Completion[] {
  return createCompletions(
    kind,
    files.flatMap((one) => namesOf(one).get(kind) ?? []),
    cursor,
  );
}

function createCompletions(kind: Completion["kind"], labels: Iterable<string>, cursor: Cursor): readonly Completion[] {
  return unique(labels).map((label) => ({ kind, label, text: quoteLike(label, cursor), start: cursor.start }));
}

const namesOf = memoiseByObject((files: CheckedFiles): ReadonlyMap<string, readonly string[]> => {
  const { roles, mappings, groups, tenants } = getDeclaredAccess(files);
  const permissions = [...groups.values(), ...roles.values()].flatMap(listAllTexts);
  const members = memberFields.map(
    (field) => [field, [...mappings.values()].flatMap((one) => listTexts(one[field]))] as const,
  );
  const elements = [...roles.values()].flatMap((role) => toList(role.index_permissions));
  return new Map<string, readonly string[]>([
    ["role", [...roles.keys()]],
    ["tenant", [...tenants.keys()]],
    ["action group", [...groups.keys()]],
    ["action", permissions.filter((text) => /^(indices|cluster|restapi|kibana):/.test(text))],
    ["pattern", elements.flatMap((one) => (isObject(one) ? listTexts(one.index_patterns) : []))],
    ...members,
  ]);
});

function listAllTexts(value: Value): readonly string[] {
  if (typeof value === "string") return [value];
  if (isObject(value)) return Object.values(value).flatMap(listAllTexts);
  return toList(value).flatMap(listAllTexts);
}

/** In the quotes that are open; else in quotes only where YAML needs them. */
function quoteLike(label: string, { quote }: Cursor): string {
  if (quote === "'") return `'${label.replaceAll("'", "''")}'`;
  const isPlain = /^[A-Za-z_][\w./-]*(:[\w./-]+)*$/.test(label) || label === "true" || label === "false";
  return quote === "" && isPlain ? label : JSON.stringify(label);
}

function unique(labels: Iterable<string>): readonly string[] {
  return [...new Set(labels)].sort(compareByCodeUnit);
}
