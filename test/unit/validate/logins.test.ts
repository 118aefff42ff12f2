import { expect, test } from "vitest";
import { Secret } from "../../../src/json/secret.ts";
import { parseConfigFile } from "../../../src/load/config-document.ts";
import { combineSettings } from "../../../src/load/target-settings.ts";
import { findMapEntry } from "../../../src/model/node.ts";
import type { Target } from "../../../src/model/target.ts";
import { findLoginFaults } from "../../../src/validate/logins.ts";

const far = "https://search.example:9200";

function findCodes(settings: string, target: Partial<Target> = { url: far }) {
  const { found } = parseConfigFile({ path: "gate-sync.yaml", text: `targets:\n  prod: ${settings}\n` });
  if (!found) throw new Error("gate-sync.yaml cannot be read");
  expect(findMapEntry(found.root, "targets")).toBeDefined();
  return findLoginFaults({ name: "prod", ...target }, combineSettings(found.root, "prod")).map(({ code }) => code);
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
  ["a header", { headers: { authorization: basic.password } }, ["login-over-http"]],
  ["no login", {}, []],
])("%s over http", (_, login, codes) => {
  for (const host of [
    "search.example:9200",
    "10.0.0.1",
    "localhost.example",
    "127.example",
    "[2001:db8::1]",
    "128.0.0.1",
  ])
    expect(findCodes("{}", { ...login, url: `http://${host}` })).toEqual(codes);
  expect(findCodes("{}", { ...login, url: "http://localhost", otherUrls: ["http://search.example"] })).toEqual(codes);
  for (const host of ["localhost:9200", "LOCALHOST", "127.0.0.1", "127.255.3.4:9200", "127.1", "[::1]:9200"])
    expect(findCodes("{}", { ...login, url: `http://${host}` })).toEqual([]);
  expect(findCodes("{}", { ...login, url: far })).toEqual([]);
});

test("a login over http is found where no secret is read", () => {
  expect(findCodes('{ auth: { username: ci, password: "${env:P}" } }', { url: "http://search.example" })).toEqual([
    "login-over-http",
  ]);
});
