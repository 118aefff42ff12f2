// Files of other tools that are damaged somewhere: no reader throws, each entry is taken or named, or an error is.
import { describe, expect, test } from "vitest";
import { RunError } from "../../src/diagnostics/failure.ts";
import { createSourceFile } from "../../src/diagnostics/source.ts";
import { takeFiles } from "../../src/imports/take.ts";
import { writeEntries } from "../../src/imports/written.ts";
import { families } from "../../src/model/names.ts";
import { renderErrorJson } from "../../src/render/json/diagnostics.ts";
import { maskRunError } from "../../src/secrets/masked-message.ts";
import { countOf } from "../support/extent.ts";
import { seed } from "./seed.ts";

const api = "https://u:geheim@h:9200/_plugins/_security/api";
const role =
  '{"cluster_permissions": ["a"], "index_permissions": [{"index_patterns": ["x-*"], "allowed_actions": ["read"]}]}';
const user = '{"password": "geheim", "attributes": {"api_token": "geheim"}, "backend_roles": ["hr"]}';
const native = `_meta: {type: roles, config_version: 2}\nhr:\n  cluster_permissions: [a]\nops: ${role}\n`;
const users = `_meta: {type: internalusers, config_version: 2}\nana: ${user}\nbob: {hash: geheim}\n`;
const indent = (text: string, by: number) => text.replace(/^(?=.)/gm, " ".repeat(by));
const request = (path: string, raw: string) => ({
  request: { method: "PUT", url: { raw: `{{api}}/${path}` }, body: { mode: "raw", raw } },
});
const terraform = (type: string, values: object) => ({
  address: `${type}.x`,
  mode: "managed",
  type,
  name: "x",
  values,
});

