import { isHarmless } from "../../access/compare/login-settings.ts";
import { readAccessSettings } from "../../access/model/settings.ts";
import { isOpen } from "../../access/unnamed/open.ts";
import { listAnonymousRoles } from "../../access/unnamed/principals.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { getLoginClass, type LoginType, recogniseLoginType } from "../../dialects/login-types.ts";
import { groupItems } from "../../json/collections.ts";
import { type Fields, isObject, type Value } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { Guard, GuardFinding, GuardInput, LoginFacts } from "./guard.ts";

/** So many domains that go are no rename any more. */
const leastGone = 2;

/** The config decides who may log in. A run that turns off the last login, or its own, cannot undo that. */
export const login: Guard = {
  rule: "login",
  refuses:
    "A config without the login of this run, or with less than half of the login domains, or with two of the same order, or that lets in who cannot be known: without a login, by any password, or by a proxy at any address.",
  why: "Users, or gate-sync itself, could not log in any more; or anyone could: by anonymous login where a mapping matches it, such as *, by a proxy whose internalProxies match any address, or by basic with the backend noop, which accepts any password.",
  fix: "Keep the login domains that are in use, restrict internalProxies, and use no backend noop with passwords.",
  byDefault: `always; of login domains, from ${leastGone} on that go`,
  setBy: "nothing",
  waivedFor: "config",
  dependsOnRun: true,
  evaluate(evaluated) {
    const change = evaluated.pending.find(({ family }) => family === "config");
    if (!change?.after) return [];
    const [before, after] = [change.before ?? {}, change.after];
    const off = loginGone(before, after, change, evaluated);
    return [
      ...(off ? [off] : domainsGone(before, after, evaluated)),
      ...letInByOneOfTwo(before, after),
      ...letInWithoutLogin(before, after, evaluated),
      ...letInByAnyProxy(before, after, evaluated),
      ...letInByAnyPassword(before, after, evaluated),
    ];
  },
};

function loginGone(
  was: Fields,
  is: Fields,
  { edits }: Change,
  { dialect, login: loginKind }: GuardInput,
): GuardFinding | undefined {
  const [before, after] = [enabledTypes(was), enabledTypes(is)];
  const decidesLogin = before.length > 0 || edits.some(({ path }) => path[1] === "authc");
  if (after.length === 0 && decidesLogin) {
    return finding("No authentication domain would be enabled any more.", "Only an admin certificate gets in.");
  }
  if (!loginKind || !before.some((type) => takes(loginKind, dialect, type))) return undefined;
  if (!after.some((type) => takes(loginKind, dialect, type))) {
    return finding(
      `No enabled authentication domain would take a ${loginKind} any more.`,
      `This run logs in by ${loginKind}: no further request of ours would be accepted.`,
    );
  }
  if (loginKind !== "password" || !knowsInternalUsers(was, dialect) || knowsInternalUsers(is, dialect))
    return undefined;
  return finding(
    "No enabled authentication domain would look for passwords among the internal users any more.",
    "This run logs in by password: as an internal user, no further request of ours would be accepted.",
  );
}

/** By their passwords. Where no backend is named, servers take this one. */
function knowsInternalUsers(config: Fields, dialect: Dialect): boolean {
  return Object.values(domainsOf(config)).some((domain) => {
    const { type } = fieldsOf(fieldsOf(domain).authentication_backend);
    return (
      takes("password", dialect, enabledType(domain)) &&
      recogniseLoginType(String(type || "internal"), dialect) === "internal"
    );
  });
}

/** A domain that has another name, and is otherwise the same, is not gone. */
function domainsGone(was: Fields, is: Fields, { dialect }: GuardInput): readonly GuardFinding[] {
  const [before, after] = [enabledDomains(was, dialect), enabledDomains(is, dialect)];
  const added = [...after].filter(([name, kind]) => before.get(name) !== kind).map(([, kind]) => kind);
  const gone = [...before].filter(([name, kind]) => after.get(name) !== kind);
  const names: string[] = [];
  for (const [name, kind] of gone) {
    const at = added.indexOf(kind);
    if (at >= 0) added.splice(at, 1);
    else names.push(name);
  }
  if (names.length < leastGone || names.length * 2 <= before.size) return [];
  return [
    finding(
      `${names.length} of ${before.size} login domains would be removed or turned off: ${names.join(", ")}.`,
      "Users who log in by these could not log in any more.",
    ),
  ];
}

