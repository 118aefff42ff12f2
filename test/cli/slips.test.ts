// A secret that a slip puts where it does not belong is repeated nowhere: not in the frame, not in the message, in no format.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { type Files, gateSyncWithin, inFolder } from "../support/command.ts";
import type { Env } from "./harness.ts";

/** Any part of the secrets below. */
const secret = /unter2|hunt|h%75nter|aHVudGVy/i;

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ product: "gate" });
});
afterAll(() => emulator.close());

/** Runs these command lines, and looks at all that they print and write. How many diagnostics that were. */
async function checkHidden(files: Files, lines: readonly string[], env: Env = { TOKEN: "hunter2" }): Promise<number> {
  const local = Object.entries(files).map(([path, text]) => [path, text.replace("URL", emulator.url)]);
  return inFolder(Object.fromEntries(local), async (cwd) => {
    const before = new Set(listFiles(cwd));
    let printed = "";
    for (const line of lines) {
      const { stdout, stderr } = await gateSyncWithin(line.split(" "), { cwd, env: { PATH: "/usr/bin:/bin", ...env } });
      expect(stdout + stderr, line).not.toMatch(secret);
      printed += stdout + stderr;
    }
    for (const path of listFiles(cwd)) {
      if (!before.has(path)) expect(readFileSync(path, "utf8"), path).not.toMatch(secret);
    }
    return printed.match(/ (error|warning) |"severity"/g)?.length ?? 0;
  });
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map((path) => join(folder, String(path)))
    .filter((path) => statSync(path).isFile());
}

const state = { "access/a.yml": "tenants:\n  support: { description: First line }\n" };
const named = { "gate-sync.yaml": "targets:\n  prod: { url: 'URL', state: [access] }\n", ...state };

const fewCommands = ["validate", "plan --format json", "apply --auto-approve"];
const manyCommands = [
  "test",
  "validate --format json",
  "plan --out plan.json",
  "plan --format markdown",
  "drift --format markdown",
  "apply --auto-approve",
];

const target = (lines: string) => `targets:\n  prod:\n    url: URL\n${lines.replace(/^/gm, "    ")}\n`;

/** A login, or headers, of gate-sync.yaml. */
const settings: readonly string[] = [
  "auth:\n  username: ci\n  password:hunter2",
  "auth:\n  username ci\n  password hunter2",
  "auth: { username: ci, password:hunter2 }",
  "auth: { username: ci, password hunter2 }",
  "auth: { username: ci, hunter2 }",
  "auth: { username:ci, password:hunter2 }",
  "auth: { admin:hunter2 }",
  "auth: [ci, hunter2]",
  "auth: admin:hunter2",
  "auth: 'admin:hunter2'",
  "auth: hunter2",
  'auth: { "admin:hunter2": }',
  'auth: { "admin:hunter2": x }',
  "auth: !hunter2",
  "auth: !hunter2 { username: ci }",
  "auth: { username: ci, password: !hunter2 }",
  "auth: { username: ci, password: !hunter2 x }",
  "auth: { username: ci, password: &hunter2 }",
  "auth: { username: ci, password: *hunter2 }",
  "auth: &hunter2\n  username: ci\nheaders: *hunter2",
  "auth: *hunter2",
  "auth: { username: ci, password: { hunter2: x } }",
  "auth: { username: ci, password: [hunter2] }",
  "auth: { username: ci, password: hunter2: x }",
  "auth: { username: ci, password: 'hunter2 }",
  'auth: { username: ci, password: "hunter2\\q" }',
  "auth: { username: ci, password: @hunter2 }",
  "auth: { username: ci, password: `hunter2 }",
  "auth: { username: ci, password: %hunter2 }",
  "auth:\n  username: ci\n  password: |hunter2",
  "auth:\n  username: ci\n  password: >\n hunter2",
  "auth:\n  username: ci\n  password:\n  - hunter2",
  "auth:\n  username: ci\n\tpassword: hunter2",
  "auth:\n  username: ci\n  hunter2",
  "auth:\n  username: ci\n  ? hunter2\n  : x",
  "auth:\n  username: ci\n  password: x\n  password: hunter2",
  "auth:\n  exec: login --password hunter2",
  "auth:\n  exec: [login, --password, [hunter2]]",
  "auth:\n  exec:\n    - login\n    - --password\n    - [hunter2]",
  "auth:\n  exec: [login, --password=hunter2, 1]",
  "auth:\n  exec: login --token=hunter2",
  "auth:\n  exec: { password: hunter2 }",
  "auth:\n  token:hunter2",
  "auth:\n  aws:\n    secret_key: hunter2",
  "auth:\n  aws: { region: x, hunter2: y }",
  "auth:\n  username: ${env:hunter2\n  password: x",
  "auth:\n  username: ci\n  password: ${var:X:-hunter2}",
  "auth:\n  username: ci\n  password: ${secret:hunter2}",
  "auth:\n  username: ci\n  password: ${file:x${env:hunter2}}",
  "headers: { X-A:hunter2 }",
  "headers: { X-A: [hunter2] }",
  "headers: { X-A: { hunter2: x } }",
  "headers: { X-A: 1, 'X-A:hunter2': x }",
  "headers: { 'X-A: hunter2': x }",
  "headers: ['X-A: hunter2']",
  "headers: 'X-A: hunter2'",
  "headers:\n  X-A:hunter2",
  "headers:\n  - X-A: hunter2",
  "headers:\n  Authorization Bearer hunter2",
  "headers:\n  Authorization: Bearer hunter2\nauth: { username: ci, password: x }",
  "headers:\n  X-A:hunter2:\n    - [1]",
  'headers: { X-A: "hunter2\\n" }',
  'headers: { "X-A: hunt\\u0065r2": x }',
  "password: hunter2",
  "password:hunter2",
  "pasword: hunter2",
  "passwort:\n  hunter2",
  "username: ci:hunter2@host",
  "token=hunter2",
  "tls: { passphrase: [hunter2] }",
  "tls: { passphrase:hunter2 }",
  "tls: { key: { password: hunter2 } }",
  "tls: { pkcs12: x.p12, passphrase hunter2: x }",
  "timeouts: { read: 'password=hunter2' }",
  "proxy: http://ci:hunter2@[",
  "api_key=hunter2: x",
];

