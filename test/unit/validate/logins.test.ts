import { expect, test } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import { parseConfigFile } from "../../../src/load/config-document.ts";
import { combineSettings } from "../../../src/load/target-settings.ts";
import { findMapEntry } from "../../../src/model/node.ts";
import type { Target } from "../../../src/model/target.ts";
import { findLoginFaults } from "../../../src/validate/logins.ts";

const far = "https://search.example:9200";

function findCodes(settings: string, target: Partial<Target> = { url: far }, hasOwn = false) {
  const { found } = parseConfigFile({ path: "gate-sync.yaml", text: `targets:\n  prod: ${settings}\n` });
  if (!found) throw new Error("gate-sync.yaml cannot be read");
  expect(findMapEntry(found.root, "targets")).toBeDefined();
  return findLoginFaults({ name: "prod", ...target }, combineSettings(found.root, "prod"), hasOwn).map(
    ({ code }) => code,
  );
}

test.each([
  ["{ auth: { username: ci, password: canary } }", ["plain-login"]],
  ["{ auth: { token: canary } }", ["plain-login"]],
  ["{ auth: { username: ci, password: 12345678 } }", ["plain-login"]],
  ['{ auth: { username: ci, password: "${var:password}" } }', ["plain-login"]],
  ['{ auth: { username: ci, password: "$${env:PASSWORD}" } }', ["plain-login"]],
  ['{ auth: { username: ci, password: "${env:PASSWORD:-canary}" } }', ["plain-login"]],
  ["{ tls: { cert: c.pem, key: k.pem, passphrase: canary } }", ["plain-login"]],
  ["{ headers: { Authorization: Bearer canary, X-Tenant: all } }", ["plain-login"]],
  ['{ auth: { username: ci, password: "${env:PASSWORD}" } }', []],
  ['{ auth: { username: ci, password: "${env:PASSWORD:-}" } }', []],
  ['{ auth: { username: ci, password: "${file:/run/secrets/password}" } }', []],
  ['{ headers: { Authorization: "Bearer ${env:TOKEN}", X-Tenant: all } }', []],
  ['{ auth: { username: ci, password: "${env:PASSWORD:- }" } }', []],
  ['{ headers: { X-Team: "${env:A:-b}" } }', []],
  ['{ auth: { username: ci, password: "a${env:A}b${env:B:-canary}" } }', ["plain-login"]],
  [
    "{ headers: { Cookie: sid=canary, proxy-authorization: Basic canary, Set-Cookie: x } }",
    ["plain-login", "plain-login", "plain-login"],
  ],
  [
    "{ headers: { X-Api-Key: canary, x-auth-token: canary, My-Secret: canary, apikey: c } }",
    Array(4).fill("plain-login"),
  ],
  [
    "{ headers: { X-Gateway: Bearer canary, X-Session-Id: canary, Ocp-Apim-Subscription-Key: c } }",
    Array(3).fill("plain-login"),
  ],
  ["{ headers: { X-Forwarded-User: ci, X-Tenant: all, X-Auth-Request-Email: a@search.example, Accept: basic } }", []],
  ["{ auth: { exec: [login, --password, canary] } }", ["plain-login"]],
  ["{ auth: { exec: [login, --client-secret=canary] } }", ["plain-login"]],
  ["{ auth: { exec: [env, PASSWORD=canary, login] } }", ["plain-login"]],
  ["{ auth: { aws: { exec: [aws, --token, canary] } } }", ["plain-login"]],
  ["{ auth: { exec: [vault, read, -field=password, secret/ci] } }", []],
  ["{ auth: { exec: [gcloud, secrets, versions, access, latest, --secret=ci-password] } }", []],
  ["{ auth: { exec: [aws, secretsmanager, get-secret-value, --secret-id, ci/password] } }", []],
  ["{ auth: { exec: [sh, -c, 'login --password $PASSWORD'] } }", []],
  ["{ auth: { exec: [login, --password, $PASSWORD] } }", []],
  ["{ auth: { exec: [sh, -c, 'login --password canary'] } }", ["plain-login"]],
  ["{ auth: { exec: [sh, -c, 'TOKEN=canary login'] } }", ["plain-login"]],
  ["{ headers: { X-Client-Id: Bearer canary } }", ["plain-login"]],
  ["{ headers: { X-Routing-Key: all, X-Cache-Key: a, Idempotency-Key: b, X-Token-Type: opaque, X-Monkey: c } }", []],
  ["{ auth: { exec: [login, --password-file, /run/secrets/ci, --token-stdin, --password] } }", []],
  ["{ auth: { exec: [login, --token, /run/secrets/token, --key=./ci.key, --password, '@~/password'] } }", []],
  ["{ auth: { exec: [login, --password-store, pass, --token-url, a, --secret-engine, kv, --api-key-name, k] } }", []],
  ["{ auth: { exec: [login, --password, '${env:PASSWORD:-canary}'] } }", ["plain-login"]],
  ["{ auth: { username: ci } }", []],
  ["{ auth: aws }", []],
])("a login of gate-sync.yaml in plain text: %s", (settings, codes) => {
  expect(findCodes(settings)).toEqual(codes);
  expect(findCodes(settings, {})).toEqual(codes);
  expect(findCodes(settings, { url: "http://127.0.0.1:9200", otherUrls: ["https://localhost"] })).toEqual([]);
  expect(findCodes(settings, { url: "http://127.0.0.1:9200", otherUrls: [far] })).toEqual(codes);
});

