import { expect, test } from "vitest";
import { decodeConfig } from "../../../src/dialects/codec.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { Product } from "../../../src/model/plan.ts";
import { canonicaliseConfig } from "../../../src/normalise/config.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { repositoryOf } from "../../support/nodes.ts";

const declared: Fields = {
  dynamic: {
    http: { anonymous_auth_enabled: false, xff: { enabled: true, remoteIpHeader: "x" } },
    authc: {
      d: { order: 3, http_enabled: true, http_authenticator: { challenge: false, config: { n: 1, b: [true] } } },
    },
  },
};

test("a config that Search Guard 6 shows in texts is the one that was declared", () => {
  const six = createDialect("search-guard", "6");
  const shown = {
    searchguard: {
      dynamic: {
        authc: {
          d: {
            http_authenticator: { config: { b: ["true"], n: "1" }, challenge: "false" },
            http_enabled: "true",
            order: "3",
          },
        },
        http: { xff: { remoteIpHeader: "x", enabled: "true" }, anonymous_auth_enabled: "false" },
      },
    },
  };
  expect(canonicaliseConfig(six, declared)).toEqual(decodeConfig(six, shown));
});

test("elsewhere what was written keeps its type", () => {
  expect(canonicaliseConfig(createDialect("search-guard", "7"), declared)).toEqual(declared);
});

test("what a server takes of a domain and forgets is not asked of it", () => {
  const reported = {
    dynamic: { authz: { d: { transport_enabled: false, http_enabled: false } }, transport_enabled: 1 },
  };
  const held = { dynamic: { authz: { d: { http_enabled: false } }, transport_enabled: 1 } };
  expect(canonicaliseConfig(createDialect("opensearch", "2.19"), reported)).toEqual(held);
  expect(canonicaliseConfig(createDialect("opensearch", "odfe-1.x"), reported)).toEqual(reported);
  expect(canonicaliseConfig(createDialect("search-guard", "7"), reported)).toEqual(reported);
});

test("two configs: an error where one is to be written, and where both are only compared a warning", () => {
  const native = (field: string) => `_meta: {type: config}\nconfig: {dynamic: {${field}: x}}\n`;
  const files = { "config-example.yml": native("hosts_resolver_mode"), "config.yml": native("filtered_alias_mode") };
  const of = (texts: Readonly<Record<string, string>>, policies = {}) => {
    const { desired, diagnostics } = normalise(repositoryOf(texts), createDialect("opensearch", "2.19"), policies);
    const fields = Object.keys((desired.config?.value.dynamic ?? {}) as object);
    return [...fields, ...diagnostics.map(({ severity, range }) => `${severity} ${range?.file.path}`)];
  };
  expect(of(files)).toEqual(["filtered_alias_mode", "warning config-example.yml"]);
  expect(of(files, { config: { mode: "manage" } })).toEqual(["hosts_resolver_mode", "error config.yml"]);
  const byFamily = { ...files, "x.yml": "config: {dynamic: {}}\nroles: {}" };
  expect(of(byFamily).filter((line) => line.startsWith("error"))).toEqual(["error x.yml"]);
});

test("what servers had until 2022 is left out where this release has it no more", () => {
  const text =
    "config: {dynamic: {auth_token_provider: {enabled: false}, field_anonymization_salt2: x, kibana: {rbac_enabled: true, index: .k}}}";
  const of = (product: Product, release: string) =>
    normalise(repositoryOf({ "a.yml": text }), createDialect(product, release), {}).desired.config?.value;
  expect(of("opensearch", "2.19")).toEqual({ dynamic: { kibana: { index: ".k" } } });
  expect(of("search-guard", "7.x-38")).toEqual({ dynamic: { kibana: { index: ".k" } } });
  expect(Object.keys((of("search-guard", "7.x-53")?.dynamic ?? {}) as object)).toHaveLength(3);
});
