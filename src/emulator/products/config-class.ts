// The class that Search Guard 7 and OpenSearch read their config into.
import type { ClassProperty, ServerClass } from "../values/classes.ts";
import {
  createClass,
  createTextProperty,
  flagProperty,
  freeProperty,
  textProperty,
  trueFlagProperty,
} from "./properties.ts";

/** Where the config of the two differs. */
export interface ConfigDifferences {
  /** Domains say whether they serve the transport too. */
  readonly transport: boolean;
  readonly kibana: Readonly<Record<string, ClassProperty>>;
  readonly dynamic: Readonly<Record<string, ClassProperty>>;
  /** What domains have since some release. */
  readonly authc?: Readonly<Record<string, ClassProperty>>;
  readonly authz?: Readonly<Record<string, ClassProperty>>;
  /** Limits on wrong passwords may leave hosts out. */
  readonly ignoresHosts?: true;
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
export function createConfigClass(
  home: string,
  { transport, kibana, dynamic, backend, ignoresHosts, ...domains }: ConfigDifferences,
): ServerClass {
  const name = (inner: string): string => `${home}.ConfigV7$${inner}`;
  const enabled: Readonly<Record<string, ClassProperty>> = transport
    ? { http_enabled: trueFlagProperty, transport_enabled: trueFlagProperty }
    : { http_enabled: trueFlagProperty };
  const authenticator = createClass(name("HttpAuthenticator"), {
    challenge: trueFlagProperty,
    type: textProperty,
    config: freeProperty,
  });
  const authentication = createClass(name("AuthcBackend"), { type: createTextProperty(backend), config: freeProperty });
  const authorization = createClass(name("AuthzBackend"), { type: createTextProperty("noop"), config: freeProperty });
  // OpenSearch has no transport clients any more, and takes files that still speak of them.
  const ignored = transport ? [] : ["transport_enabled"];
  const authc = createClass(
    name("AuthcDomain"),
    {
      ...enabled,
      order: { kind: "number" },
      http_authenticator: { kind: "object", of: authenticator },
      authentication_backend: { kind: "object", of: authentication },
      description: textProperty,
      ...domains.authc,
    },
    [
      ...Object.keys({ ...domains.authc, ...enabled }),
      "http_authenticator",
      "authentication_backend",
      "order",
      "description",
    ],
  );
  const authz = createClass(name("AuthzDomain"), {
    ...enabled,
    authorization_backend: { kind: "object", of: authorization },
    description: textProperty,
    ...domains.authz,
  });
  const xff = createClass(name("Xff"), {
    enabled: flagProperty,
    internalProxies: createTextProperty(privateNetworks),
    remoteIpHeader: createTextProperty("X-Forwarded-For"),
  });
  const http = createClass(name("Http"), { anonymous_auth_enabled: flagProperty, xff: { kind: "object", of: xff } });
  const whole = createClass(
    name("Dynamic"),
    {
      filtered_alias_mode: createTextProperty("warn"),
      disable_rest_auth: flagProperty,
      disable_intertransport_auth: flagProperty,
      respect_request_indices_options: flagProperty,
      license: textProperty,
      kibana: { kind: "object", of: createClass(name("Kibana"), kibana) },
      http: { kind: "object", of: http },
      authc: { kind: "named", name: name("Authc"), of: { ...authc, ignored } },
      authz: { kind: "named", name: name("Authz"), of: { ...authz, ignored } },
      auth_failure_listeners: {
        kind: "named",
        name: name("AuthFailureListeners"),
        of: createClass(name("AuthFailureListener"), {
          type: textProperty,
          authentication_backend: textProperty,
          ...(ignoresHosts && { ignore_hosts: { kind: "texts", initial: null } }),
          ...limits,
        }),
      },
      do_not_fail_on_forbidden: flagProperty,
      multi_rolespan_enabled: trueFlagProperty,
      hosts_resolver_mode: createTextProperty("ip-only"),
      transport_userrname_attribute: textProperty,
      do_not_fail_on_forbidden_empty: flagProperty,
      ...dynamic,
    },
    [...Object.keys(dynamic), ...dynamicAsExplained],
  );
  return createClass(`${home}.ConfigV7`, { dynamic: { kind: "object", of: whole } });
}

const limits: Readonly<Record<string, ClassProperty>> = {
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

export const kibanaProperties: Readonly<Record<string, ClassProperty>> = {
  multitenancy_enabled: trueFlagProperty,
  server_username: createTextProperty("kibanaserver"),
  index: createTextProperty(".kibana"),
};

/** Tokens on behalf of another user: OpenSearch. */
export function createOnBehalfOf(home: string): ClassProperty {
  return {
    kind: "object",
    of: createClass(`${home}.ConfigV7$OnBehalfOfSettings`, {
      enabled: flagProperty,
      signing_key: textProperty,
      encryption_key: textProperty,
    }),
  };
}
