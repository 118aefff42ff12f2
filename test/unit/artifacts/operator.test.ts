// Custom resources of the operator: what import takes of them is what the cluster holds, but for what is listed.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { exportAsOperator } from "../../../src/artifacts/exported/operator.ts";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { takeFiles } from "../../../src/imports/take.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { LiveResource, LiveState } from "../../../src/model/live.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";

const dialect = createDialect("opensearch", "2.19");
const always = [
  "config",
  "internal_users, which were not read: --family internal_users writes them, without passwords",
  "nodes_dn",
  "audit",
  "whitelist",
  "allowlist",
];

function holding(families: Readonly<Partial<Record<ResourceFamily, Readonly<Record<string, Fields>>>>>): LiveState {
  const resources = Object.entries(families).map(
    ([family, entries]) =>
      [
        family as ResourceFamily,
        new Map(
          Object.entries(entries).map(([name, value]) => [name, { name, value, ownership: "open" } as LiveResource]),
        ),
      ] as const,
  );
  return { resources: new Map(resources), paths: new Map() } as unknown as LiveState;
}

function exported(live: LiveState) {
  const { files, cannotHold } = exportAsOperator(live, {}, dialect, "c");
  const { entries, left, diagnostics } = takeFiles(
    files.map(({ name, text }) => createSourceFile(name, text)),
    { cwd: "/nowhere" },
  );
  expect([left, diagnostics]).toEqual([[], []]);
  return {
    cannotHold: cannotHold.filter((one) => !always.includes(one)),
    entries: entries.map(({ family, name, body }) => `${family}/${name} ${JSON.stringify(body)}`),
  };
}

describe("export --as operator", () => {
  test("gives what import takes back", () => {
    const live = holding({
      roles: {
        "hr-1": {
          cluster_permissions: ["a"],
          index_permissions: [
            { index_patterns: ["x"], dls: "${env:Q}", fls: ["f"], masked_fields: ["m"], allowed_actions: ["r"] },
          ],
          tenant_permissions: [{ tenant_patterns: ["t"], allowed_actions: ["w"] }],
        },
      },
      role_mappings: { "HR one": { users: ["ana"], backend_roles: ["g"] }, hr_one: { users: ["bob"] } },
      action_groups: { ag: { allowed_actions: ["x"], type: "index", description: "d" } },
      tenants: { t: { description: "d" } },
    });
    expect(exported(live)).toEqual({
      cannotHold: [],
      entries: [
        'action_groups/ag {"allowed_actions":["x"],"type":"index","description":"d"}',
        'tenants/t {"description":"d"}',
        'roles/hr-1 {"cluster_permissions":["a"],"index_permissions":[{"index_patterns":["x"],"dls":"${env:Q}","fls":["f"],"masked_fields":["m"],"allowed_actions":["r"]}],"tenant_permissions":[{"tenant_patterns":["t"],"allowed_actions":["w"]}]}',
        'role_mappings/HR one {"users":["ana"],"backend_roles":["g"]}',
        'role_mappings/hr_one {"users":["bob"]}',
      ],
    });
  });

  test("lists what the resources cannot hold", () => {
    const live = holding({
      roles: { under_score: {}, hr: { description: "d", index_permissions: [{ index_patterns: ["x"], odd: 1 }] } },
      role_mappings: { hr: { users: ["a"], hosts: ["h"], and_backend_roles: ["b"], description: "d" } },
    });
    expect(exported(live)).toEqual({
      cannotHold: [
        "roles/hr: description",
        "roles/hr: index_permissions.odd",
        "roles/under_score: the name, as Kubernetes takes lower case, digits, - and . only",
        "role_mappings/hr: hosts",
        "role_mappings/hr: and_backend_roles",
        "role_mappings/hr: description",
      ],
      entries: ['roles/hr {"index_permissions":[{"index_patterns":["x"]}]}', 'role_mappings/hr {"users":["a"]}'],
    });
  });

  test("users refer to a Secret, which is named with what else their resource cannot hold", () => {
    const attributes = { dept: "hr", "k8s-uid": "1", "secret-version": "2" };
    const live = holding({
      internal_users: { ana: { backend_roles: ["g"], description: "d", attributes, opendistro_security_roles: ["r"] } },
    });
    const { files, cannotHold } = exportAsOperator(live, {}, dialect, "c");
    expect(cannotHold.slice(0, 3)).toEqual([
      "internal_users/ana: its password, which goes into the Secret ana-password",
      "internal_users/ana: description",
      "config",
    ]);
    expect(files.map(({ text }) => parse(text))).toEqual([
      {
        apiVersion: "opensearch.org/v1",
        kind: "OpensearchUser",
        metadata: { name: "ana" },
        spec: {
          opensearchCluster: { name: "c" },
          passwordFrom: { name: "ana-password", key: "password" },
          opendistroSecurityRoles: ["r"],
          backendRoles: ["g"],
          attributes: { dept: "hr" },
        },
      },
    ]);
  });
});
