// What a server shows callers about themselves.
import { isMapped } from "../access/model/mapped.ts";
import type { Json, JsonObject } from "../json/value.ts";
import type { Identity } from "../model/identity.ts";
import { type EmulatorCaller, isDisabled } from "./caller.ts";
import type { ServedRequest } from "./handler.ts";
import type { IdentityFacts } from "./product.ts";
import type { Reply } from "./reply.ts";
import type { NodeSettings } from "./settings.ts";
import type { ServerState } from "./state.ts";
import { getList, getMember, type Tree } from "./values/tree.ts";

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

const anybodyUser: CallerIdentity = {
  name: "anybody",
  backendRoles: [],
  roles: [],
  certificate: null,
  seesTenants: true,
  monitors: true,
};

/** Without users, every caller has the same name. A certificate has the roles that its name is mapped to. */
export function identifyCaller({ caller, headers, state, settings }: ServedRequest): CallerIdentity {
  if (caller === undefined || caller === "anybody") return anybodyUser;
  if (caller === "administrator") {
    const name = headers[settings.adminHeader ?? ""] ?? "";
    const roles = mappedRoles({ user: name, backendRoles: [] }, state);
    return { ...anybodyUser, name, roles, certificate: name, seesTenants: false };
  }
  const { name, backendRoles = [], rights, disabled, monitors = true } = caller;
  const roles = caller.roles ?? mappedRoles({ user: name, backendRoles }, state);
  return {
    name,
    backendRoles,
    roles,
    certificate: null,
    seesTenants: rights === "all" && disabled === undefined,
    monitors,
  };
}

function mappedRoles(identity: Identity, { families }: ServerState): readonly string[] {
  const textsIn = (mapping: Tree, field: string): readonly string[] =>
    getList(mapping, field).filter((item) => typeof item === "string");
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

export function describeAuthInfo(asked: ServedRequest): Reply {
  const { identity } = asked.product;
  const who = identifyCaller(asked);
  const json = {
    user: formatUser(who, identity),
    user_name: who.name,
    user_requested_tenant: null,
    remote_address: who.certificate === null ? "127.0.0.1:9" : null,
    ...membership(who, asked),
    principal: who.certificate,
    peer_certificates: who.certificate === null ? "0" : "2",
    sso_logout_url: null,
    ...(identity.reportsCluster && { cluster_name: asked.settings.clusterName }),
  };
  return { status: 200, json };
}

/** OpenSearch: the same for those who administer their own password. */
export function describeAccount(asked: ServedRequest): Reply {
  const who = identifyCaller(asked);
  const json = {
    user_name: who.name,
    is_reserved: false,
    is_hidden: false,
    is_internal_user: who.certificate === null,
    user_requested_tenant: null,
    ...membership(who, asked),
  };
  return { status: 200, json };
}

function membership(who: CallerIdentity, { state, product }: ServedRequest): JsonObject {
  const { keys } = product.identity;
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
    const tenants = getMember(families.roles.get(name), "tenants");
    return tenants instanceof Map ? [...tenants.keys()] : [];
  });
  return [...families.tenants.keys(), ...spokenOf];
}

export function describeWhoAmI(asked: ServedRequest): Reply {
  const { certificate } = identifyCaller(asked);
  const about = { dn: certificate, is_admin: certificate !== null, is_node_certificate_request: false };
  const isAuthenticated = asked.caller !== undefined;
  const { wrapsWhoami } = asked.product.identity;
  return { status: 200, json: wrapsWhoami ? { whoami: { ...about, is_authenticated: isAuthenticated } } : about };
}

const methods = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "CONNECT"];

/** Goes by roles alone, so that it denies an administrator's certificate what it may do all the same. */
export function describePermissionsInfo(asked: ServedRequest): Reply {
  const { caller = "anybody", settings } = asked;
  const { identity } = asked.product;
  const who = identifyCaller(asked);
  const hasAccess = caller === "anybody" || (typeof caller !== "string" && caller.rights !== "none");
  const json = {
    user: formatUser(who, identity),
    user_name: who.name,
    has_api_access: hasAccess,
    disabled_endpoints: hasAccess ? disabledFor(caller, settings) : everywhere(settings),
  };
  return { status: 200, json };
}

function everywhere({ endpoints }: NodeSettings): JsonObject {
  return Object.fromEntries(endpoints.map((name): [string, Json] => [name, methods]));
}

function disabledFor(caller: EmulatorCaller, { endpoints }: NodeSettings): JsonObject {
  if (typeof caller === "string") return {};
  const disabled = endpoints.map((name): [string, string[]] => [
    name,
    methods.filter((method) => isDisabled(caller, name, method)),
  ]);
  return Object.fromEntries(disabled.filter(([, names]) => names.length > 0));
}
