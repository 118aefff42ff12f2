// Files that are wrong beside a secret, at it, and because of it: the line is shown, and the secret is not.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isFull } from "../support/extent.ts";
import type { Canaries, Kind } from "./canaries.ts";
import { type Harness, onHarness } from "./harness.ts";

/** By what is wrong. `LITERAL` represents a secret in quotes, `BARE` its first characters without. */
const stateFiles: Readonly<Record<string, string>> = {
  "an unclosed brace after it": "config: { dynamic: { authc: { a: { config: { password: LITERAL ]\n",
  "a tab below it": "config:\n  dynamic:\n    ldap:\n      password: LITERAL\n\tother: 1\n",
  "a quote that is not closed": 'config:\n  dynamic:\n    ldap:\n      bind_password: "BARE\n',
  "a key written twice": "config: { dynamic: { a: { password: LITERAL, password: LITERAL } } }\n",
  "a colon in it": "config:\n  dynamic:\n    jwt:\n      signing_key: BARE: BARE: x\n",
  "an unknown field beside it": "license: { text: LITERAL, txt: x }\n",
  "a list in its place": "license: { text: [LITERAL] }\n",
  "a map in its place": "license:\n  text:\n    BARE: LITERAL\n",
  "a key in several lines": "config:\n  dynamic:\n    a:\n      signing_key: |\n        BARE\n       BARE\n",
  "an anchor that is not there": "config: { dynamic: { a: { password: *BARE } } }\n",
  "a tag on it": "config: { dynamic: { a: { password: !vault LITERAL } } }\n",
  "a reference in a name": 'tenants: { "t${env:NOTE}": { description: "${env:NOTE}" } }\n',
  "a reference in a pattern":
    'roles: { r: { cluster_permissions: ["${env:BIND}"], index_permissions: "${env:BIND}" } }\n',
  "a reference in a user": 'role_mappings: { "${env:NOTE}": { users: "${env:NOTE}" } }\n',
  "a reference of another kind":
    'blocks: { b: { type: "${env:NOTE}", value: "${env:NOTE}", verdict: "${env:NOTE}" } }\n',
  "a reference to what is not there": 'config: { dynamic: { a: { password: "${env:NOTHING}" } } }\n',
  "a file that is not there":
    'config: { dynamic: { a: { password: "${file:nothing.txt}", other_password: LITERAL } } }\n',
  "the body of a request": "password: LITERAL\nhash: LITERAL\n",
  "internal users that cannot be read": "ana:\n  hash: LITERAL\n  hash: LITERAL\n bad: [\n",
  "a field that internal users do not have": "internal_users: { ana: { kennwort: LITERAL } }\n",
  "such a field below": "internal_users:\n  ana:\n    pw:\n      - LITERAL\n    BARE\n",
  "a default as a shell writes it": 'tenants: { t: { description: "${env:NOTHING-BARE}" } }\n',
  "a template": "config: { dynamic: { a: { password: LITERAL, b: {{ x }} } } }\n",
  "a merge that was not finished": "<<<<<<< HEAD\nlicense: { text: LITERAL }\n=======\n>>>>>>> a\n",
  "JSON that breaks off": '{"config": {"dynamic": {"a": {"password": LITERAL',
};

