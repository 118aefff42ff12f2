// What a login domain is: the authenticators and backends that come with a server, by their short names and by their classes.

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

const types = new Map(
  Object.entries(names).flatMap(([type, all]) => all.map((name) => [name, type as LoginType] as const)),
);

/** Undefined of every other class: what it does is unknown. */
export function recogniseLoginType(type: string): LoginType | undefined {
  return types.get(
    /^(?:com\.(?:amazon|floragunn)|org\.opensearch\.security)\.(?:\w+\.)*(\w+)$/.exec(type)?.[1] ?? type,
  );
}
