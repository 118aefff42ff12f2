// What a login domain is: the authenticators and backends that come with a server, by their short names and by their classes.

import type { Value } from "../json/value.ts";
import type { Dialect } from "./dialect.ts";
import { isOpenSearchBefore } from "./release.ts";

export type LoginType =
  | "basic"
  | "proxy"
  | "clientcert"
  | "kerberos"
  | "jwt"
  | "openid"
  | "saml"
  | "internal"
  | "noop"
  | "ldap";

/** As servers compare them: whole, and in this case. */
const names: Readonly<Record<LoginType, readonly string[]>> = {
  basic: ["basic", "HTTPBasicAuthenticator"],
  proxy: [
    "proxy",
    "proxy2",
    "extended-proxy",
    "HTTPProxyAuthenticator",
    "HTTPProxyAuthenticator2",
    "HTTPExtendedProxyAuthenticator",
  ],
  clientcert: ["clientcert", "HTTPClientCertAuthenticator"],
  kerberos: ["kerberos", "HTTPSpnegoAuthenticator"],
  jwt: ["jwt", "HTTPJwtAuthenticator", "HTTPJwtKeyByJWKSAuthenticator"],
  openid: ["openid", "HTTPJwtKeyByOpenIdConnectAuthenticator"],
  saml: ["saml", "HTTPSamlAuthenticator"],
  internal: ["intern", "internal", "InternalAuthenticationBackend"],
  noop: ["noop", "NoOpAuthenticationBackend", "NoOpAuthorizationBackend"],
  ldap: [
    "ldap",
    "ldap2",
    "LDAPAuthenticationBackend",
    "LDAPAuthenticationBackend2",
    "LDAPAuthorizationBackend",
    "LDAPAuthorizationBackend2",
  ],
};

/** What servers take a short name for, by what asks for it; of `proxy2` and others it is not known. */
const classes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  http_authenticator: {
    basic: "http.HTTPBasicAuthenticator",
    proxy: "http.HTTPProxyAuthenticator",
    clientcert: "http.HTTPClientCertAuthenticator",
    kerberos: "auth.http.kerberos.HTTPSpnegoAuthenticator",
    jwt: "auth.http.jwt.HTTPJwtAuthenticator",
    openid: "auth.http.jwt.keybyoidc.HTTPJwtKeyByOpenIdConnectAuthenticator",
    saml: "auth.http.saml.HTTPSamlAuthenticator",
  },
  authentication_backend: {
    intern: "auth.internal.InternalAuthenticationBackend",
    internal: "auth.internal.InternalAuthenticationBackend",
    noop: "auth.internal.NoOpAuthenticationBackend",
    ldap: "auth.ldap.backend.LDAPAuthenticationBackend",
    ldap2: "auth.ldap2.LDAPAuthenticationBackend2",
  },
  authorization_backend: {
    noop: "auth.internal.NoOpAuthorizationBackend",
    ldap: "auth.ldap.backend.LDAPAuthorizationBackend",
    ldap2: "auth.ldap2.LDAPAuthorizationBackend2",
  },
};

const defaults: Readonly<Record<string, string>> = { authentication_backend: "intern", authorization_backend: "noop" };

/** The class that a type of a part is: types of one class are the same. Undefined where that is not known. */
export function getLoginClass(part: string, type: Value | undefined, dialect: Dialect): string | undefined {
  const text = type ?? defaults[part];
  if (typeof text !== "string") return undefined;
  const [own, others] = getPackages(dialect);
  for (const [short, path] of Object.entries(classes[part] ?? {})) {
    const name = `${/^auth\.(?:http|ldap2?)\./.test(path) ? others : own}${short === "jwt" && readsKeySets(dialect) ? keySets : path}`;
    if (text === short || text === name) return name;
  }
  return undefined;
}

/** Where a server has the classes that come with it, and those of logins by others: any other package has none of them. */
function getPackages({ product, release }: Dialect): readonly [own: string, others: string] {
  if (product !== "opensearch") return ["com.floragunn.searchguard.", "com.floragunn.dlic."];
  const own = release === "odfe-1.x" ? "com.amazon.opendistroforelasticsearch.security." : "org.opensearch.security.";
  return [own, isOpenSearchBefore(release, "3.0.0") ? "com.amazon.dlic." : own];
}

/** `jwt` is no longer the class of that name there. */
function readsKeySets({ product, release }: Dialect): boolean {
  return product === "opensearch" && !isOpenSearchBefore(release, "3.3.0");
}

const keySets = "auth.http.jwt.keybyjwks.HTTPJwtKeyByJWKSAuthenticator";

const types = new Map(
  Object.entries(names).flatMap(([type, all]) => all.map((name) => [name, type as LoginType] as const)),
);

/** Undefined of every other class: what it does is unknown. */
export function recogniseLoginType(type: string, dialect: Dialect): LoginType | undefined {
  const inside = getPackages(dialect).find((one) => type.startsWith(one));
  return types.get(inside === undefined ? type : type.replace(/^.*\./, ""));
}
