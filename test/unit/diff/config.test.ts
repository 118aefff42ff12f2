import { describe, expect, it } from "vitest";
import configSchema from "../../../schemas/config.schema.json" with { type: "json" };
import { createDialect } from "../../../src/dialects/index.ts";
import { getLoginClass } from "../../../src/dialects/login-types.ts";
import { diffConfig } from "../../../src/diff/config.ts";
import { type ConfigPlace, configPlaces } from "../../../src/families/config.ts";
import type { Fields, Json, JsonObject, Value } from "../../../src/json/value.ts";
import { reveal } from "../../../src/json/value.ts";
import type { DesiredConfig } from "../../../src/model/desired.ts";
import { hideSecrets } from "../../../src/secrets/config-fields.ts";

const domain = {
  http_enabled: true,
  transport_enabled: false,
  order: 0,
  http_authenticator: { type: "basic", challenge: true, config: {} },
  authentication_backend: { type: "intern", config: {} },
};

function check(live: Fields, desired: Fields, paths: readonly string[], after?: Json, internalBackend?: string) {
  const document = hideSecrets({ dynamic: live }) as Fields;
  const frozen = JSON.stringify(reveal(document));
  const change = diffConfig(declared(desired), { document, ...(internalBackend && { internalBackend }) }, undefined);
  expect(change.edits.map(({ path }) => path.slice(1).join("."))).toEqual(paths);
  expect(change.action).toBe(paths.length === 0 ? "leave" : "update");
  const dynamic = (change.after as { dynamic: Value }).dynamic;
  expect(reveal(dynamic)).toEqual(after ?? reveal(document.dynamic as Value));
  expect(JSON.stringify(reveal(document))).toBe(frozen);
}

function declared(dynamic: Fields, native = false): DesiredConfig {
  const range = { file: { path: "config.yml", text: "" }, start: 0, end: 0 };
  const node = { ...range, kind: "map", entries: [] } as const;
  return { value: hideSecrets({ dynamic }) as Fields, origin: range, node, native };
}

