import { Secret } from "../../json/secret.ts";
import { type Fields, isList, isObject, type Value } from "../../json/value.ts";
import type { Member } from "../../model/access.ts";

/** Who says which user name and backend roles a request has, by one place of the config. */
export interface LoginSource {
  /** `whoever https://idp.example signs in`. */
  readonly who: string;
  /** What it says of them: `any user name`, `backend roles of its claim "roles"`. */
  readonly names: readonly string[];
  /** Members of mappings that it can assert. */
  readonly asserts: readonly Member["field"][];
  /** It can assert backend roles of every name. */
  readonly assertsAnyRole?: true;
  /** Of a kind that gate-sync does not know. */
  readonly isUnknown?: true;
}

interface Authenticator {
  /** Matches short names and names of classes. */
  readonly type: RegExp;
  readonly who: (config: Fields) => string;
  /** The setting that names what holds backend roles, and what that is. */
  readonly roles?: readonly [setting: string, noun: string];
}

const authenticators: readonly Authenticator[] = [
  {
    type: /openid/i,
    who: (config) => `whoever ${showFirst(config, "openid_connect_url", "jwks_uri") ?? "its provider"} signs in`,
    roles: ["roles_key", "its claim"],
  },
  {
    type: /saml/i,
    who: (config) =>
      `whoever ${showFirst(config, "idp.entity_id", "idp.metadata_url", "idp.metadata_file") ?? "its provider"} signs in`,
    roles: ["roles_key", "its attribute"],
  },
  {
    type: /jwt/i,
    who: (config) => `whoever can sign tokens for ${showFirst(config, "signing_key", "jwks_uri") ?? "its key"}`,
    roles: ["roles_key", "its claim"],
  },
  {
    type: /kerberos|spnego/i,
    who: (config) =>
      `whoever the Kerberos realm of ${showFirst(config, "acceptor_principal") ?? "the server"} signs in`,
  },
  {
    type: /cert/i,
    who: () => "whoever has a client certificate that the server trusts",
    roles: ["roles_attribute", "its attribute"],
  },
  {
    type: /proxy/i,
    who: (config) =>
      `whoever sends the header ${showFirst(config, "user_header") ?? "of user names"} from an address that http.xff trusts`,
    roles: ["roles_header", "its header"],
  },
  { type: /host/i, who: () => "whoever connects from a host, without a password" },
];

/** An authentication domain. */
export function describeDomain(domain: Fields): LoginSource {
  const { config, type } = readPart(domain.http_authenticator);
  const backend = readPart(domain.authentication_backend);
  const isInternal = /intern|^$/i.test(backend.type);
  const directory = /ldap/i.test(backend.type) ? (showFirst(backend.config, "hosts") ?? "its LDAP server") : undefined;
  if (/basic/i.test(type)) return describeByPassword(backend.type, isInternal, directory);
  const known = authenticators.find((one) => one.type.test(type));
  const who = known?.who(config) ?? `whoever the authenticator ${type || "of another kind"} lets in`;
  const roles = known?.roles && showFirst(config, known.roles[0]);
  const isNoop = /noop/i.test(backend.type);
  if (isInternal) return { who, names: internalNames, asserts: everyName, ...(!known && { isUnknown: true }) };
  if (known && (isNoop || directory !== undefined)) {
    return {
      who,
      names: [
        directory === undefined ? "any user name" : `user names that ${directory} knows`,
        ...(roles === undefined ? [] : [`backend roles of ${known.roles?.[1]} ${JSON.stringify(roles)}`]),
      ],
      asserts: roles === undefined ? ["users"] : everyName,
      ...(roles !== undefined && { assertsAnyRole: true }),
    };
  }
  return { who, names: anyNames, asserts: everyName, assertsAnyRole: true, isUnknown: true };
}

const everyName = ["backend_roles", "and_backend_roles", "users"] as const;
const anyNames = ["any user name", "any backend roles"];
const internalNames = ["the name and backend roles of an internal user"];

function describeByPassword(type: string, isInternal: boolean, directory: string | undefined): LoginSource {
  if (isInternal) {
    return { who: "whoever has the password of an internal user", names: internalNames, asserts: everyName };
  }
  if (directory !== undefined) {
    return { who: `whoever ${directory} lets in by password`, names: ["any user name"], asserts: ["users"] };
  }
  if (/noop/i.test(type)) return { who: "anyone with any password", names: ["any user name"], asserts: ["users"] };
  const who = `whoever the backend ${type} lets in by password`;
  return { who, names: anyNames, asserts: everyName, assertsAnyRole: true, isUnknown: true };
}

/** A domain of `authz`: it adds backend roles to whom others let in. */
export function describeRoleSource(domain: Fields): LoginSource {
  const { config, type } = readPart(domain.authorization_backend);
  const asserts = ["backend_roles", "and_backend_roles"] as const;
  if (/intern/i.test(type)) {
    return { who: "internal users of the same name", names: ["their backend roles"], asserts };
  }
  const isLdap = /ldap/i.test(type);
  const who = isLdap ? `whoever writes to ${showFirst(config, "hosts") ?? "its LDAP server"}` : `the backend ${type}`;
  return { who, names: ["any backend roles"], asserts, assertsAnyRole: true, ...(!isLdap && { isUnknown: true }) };
}

/** An authenticator or a backend: its type, and its settings. */
export function readPart(part: Value | undefined): { readonly type: string; readonly config: Fields } {
  const { type, config } = isObject(part) ? part : {};
  return { type: typeof type === "string" ? type : "", config: isObject(config) ? config : {} };
}

/** The first setting that is there, fit to be shown: of an address, where it is; of a secret, its reference. */
export function showFirst(config: Fields, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = readSetting(config, name);
    const shown = (isList(value) ? value : [value]).flatMap((one) => showSetting(one) ?? []);
    if (shown.length > 0) return shown.join(" and ");
  }
  return undefined;
}

/** `idp.entity_id` is written as one name, or as a name in another. */
function readSetting(config: Fields, name: string): Value | undefined {
  if (Object.hasOwn(config, name)) return config[name];
  const [first = "", ...rest] = name.split(".");
  const inner = rest.length > 0 && Object.hasOwn(config, first) ? config[first] : undefined;
  return isObject(inner) ? readSetting(inner, rest.join(".")) : undefined;
}

function showSetting(value: Value | undefined): string | undefined {
  if (value instanceof Secret) return value.toString();
  if (typeof value !== "string" || value === "") return undefined;
  const isUrl = /^https?:\/\//i.test(value) && URL.canParse(value);
  return isUrl ? new URL(value).origin : value;
}
