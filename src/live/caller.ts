import { RunError } from "../diagnostics/failure.ts";
import { getCallerPaths } from "../dialects/caller.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { type Endpoint, getEndpoint, listEndpoints } from "../dialects/endpoints.ts";
import { isList, type JsonObject } from "../json/value.ts";
import type { Answered } from "../model/doctor.ts";
import type { Family } from "../model/names.ts";
import type { ReadPort } from "../model/ports.ts";
import { getObjectFields, isNoRoute } from "./detect/routes.ts";

/** What a server says about the caller; fields that it does not show are absent. */
export interface CallerSeen {
  readonly name?: string;
  readonly roles: readonly string[];
  readonly backendRoles: readonly string[];
  /** The IP address that the request came from. */
  readonly address?: string;
  /** The subject of the certificate that came with the request. */
  readonly principal?: string;
  /** Whether that is an administrator's, where the server says so itself. */
  readonly isAdmin?: boolean;
  readonly rights?: Rights;
  /** One line for each path that did not answer as it should. */
  readonly unanswered: readonly string[];
}

export interface Rights {
  /** Some role of the caller may use the API; what a certificate may do is not counted. */
  readonly byRole: boolean;
  /** Methods that are denied, by endpoint. */
  readonly disabled: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Asks who we are and what we may do: two or three small GETs, each of which may fail by itself. */
export async function askCaller(reader: ReadPort, dialect: Dialect): Promise<CallerSeen> {
  const paths = getCallerPaths(dialect);
  if (!paths) return { roles: [], backendRoles: [], unanswered: [] };
  const all = await Promise.all(
    [paths.identity, paths.permissions, paths.certificate].map((path) => asked(reader, path)),
  );
  const [identity, permissions, certificate] = all.map(({ fields }) => fields);
  const { user_name: name, principal, remote_address: remote } = identity ?? {};
  const isAdmin = certificate?.is_admin;
  return {
    ...(typeof name === "string" && { name }),
    ...(typeof principal === "string" && { principal }),
    ...(typeof isAdmin === "boolean" && { isAdmin }),
    ...(permissions && { rights: rightsIn(permissions) }),
    // Search Guard calls them by its own name.
    roles: textsIn(identity?.sg_roles ?? identity?.roles).toSorted(),
    backendRoles: textsIn(identity?.backend_roles),
    ...(typeof remote === "string" && { address: withoutPort(remote) }),
    unanswered: all.flatMap(({ unanswered }) => unanswered ?? []),
  };
}

/** `127.0.0.1:5000`, `[::1]:5000`. */
function withoutPort(remote: string): string {
  return remote.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

interface Asked {
  readonly fields?: JsonObject;
  /** Why there is no answer. */
  readonly unanswered?: string;
}

async function asked(reader: ReadPort, path: string | undefined): Promise<Asked> {
  if (path === undefined) return {};
  try {
    const answer = await reader.get(path);
    if (answer.status === 200) return { fields: getObjectFields(answer.body) };
    // Not every release has every one of them.
    return isNoRoute(answer) ? {} : { unanswered: `${answer.status} to GET ${path}` };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    return { unanswered: error.userMessage.what };
  }
}

function rightsIn({ has_api_access, disabled_endpoints }: JsonObject): Rights {
  const disabled = Object.entries(getObjectFields(disabled_endpoints)).map(
    ([endpoint, methods]) => [endpoint, new Set(textsIn(methods))] as const,
  );
  return { byRole: has_api_access === true, disabled: new Map(disabled) };
}

function textsIn(value: unknown): readonly string[] {
  return isList(value as readonly string[])
    ? (value as readonly unknown[]).filter((item) => typeof item === "string")
    : [];
}

/** Every method that changes something: gate-sync may need each of them. */
const writing = ["PUT", "PATCH", "DELETE"];

/** What the caller's roles let it do with a family. */
export function getRightsTo(
  { byRole, disabled }: Rights,
  dialect: Dialect,
  family: Family,
): Record<"read" | "write", Answered> {
  const denied = disabled.get(getEndpoint(dialect, family) ?? "") ?? new Set<string>();
  const may = (methods: readonly string[]): Answered =>
    methods.some((method) => denied.has(method)) || !byRole ? "no" : "yes";
  return { read: may(["GET"]), write: may(writing) };
}

/** Where a caller who may use the API may write something: one request whose method is not denied is enough. */
export function listWritable({ byRole, disabled }: Rights, dialect: Dialect): readonly Endpoint[] {
  if (!byRole) return [];
  return listEndpoints(dialect).filter(({ name, writes, certificateOnly, isHarmless }) => {
    if (certificateOnly || isHarmless) return false;
    return writes.some((request) => !disabled.get(name)?.has(request.split(" ", 1)[0] ?? ""));
  });
}
