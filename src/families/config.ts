import type { Value } from "../json/value.ts";
import type { Policies } from "../model/policy.ts";
import type { Section } from "../model/repository.ts";

/** What is known of one place in the config document. A place that is not described here is kept as it is. */
export type ConfigPlace =
  | {
      readonly kind: "boolean" | "integer" | "text";
      readonly default?: Value;
      /** What servers write in place of the default. */
      readonly aliases?: readonly string[];
      /** Servers hold a larger number as this one. */
      readonly most?: number;
    }
  | {
      readonly kind: "list";
      /** What some release fills in where nothing is declared. */
      readonly filledIn?: readonly Value[];
      readonly isOrdered?: true;
    }
  /** Fields with fixed names. */
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, ConfigPlace>> }
  /** Names that the user chose, each with the same shape below. */
  | { readonly kind: "named"; readonly each: ConfigPlace }
  /** Settings of one authenticator or backend: nothing is known of them, they are managed whole. */
  | { readonly kind: "free" };

/** The place of a field or of an entry; undefined where it is not known. */
export function getPlaceBelow(place: ConfigPlace | undefined, name: string): ConfigPlace | undefined {
  if (place?.kind === "named") return place.each;
  return place?.kind === "object" && Object.hasOwn(place.fields, name) ? place.fields[name] : undefined;
}

const yes: ConfigPlace = { kind: "boolean", default: true };
const no: ConfigPlace = { kind: "boolean", default: false };
const text = (byDefault?: string): ConfigPlace =>
  byDefault === undefined ? { kind: "text" } : { kind: "text", default: byDefault };
/** As Search Guard 7.5.1-38 and OpenSearch 2.19.1 fill it in. */
const privateNetworks = [
  String.raw`10\.\d{1,3}\.\d{1,3}\.\d{1,3}`,
  String.raw`192\.168\.\d{1,3}\.\d{1,3}`,
  String.raw`169\.254\.\d{1,3}\.\d{1,3}`,
  String.raw`127\.\d{1,3}\.\d{1,3}\.\d{1,3}`,
  String.raw`172\.1[6-9]{1}\.\d{1,3}\.\d{1,3}`,
  String.raw`172\.2[0-9]{1}\.\d{1,3}\.\d{1,3}`,
  String.raw`172\.3[0-1]{1}\.\d{1,3}\.\d{1,3}`,
].join("|");

const dashboard: ConfigPlace = {
  kind: "object",
  fields: {
    multitenancy_enabled: yes,
    private_tenant_enabled: yes,
    default_tenant: text(""),
    preferred_tenants: { kind: "list", isOrdered: true },
    server_username: text("kibanaserver"),
    opendistro_role: text(),
    index: text(".kibana"),
    // To 3.7 it is BASIC where nothing is stored, from 3.8 on nothing.
    sign_in_options: { kind: "list", filledIn: [["BASIC"], []] },
    rbac_enabled: no,
    do_not_fail_on_forbidden: no,
  },
};

/**
 * The domains of `authc`.
 *
 * @param internalBackend the class that this server fills in where a domain names no backend
 */
export function createAuthcPlace(internalBackend: string | undefined): ConfigPlace {
  const aliases = ["internal", ...(internalBackend === undefined ? [] : [internalBackend])];
  const domain: ConfigPlace = {
    kind: "object",
    fields: {
      description: text(),
      enabled: yes,
      http_enabled: yes,
      transport_enabled: yes,
      order: { kind: "integer", default: 0 },
      skip_users: { kind: "list" },
      enabled_only_for_ips: { kind: "list" },
      http_authenticator: {
        kind: "object",
        fields: { challenge: yes, type: text(), config: { kind: "free" } },
      },
      authentication_backend: {
        kind: "object",
        fields: { type: { kind: "text", default: "intern", aliases }, config: { kind: "free" } },
      },
    },
  };
  return { kind: "named", each: domain };
}

const failureListener: ConfigPlace = {
  kind: "object",
  fields: {
    type: text(),
    authentication_backend: text(),
    allowed_tries: { kind: "integer", default: 10 },
    time_window_seconds: { kind: "integer", default: 3600 },
    block_expiry_seconds: { kind: "integer", default: 600 },
    max_blocked_clients: { kind: "integer", default: 100_000 },
    max_tracked_clients: { kind: "integer", default: 100_000 },
    ignore_hosts: { kind: "list" },
  },
};

/**
 * The one list of the fields of `dynamic` that gate-sync knows: all that any release of a product has (`dialects/config-fields.ts`
 * says which has which), with the defaults that servers fill in. A stored `false` of an option whose default is `true` is a value like any other.
 */
export const configPlaces: Readonly<Record<string, ConfigPlace>> = {
  filtered_alias_mode: text("warn"),
  disable_rest_auth: no,
  disable_intertransport_auth: no,
  respect_request_indices_options: no,
  do_not_fail_on_forbidden: no,
  do_not_fail_on_forbidden_empty: no,
  multi_rolespan_enabled: yes,
  hosts_resolver_mode: text("ip-only"),
  transport_userrname_attribute: text(),
  privileges_evaluation_type: text("legacy"),
  privileges_evaluation_ignore_unauthorized_indices: yes,
  support_aliases_in_index_privileges: yes,
  field_anonymization_salt2: text(),
  license: text(),
  // `gate` says dashboard, real servers say kibana.
  dashboard,
  kibana: dashboard,
  http: {
    kind: "object",
    fields: {
      anonymous_auth_enabled: no,
      xff: {
        kind: "object",
        fields: {
          enabled: no,
          internalProxies: text(privateNetworks),
          remoteIpHeader: text("X-Forwarded-For"),
          proxiesHeader: text(),
          trustedProxies: text(),
        },
      },
    },
  },
  authc: createAuthcPlace(undefined),
  authz: {
    kind: "named",
    each: {
      kind: "object",
      fields: {
        description: text(),
        enabled: yes,
        http_enabled: yes,
        transport_enabled: yes,
        skipped_users: { kind: "list" },
        authorization_backend: { kind: "object", fields: { type: text("noop"), config: { kind: "free" } } },
      },
    },
  },
  auth_failure_listeners: { kind: "named", each: failureListener },
  on_behalf_of: {
    kind: "object",
    fields: { enabled: no, signing_key: { kind: "free" }, encryption_key: { kind: "free" } },
  },
  api_tokens: {
    kind: "object",
    fields: {
      enabled: no,
      max_tokens: { kind: "integer", default: 100, most: 1000 },
      max_duration_seconds: { kind: "integer", default: 7_776_000 },
    },
  },
  auth_token_provider: { kind: "free" },
};

/** Children of `dynamic` that decide who may log in: a mistake here locks out the applying identity. */
export const loginChildren: ReadonlySet<string> = new Set([
  "authc",
  "authz",
  "http",
  "auth_failure_listeners",
  "disable_rest_auth",
  "hosts_resolver_mode",
]);

/** Lives inside the config on Search Guard; only the license endpoint changes it. */
export const licenseChild = "license";

/** Whether a config is only compared, and never written: its mode is `observe`, or it has none and is in a native file. */
export function isObserved({ document }: Section, families: Policies = {}): boolean {
  const mode = families.config?.mode ?? (document.form === "native" ? "observe" : "manage");
  return mode === "observe";
}
