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
x-hosts: &hosts {X-Proxy: "$\{env:PROXY}"}
defaults:
  state: [access/]
  vars: {env: prod}
  headers: *hosts
  accept_fields: [remote_permissions]
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
  domain: {url: "https://x.eu-west-1.es.amazonaws.com", auth: aws}
  cloud: {auth: {aws: {region: eu-west-1, service: aoss, exec: [aws, configure, export-credentials]}}}
  nodes:
    url: ["https://one:9200", "https://$\{var:two}"]
    auth: {exec: [login, --quiet]}
    tls: {pkcs12: ci.p12, passphrase: "$\{env:PASSPHRASE}"}
    headers: {X-Token: "$\{env:TOKEN}"}
    timeouts: {connect: 2.5, read: 60, write: 3600}
    max_body_size: 10MB
`);
});

test.each<[about: string, text: string, expected: string]>([
  ["misspelt", "targts: {}", "unknown-field targts"],
  ["a family that does not exist", "defaults: { families: {role: {}} }", "unknown-field role"],
  ["an unknown mode", "defaults: { families: {roles: {mode: mange}} }", "wrong-type mange"],
  ["a single state path", "defaults: { state: access/ }", "wrong-type access/"],
  ["a release that YAML takes for a number", "targets: {a: {release: 7}}", "wrong-type 7"],
  ["a variable without a value", "defaults: { vars: {n: ~} }", "wrong-type ~"],
  ["credentials in the address", "targets: {a: {url: 'https://u:p@host'}}", "wrong-type 'https://u:p@host'"],
  ["a share above all", "defaults: { families: {roles: {deletions: {percent: 120}}} }", "wrong-type 120"],
  ["a password without a name", "targets: {a: {auth: {password: x}}}", "missing-field auth"],
  ["a target of no name", 'targets: {"": {url: "https://a"}}', 'bad-name ""'],
  ["two ways to log in", "targets: {a: {auth: {username: u, password: x, token: y}}}", "exclusive-fields auth"],
  ["a name and a token", "targets: {a: {auth: {username: u, token: y}}}", "exclusive-fields auth"],
  ["a login and a command", "targets: {a: {auth: {username: u, password: x, exec: [y]}}}", "exclusive-fields auth"],
  ["another word than aws", "targets: {a: {auth: awz}}", "wrong-type awz"],
  ["a login of another shape", "targets: {a: {auth: [x]}}", "wrong-type [x]"],
  ["a command in one text", "targets: {a: {auth: {exec: aws export}}}", "wrong-type aws export"],
  ["no command", "targets: {a: {auth: {exec: []}}}", "wrong-type []"],
  ["a service that is none", "targets: {a: {auth: {aws: {service: s3}}}}", "wrong-type s3"],
  ["no address", "targets: {a: {url: []}}", "wrong-type []"],
  ["one wrong address of several", "targets: {a: {url: ['http://x', 'y']}}", "wrong-type 'y'"],
  ["a certificate without its key", "targets: {a: {tls: {cert: c}}}", "missing-field tls"],
  ["a key without its certificate", "targets: {a: {tls: {key: c}}}", "missing-field tls"],
  ["two client certificates", "targets: {a: {tls: {pkcs12: p, cert: c, key: k}}}", "exclusive-fields tls"],
  ["PKCS #12 and a key", "targets: {a: {tls: {pkcs12: p, key: k}}}", "exclusive-fields tls"],
  ["a time with its unit", "targets: {a: {timeouts: {read: 10s}}}", "wrong-type 10s"],
  ["no time at all", "targets: {a: {timeouts: {read: 0}}}", "wrong-type 0"],
  ["a length without its unit", "targets: {a: {max_body_size: 10}}", "wrong-type 10"],
  ["a length of nothing", "targets: {a: {max_body_size: 0MB}}", "wrong-type 0MB"],
  ["a target that is not described", "default_target: prd\ntargets: {prod: {}}", "unknown-target default_target"],
])("underlines %s", (_, text, expected) => {
  check(text, expected);
});

test.each([
  ["auth: {username: u, password: 557799}", "557799", "the number ********"],
  ["auth: {token: 557799}", "557799", "the number ********"],
  ["tls: {passphrase: 557799}", "557799", "the number ********"],
  ["headers: {x: 557799}", "557799", "the number ********"],
  ["auth: 557799x", "557799x", 'the text "********"'],
  ["auth: 'a${env:B:-557799}'", "'a${env:B:-557799}'", 'the text "********"'],
  ["url: 'u:557799 @h'", "'u:557799 @h'", 'the text "********@h"'],
  ["url: 'ftp://u:557799@h/x'", "'ftp://u:557799@h/x'", 'the text "ftp://********@h/x"'],
  ["url: ['http://x', 'u:557799@h']", "'u:557799@h'", 'the text "********@h"'],
])("never repeats what is secret in %s", (settings, underlined, reported) => {
  const [userMessage] = check(`targets: {a: {${settings}}}`, `wrong-type ${underlined}`);
  expect(userMessage?.what).toContain(reported);
  expect(JSON.stringify({ ...userMessage, range: undefined })).not.toContain("557799");
});

test("never repeats what may be a password", () => {
  const [userMessage] = check("targets: {a: {auth: {username: [swordfish]}}}", "wrong-type [swordfish]");
  expect(JSON.stringify({ ...userMessage, range: undefined })).not.toContain("swordfish");
});

test("never repeats the rest of a password that a comma cuts off", () => {
  const [userMessage] = check("targets: {a: {auth: {username: u, password: sword, fish}}}", "unknown-field fish");
  expect(JSON.stringify({ ...userMessage, range: undefined })).not.toContain("fish");
  expect(userMessage?.fix).toContain("put the whole text in quotes");
});

test("suggests", () => {
  expect(check("default_target: prd\ntargets: {prod: {}}", "unknown-target default_target")[0]?.what).toContain(
    'Did you mean "prod"?',
  );
  expect(check("defaults: { families: {roles: {mode: mange}} }", "wrong-type mange")[0]?.fix).toBe("Write manage.");
  expect(check("targets: {a: {auth: {exec: aws export}}}", "wrong-type aws export")[0]?.fix).toBe(
    "Write its words as a list: [aws, export].",
  );
  expect(check("defaults: { state: access/ }", "wrong-type access/")[0]).toMatchObject({
    why: "gate-sync does not guess what is meant.",
    fix: "Write [access/].",
  });
});

test("a login that is a word is answered with what a login looks like", () => {
  const [userMessage] = check("targets: {a: {auth: basic}}", "wrong-type basic");
  expect(userMessage?.fix).toContain("a map with username and password");
});

test("a field under a misspelt name is not missing as well", () => {
  check("targets: {prod: {apply_as: {usr: ci, x: y}}}", "unknown-field usr", "unknown-field x");
  check("targets: {prod: {apply_as: {backend_roles: []}}}", "missing-field apply_as");
});

test("names the sections of families as they are written", () => {
  const [found] = check("defaults: { families: { role_mapings: {} } }", "unknown-field role_mapings");
  expect(found?.what).toBe('The section `families` has no field "role_mapings". Did you mean "role_mappings"?');
});