describe("the config", () => {
  it("is left alone where nothing is declared", () => check({ authc: { a: domain }, license: "x", odd: [1] }, {}, []));
  it("keeps what is not declared byte for byte", () =>
    check(
      { do_not_fail_on_forbidden: false, license: "text", odd: { a: "1" }, authc: { a: domain } },
      { do_not_fail_on_forbidden: true },
      ["do_not_fail_on_forbidden"],
      { do_not_fail_on_forbidden: true, license: "text", odd: { a: "1" }, authc: { a: domain } },
    ));
  it("shows edits in an order of its own and writes in the order of the server", () => {
    const reversed = Object.fromEntries(Object.entries(domain).reverse());
    const change = (first: Fields, second: Fields) =>
      diffConfig(declared({ authc: {} }), { document: { dynamic: { authc: { ...first, ...second } } } }, undefined);
    const [one, other] = [change({ b: domain }, { a: domain }), change({ a: reversed }, { b: reversed })];
    expect(JSON.stringify(one.edits)).toBe(JSON.stringify(other.edits));
    expect(JSON.stringify(one.before)).not.toBe(JSON.stringify(other.before));
  });
  it("takes away what the schema has below a domain, and the file lacks", () => {
    const lacking: [string, Fields, Fields][] = [
      ["authc", { ...domain, enabled: false }, domain],
      ["authc", { ...domain, enabled_only_for_ips: ["10.0.0.0/8"] }, domain],
      ["authz", { skipped_users: ["ana"] }, {}],
      ["authz", { enabled: false }, {}],
    ];
    for (const [child, live, desired] of lacking) {
      const [field] = Object.keys(live).filter((name) => !(name in desired));
      check({ [child]: { a: live } }, { [child]: { a: desired } }, [`${child}.a.${field}`], {
        [child]: { a: desired as JsonObject },
      });
      const empty = { ...desired, [field ?? ""]: field === "enabled" ? true : [] };
      check({ [child]: { a: empty } }, { [child]: { a: desired } }, []);
    }
  });
  it("knows each field that the schema has", () => {
    const unknown = (place: ConfigPlace | undefined, schema: Fields, at: string): readonly string[] => {
      const { $ref, properties, additionalProperties } = schema as Record<string, string & Fields>;
      const found = $ref ? (configSchema.$defs as Fields)[$ref.replace("#/$defs/", "")] : schema;
      if ($ref) return unknown(place, found as Fields, at);
      if (!place) return [at];
      if (place.kind === "named") return unknown(place.each, additionalProperties as Fields, at);
      if (place.kind !== "object") return [];
      return Object.entries(properties ?? {}).flatMap(([name, inner]) =>
        unknown(place.fields[name], inner as Fields, `${at}.${name}`),
      );
    };
    const { properties } = configSchema.$defs.dynamic as unknown as Record<string, Record<string, Fields>>;
    expect(
      Object.keys(properties ?? {}).flatMap((child) => unknown(configPlaces[child], properties?.[child] ?? {}, child)),
    ).toEqual([]);
  });
  it("takes words for booleans and numbers as what they say", () =>
    check(
      { authc: { a: { ...domain, http_enabled: "true", order: "0" } } },
      { authc: { a: { ...domain, order: 0 } } },
      [],
    ));
  it("does not flip a stored false whose default is true", () =>
    check({ authc: { a: { ...domain, transport_enabled: false } } }, { authc: { a: { ...domain } } }, []));
  it("knows the class that servers fill in where a domain names no backend", () => {
    const type = "org.opensearch.security.auth.internal.InternalAuthenticationBackend";
    const live = { authc: { a: { ...domain, authentication_backend: { type, config: {} } } } };
    const { authentication_backend: _, ...without } = domain;
    check(live, { authc: { a: without } }, [], undefined, type);
    check(live, { authc: { a: domain } }, [], undefined, type);
    const noop = { authc: { a: { ...domain, authentication_backend: { type: "noop" } } } };
    const after = { authc: { a: { ...domain, authentication_backend: {} } } };
    check(noop, { authc: { a: without } }, ["authc.a.authentication_backend.type"], after);
  });
  it.each([
    ["opensearch", "odfe-1.x", "com.amazon.opendistroforelasticsearch.security"],
    ["opensearch", "1.3", "org.opensearch.security"],
    ["opensearch", "2.19", "org.opensearch.security"],
    ["opensearch", "3.8", "org.opensearch.security"],
    ["search-guard", "6", "com.floragunn.searchguard"],
    ["search-guard", "7.x-53", "com.floragunn.searchguard"],
  ] as const)("takes no class for that of internal users but its own: %s %s", (product, release, home) => {
    const internal = getLoginClass("authentication_backend", undefined, createDialect(product, release));
    const of = (type: string) => ({ authc: { a: { ...domain, authentication_backend: { type, config: {} } } } });
    const named = (place: string) => `${place}.auth.internal.InternalAuthenticationBackend`;
    expect(internal).toBe(named(home));
    for (const same of ["intern", "internal", named(home)]) check(of(same), of("intern"), [], undefined, internal);
    const homes = [
      "com.amazon.opendistroforelasticsearch.security",
      "org.opensearch.security",
      "com.floragunn.searchguard",
    ];
    const foreign = homes
      .filter((one) => one !== home)
      .concat("com.example", `${home}.other`)
      .map(named);
    for (const type of [...foreign, "InternalAuthenticationBackend", "Intern", "intern ", ""])
      for (const other of ["intern", "internal", named(home)])
        for (const [live, desired] of [
          [type, other],
          [other, type],
        ] as const)
          check(
            of(live),
            of(desired),
            ["authc.a.authentication_backend.type"],
            { dynamic: of(desired) }.dynamic,
            internal,
          );
  });
  it("knows which proxies servers trust where nothing says so", () => {
    const three = String.raw`\.\d{1,3}\.\d{1,3}\.\d{1,3}`;
    const two = String.raw`\.\d{1,3}\.\d{1,3}`;
    const starts = [
      "192\\.168",
      "169\\.254",
      `127\\.\\d{1,3}`,
      "172\\.1[6-9]{1}",
      "172\\.2[0-9]{1}",
      "172\\.3[0-1]{1}",
    ];
    const internalProxies = [`10${three}`, ...starts.map((start) => start + two)].join("|");
    check({ http: { xff: { internalProxies } } }, { http: {} }, []);
    check({ http: { xff: { internalProxies: ".*" } } }, { http: {} }, ["http.xff.internalProxies"], {
      http: { xff: {} },
    });
  });
  it("reads an omitted field as its default", () =>
    check(
      { authc: { a: domain } },
      { authc: { a: { ...domain, transport_enabled: undefined as unknown as Value } } },
      ["authc.a.transport_enabled"],
      { authc: { a: withoutTransport() } },
    ));
  it("does not care whether a server fills in defaults", () =>
    check({ dashboard: { multitenancy_enabled: true, index: ".kibana" } }, { dashboard: {} }, []));
  it("knows what a server fills in for a listener, and in an authorisation domain", () => {
    const limits = { time_window_seconds: 3600, max_blocked_clients: 100_000, max_tracked_clients: 100_000 };
    const listener = { type: "ip", allowed_tries: 3, block_expiry_seconds: 600, ...limits };
    const authz = { x: { http_enabled: true, authorization_backend: { type: "noop", config: {} } } };
    check(
      { auth_failure_listeners: { l: listener }, authz },
      { auth_failure_listeners: { l: { type: "ip", allowed_tries: 3 } }, authz: { x: {} } },
      [],
    );
  });
  it("manages a declared child whole: a domain that is no longer declared goes", () =>
    check({ authc: { a: domain, b: domain } }, { authc: { a: domain } }, ["authc.b"], { authc: { a: domain } }));
  it("keeps an unknown field inside a declared child", () =>
    check({ authc: { a: { ...domain, x_vendor: 1 } } }, { authc: { a: { ...domain, order: 3 } } }, ["authc.a.order"], {
      authc: { a: { ...domain, x_vendor: 1, order: 3 } },
    }));
  it("says what is set that it does not know, in an order of its own", () => {
    const live: Fields = {
      x_vendor: { b: 1, a: 2 },
      x_empty: [],
      kibana: { x_inside: true },
      http: { x_undeclared: 1 },
      authc: { a: { ...domain, x_note: "n", x_declared: 1 } },
    };
    const wanted: Fields = { kibana: {}, authc: { a: { ...domain, x_declared: 1 } } };
    const unknownIn = (mode?: "observe") =>
      diffConfig(declared(wanted), { document: { dynamic: live } }, mode && { mode }).unknown;
    expect(unknownIn()?.map(({ path, value }) => [path.join("."), JSON.stringify(value)])).toEqual([
      ["dynamic.authc.a.x_note", '"n"'],
      ["dynamic.kibana.x_inside", "true"],
      ["dynamic.x_vendor", '{"a":2,"b":1}'],
    ]);
    expect(unknownIn("observe")).toBeUndefined();
  });
  it("leaves the ways to sign in that a release fills in, and takes away others that are not declared", () => {
    for (const options of [["BASIC"], []]) check({ kibana: { sign_in_options: options } }, { kibana: {} }, []);
    check({ kibana: { sign_in_options: ["OPENID"] } }, { kibana: {} }, ["kibana.sign_in_options"], { kibana: {} });
    const basic = { kibana: { sign_in_options: ["BASIC"] } };
    check({ kibana: {} }, basic, ["kibana.sign_in_options"], basic);
    check(basic, { kibana: { sign_in_options: [] } }, ["kibana.sign_in_options"], { kibana: { sign_in_options: [] } });
  });
  it("sees another order where it counts", () => {
    const of = (...preferred_tenants: string[]) => ({ kibana: { preferred_tenants } });
    check(of("a", "b"), of("b", "a"), ["kibana.preferred_tenants"], of("b", "a"));
    check(of("a", "b"), of("a", "b"), []);
    check({ kibana: { sign_in_options: ["A", "B"] } }, { kibana: { sign_in_options: ["B", "A"] } }, []);
  });
  it("takes a number for the one that the server makes of it", () =>
    check({ api_tokens: { max_tokens: 1000 } }, { api_tokens: { max_tokens: 5000 } }, []));
  it("manages the settings of a module whole", () =>
    check(
      { authc: { a: { ...domain, authentication_backend: { type: "ldap", config: { hosts: ["a"], timeout: 5 } } } } },
      { authc: { a: { ...domain, authentication_backend: { type: "ldap", config: { hosts: ["b"] } } } } },
      ["authc.a.authentication_backend.config.hosts", "authc.a.authentication_backend.config.timeout"],
      { authc: { a: { ...domain, authentication_backend: { type: "ldap", config: { hosts: ["b"] } } } } },
    ));
  it("writes of the settings of a module what differs, and no null that the server leaves out", () => {
    const jwt = (config: JsonObject) => ({ authc: { a: { ...domain, http_authenticator: { type: "jwt", config } } } });
    check(
      jwt({ header: "A", skew: "30" }),
      jwt({ header: "B", skew: 30, url_parameter: null, roles_key: null }),
      ["authc.a.http_authenticator.config.header"],
      jwt({ header: "B", skew: "30" }),
    );
  });
  const ldap = (password: string) => ({
    authc: { a: { ...domain, authentication_backend: { type: "ldap", config: { password } } } },
  });
  it("sees a secret that changed", () =>
    check(ldap("old"), ldap("new"), ["authc.a.authentication_backend.config.password"], ldap("new")));
  it("sees that a secret is the same", () => check(ldap("same"), ldap("same"), []));
  it("leaves a secret alone that the server masks", () => check(ldap("******"), ldap("new"), []));
  it("keeps the live secret where the file has asterisks", () =>
    check(
      {
        authc: {
          a: { ...domain, authentication_backend: { type: "ldap", config: { password: "real", hosts: ["a"] } } },
        },
      },
      {
        authc: {
          a: { ...domain, authentication_backend: { type: "ldap", config: { password: "***", hosts: ["b"] } } },
        },
      },
      ["authc.a.authentication_backend.config.hosts"],
      {
        authc: {
          a: { ...domain, authentication_backend: { type: "ldap", config: { password: "real", hosts: ["b"] } } },
        },
      },
    ));
  it("found in a native file is only observed", () => {
    const live = { document: { dynamic: { do_not_fail_on_forbidden: false } } };
    const change = diffConfig(declared({ do_not_fail_on_forbidden: true }, true), live, undefined);
    expect([change.action, change.reason, change.edits.length]).toEqual(["leave", "observed", 1]);
    const managed = diffConfig(declared({ do_not_fail_on_forbidden: true }, true), live, { mode: "manage" });
    expect(managed.action).toBe("update");
  });
});

function withoutTransport(): Json {
  const { transport_enabled: _, ...rest } = domain;
  return rest;
}