/** In place of the address. */
const addresses: readonly string[] = [
  "http://ci:hunter2@127.0.0.1:1",
  "http://ci:hunter2@",
  "http://ci:hunter2%40127.0.0.1:1",
  '"http://ci:hunter2\\u0040127.0.0.1:1"',
  '"http://ci:hunter2\\x40127.0.0.1:1"',
  '"http:\\/\\/ci:hunter2\\u0040127.0.0.1:1"',
  "http:/ci:hunter2@127.0.0.1",
  "http//ci:hunter2@127.0.0.1",
  "ci:hunter2@127.0.0.1",
  "ftp://ci:hunter2@127.0.0.1",
  "http://hunter2@127.0.0.1:1",
  "http://ci:hunter2",
  "http://ci:hunter2/127.0.0.1",
  "http://ci:h%75nter2@127.0.0.1:1",
  "[http://127.0.0.1:1, { http://ci:hunter2@b: x }]",
  "{ http://ci:hunter2@b: x }",
  "http://ci:hun ter2-hunter2@b",
  "http://127.0.0.1:1/?token=hunter2",
  "http://127.0.0.1:1\n    proxy: ci:hunter2@127.0.0.1",
  "!ci:hunter2@b x",
  "&ci:hunter2@b",
];

test.each(settings)("a slip in a target: %s", async (slip) => {
  await checkHidden({ "gate-sync.yaml": target(slip), ...state }, fewCommands);
});

test.each(addresses)("a slip in an address: %s", async (slip) => {
  await checkHidden({ "gate-sync.yaml": `targets:\n  prod:\n    url: ${slip}\n`, ...state }, fewCommands);
});

test.each(settings)("a slip at the top: %s", async (slip) => {
  await checkHidden({ "gate-sync.yaml": `${slip}\n`, ...state }, ["validate"]);
});

