import { type LoginType, recogniseLoginType } from "../../dialects/login-types.ts";
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
  readonly who: (config: Fields) => string;
  /** The setting that names what holds backend roles, and what that is. */
  readonly roles?: readonly [setting: string, noun: string];
}

const authenticators: Partial<Readonly<Record<LoginType, Authenticator>>> = {
  openid: {
    who: (config) => `whoever ${showFirst(config, "openid_connect_url", "jwks_uri") ?? "its provider"} signs in`,
    roles: ["roles_key", "its claim"],
  },
  saml: {
    who: (config) =>
      `whoever ${showFirst(config, "idp.entity_id", "idp.metadata_url", "idp.metadata_file") ?? "its provider"} signs in`,
    roles: ["roles_key", "its attribute"],
  },
  jwt: {
    who: (config) => `whoever can sign tokens for ${showFirst(config, "signing_key", "jwks_uri") ?? "its key"}`,
    roles: ["roles_key", "its claim"],
  },
  kerberos: {
    who: (config) =>
      `whoever the Kerberos realm of ${showFirst(config, "acceptor_principal") ?? "the server"} signs in`,
  },
  clientcert: {
    who: () => "whoever has a client certificate that the server trusts",
    roles: ["roles_attribute", "its attribute"],
  },
  proxy: {
    who: (config) =>
      `whoever sends the header ${showFirst(config, "user_header") ?? "of user names"} from an address that http.xff trusts`,
    roles: ["roles_header", "its header"],
  },
};

/** An authentication domain. */
export function describeDomain(domain: Fields): LoginSource {
  const { config, type, kind } = readPart(domain.http_authenticator);
  const backend = readPart(domain.authentication_backend);
  const isInternal = backend.kind === "internal" || backend.type === "";
  const directory = backend.kind === "ldap" ? describeDirectory(backend.config) : undefined;
  if (kind === "basic" && !isInternal) return describeByPassword(backend.type, backend.kind === "noop", directory);
  const known = kind && authenticators[kind];
  const who =
    kind === "basic"
      ? "whoever has the password of an internal user"
      : (known?.who(config) ?? `whoever the authenticator ${type || "of another kind"} lets in`);
  if (isInternal && kind) {
    return { who, names: ["the name and backend roles of an internal user"], asserts: everyName };
  }
  if (!known || (backend.kind !== "noop" && directory === undefined)) return { who, ...anyNames };
  const roles = known.roles && showFirst(config, known.roles[0]);
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

const everyName = ["backend_roles", "and_backend_roles", "users"] as const;
const anyNames = {
  names: ["any user name", "any backend roles"],
  asserts: everyName,
  assertsAnyRole: true,
  isUnknown: true,
} as const;

function describeByPassword(type: string, isNoop: boolean, directory: string | undefined): LoginSource {
  if (!isNoop && directory === undefined)
    return { who: `whoever the backend ${type} lets in by password`, ...anyNames };
  const who = isNoop ? "anyone with any password" : `whoever ${directory} lets in by password`;
  return { who, names: ["any user name"], asserts: ["users"] };
}

function describeDirectory(config: Fields): string {
  return showFirst(config, "hosts") ?? "its LDAP server";
}

/** A domain of `authz`: it adds backend roles to whom others let in. */
export function describeRoleSource(domain: Fields): LoginSource {
  const { config, type, kind } = readPart(domain.authorization_backend);
  const asserts = ["backend_roles", "and_backend_roles"] as const;
  if (kind === "internal") return { who: "internal users of the same name", names: ["their backend roles"], asserts };
  const isLdap = kind === "ldap";
  const who = isLdap ? `whoever writes to ${describeDirectory(config)}` : `the backend ${type}`;
  return { who, names: ["any backend roles"], asserts, assertsAnyRole: true, ...(!isLdap && { isUnknown: true }) };
}

/** An authenticator or a backend: its type, what that is where it is known, and its settings. */
export function readPart(part: Value | undefined): {
  readonly type: string;
  readonly kind: LoginType | undefined;
  readonly config: Fields;
} {
  const { type = "", config } = isObject(part) ? part : {};
  const text = String(type ?? "");
  return { type: text, kind: recogniseLoginType(text), config: isObject(config) ? config : {} };
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
