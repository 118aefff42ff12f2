import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { applyEdits, findEdits } from "../../../src/json/patch.ts";
import { type Fields, reveal, type Value } from "../../../src/json/value.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Product } from "../../../src/model/plan.ts";
import { createOperations } from "../../../src/plan/operations.ts";
import { createWireContext } from "../../../src/plan/wire.ts";
import { hideSecrets } from "../../../src/secrets/config-fields.ts";

const masked = {
  dynamic: {
    do_not_fail_on_forbidden: false,
    authz: {},
    authc: {
      ldap: {
        order: 1,
        http_authenticator: { type: "basic", config: {} },
        authentication_backend: { config: { hosts: ["a"], password: "******", users: [{ password: "******", q: 1 }] } },
      },
    },
  },
};

/** What is sent where the dynamic config is changed at one place; secrets shown. */
function check(
  change: (document: Value) => Value,
  expected: unknown,
  product: Product = "opensearch",
  release = "2.19",
) {
  const before = hideSecrets(masked) as Fields;
  const edits = findEdits(before, change(before) as Fields);
  const config: Change = {
    family: "config",
    name: "config",
    action: "update",
    reason: "declared",
    edits,
    before,
    after: applyEdits(before, edits),
  };
  const dialect = createDialect(product, release);
  const server = { product, release, how: "stated" } as const;
  const [operation] = createOperations([config], createWireContext(dialect, server, new Map(), new Set()));
  expect([operation?.method, operation?.path, reveal(operation?.body ?? null)]).toEqual(expected);
}

const at = (pointer: string, value?: Value) => (document: Value) =>
  applyEdits(document as Fields, [{ path: pointer.split("/").slice(1), ...(value !== undefined && { after: value }) }]);
const path = "/_plugins/_security/api/securityconfig";
const ldap = "/config/dynamic/authc/ldap";

test("where asterisks represent secrets, just the edits are sent", () => {
  check(at("/dynamic/do_not_fail_on_forbidden", true), [
    "PATCH",
    path,
    [{ op: "add", path: "/config/dynamic/do_not_fail_on_forbidden", value: true }],
  ]);
  check(at("/dynamic/authc/ldap/order"), ["PATCH", path, [{ op: "remove", path: `${ldap}/order` }]]);
  check(at("/dynamic/authc/ldap/authentication_backend/config/hosts", ["a", "b"]), [
    "PATCH",
    path,
    [{ op: "add", path: `${ldap}/authentication_backend/config/hosts`, value: ["a", "b"] }],
  ]);
});

test("what is empty is sent whole, because the server has nothing there to add to", () => {
  check(at("/dynamic/authz/x", { http_enabled: true }), [
    "PATCH",
    path,
    [{ op: "add", path: "/config/dynamic/authz", value: { x: { http_enabled: true } } }],
  ]);
  check(at("/dynamic/authc/ldap/http_authenticator/config/a", "b"), [
    "PATCH",
    path,
    [{ op: "add", path: `${ldap}/http_authenticator/config`, value: { a: "b" } }],
  ]);
});

test("a secret of ours takes the place of the asterisks", () => {
  check(at("/dynamic/authc/ldap/authentication_backend/config/password", "new"), [
    "PATCH",
    path,
    [{ op: "add", path: `${ldap}/authentication_backend/config/password`, value: "new" }],
  ]);
});

test("an edit that would carry asterisks makes no PATCH: the plan is refused", () => {
  const users = at("/dynamic/authc/ldap/authentication_backend/config/users", [{ password: "******", q: 2 }]);
  check((document) => hideSecrets(users(document)), ["PUT", `${path}/config`, expect.anything()]);
});

test("Search Guard never gets a PATCH of its config, nor an OpenSearch that changes more by it than it says", () => {
  const change = at("/dynamic/do_not_fail_on_forbidden", true);
  check(change, ["PUT", "/_searchguard/api/sg_config/sg_config", expect.anything()], "search-guard", "7");
  check(change, ["PUT", `${path}/config`, expect.anything()], "opensearch", "1.2");
});