/** Files of a folder, beside a gate-sync.yaml without a slip; most are of the configuration, where passwords belong. */
const files: readonly (readonly [path: string, text: string])[] = [
  ["config.yml", "config:\n  dynamic:\n    authc:\n      ldap:\n        password:hunter2"],
  [
    "config.yml",
    "config:\n  dynamic:\n    authc: { a: { http_authenticator: { config: { signing_key: !hunter2 x } } } }",
  ],
  ["config.yml", "config:\n  dynamic: { password: hunter2, hunter2b }"],
  ["config.yml", "config: { pasword: hunter2 }"],
  ["config.yml", "config: { dynamic: { http: { password=hunter2: x } } }"],
  [
    "config.yml",
    "config:\n  dynamic:\n    signing_key: !!binary aHVudGVyMg==\n  password: &a hunter2\n  b: *a\n  b: *a",
  ],
  ["config.yml", "config:\n  dynamic:\n    signing_key: |\n      hunter2\n     hunter2"],
  ["config.yml", "config:\n  dynamic:\n    signing_key: 'hunter2\n    http: x"],
  ["config.yml", "config:\n  bind_password: hunter2\n  bind_password: hunter2"],
  ["config.yml", "config:\n  dynamic:\n    bind_password: hunter2 # x\n   y: 1"],
  ["config.json", '{"config": {"dynamic": {"password": "hunter2" "x": 1}}}'],
  ["config.json", '{"config": {"dynamic": {"password": "hunter2", "password": "hunter2"}}}'],
  ["config.json", '{"config": {"password:hunter2": 1}}'],
  ["config.json", '{"config": "password=hunter2"}'],
  ["license.yml", "license: hunter2hunter2"],
  ["license.yml", "license:\n  text:hunter2"],
  ["license.yml", "license: { text hunter2: x }"],
  ["license.yml", "license: { text: [hunter2] }"],
  ["license.yml", "license:\n  text: |\n    hunter2\n   hunter2"],
  ["license.yml", "license: { txt: hunter2 }"],
  ["license.yml", "license: !hunter2 x"],
  ["a.yml", "password:hunter2"],
  ["a.yml", "password: hunter2"],
  ["a.yml", "auth: { admin:hunter2 }\ntenants: {}"],
  ["a.yml", "_meta: { type: password=hunter2, config_version: 2 }\na: {}"],
  ["a.yml", "_meta: { type: config, password: hunter2 }\na: {}"],
  ["a.yml", "_meta: { type: 'http://ci:hunter2@a', config_version: 2 }\na: {}"],
  ["a.yml", "roles: { a: { password: hunter2 } }"],
  ["a.yml", "roles: { a: { password:hunter2 } }"],
  ["a.yml", "roles: { a: { 'password: hunter2': x } }"],
  ["a.yml", "tenants: { a: { description: { password: hunter2 } } }"],
  ["a.yml", "tenants: { a: { description: [password=hunter2] } }"],
  ["a.yml", "tenants: { a: { http://ci:hunter2@b: x } }"],
  ["waivers.yaml", "waivers:\n  - { guard: lock-out, names: [a], password: hunter2 }"],
  ["waivers.yaml", "waivers:\n  - { password:hunter2 }"],
  ["waivers.yaml", "waivers: [password=hunter2]"],
  ["waivers.yaml", "waivers:\n  - guard: 'http://ci:hunter2@b'\n    until: password=hunter2"],
  ["tests.yml", "access_tests:\n  - { user: a, password: hunter2, can: read, on: [b], expect: denied }"],
  ["tests.yml", "access_tests:\n  - { password:hunter2 }"],
  ["tests.yml", "access_tests: { token: hunter2 }"],
  ["tests.yml", "personas: { a: { user: a, password:hunter2 } }"],
  ["tests.yml", "personas: { a: { token: hunter2 } }"],
];

test.each(files)("a slip in %s: %s", async (path, text) => {
  const found = await checkHidden({ ...named, [`access/${path}`]: `${text}\n` }, manyCommands);
  expect(found).toBeGreaterThan(0);
});

const broken = '{"format_version": 1, "kind": "plan-file", "password": "hunter2" "x": 1}';

/** Words of command lines, which a shell's history and a CI's log keep, and files that are named there. */
test.each([
  ["--password=hunter2"],
  ["--password hunter2"],
  ["--pasword=hunter2"],
  ["--token=hunter2"],
  ["--username=ci:hunter2@host --pasword-env=TOKEN"],
  ["--password-env=hunter2"],
  ["--password-env=password=hunter2"],
  ["--password-file=ci:hunter2@host"],
  ["--url=http://ci:hunter2@127.0.0.1:1"],
  ["--url=http://ci:hunter2%40127.0.0.1:1"],
  ["--url=http://ci:hunter2"],
  ["--url=ci:hunter2@127.0.0.1:1"],
  ["--var=password:hunter2"],
  ["--var=http://ci:hunter2@b"],
  ["--var=pass word=hunter2"],
  ["--allow=password=hunter2"],
  ["--allow=http://ci:hunter2@b"],
  ["--target=http://ci:hunter2@b"],
  ["--family=password=hunter2"],
  ["--format=password=hunter2"],
])("a slip on the command line: %s", async (words) => {
  await checkHidden(named, [`plan ${words}`, `apply ${words} --auto-approve`, `validate ${words} --format json`]);
});

test.each([
  ["broken.json", broken],
  ["empty.json", '{"password": "hunter2"}'],
  ["yaml.yaml", "password: hunter2\n  x: 1"],
])("a slip in a saved plan: %s", async (path, text) => {
  await checkHidden({ ...named, [path]: text }, [
    `apply ${path} --auto-approve`,
    `apply ${path} --format json`,
    `rollback ${path}`,
  ]);
});

test.each([
  { GATE_SYNC_USERNAME: "ci:hunter2" },
  { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "hunter2\n" },
  { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "${env:hunter2}" },
  { GATE_SYNC_KEY_PASSPHRASE: "hunter2" },
  { GATE_SYNC_PLAN_KEY: "hunter2" },
  { HTTPS_PROXY: "http://ci:hunter2@127.0.0.1:1", HTTP_PROXY: "http://ci:hunter2@127.0.0.1:1" },
  { HTTP_PROXY: "ci:hunter2@" },
])("a slip in the environment: %j", async (env) => {
  await checkHidden(
    named,
    ["plan --out p.json", "plan --format json", "doctor", "apply --auto-approve", "status"],
    env,
  );
});
