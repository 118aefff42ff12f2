import { expect, test } from "vitest";
import { decodeConfig } from "../../../src/dialects/codec.ts";
import { dialectFor } from "../../../src/dialects/index.ts";
import type { Fields } from "../../../src/json/value.ts";
import { canonicalConfig } from "../../../src/normalise/config.ts";

const declared: Fields = {
  dynamic: {
    http: { anonymous_auth_enabled: false, xff: { enabled: true, remoteIpHeader: "x" } },
    authc: {
      d: { order: 3, http_enabled: true, http_authenticator: { challenge: false, config: { n: 1, b: [true] } } },
    },
  },
};

test("a config that Search Guard 6 shows in texts is the one that was declared", () => {
  const six = dialectFor("search-guard", "6");
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
  expect(canonicalConfig(six, declared)).toEqual(decodeConfig(six, shown));
});

test("elsewhere what was written keeps its type", () => {
  expect(canonicalConfig(dialectFor("search-guard", "7"), declared)).toEqual(declared);
});

test("what a server takes of a domain and forgets is not asked of it", () => {
  const said = { dynamic: { authz: { d: { transport_enabled: false, http_enabled: false } }, transport_enabled: 1 } };
  const held = { dynamic: { authz: { d: { http_enabled: false } }, transport_enabled: 1 } };
  expect(canonicalConfig(dialectFor("opensearch", "2.19"), said)).toEqual(held);
  expect(canonicalConfig(dialectFor("opensearch", "odfe-1.x"), said)).toEqual(said);
  expect(canonicalConfig(dialectFor("search-guard", "7"), said)).toEqual(said);
});
