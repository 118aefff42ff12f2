import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import type { Value } from "../../../src/json/value.ts";
import { recordReads } from "../../../src/live/snapshot.ts";
import { hideSecrets } from "../../../src/secrets/config-fields.ts";

/** Every text of `value` is hidden, or none is; what is not text always stays. */
function check(value: Value, hidden: boolean): void {
  const found = textsOf(hideSecrets(value));
  expect(found.length).toBeGreaterThan(0);
  expect(found.map((text) => text instanceof Secret)).toEqual(found.map(() => hidden));
}

function textsOf(value: Value): readonly Value[] {
  if (typeof value === "string" || value instanceof Secret) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

describe("secrets of a config", () => {
  it.each([
    ...[
      "pemkey_content",
      "bindpw",
      "bindpassword",
      "bindPassword",
      "bind-password",
      "password",
      "jwt_key",
      "hmac_key",
      "passwd",
    ],
    ...["signing_keys", "signing_key", "secrets", "client_secret", "private_keys", "api_keys", "apiKey", "credentials"],
    ...["exchange_key", "encryption_key", "passphrase", "token", "access_token", "pass", "license"],
  ])("%s is one by its name", (name) => {
    check({ config: { [name]: "hunter2" } }, true);
    check({ config: { [name]: ["hunter2", "hunter3"] } }, true);
  });
  it.each([
    ...["transport_enabled", "challenge", "type", "order", "subject_key", "roles_key", "jwt_header", "userbase"],
    ...["jwt_url_parameter", "keystore_type", "pemtrustedcas_filepath", "pemkey_filepath", "openid_connect_url"],
    ...["rolesearch", "username_attribute", "bypass", "tokenizer"],
  ])("%s is not", (name) => {
    check({ config: { [name]: "plain" } }, false);
    check({ config: { [name]: ["plain"] } }, false);
  });
  it.each<[string, Value]>([
    ["below a secret name", { secrets: { a: "x", b: { c: ["y", { d: "z" }] } } }],
    ["in a list of maps", { signing_keys: [{ kid: "1", value: "x" }] }],
    ["a login in a URL", { hosts: ["ldap://u:pw@h", "ldaps://u:p@ss@h:636", "https://u:p/w@h", "http://:pw@h"] }],
    ["a login in the second URL", { url: "http://a:9200,http://u:pw@h" }],
    ["a key in PEM", { certificate: "-----BEGIN PRIVATE KEY-----\nMII" }],
  ])("%s", (_where, value) => check(value, true));
  it.each<[string, Value]>([
    ["a URL", { hosts: ["ldap://h:389", "https://h:9200/a@b", "mail@h", "https://h/x?a=b:c@d"] }],
    ["below a domain with such a name", { authc: { jwt_token_domain: { type: "jwt" } } }],
    ["what is said about a license", { license: { type: "TRIAL" } }],
  ])("but not %s", (_where, value) => check(value, false));
  it("leaves numbers and booleans below a secret name", () => {
    const value = { secrets: { count: 3, strict: true, none: null } };
    expect(hideSecrets(value)).toEqual(value);
  });
});

it("a snapshot keeps a resource whose name says secret", async () => {
  const body = { secret_reader: { cluster_permissions: ["a"], tenants: { secrets: "RW" } }, API_KEYS: ["READ"] };
  const port = { get: async () => ({ status: 200, text: "", body, milliseconds: 0 }), close: async () => {} };
  const { reader, answers } = recordReads(port);
  await reader.get("/roles");
  expect(answers()).toEqual({ "/roles": { status: 200, body } });
});
