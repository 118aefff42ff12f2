import type { Dialect } from "../../dialects/dialect.ts";
import { type LoginType, recogniseLoginType } from "../../dialects/login-types.ts";
import { Secret } from "../../json/secret.ts";
import { type Fields, isEqual, isList, isObject, type Value } from "../../json/value.ts";
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
    who: (config) => `whoever ${showEach(config, "jwks_uri", "openid_connect_url") ?? "its provider"} signs in`,
    roles: ["roles_key", "its claim"],
  },
  saml: {
    who: (config) => {
      const written = isUnset(readSetting(config, "idp.metadata_content"))
        ? []
        : ["the metadata_content of the config"];
      const others = showEach(config, "idp.metadata_url", "idp.metadata_file", "idp.entity_id") ?? [];
      return `whoever ${written.concat(others).join(" or ") || "its provider"} signs in`;
    },
    roles: ["roles_key", "its attribute"],
  },
  jwt: {
    who: (config) => `whoever can sign tokens for ${showEach(config, "signing_key", "jwks_uri") ?? "its key"}`,
    roles: ["roles_key", "its claim"],
  },
  kerberos: {
    who: (config) => `whoever the Kerberos realm of ${showEach(config, "acceptor_principal") ?? "the server"} signs in`,
  },
  clientcert: {
    who: () => "whoever has a client certificate that the server trusts",
    roles: ["roles_attribute", "its attribute"],
  },
  proxy: {
    who: (config) =>
      `whoever sends the header ${showEach(config, "user_header") ?? "of user names"} from an address that http.xff trusts`,
    roles: ["roles_header", "its header"],
  },
};

/** An authentication domain. */
export function describeDomain(domain: Fields, dialect: Dialect): LoginSource {
  const { config, type, kind } = readPart(domain.http_authenticator, dialect);
  const backend = readPart(domain.authentication_backend, dialect);
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
  const roles = known.roles && readSetting(config, known.roles[0]);
  return {
    who,
    names: [
      directory === undefined ? "any user name" : `user names that ${directory} knows`,
      ...(isUnset(roles) ? [] : [`backend roles of ${known.roles?.[1]} ${JSON.stringify(roles)}`]),
    ],
    asserts: isUnset(roles) ? ["users"] : everyName,
    ...(!isUnset(roles) && { assertsAnyRole: true }),
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
  return showEach(config, "hosts") ?? "its LDAP server";
}

/** A domain of `authz`: it adds backend roles to whom others let in. */
export function describeRoleSource(domain: Fields, dialect: Dialect): LoginSource {
  const { config, type, kind } = readPart(domain.authorization_backend, dialect);
  const asserts = ["backend_roles", "and_backend_roles"] as const;
  if (kind === "internal") return { who: "internal users of the same name", names: ["their backend roles"], asserts };
  const isLdap = kind === "ldap";
  const who = isLdap ? `whoever writes to ${describeDirectory(config)}` : `the backend ${type}`;
  return { who, names: ["any backend roles"], asserts, assertsAnyRole: true, ...(!isLdap && { isUnknown: true }) };
}

/** An authenticator or a backend: its type, what that is where it is known, and its settings. */
export function readPart(
  part: Value | undefined,
  dialect: Dialect,
): {
  readonly type: string;
  readonly kind: LoginType | undefined;
  readonly config: Fields;
} {
  const { type = "", config } = isObject(part) ? part : {};
  const text = String(type ?? "");
  return { type: text, kind: recogniseLoginType(text, dialect), config: isObject(config) ? config : {} };
}

/** Those of the settings that are there: which of several decides depends on the release. */
export function showEach(config: Fields, ...names: readonly string[]): string | undefined {
  const shown = names.map((name) => {
    const value = readSetting(config, name);
    return (isList(value) ? value : [value]).flatMap((one) => showSetting(one) ?? []).join(" and ");
  });
  return shown.filter((one) => one !== "").join(" or ") || undefined;
}

/** Of a long text that changes, from where it differs: a reviewer has to see what is another. */
export function showValue(value: Value, old?: Value): string {
  if (value instanceof Secret || isAddress(value)) return showSetting(value) ?? "";
  const [text, before] = [value, old ?? null].map((one) => [...JSON.stringify(one)]) as [string[], string[]];
  if (text.length <= mostShown) return text.join("");
  const from = Math.max(0, text.findIndex((char, at) => char !== before[at]) - 20);
  const shown = text.slice(from, from + mostShown).join("");
  return `${from > 0 ? "…" : ""}${shown}… (${text.length} characters)`;
}

const mostShown = 300;

/** `idp.entity_id` is written as one name, or as a name in another. */
function readSetting(config: Fields, name: string): Value | undefined {
  if (Object.hasOwn(config, name)) return config[name];
  const [first = "", ...rest] = name.split(".");
  const inner = rest.length > 0 && Object.hasOwn(config, first) ? config[first] : undefined;
  return isObject(inner) ? readSetting(inner, rest.join(".")) : undefined;
}

/** Of an address, where it leads: what is before an @ in it is not. */
function showSetting(value: Value | undefined): string | undefined {
  if (value instanceof Secret) return value.toString();
  if (!isAddress(value)) return typeof value === "string" && value !== "" ? shortenPem(value) : undefined;
  const { origin, pathname, search, hash } = new URL(value);
  return `${origin}${`${pathname}${search}${hash}`.replace(/^\/$|\/\.well-known\/openid-configuration$/, "")}`;
}

/** A public key, or a certificate, by its end: all of one kind begin alike. */
function shortenPem(text: string): string {
  const [, kind, body = ""] = /^\s*-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END/.exec(text) ?? [];
  return kind === undefined ? text : `the ${kind.toLowerCase()} …${body.replace(/\s/g, "").slice(-24)}`;
}

function isAddress(value: Value | undefined): value is string {
  return typeof value === "string" && /^https?:\/\//i.test(value) && URL.canParse(value);
}

export function isUnset(value: Value | undefined): boolean {
  return value === undefined || value === null || value === "" || isEqual(value, []);
}