/** The same of gate-sync.yaml; the rest of a target is there. */
const settings: Readonly<Record<string, string>> = {
  "a password that is a list": "auth: { username: ci, password: [LITERAL] }",
  "an unknown field beside a password": "auth: { username: ci, password: LITERAL, pasword: LITERAL }",
  "a map where a key belongs": "{ auth: { token: LITERAL, tokn: LITERAL } }",
  "a token beside a misspelt one": "auth: { token: LITERAL, tokn: LITERAL }",
  "a token with a line break": 'auth: { token: "BARE\\nBARE" }',
  "a header that no header can carry": 'headers: { X-A: "BARE\\nBARE" }',
  "a header written twice": "headers: { X-A: LITERAL, x-a: LITERAL }",
  "a header that is a number, beside one": "headers: { X-A: LITERAL, X-B: 1 }",
  "a header with another login": "auth: { token: LITERAL }\n    headers: { Authorization: LITERAL }",
  "headers as a list": "headers: [LITERAL]",
  "a header whose name has a space": 'headers: { "X A": LITERAL }',
  "such a header, below": 'headers:\n      "X A": LITERAL',
  "a login that is a text": "auth: LITERAL",
  "a login that is a short text": "auth: BARE",
  "a login that is a text, below": "auth:\n      BARE",
  "a login that is a list, below": "auth:\n      - BARE",
  "a password with a comma": "auth: { username: ci, password: a, BARE }",
  "an address without its scheme": "url: admin:BARE@host",
  "an address without its scheme, among others": "url: [https://host, admin:BARE@host]",
  "a password in the default of a reference": "auth: { username: 1, password: '${env:NOTHING:-BARE}' }",
  "a passphrase that is a list": "tls: { cert: a, key: b, passphrase: [LITERAL] }",
  "a password without a user": "auth: { password: LITERAL }",
  "a quote that is not closed": 'auth: { password: "BARE',
  "a command in one text": "auth: { exec: LITERAL }",
  "a command in one text, without quotes": "auth: { exec: curl -u ci:BARE https://host }",
  "a login in a word of a command": "auth: { exec: [curl, -u, LITERAL, [LITERAL]] }",
  "an unknown field beside a command": "auth:\n      exec: [sh, -c, 'curl -uci:BARE https://host']\n      exek: 1",
  "a word of a command that is a map": "auth: { exec: [sh, { BARE: LITERAL }] }",
  "a command that is not closed": "auth: { exec: [sh, -c, 'curl -u ci:BARE https://host",
  "an address with a query": "tls: 1\n  more: { url: 'https://host/?BARE', auth: 1 }",
  "a password in several lines": "auth:\n      username: ci\n      password: >-\n        BARE\n      password: x",
};

const inShort = ["validate", "plan --format json", "targets"];
const inFull = [
  "plan",
  "apply --yes",
  "drift",
  "plan --format markdown",
  "validate --format json",
  "drift --format junit",
];
const commands = isFull ? [...inShort, ...inFull] : inShort;

async function leaksOf(text: string, config: string | undefined, { folder, run, leaks, canaries, mirror }: Harness) {
  mkdirSync(join(folder, "broken"));
  const { url } = mirror;
  const head = `targets:\n  only:\n    url: "${url}"\n    state: [broken/]\n`;
  // What was written is not what comes out.
  writeFileSync(join(folder, "only.yaml"), filled(head + (config ? `    ${config}\n` : ""), canaries));
  writeFileSync(join(folder, "broken/state.yml"), filled(text, canaries));
  const found: string[] = [];
  let failures = 0;
  for (const command of commands) {
    const { code, stdout, stderr } = await run(`${command} --config only.yaml`);
    if (code !== 0) failures += 1;
    const places = leaks([stdout, stderr], ["only.yaml", "broken/state.yml"]);
    if (places.length > 0) found.push(`${command}: ${places.join(", ")}\n${stdout}${stderr}`);
  }
  expect(failures).toBeGreaterThan(0);
  return found;
}

function filled(text: string, { literal }: Canaries): string {
  return text.replaceAll("LITERAL", JSON.stringify(literal)).replaceAll("BARE", literal.split(/[ "]/)[0] ?? "");
}

const kinds: readonly Kind[] = isFull ? ["long", "short"] : ["long"];

test.each(Object.entries(stateFiles))("in a state file: %s", async (_what, text) => {
  for (const kind of kinds) expect(await onHarness(kind, (harness) => leaksOf(text, undefined, harness))).toEqual([]);
});

test.each(Object.entries(settings))("in gate-sync.yaml: %s", async (_what, config) => {
  const state = "tenants: { a: { description: b } }\n";
  for (const kind of kinds) expect(await onHarness(kind, (harness) => leaksOf(state, config, harness))).toEqual([]);
});