/** Measured: of two domains with one order, servers keep one, whichever comes first in a map. */
function letInByOneOfTwo(was: Fields, is: Fields): readonly GuardFinding[] {
  const before = listByOrder(was);
  const added = listByOrder(is).find(
    ([order, names]) => names.length > Math.max(1, before.find(([same]) => same === order)?.[1].length ?? 0),
  );
  if (!added) return [];
  const [order, names] = added;
  return [
    finding(
      `The login domains ${names.join(" and ")} would have the same order, ${order}.`,
      "The server asks only one of them: users who log in by the other could not log in any more. Give each an order of its own.",
    ),
  ];
}

function listByOrder(config: Fields): readonly (readonly [order: number, names: readonly string[]])[] {
  const orderOf = ([, domain]: readonly [string, Value]) => Number(fieldsOf(domain).order ?? 0);
  const serving = Object.entries(domainsOf(config)).filter(([, domain]) => enabledType(domain));
  return groupItems(serving, (one) => String(orderOf(one))).map((group) => [
    orderOf(group[0]),
    group.map(([name]) => name),
  ]);
}

function letInWithoutLogin(was: Fields, is: Fields, { access }: GuardInput): readonly GuardFinding[] {
  if (isAnonymousOn(was) || !isAnonymousOn(is)) return [];
  const why = "http.anonymous_auth_enabled would be on.";
  if (!access || "unread" in access) {
    return [finding("Unknown which roles users would have who are not logged in: mappings cannot be read.", why)];
  }
  const roles = listAnonymousRoles(access.after.state);
  if (roles.length === 0) return [];
  const shown = roles.slice(0, mostShown).join(", ");
  const more = roles.length > mostShown ? ` and ${roles.length - mostShown} more` : "";
  const { user } = access.after.state.semantics.anonymous;
  return [
    finding(
      `Users who are not logged in would be let in, with ${roles.length === 1 ? "the role" : "the roles"} ${shown}${more}.`,
      `${why} The server names them ${user}, and mappings match that name.`,
    ),
  ];
}

function isAnonymousOn(config: Fields): boolean {
  return readAccessSettings(config).anonymous === true;
}

const mostShown = 5;

/** What a proxy says of who it is for is believed, if it comes from an address of a proxy. */
function letInByAnyProxy(was: Fields, is: Fields, { dialect }: GuardInput): readonly GuardFinding[] {
  const before = new Set(proxyDomains(was, dialect));
  const domains = proxyDomains(is, dialect).filter((name) => !before.has(name));
  if (domains.length === 0) return [];
  const { internalProxies } = xffOf(is);
  return [
    finding(
      `Anybody could log in under any name, by the proxy login ${domains.join(", ")}.`,
      `http.xff.internalProxies ${JSON.stringify(internalProxies ?? null)} matches addresses that are not listed anywhere. Name the addresses of your proxies.`,
    ),
  ];
}

/** Enabled domains that believe a proxy, where that may be at any address. */
function proxyDomains(config: Fields, dialect: Dialect): readonly string[] {
  const { enabled, internalProxies } = xffOf(config);
  const isOn = enabled === true || enabled === "true";
  if (!isOn || typeof internalProxies !== "string" || !isOpen(`/${internalProxies}/`)) return [];
  return Object.entries(domainsOf(config)).flatMap(([name, domain]) =>
    recogniseLoginType(enabledType(domain) ?? "", dialect) === "proxy" ? [name] : [],
  );
}

/** `noop` checks nothing: a real OpenSearch takes any name with any password, `admin` too. */
function letInByAnyPassword(was: Fields, is: Fields, { dialect }: GuardInput): readonly GuardFinding[] {
  const before = new Set(uncheckedDomains(was, dialect));
  const domains = uncheckedDomains(is, dialect).filter((name) => !before.has(name));
  if (domains.length === 0) return [];
  return [
    finding(
      `Anybody could log in under any name, with any password, by the login domain ${domains.join(", ")}.`,
      "authentication_backend noop checks no password. Name the backend that knows the passwords, such as intern or ldap.",
    ),
  ];
}

