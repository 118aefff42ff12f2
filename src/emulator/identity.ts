// What a server shows callers about themselves.
import { isMapped } from "../access/model/mapped.ts";
import type { Json, JsonObject } from "../json/value.ts";
import type { Identity } from "../model/identity.ts";
import { type EmulatorCaller, isDisabled } from "./caller.ts";
import type { IdentityFacts } from "./product.ts";
import type { Reply } from "./reply.ts";
import type { RawRequest } from "./request.ts";
import type { NodeSettings } from "./settings.ts";
import type { ServerState } from "./state.ts";
import type { Tree } from "./values/tree.ts";

/** A caller as the server knows it. */
export interface CallerIdentity {
  readonly name: string;
  readonly backendRoles: readonly string[];
  readonly roles: readonly string[];
  /** The name on the certificate; null without one. */
  readonly certificate: string | null;
  /** Sees every tenant, not only the own one. */
  readonly seesTenants: boolean;
  /** May ask the search engine what it is. */
  readonly monitors: boolean;
}

/** Without users, every caller has the same name. A certificate has the roles that its name is mapped to. */
export function identifyCaller(
  caller: EmulatorCaller | undefined,
  { headers }: RawRequest,
  state: ServerState,
  { adminHeader = "" }: NodeSettings,
): CallerIdentity {
  const anybodyUser = {
    name: "anybody",
    backendRoles: [],
    roles: [],
    certificate: null,
    seesTenants: true,
    monitors: true,
  };
  if (caller === undefined || caller === "anybody") return anybodyUser;
  if (caller === "administrator") {
    const name = headers[adminHeader] ?? "";
    return {
      ...anybodyUser,
      name,
      roles: mappedRoles({ user: name, backendRoles: [] }, state),
      certificate: name,
      seesTenants: false,
    };
  }
  const { name, backendRoles = [], rights, monitors = true } = caller;
  const roles = caller.roles ?? mappedRoles({ user: name, backendRoles }, state);
  return { name, backendRoles, roles, certificate: null, seesTenants: rights === "all", monitors };
}

function mappedRoles(identity: Identity, { families }: ServerState): readonly string[] {
  const textsIn = (mapping: Tree, field: string): readonly string[] => {
    const list = mapping instanceof Map ? mapping.get(field) : undefined;
    return Array.isArray(list) ? list.filter((item) => typeof item === "string") : [];
  };
  const isRelevant = (mapping: Tree): boolean => {
    // Search Guard 6 writes them as one word.
    const roles = ["backend_roles", "backendroles"].flatMap((field) => textsIn(mapping, field));
    return isMapped({ users: textsIn(mapping, "users"), backend_roles: roles }, identity) === "yes";
  };
  return [...families.role_mappings].filter(([, mapping]) => isRelevant(mapping)).map(([name]) => name);
}

/** As refusals and answers print a user. */
export function formatUser(
  { name, backendRoles }: Pick<CallerIdentity, "name" | "backendRoles">,
  { backendWord }: Pick<IdentityFacts, "backendWord">,
): string {
  return `User [name=${name}, ${backendWord}=[${backendRoles.join(", ")}], requestedTenant=null]`;
}

export function describeAuthInfo(
  who: CallerIdentity,
  state: ServerState,
  facts: IdentityFacts,
  { clusterName }: NodeSettings,
): Reply {
  const { name, certificate } = who;
  const json = {
    user: formatUser(who, facts),
    user_name: name,
    user_requested_tenant: null,
    remote_address: certificate === null ? "127.0.0.1:9" : null,
    ...membership(who, state, facts),
    principal: certificate,
    peer_certificates: certificate === null ? "0" : "2",
    sso_logout_url: null,
    ...(facts.reportsCluster && { cluster_name: clusterName }),
  };
  return { status: 200, json };
}

/** OpenSearch: the same for those who administer their own password. */
export function describeAccount(who: CallerIdentity, state: ServerState, facts: IdentityFacts): Reply {
  const json = {
    user_name: who.name,
    is_reserved: false,
    is_hidden: false,
    is_internal_user: who.certificate === null,
    user_requested_tenant: null,
    ...membership(who, state, facts),
  };
  return { status: 200, json };
}

function membership(who: CallerIdentity, state: ServerState, { keys }: IdentityFacts): JsonObject {
  const names = [who.name, ...(who.seesTenants ? tenantsFor(who, state) : [])];
  return {
    backend_roles: [...who.backendRoles],
    [keys.attributes]: [],
    [keys.roles]: [...who.roles],
    [keys.tenants]: Object.fromEntries(names.map((name): [string, Json] => [name, true])),
  };
}

/** Search Guard 6 has no tenants but those that roles speak of. */
function tenantsFor({ roles }: CallerIdentity, { families }: ServerState): readonly string[] {
  const spokenOf = roles.flatMap((name) => {
    const role = families.roles.get(name);
    const tenants = role instanceof Map ? role.get("tenants") : undefined;
    return tenants instanceof Map ? [...tenants.keys()] : [];
  });
  return [...families.tenants.keys(), ...spokenOf];
}

export function describeWhoAmI(
  caller: EmulatorCaller | undefined,
  { certificate }: CallerIdentity,
  { wrapsWhoami }: IdentityFacts,
): Reply {
  const about = { dn: certificate, is_admin: certificate !== null, is_node_certificate_request: false };
  const json = wrapsWhoami ? { whoami: { ...about, is_authenticated: caller !== undefined } } : about;
  return { status: 200, json };
}

const methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT"];

/** Goes by roles alone, so that it denies an administrator's certificate what it may do all the same. */
export function describePermissionsInfo(caller: EmulatorCaller, who: CallerIdentity, facts: IdentityFacts): Reply {
  const hasAccess = caller === "anybody" || (typeof caller !== "string" && caller.rights !== "none");
  const json = {
    user: formatUser(who, facts),
    user_name: who.name,
    has_api_access: hasAccess,
    disabled_endpoints: hasAccess ? disabledFor(caller, facts) : everywhere(facts),
  };
  return { status: 200, json };
}

function everywhere({ endpoints }: IdentityFacts): JsonObject {
  const names = [...endpoints.written, ...endpoints.others];
  return Object.fromEntries(names.map((name): [string, Json] => [name, methods]));
}

function disabledFor(caller: EmulatorCaller, { endpoints }: IdentityFacts): JsonObject {
  if (typeof caller === "string") return {};
  const disabled = endpoints.written.map((name): [string, string[]] => [
    name,
    methods.filter((method) => isDisabled(caller, name, method)),
  ]);
  return Object.fromEntries(disabled.filter(([, names]) => names.length > 0));
}