/** One small file for each reader. */
const inputs: Readonly<Record<string, readonly [path: string, text: string]>> = {
  "a backup": ["roles.yml", native],
  "internal users": ["internal_users.yml", users],
  "a ConfigMap and a Secret": [
    "cm.yaml",
    `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  roles.yml: |\n${indent(native, 4)}---\napiVersion: v1\nkind: Secret\nmetadata: {name: b}\ndata:\n  internal_users.yml: ${Buffer.from(users).toString("base64")}\n`,
  ],
  "values of a chart": [
    "values.yaml",
    `securityConfig:\n  internalUsers:\n${indent(users, 4)}  config:\n    data:\n      roles.yml: |\n${indent(native, 8)}`,
  ],
  "Argo CD": [
    "app.yaml",
    `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a}\nspec:\n  source:\n    helm:\n      values: |\n        roles: {hr: ${role}}\n      parameters:\n        - {name: "internalUsers.ana.hash", value: geheim}\n        - {name: "roles.ops.cluster_permissions[0]", value: a}\n`,
  ],
  "the operator": [
    "os.yaml",
    `apiVersion: opensearch.org/v1\nkind: OpensearchRole\nmetadata: {name: hr}\nspec: {opensearchCluster: {name: c}, clusterPermissions: [a]}\n---\napiVersion: opensearch.org/v1\nkind: OpensearchUserRoleBinding\nmetadata: {name: b}\nspec: {opensearchCluster: {name: c}, roles: [hr], users: [ana]}\n`,
  ],
  "a script": [
    "a.sh",
    `#!/bin/bash\nH=${api}\nput() { curl -k -u admin:geheim -XPUT "$H/$1" -d "$2"; }\nput roles/hr '${role}'\nput internalusers/ana '${user}'\nif [ -n "$X" ]; then curl -XPUT $H/roles/x -d '{}'; fi\ncurl -XPUT $H/tenants/t -d @- <<EOF\n{"description": "$D"}\nEOF\nfor t in a b; do curl -XPUT $H/tenants/$t -d '{}'; done\n`,
  ],
  "an HTTP file": [
    "a.http",
    `@h = ${api}\n### one\nPUT {{h}}/roles/hr\nAuthorization: Basic geheim\n\n${role}\n\n### two\nPUT {{h}}/internalusers/ana\n\n${user}\n`,
  ],
  "a collection of Postman": [
    "p.json",
    JSON.stringify(
      {
        info: { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
        item: [{ name: "f", item: [request("roles/hr", role)] }, request("internalusers/ana", user)],
        variable: [{ key: "api", value: api }],
      },
      undefined,
      1,
    ),
  ],
  Terraform: [
    "state.json",
    JSON.stringify(
      {
        format_version: "1.0",
        values: {
          root_module: {
            resources: [
              terraform("opensearch_role", { role_name: "hr", cluster_permissions: ["a"] }),
              terraform("opensearch_user", { username: "ana", password: "geheim" }),
            ],
          },
        },
      },
      undefined,
      1,
    ),
  ],
  "tasks of Ansible": [
    "tasks.yml",
    `- uri: {url: "${api}/roles/{{ name }}", method: PUT, body: "{{ role }}"}\n  vars: {name: hr, role: ${role}}\n- uri:\n    url: "${api}/internalusers/{{ item.name }}"\n    method: PUT\n    body: {password: "{{ item.pw }}"}\n  loop:\n    - {name: ana, pw: geheim}\n- set_fact: {x: "{{ y }}"}\n`,
  ],
  "variables of Ansible": [
    "vars.yml",
    `opensearch_roles:\n  hr: ${role}\nopensearch_internal_users:\n  - {name: ana, hash: geheim, backend_roles: [a]}\nother: "{{ x }}"\n`,
  ],
  "a template": [
    "roles.yml.j2",
    `hr:\n  cluster_permissions: ["{{ a }}", "<%= b %>", "{{ c | default('d') }}"]\nops: ${role}\n`,
  ],
};

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const insertions = [
  "{",
  "}",
  "[",
  "]",
  ":",
  '"',
  "'",
  "\n",
  " ",
  "  ",
  "{{",
  "}}",
  "|",
  "\\",
  "$(",
  "`",
  "<<EOF\n",
  "&a ",
  "*a",
  "- ",
  "#",
  "\u0000",
  "\ud800",
  "\ue000",
  "null",
  "~",
  "!x ",
  ", ",
  "<<: ",
  "? ",
  "0",
  "$",
  "curl ",
  "@x",
  "{% if %}",
  "<% %>",
];

function damage(text: string, random: (below: number) => number): string {
  let damaged = text;
  for (let times = 1 + random(3); times > 0; times--) {
    const [start, other] = [random(damaged.length + 1), random(damaged.length + 1)];
    const end = Math.min(damaged.length, start + random(random(4) === 0 ? 60 : 6));
    const copied = damaged.slice(other, other + random(40));
    const put =
      [insertions[random(insertions.length)] ?? "", copied, "", damaged.slice(start, end).toUpperCase()][random(4)] ??
      "";
    damaged = damaged.slice(0, start) + put + damaged.slice(random(3) === 0 ? start : end);
  }
  return damaged;
}

const times = countOf(3_000, 20);

describe.each(Object.entries(inputs))("%s, damaged", (_, [path, text]) => {
  test("is taken, left with a reason, or refused", () => {
    const repeats: string[] = [];
    const random = createRandom(text.length + seed);
    for (let at = 0; at < times; at++) {
      const damaged = damage(text, random);
      const findings = takeFiles([createSourceFile(path, damaged)], { cwd: "/nowhere" });
      const { documents } = writeEntries(findings.entries, families, findings);
      const { diagnostics, left } = findings;
      const isEmpty = /\.(?:ya?ml|j2)$/.test(path) && !/(?:hr|ops|ana|bob)["']?\s*:/.test(damaged);
      const isNamed = isEmpty || documents.length + left.length + diagnostics.length > 0;
      const failure = maskRunError(new RunError("invalid", { what: "" }, diagnostics));
      const shown = JSON.stringify([left.map(({ what, why }) => [what, why]), renderErrorJson(failure)]);
      const isMoved = damaged.replace(/(?:u:|admin:|: \\?"?|Basic )geheim(?!\w)/g, "").includes("geheim");
      if (!isMoved && shown.includes("geheim")) repeats.push(damaged);
      expect([damaged, isNamed]).toEqual([damaged, true]);
    }
    // Damage makes a name of a secret now and then, and names are shown.
    expect(repeats.length, repeats[0]).toBeLessThanOrEqual(times / 500);
  }, 600_000);
});
