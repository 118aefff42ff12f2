// What a login domain is: the authenticators and backends that come with a server, by their short names and by their classes.

import type { Value } from "../json/value.ts";

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
  jwt: ["jwt", "HTTPJwtAuthenticator"],
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

/** The class that a type of a part is, without its package: types of one class are the same. Undefined where that is not known. */
export function getLoginClass(part: string, type: Value | undefined): string | undefined {
  const text = type === undefined || type === null ? defaults[part] : type;
  if (typeof text !== "string") return undefined;
  const known = classes[part] ?? {};
  const name = text.replace(packages, "");
  return Object.hasOwn(known, text) ? known[text] : Object.values(known).find((one) => one === name && one !== text);
}

const packages =
  /^(?:com\.floragunn\.(?:searchguard|dlic)|com\.amazon\.(?:opendistroforelasticsearch\.security|dlic)|org\.opensearch\.security)\./;

const types = new Map(
  Object.entries(names).flatMap(([type, all]) => all.map((name) => [name, type as LoginType] as const)),
);

/** Undefined of every other class: what it does is unknown. */
export function recogniseLoginType(type: string): LoginType | undefined {
  return types.get(
    /^(?:com\.(?:amazon|floragunn)|org\.opensearch\.security)\.(?:\w+\.)*(\w+)$/.exec(type)?.[1] ?? type,
  );
}