function uncheckedDomains(config: Fields, dialect: Dialect): readonly string[] {
  return Object.entries(domainsOf(config)).flatMap(([name, domain]) => {
    const { type } = fieldsOf(fieldsOf(domain).authentication_backend);
    const isUnchecked = recogniseLoginType(String(type), dialect) === "noop";
    return isUnchecked && takes("password", dialect, enabledType(domain)) ? [name] : [];
  });
}

function xffOf(config: Fields): Fields {
  return fieldsOf(fieldsOf(fieldsOf(config.dynamic).http).xff);
}

function finding(what: string, why: string): GuardFinding {
  return { family: "config", what, why, addresses: ["config"] };
}

/**
 * Paths of edits in the config that may decide about this run's own login, though a domain of its kind stays. A
 * domain of another kind, or a new one, takes nothing from it.
 */
export function findLoginDoubts({
  pending,
  login: loginKind,
  dialect,
}: Pick<GuardInput, "pending" | "login" | "dialect">): readonly string[] {
  const config = pending.find(({ family }) => family === "config");
  const domains = domainsOf(config?.before);
  const decides = (path: readonly string[]): boolean => {
    const [, child = "", name = ""] = path;
    if (isHarmless(path.slice(1))) return false;
    if (child !== "authc") return child === "authz" || child === "http" || child === "hosts_resolver_mode";
    const type = enabledType(domains[name]);
    return type !== undefined && (loginKind === undefined || takes(loginKind, dialect, type));
  };
  const paths = (config?.edits ?? []).map(({ path }) => path).filter(decides);
  return [...new Set(paths.map((path) => path.slice(0, 3).join(".")))];
}

const kinds: Readonly<Record<LoginFacts, readonly LoginType[]>> = {
  password: ["basic"],
  token: ["jwt", "openid"],
  certificate: ["clientcert"],
};

function takes(loginKind: LoginFacts, dialect: Dialect, type = ""): boolean {
  const known = recogniseLoginType(type, dialect);
  return known !== undefined && kinds[loginKind].includes(known);
}

/** Each domain that serves HTTP, with what it asks and where it looks. */
function enabledDomains(config: Fields, dialect: Dialect): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(domainsOf(config)).flatMap(([name, domain]) => {
      const type = enabledType(domain);
      const backend = fieldsOf(fieldsOf(domain).authentication_backend).type;
      if (type === undefined) return [];
      const parts = { http_authenticator: type, authentication_backend: backend };
      const kind = Object.entries(parts).map(([part, one]) => getLoginClass(part, one, dialect) ?? one ?? null);
      return [[name, JSON.stringify(kind)]];
    }),
  );
}

/** The authenticator of each domain that serves HTTP and can accept a login. */
function enabledTypes(config: Fields | undefined): readonly string[] {
  return Object.values(domainsOf(config))
    .map(enabledType)
    .filter((type) => type !== undefined);
}

function domainsOf(config: Fields | undefined): Fields {
  return fieldsOf(fieldsOf(config?.dynamic).authc);
}

function enabledType(domain: Value | undefined): string | undefined {
  const { http_enabled: enabled, http_authenticator: authenticator } = fieldsOf(domain);
  if (domain === undefined || enabled === false || enabled === "false") return undefined;
  const { type = "", config } = fieldsOf(authenticator);
  // The server takes such a domain, and refuses every token.
  const isWithoutKey = type === "jwt" && !Object.entries(fieldsOf(config)).some(isKey);
  return isWithoutKey ? undefined : String(type);
}

/** Newer servers read keys from an address, too. */
function isKey([field, value]: readonly [string, Value]): boolean {
  return /signing_key|jwks/.test(field) && value !== null && value !== "";
}

function fieldsOf(value: Value | undefined): Fields {
  return isObject(value) ? value : {};
}