const basic = { kind: "basic", username: "ci", password: new Secret("${env:PASSWORD}", "canary") } as const;

test.each<[string, Partial<Target>, readonly string[]]>([
  ["a password", { auth: basic }, ["login-over-http"]],
  ["a token", { auth: { kind: "bearer", token: basic.password } }, ["login-over-http"]],
  ["no login", {}, []],
])("%s over http", (_, login, codes) => {
  for (const host of [
    "search.example:9200",
    "10.0.0.1",
    "localhost.example",
    "127.example",
    "localhost.example.",
    "notlocalhost",
    "[::ffff:10.0.0.1]",
    "[::ffff:128.0.0.1]",
    "[::127.0.0.1]",
    "0.0.0.1",
    "[2001:db8::1]",
    "128.0.0.1",
  ])
    expect(findCodes("{}", { ...login, url: `http://${host}` })).toEqual(codes);
  expect(findCodes("{}", { ...login, url: "http://localhost", otherUrls: ["http://search.example"] })).toEqual(codes);
  for (const host of [
    "localhost:9200",
    "LOCALHOST",
    "127.0.0.1",
    "127.255.3.4:9200",
    "127.1",
    "[::1]:9200",
    "localhost.",
    "search.localhost",
    "a.b.LOCALHOST.:9200",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f01:203]:9200",
    "0.0.0.0",
    "[::]:9200",
  ])
    expect(findCodes("{}", { ...login, url: `http://${host}` })).toEqual([]);
  expect(findCodes("{}", { ...login, url: far })).toEqual([]);
});

test.each([
  ['{ auth: { username: ci, password: "${env:P}" } }', true],
  ['{ auth: { token: "${env:P}" } }', true],
  ["{ auth: { exec: [login] } }", true],
  ['{ headers: { authorization: "Bearer ${env:P}" } }', true],
  ['{ headers: { X-Api-Key: "${env:P}" } }', true],
  ["{ headers: { X-Tenant: all } }", false],
  ["{ auth: aws }", false],
  ["{ auth: { aws: { region: eu-west-1 } } }", false],
  ["{}", false],
])("a login over http is found where no secret is read: %s: %s", (settings, isFound) => {
  const codes = isFound ? ["login-over-http"] : [];
  expect(findCodes(settings, { url: "http://search.example" })).toEqual(codes);
});

test("a login of the environment goes over http, but none of another target", () => {
  expect(findCodes("{}", { url: "http://search.example" }, true)).toEqual(["login-over-http"]);
  expect(findCodes("{ auth: aws }", { url: "http://search.example" }, true)).toEqual([]);
});
