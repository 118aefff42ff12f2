// The class that Search Guard 7 and OpenSearch read their config into.
import type { Bean, BeanSlot } from "../values/classes.ts";
import { createBean, createTextSlot, flag, free, textSlot, yes } from "./slots.ts";

/** Where the config of the two differs. */
export interface ConfigDifferences {
  /** Domains say whether they serve the transport too. */
  readonly transport: boolean;
  readonly kibana: Readonly<Record<string, BeanSlot>>;
  readonly dynamic: Readonly<Record<string, BeanSlot>>;
  /** The default of an authentication backend. */
  readonly backend: string;
}

const privateNetworks = [
  "10\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}",
  "192\\.168\\.\\d{1,3}\\.\\d{1,3}",
  "169\\.254\\.\\d{1,3}\\.\\d{1,3}",
  "127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}",
  "172\\.1[6-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
  "172\\.2[0-9]{1}\\.\\d{1,3}\\.\\d{1,3}",
  "172\\.3[0-1]{1}\\.\\d{1,3}\\.\\d{1,3}",
].join("|");

/** The config: options that start as `true` are where a lost `false` comes back as `true`. */
export function createConfigBean(home: string, { transport, kibana, dynamic, backend }: ConfigDifferences): Bean {
  const name = (inner: string): string => `${home}.ConfigV7$${inner}`;
  const enabled: Readonly<Record<string, BeanSlot>> = transport
    ? { http_enabled: yes, transport_enabled: yes }
    : { http_enabled: yes };
  const authenticator = createBean(name("HttpAuthenticator"), { challenge: yes, type: textSlot, config: free });
  const authentication = createBean(name("AuthcBackend"), { type: createTextSlot(backend), config: free });
  const authorization = createBean(name("AuthzBackend"), { type: createTextSlot("noop"), config: free });
  // OpenSearch has no transport clients any more, and takes files that still speak of them.
  const ignored = transport ? [] : ["transport_enabled"];
  const authc = createBean(
    name("AuthcDomain"),
    {
      ...enabled,
      order: { kind: "number" },
      http_authenticator: { kind: "bean", of: authenticator },
      authentication_backend: { kind: "bean", of: authentication },
      description: textSlot,
    },
    [...Object.keys(enabled), "http_authenticator", "authentication_backend", "order", "description"],
  );
  const authz = createBean(name("AuthzDomain"), {
    ...enabled,
    authorization_backend: { kind: "bean", of: authorization },
    description: textSlot,
  });
  const xff = createBean(name("Xff"), {
    enabled: flag,
    internalProxies: createTextSlot(privateNetworks),
    remoteIpHeader: createTextSlot("X-Forwarded-For"),
  });
  const http = createBean(name("Http"), { anonymous_auth_enabled: flag, xff: { kind: "bean", of: xff } });
  const whole = createBean(
    name("Dynamic"),
    {
      filtered_alias_mode: createTextSlot("warn"),
      disable_rest_auth: flag,
      disable_intertransport_auth: flag,
      respect_request_indices_options: flag,
      license: textSlot,
      kibana: { kind: "bean", of: createBean(name("Kibana"), kibana) },
      http: { kind: "bean", of: http },
      authc: { kind: "named", name: name("Authc"), of: { ...authc, ignored } },
      authz: { kind: "named", name: name("Authz"), of: { ...authz, ignored } },
      auth_failure_listeners: {
        kind: "named",
        name: name("AuthFailureListeners"),
        of: createBean(name("AuthFailureListener"), listener),
      },
      do_not_fail_on_forbidden: flag,
      multi_rolespan_enabled: yes,
      hosts_resolver_mode: createTextSlot("ip-only"),
      transport_userrname_attribute: textSlot,
      do_not_fail_on_forbidden_empty: flag,
      ...dynamic,
    },
    [...Object.keys(dynamic), ...dynamicAsExplained],
  );
  return createBean(`${home}.ConfigV7`, { dynamic: { kind: "bean", of: whole } });
}

const listener: Readonly<Record<string, BeanSlot>> = {
  type: textSlot,
  authentication_backend: textSlot,
  allowed_tries: { kind: "number", initial: 10 },
  time_window_seconds: { kind: "number", initial: 3600 },
  block_expiry_seconds: { kind: "number", initial: 600 },
  max_blocked_clients: { kind: "number", initial: 100_000 },
  max_tracked_clients: { kind: "number", initial: 100_000 },
};

/** The properties of `dynamic` in the order in which complaints list them. */
const dynamicAsExplained = [
  "license",
  "disable_intertransport_auth",
  "http",
  "kibana",
  "authz",
  "auth_failure_listeners",
  "transport_userrname_attribute",
  "filtered_alias_mode",
  "authc",
  "disable_rest_auth",
  "respect_request_indices_options",
  "multi_rolespan_enabled",
  "do_not_fail_on_forbidden",
  "hosts_resolver_mode",
  "do_not_fail_on_forbidden_empty",
];

export const kibanaSlots: Readonly<Record<string, BeanSlot>> = {
  multitenancy_enabled: yes,
  server_username: createTextSlot("kibanaserver"),
  index: createTextSlot(".kibana"),
};

export const dashboardsSlots: Readonly<Record<string, BeanSlot>> = {
  multitenancy_enabled: yes,
  private_tenant_enabled: yes,
  default_tenant: createTextSlot(""),
  server_username: createTextSlot("kibanaserver"),
  index: createTextSlot(".kibana"),
  sign_in_options: { kind: "texts", initial: ["BASIC"] },
};

/** Tokens on behalf of another user: OpenSearch. */
export function createOnBehalfOf(home: string): BeanSlot {
  return {
    kind: "bean",
    of: createBean(`${home}.ConfigV7$OnBehalfOfSettings`, {
      enabled: flag,
      signing_key: textSlot,
      encryption_key: textSlot,
    }),
  };
}
