import { expect, test } from "vitest";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { validateConfigFile } from "../../../src/validate/shape.ts";
import { nodeOf } from "../../support/nodes.ts";

function check(text: string, ...expected: readonly string[]): readonly Diagnostic[] {
  const file = { path: "gate-sync.yaml", text };
  const found = validateConfigFile(file, nodeOf(file));
  expect(found.map(({ code, range }) => `${code} ${text.slice(range?.start, range?.end)}`)).toEqual(expected);
  return found;
}

test("admits a full file", () => {
  check(`
default_target: prod
state: [access/]
vars: {env: prod}
families: {roles: {mode: adopt, include: ["a_*"], exclude: [], deletions: {count: 0, percent: 12.5}}}
targets:
  prod:
    url: https://search.example:9200
    product: search-guard
    release: "7"
    auth: {username: ci, password: "$\{env:PASSWORD}"}
    tls: {ca: ca.pem, cert: c.pem, key: k.pem, server_name: search}
    accept_fields: [alias_permissions]
  local: {}
`);
});

test.each<[about: string, text: string, expected: string]>([
  ["misspelt", "targts: {}", "unknown-field targts"],
  ["a family that does not exist", "families: {role: {}}", "unknown-field role"],
  ["an unknown mode", "families: {roles: {mode: mange}}", "wrong-type mange"],
  ["a single state path", "state: access/", "wrong-type access/"],
  ["a release that YAML takes for a number", "targets: {a: {release: 7}}", "wrong-type 7"],
  ["a variable that is no text", "vars: {n: 5}", "wrong-type 5"],
  ["credentials in the address", "targets: {a: {url: 'https://u:p@host'}}", "wrong-type 'https://u:p@host'"],
  ["a share above all", "families: {roles: {deletions: {percent: 120}}}", "wrong-type 120"],
  ["a password without a name", "targets: {a: {auth: {password: x}}}", "missing-field auth"],
  ["two ways to log in", "targets: {a: {auth: {username: u, password: x, token: y}}}", "exclusive-fields auth"],
  ["a target that is not described", "default_target: prd\ntargets: {prod: {}}", "unknown-target default_target"],
])("underlines %s", (_, text, expected) => {
  check(text, expected);
});

test("never repeats what may be a password", () => {
  const [letter] = check("targets: {a: {auth: {username: [swordfish]}}}", "wrong-type [swordfish]");
  expect(JSON.stringify({ ...letter, range: undefined })).not.toContain("swordfish");
});

test("suggests", () => {
  expect(check("default_target: prd\ntargets: {prod: {}}", "unknown-target default_target")[0]?.what).toContain(
    'Did you mean "prod"?',
  );
  expect(check("families: {roles: {mode: mange}}", "wrong-type mange")[0]?.fix).toBe("Write manage.");
});
