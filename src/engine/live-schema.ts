import { RunError } from "../diagnostics/failure.ts";
import { getNoun } from "../families/index.ts";
import { compareByCodeUnit } from "../json/canonical.ts";
import { isList, isObject, type Json, type JsonObject, listTexts, type Value } from "../json/value.ts";
import { createTargetLoginHider } from "../live/client/hiding.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { buildWholeSchema } from "../load/schemas.ts";
import type { LiveState } from "../model/live.ts";
import { type ResourceFamily, resourceFamilies } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import { openTarget } from "./open.ts";
import type { RunRequest } from "./request.ts";
import { summariseSource } from "./source.ts";

export interface LiveSchema {
  readonly schema: JsonObject;
  /** What it could not be given, and why. */
  readonly notes: readonly string[];
}

/** Names of a cluster, by what completes them. */
type LiveNames = Readonly<Record<"actionGroups" | "tenants" | "roles" | "backendRoles" | "indices", readonly string[]>>;

/** The schema of state files in one document, in which the names that a cluster has complete. Nothing is written. */
export async function createLiveSchema(
  request: RunRequest,
  connect: (target: Target) => ReadPort,
): Promise<LiveSchema> {
  const target = await openTarget(request);
  summariseSource(target);
  const reader = memoiseReads(connect(target));
  try {
    const { dialect } = await detect(reader, target, resourceFamilies);
    const live = await readState(reader, dialect, { needed: [], reference: resourceFamilies });
    if (live.resources.size === 0) await readState(reader, dialect, { needed: ["roles"], reference: [] });
    const indices = await readIndexNames(reader);
    const hide = createTargetLoginHider(target);
    const names = { ...listNames(live), indices: indices.names };
    const shown = Object.fromEntries(
      Object.entries(names).map(([kind, all]) => [kind, sortUnique(all.filter((one) => hide(one) === one))]),
    ) as LiveNames;
    const isRead = (family: ResourceFamily) => live.resources.has(family) || dialect.collections[family] === undefined;
    const unread = resourceFamilies.filter((family) => !isRead(family)).map((family) => getNoun(family, 2));
    const left = unread.map((noun) => `The ${noun} could not be read; their names are left out.`);
    return { schema: addNames(buildWholeSchema("state"), shown), notes: [...left, ...indices.notes] };
  } finally {
    await reader.close();
  }
}

function listNames({ resources }: LiveState): Omit<LiveNames, "indices"> {
  const namesOf = (family: ResourceFamily) => [...(resources.get(family)?.keys() ?? [])];
  const holders = [
    ...(resources.get("role_mappings")?.values() ?? []),
    ...(resources.get("internal_users")?.values() ?? []),
  ];
  const backendRoles = holders.flatMap(({ value }) => [
    ...listTexts(value.backend_roles),
    ...listTexts(value.and_backend_roles),
  ]);
  return {
    actionGroups: namesOf("action_groups"),
    tenants: namesOf("tenants"),
    roles: namesOf("roles"),
    backendRoles: backendRoles.filter((one) => !/[*?]/.test(one)),
  };
}

/** Of indices, aliases and data streams, those that begin with a dot left out: these are the server's own. */
async function readIndexNames(
  reader: ReadPort,
): Promise<{ readonly names: readonly string[]; readonly notes: readonly string[] }> {
  const sources = [
    ["indices", "/_cat/indices?format=json&h=index"],
    ["aliases", "/_cat/aliases?format=json&h=alias"],
    ["data streams", "/_data_stream"],
  ] as const;
  const names: string[] = [];
  const notes: string[] = [];
  for (const [what, path] of sources) {
    try {
      const { status, body } = await reader.get(path);
      if (status === 200) for (const name of listNamed(body)) names.push(name);
      // Not every release has data streams.
      else if (what !== "data streams") notes.push(`The names of ${what} are left out: the server answered ${status}.`);
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      notes.push(`The names of ${what} are left out: ${error.userMessage.what}`);
    }
  }
  return { names: names.filter((name) => !name.startsWith(".")), notes };
}

function listNamed(body: unknown): readonly string[] {
  const rows = isObject(body as Value) ? (body as JsonObject).data_streams : (body as Json);
  if (!isList(rows as Value)) return [];
  return (rows as readonly Json[]).flatMap((row) =>
    isObject(row as Value) ? listTexts(Object.values(row as JsonObject).slice(0, 1) as Value) : [],
  );
}

/** The fields whose items complete. */
const kindOfField: Readonly<Record<string, keyof LiveNames>> = {
  cluster_permissions: "actionGroups",
  exclude_cluster_permissions: "actionGroups",
  allowed_actions: "actionGroups",
  actions: "actionGroups",
  cluster: "actionGroups",
  permissions: "actionGroups",
  tenant_patterns: "tenants",
  index_patterns: "indices",
  alias_patterns: "indices",
  data_stream_patterns: "indices",
  backend_roles: "backendRoles",
  and_backend_roles: "backendRoles",
  backendroles: "backendRoles",
  opendistro_security_roles: "roles",
  search_guard_roles: "roles",
};

function addNames(schema: JsonObject, names: LiveNames): JsonObject {
  const visit = (value: Json, field?: string): Json => {
    if (isList(value)) return (value as readonly Json[]).map((one) => visit(one, field));
    if (!isObject(value)) return value;
    const kind = field === undefined ? undefined : kindOfField[field];
    const entries = Object.entries(value as JsonObject).map(([key, below]): [string, Json] => {
      if (key === "properties" && isObject(below)) {
        return [
          key,
          Object.fromEntries(Object.entries(below as JsonObject).map(([name, one]) => [name, visit(one, name)])),
        ];
      }
      if (key === "items" && kind && isObject(below)) return [key, suggest(below as JsonObject, names[kind])];
      return [key, visit(below, key === "oneOf" || key === "anyOf" ? field : undefined)];
    });
    return Object.fromEntries(entries);
  };
  return addKeys(visit(schema) as JsonObject, "role_mappings", names.roles);
}

/** Anything is still valid: a name may be new. */
function suggest(items: JsonObject, names: readonly string[]): JsonObject {
  return names.length === 0 ? items : { ...items, anyOf: [{ enum: names }, {}] };
}

/** A mapping has the name of its role. */
function addKeys(schema: JsonObject, family: string, names: readonly string[]): JsonObject {
  const { properties } = schema as { readonly properties: Readonly<Record<string, JsonObject>> };
  const entries = properties[family];
  const { additionalProperties } = entries as { readonly additionalProperties: JsonObject };
  const known = Object.fromEntries(names.map((name) => [name, additionalProperties]));
  return { ...schema, properties: { ...properties, [family]: { ...entries, properties: known } } };
}

function sortUnique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort(compareByCodeUnit);
}
