// Which fields of the config a product knows. It refuses the whole config where another one is in it.
import type { Dialect } from "./dialect.ts";
import { getBuild, isOpenSearchBefore } from "./release.ts";

/** The fields at one path in `dynamic`, by name; `*` matches names that users choose. `free`: any object, unchecked. */
export interface ConfigFields {
  readonly [field: string]: ConfigFields | "value" | "free";
}

const value = "value";

/**
 * The fields of `dynamic` that this release takes; undefined where it takes all: Search Guard 6 ignores what it does not
 * know, and the documented API names none.
 *
 * Measured on Search Guard 7.5.1-38 and OpenSearch 2.19.1, by asking for a field that neither has; of other releases
 * read from the class ConfigV7 of their source.
 */
export function getConfigFields({ product, release, config }: Dialect): ConfigFields | undefined {
  if (product === "opensearch") return openSearchFields(release);
  if (product !== "search-guard" || config.readOnly !== undefined || config.texts || release.startsWith("6")) {
    return undefined;
  }
  // Where only the line is known, whatever 7.x has may be there.
  return searchGuardFields(getBuild(release) ?? Number.POSITIVE_INFINITY);
}

function openSearchFields(release: string): ConfigFields {
  const since = (version: string, fields: ConfigFields) => (isOpenSearchBefore(release, version) ? {} : fields);
  return dynamic({
    kibana: {
      opendistro_role: value,
      ...since("2.7.0", { private_tenant_enabled: value, default_tenant: value }),
      ...since("2.14.0", { sign_in_options: value }),
      ...since("3.7.0", { preferred_tenants: value }),
    },
    listener: since("2.17.0", { ignore_hosts: value }),
    dynamic: {
      ...since("2.12.0", { on_behalf_of: { enabled: value, signing_key: value, encryption_key: value } }),
      ...since("3.7.0", {
        privileges_evaluation_type: value,
        privileges_evaluation_ignore_unauthorized_indices: value,
        api_tokens: "free",
      }),
    },
  });
}

/** Between 38 and 53 builds gained the later ones; of one it is known which. */
function searchGuardFields(build: number): ConfigFields {
  if (build <= 38) return dynamic({});
  return dynamic({
    kibana: { rbac_enabled: value },
    authc: { skip_users: value, ...(build >= 47 && { enabled_only_for_ips: value }) },
    authz: { skipped_users: value },
    dynamic: {
      auth_token_provider: "free",
      field_anonymization_salt2: value,
      support_aliases_in_index_privileges: value,
    },
  });
}

/** What only Search Guard 5 and 6 knew. */
const retired = ["enabled", "proxiesHeader", "trustedProxies", "do_not_fail_on_forbidden"];

/** Whether some release has a field of this name: what none has is an unknown field, whatever the product. */
export function isKnownSomewhere(field: string): boolean {
  return retired.includes(field) || [openSearchFields("3.9999"), searchGuardFields(53)].some((all) => has(all, field));
}

/** In `dynamic` and in its `kibana`: what servers had until 2022 and most files of that time still say. */
const former = ["auth_token_provider", "field_anonymization_salt2", "rbac_enabled"];

/** Whether a field was one of a config until 2022, and this release has it no more: it is left out of what is sent. */
export function isFormer(dialect: Dialect, field: string): boolean {
  const known = former.includes(field) ? getConfigFields(dialect) : undefined;
  return known !== undefined && !has(known, field);
}

function has(fields: ConfigFields, field: string): boolean {
  if (field !== "*" && Object.hasOwn(fields, field)) return true;
  return Object.values(fields).some((inner) => typeof inner === "object" && has(inner, field));
}

type Additions = Partial<Readonly<Record<"dynamic" | "kibana" | "authc" | "authz" | "listener", ConfigFields>>>;

function dynamic(more: Additions): ConfigFields {
  const backend: ConfigFields = { type: value, config: "free" };
  // OpenSearch takes transport_enabled of its own old files, and forgets it.
  const domain: ConfigFields = { description: value, http_enabled: value, transport_enabled: value };
  return {
    filtered_alias_mode: value,
    disable_rest_auth: value,
    disable_intertransport_auth: value,
    respect_request_indices_options: value,
    do_not_fail_on_forbidden: value,
    do_not_fail_on_forbidden_empty: value,
    multi_rolespan_enabled: value,
    hosts_resolver_mode: value,
    transport_userrname_attribute: value,
    license: value,
    kibana: { multitenancy_enabled: value, server_username: value, index: value, ...more.kibana },
    http: {
      anonymous_auth_enabled: value,
      xff: { enabled: value, internalProxies: value, remoteIpHeader: value },
    },
    authc: {
      "*": {
        ...domain,
        order: value,
        http_authenticator: { challenge: value, ...backend },
        authentication_backend: backend,
        ...more.authc,
      },
    },
    authz: { "*": { ...domain, authorization_backend: backend, ...more.authz } },
    auth_failure_listeners: {
      "*": {
        type: value,
        authentication_backend: value,
        allowed_tries: value,
        time_window_seconds: value,
        block_expiry_seconds: value,
        max_blocked_clients: value,
        max_tracked_clients: value,
        ...more.listener,
      },
    },
    ...more.dynamic,
  };
}

/** Whether domains of the config serve transport clients, too, unless they say no: OpenSearch has none since 2.0, by its source. */
export function hasTransportLogins({ product, release }: Dialect): boolean {
  return product !== "opensearch" || isOpenSearchBefore(release, "2.0.0");
}
