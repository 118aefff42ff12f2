import { expect, test } from "vitest";
import { loadFile } from "../../../src/load/file.ts";
import { unreadFiles } from "../../../src/load/named-files.ts";

const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;

function load(text: string, path = "state.yml", isNamed = false) {
  return loadFile({ path, text }, `/nowhere/${path}`, lookups, isNamed);
}

const vendors = "$" + "{env.NAME:-x}";

test.each<[place: string, text: string, fix: string]>([
  ["a permission", `roles: {r: {cluster_permissions: ["${vendors}"]}}`, "{var:NAME:-x}"],
  ["a public field of the config", `config: {dynamic: {authc: {d: {bind_dn: "${vendors}"}}}}`, "{var:NAME:-x}"],
  ["a password", `config: {dynamic: {authc: {d: {password: "${vendors}"}}}}`, "{env:NAME:-x}"],
  ["below a secret field", `config: {dynamic: {authc: {d: {signing_key: ["${vendors}"]}}}}`, "{env:NAME:-x}"],
  ["the license", `license: {text: "${vendors}"}`, "{env:NAME:-x}"],
])("a vendor's variable in %s: the fix is a reference that is allowed there", (_, text, fix) => {
  const { diagnostics } = load(text);
  expect(diagnostics.map(({ code }) => code)).toEqual(["vendor-variable"]);
  expect(diagnostics[0]?.fix).toContain(`$${fix}`);
  expect(diagnostics[0]?.fix).not.toContain(fix.startsWith("{var") ? "{env" : "{var");
  // What it says works.
  const fixed = load(text.replaceAll(vendors, `$${fix}`)).diagnostics.map(({ code }) => code);
  expect(fixed).toEqual([]);
});

const broken = `server.port: 5601\nopensearch.ssl.verificationMode: none\nopensearch.url: "https://x\n`;

test.each<[about: string, text: string, path: string]>([
  [
    "nodes of Wazuh's tool, by name",
    "nodes:\n  indexer:\n    name: demo.indexer\n    ip: demo.indexer\n",
    "config.yml",
  ],
  ["nodes of Wazuh's tool, as lists", "nodes:\n  indexer:\n    - name: a\n      ip: 10.0.0.1\n", "config.yml"],
  ["settings of dashboards that cannot be parsed", broken, "dashboards_install.yml"],
])("%s: skipped with one notice where found, an error where named", (_, text, path) => {
  expect(load(text, path)).toMatchObject({ documents: [], diagnostics: [], notices: [expect.stringContaining(path)] });
  expect(load(text, path, true).diagnostics).not.toEqual([]);
});

test.each<[about: string, text: string]>([
  ["of a role", `r:\n  cluster_permissions: ["x\n`],
  ["with one line of settings and more of something else", `server.port: 1\na: 1\nb: 2\nc: "x\n`],
  ["of settings and a family", `server.port: 1\nroles:\n  r: "x\n`],
])("a broken file %s is an error", (_, text) => {
  expect(load(text, "x.yml").diagnostics.map(({ severity }) => severity)).toContain("error");
});

test("of several documents the one that is skipped is named", () => {
  const { documents, notices } = load("openapi: 3.0\n---\nroles:\n  a: {cluster_permissions: [x]}\n");
  expect(notices).toEqual([
    "The document at state.yml:1 is skipped: it is a file of another program (if it declares access: gate-sync import FILE).",
  ]);
  expect(documents).toHaveLength(1);
});

test("beside a skipped document, a broken one is an error", () => {
  const { diagnostics } = load("apiVersion: v1\nkind: Service\n---\nroles:\n  a: {cluster_permissions: [x}\n");
  expect(diagnostics.map(({ code }) => code)).toEqual(["syntax"]);
});

test.each(["- hr: {users: [ana]}\n", "- name: hr\n  hosts: [x]\n"])("a list of entries is an error: %j", (text) => {
  expect(load(text)).toMatchObject({ notices: [], diagnostics: [{ code: "unknown-family" }] });
});

test.each<[about: string, items: string]>([
  ["less", "        - READ\n      - indices:data/write/*\n"],
  ["less than an action before it", "          - indices:admin/get\n        - READ\n        - x:y\n"],
])("an item that is indented %s than the one above it: the message says so", (_, items) => {
  const { diagnostics } = load(`roles:\n  r:\n    cluster_permissions:\n${items}`);
  expect(diagnostics.map(({ code, what }) => `${code}: ${what}`)).toEqual([
    "syntax: This item is indented differently from the items above it.",
  ]);
});
