// Files of other tools, in small: what is taken of each, and what is left with which reason.
import { describe, expect, test } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import type { ImportFindings } from "../../../src/imports/findings.ts";
import { createPlaceholder } from "../../../src/imports/placeholders.ts";
import { takeFiles } from "../../../src/imports/take.ts";

function take(path: string, text: string): ImportFindings {
  return takeFiles([createSourceFile(path, text)], { cwd: "/nowhere" });
}

/** `roles/hr {"cluster_permissions":[]}` */
function taken({ entries }: ImportFindings): readonly string[] {
  return entries.map(({ family, name, body }) => `${family}/${name} ${JSON.stringify(body)}`);
}

function left({ left: parts }: ImportFindings): readonly string[] {
  return parts.map(({ what, why }) => `${what}: ${why}`);
}

const roles = "_meta: {type: roles, config_version: 2}\nhr: {cluster_permissions: [a]}";
const hr = 'roles/hr {"cluster_permissions":["a"]}';

const indent = (text: string, by: number) => text.replace(/^/gm, " ".repeat(by));

const configMap = `apiVersion: v1
kind: ConfigMap
metadata: {name: security}
data:
  roles.yml: |
${indent(roles, 4)}
  logo.svg: <svg/>
`;

const argo = (kind: string) => `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata: {name: search}\nspec:\n`;

const tf = (type: string, name: string, values: object) => ({
  address: `${type}.${name}`,
  mode: "managed",
  type,
  name,
  values,
});

interface Row {
  readonly path?: string;
  readonly text: string;
  readonly taken?: readonly string[];
  readonly left?: readonly string[];
  /** The first of the errors. */
  readonly error?: string;
}

const ofAnsible =
  "Import what Ansible made of it: of a Secret, kubectl get secret NAME -o json | gate-sync import - --out FOLDER; else the file on the node";
const ofHelm =
  "Have Helm render the chart, and import the result: helm template CHART | gate-sync import - --out FOLDER";

const rows: Readonly<Record<string, Row>> = {
  "a file that securityadmin -backup wrote": { path: "backup/roles.yml", text: roles, taken: [hr] },
  "internal users": {
    path: "internal_users.yml",
    text: "ana: {hash: x, backend_roles: [hr]}\n_meta: {type: internalusers, config_version: 2}",
    taken: ['internal_users/ana {"hash":"x","backend_roles":["hr"]}'],
  },
  "a config": {
    path: "config.yml",
    text: "_meta: {type: config, config_version: 2}\nconfig: {dynamic: {http: {}}}",
    taken: ['config/ {"dynamic":{"http":{}}}'],
  },
  "audit settings of OpenSearch": {
    path: "audit.yml",
    text: "_meta: {type: audit, config_version: 2}\nconfig: {enabled: true}",
    taken: ['audit/config {"enabled":true}'],
  },
  "what is not managed": {
    path: "sg_authc.yml",
    text: "auth_domains: [{type: basic}]",
    left: ["authentication settings of newer releases: not managed by gate-sync"],
  },
  "a license": {
    path: "access.yml",
    text: "license: {text: abc}",
    left: ["license: a license is not copied; declare it with license: {file: PATH} if gate-sync should keep it up"],
  },
  "a backup with a mistake": {
    path: "roles.yml",
    text: "_meta: {type: rules, config_version: 2}\nhr: {cluster_permissions: [a]}",
    error: "roles.yml:1:15 unknown-family",
  },
  "a ConfigMap": {
    path: "all.yml",
    text: configMap,
    taken: [hr],
    left: ["ConfigMap security: logo.svg: its name is no file of the security plugin"],
  },
  "a Secret": {
    text: `{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {roles.yml: ${Buffer.from(roles).toString("base64")}, admin-password: aHVudGVyMg==, tenants.yml: "%"}, stringData: {"roles_mapping.yml": "hr: {users: [1234]}"}}`,
    taken: [hr, 'role_mappings/hr {"users":["1234"]}'],
    left: [
      "Secret s: admin-password: its name is no file of the security plugin",
      "tenants.yml: its value is not a text in base64",
    ],
  },
  "the output of helm template": {
    text: `${configMap}---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec: {x: "{{ range }}"}\n`,
    taken: [hr],
    left: [
      "ConfigMap security: logo.svg: its name is no file of the security plugin",
      "Deployment d: this kind of object holds no entries",
    ],
  },
  "an Application of Argo CD, its values a text": {
    path: "app.yaml",
    text: `${argo("Application")}  source:
    helm:
      values: |
        replicas: 3
        securityConfig:
          config:
            data:
              roles.yml: |
${indent(roles, 16)}
      valueFiles: [values-prod.yaml]
      parameters:
        - {name: image.tag, value: "2.19"}
        - {name: "securityConfig.config.data.roles_mapping\\\\.yml", value: "hr: {users: [ana]}"}
        - {name: "securityConfig.rolesMapping.ops.users[0]", value: bea}
        - {name: "securityConfig.rolesMapping.ops.users[1]", value: "7", forceString: true}
        - {name: "securityConfig.rolesMapping.ops.users[3]", value: cid}
`,
    taken: [hr, 'role_mappings/hr {"users":["ana"]}', 'role_mappings/ops {"users":["bea","7"]}'],
    left: [
      "Application search: the parameter securityConfig.rolesMapping.ops.users[3]: its place is not in the values",
      "Application search: valueFiles: these files are in the repository of the chart: import those that hold entries, too",
    ],
  },
  "an Application of several sources, where valuesObject counts": {
    text: `${argo("Application")}  sources:
    - helm: {valuesObject: {securityConfig: {roles: {hr: {cluster_permissions: [b]}}}}, values: "roles: {hr: {cluster_permissions: [c]}}",
        parameters: [{name: "securityConfig.roles.hr.cluster_permissions", value: "{a}"}]}
    - {chart: other, helm: {values: "internalUsers: {ana: {hash: x}}"}}
`,
    taken: [hr, 'internal_users/ana {"hash":"x"}'],
  },
  "an ApplicationSet": {
    text: `${argo("ApplicationSet")}  template: {spec: {source: {helm: {valuesObject: {roles: {hr: {cluster_permissions: [a]}}}}}}}\n`,
    taken: [hr],
  },
  "an Application without entries": {
    text: `${argo("Application")}  source: {helm: {values: "a: 1"}}\n`,
    left: ["Application search: this kind of object holds no entries"],
  },
  "a mistake in the values of an Application, at its place": {
    path: "app.yaml",
    text: `${argo("Application")}  source:\n    helm:\n      values: |\n        a: [\n`,
    error: "app.yaml/values:8:12 syntax",
  },
  "values that a HelmRelease names in valuesFrom": {
    text: `{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {values.yaml: ${Buffer.from("roles: {hr: {cluster_permissions: [a]}}").toString("base64")}}, stringData: {prod-values.yml: "a: [", values.yaml.bak: x}}`,
    taken: [hr],
    left: [
      "Secret s: prod-values.yml: its name is no file of the security plugin",
      "Secret s: values.yaml.bak: its name is no file of the security plugin",
    ],
  },
  "the output of kubectl get": {
    text: JSON.stringify({
      apiVersion: "v1",
      kind: "List",
      items: [{ apiVersion: "v1", kind: "ConfigMap", data: { "roles.yml": roles } }, 7],
    }),
    taken: [hr],
    left: ["an item of a List: it is no Kubernetes object"],
  },
  "a mistake in a ConfigMap, at its place": {
    path: "cm.yml",
    text: `apiVersion: v1\nkind: ConfigMap\ndata:\n  roles.yml: |\n    hr: {}\n    hr: {}\n`,
    error: "cm.yml/roles.yml:6:5 duplicate-key",
  },
  "values of a chart, families at any depth": {
    path: "values.yaml",
    text: `image: x
roles: {master: "true"}
ingress: {main: {hosts: [a.example]}}
securityConfig:
  enabled: true
  config: {data: {roles.yml: "${roles.replaceAll("\n", "\\n")}"}}
  internalUsers: {ana: {hash: x}}
deep: [{rolesMapping: {hr: {backend_roles: [b]}}, tenants: {t: {description: d}}, my: {x: {backend_roles: [b]}}}]
security: {config: {config: {dynamic: {http: {}}}}}
`,
    taken: [
      hr,
      'internal_users/ana {"hash":"x"}',
      'role_mappings/hr {"backend_roles":["b"]}',
      'tenants/t {"description":"d"}',
      'config/ {"dynamic":{"http":{}}}',
    ],
    left: [
      "securityConfig.enabled: no entries of the security plugin",
      "x: it looks like role_mappings, and the key my above it names no resource type",
      "image, roles, ingress: no entries of the security plugin",
    ],
  },
  "an entry that values take out": {
    text: "search:\n  roles:\n    hr: {cluster_permissions: [a], index_permissions: []}\n    old: ~\n  tenants: {t: ~}\n",
    taken: ['roles/hr {"cluster_permissions":["a"],"index_permissions":[]}', "tenants/t null"],
    left: ["old: it is null, by which values take an entry out"],
  },
  "custom resources of two clusters": {
    text: [
      ["hr", "a", "{name: c}"],
      ["ops", "a", "{name: d}"],
      ["dev", "b", "{name: c}"],
    ]
      .map(
        ([name, namespace, cluster]) =>
          `apiVersion: opensearch.org/v1\nkind: OpensearchTenant\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {opensearchCluster: ${cluster}}\n`,
      )
      .join("---\n"),
    taken: ["tenants/hr {}"],
    left: [
      ["ops", "a/d"],
      ["dev", "b/c"],
    ].map(
      ([name, cluster]) =>
        `OpensearchTenant ${name}: it is for the OpenSearchCluster ${cluster}, and the first one of the input is a/c: import the resources of each cluster alone`,
    ),
  },
  "settings in a ConfigMap, by their headers": {
    text: `apiVersion: v1\nkind: ConfigMap\ndata:\n  audit.yml: |\n    _meta: {type: audit, config_version: 2}\n    config: {enabled: true}\n  log4j2.properties: |\n    a: b\n`,
    taken: ['audit/config {"enabled":true}'],
    left: ["log4j2.properties: it holds the node's own settings"],
  },
  "users under a name of Ansible roles": {
    text: `opensearch_users:\n  ana: {hash: x, backend_roles: [a]}\n`,
    taken: ['internal_users/ana {"hash":"x","backend_roles":["a"]}'],
  },
  "custom resources of the operator": {
    text: `apiVersion: opensearch.opster.io/v1
kind: OpensearchRole
metadata: {name: hr}
spec:
  opensearchCluster: {name: c}
  clusterPermissions: [a]
  indexPermissions: [{indexPatterns: [x], dls: q, fls: [f], maskedFields: [m], allowedActions: [read], odd: 1}]
  tenantPermissions: [{tenantPatterns: [t], allowedActions: [w]}]
---
apiVersion: opensearch.org/v1
kind: OpensearchUserRoleBinding
metadata: {name: b1}
spec: {opensearchCluster: {name: c}, roles: [hr, ops], users: [ana], backendRoles: [g]}
---
apiVersion: opensearch.org/v1
kind: OpensearchUserRoleBinding
metadata: {name: b2}
spec: {opensearchCluster: {name: c}, roles: [hr], users: [bob, ana]}
---
apiVersion: opensearch.org/v1
kind: OpensearchUser
metadata: {name: ana}
spec: {opensearchCluster: {name: c}, passwordFrom: {name: s, key: k}, backendRoles: [g]}
---
apiVersion: opensearch.org/v1
kind: OpensearchActionGroup
metadata: {name: ag}
spec: {opensearchCluster: {name: c}, allowedActions: [x], type: index, description: d}
---
apiVersion: opensearch.org/v1
kind: OpensearchTenant
metadata: {name: t}
spec: {opensearchCluster: {name: c}, description: d}
---
apiVersion: opensearch.org/v1
kind: OpenSearchCluster
metadata: {name: c}
spec: {general: {version: 2.19.1}}
`,
    taken: [
      'roles/hr {"cluster_permissions":["a"],"index_permissions":[{"index_patterns":["x"],"dls":"q","fls":["f"],"masked_fields":["m"],"allowed_actions":["read"]}],"tenant_permissions":[{"tenant_patterns":["t"],"allowed_actions":["w"]}]}',
      'role_mappings/hr {"users":["ana","bob"],"backend_roles":["g"]}',
      'role_mappings/ops {"users":["ana"],"backend_roles":["g"]}',
      'internal_users/ana {"password":"in a Secret","backend_roles":["g"]}',
      'action_groups/ag {"allowed_actions":["x"],"type":"index","description":"d"}',
      'tenants/t {"description":"d"}',
    ],
    left: [
      "OpensearchRole hr: odd: no entry has such a field",
      "OpenSearchCluster c: this kind of object holds no entries",
    ],
  },
  "a custom resource that is being deleted, and one that is not": {
    text: ["old, deletionTimestamp: 2026-01-01T00:00:00Z", "hr"]
      .map(
        (metadata) =>
          `apiVersion: opensearch.org/v1\nkind: OpensearchRole\nmetadata: {name: ${metadata}}\nspec: {opensearchCluster: {name: c}, clusterPermissions: [a]}\n`,
      )
      .join("---\n"),
    taken: [hr],
    left: ["OpensearchRole old: it is being deleted (metadata.deletionTimestamp)"],
  },
  "a custom resource that the operator ignores": {
    text: `apiVersion: opensearch.org/v1\nkind: OpensearchRole\nmetadata: {name: readall}\nspec: {opensearchCluster: {name: c}, clusterPermissions: [a]}\nstatus: {existingRole: true, state: IGNORED}\n`,
    left: [
      "OpensearchRole readall: the operator ignores it (status.state), most often as the cluster had an entry of that name before",
    ],
  },
  "users that the operator has stamped, and one of no cluster": {
    text: [
      "metadata: {name: ana, uid: 0b5f}\nspec: {passwordFrom: {name: s, key: k}, attributes: {team: pay, k8s-uid: old}}",
      "metadata: {name: bob, uid: 0b60}\nspec: {passwordFrom: {name: s, key: k}}",
      "metadata: {name: cat}\nspec: {passwordFrom: {name: s, key: k}, attributes: {team: pay}}",
    ]
      .map((rest) => `apiVersion: opensearch.org/v1\nkind: OpensearchUser\n${rest}\n`)
      .join("---\n"),
    taken: [
      'internal_users/ana {"password":"in a Secret","attributes":{"team":"pay","k8s-uid":"0b5f"}}',
      'internal_users/bob {"password":"in a Secret","attributes":{"k8s-uid":"0b60"}}',
      'internal_users/cat {"password":"in a Secret","attributes":{"team":"pay"}}',
    ],
  },
  "bindings of roles that are left, and of one that is taken": {
    text: [
      "OpensearchUserRoleBinding\nmetadata: {name: b}\nspec: {roles: [old, hr], users: [ana]}",
      "OpensearchRole\nmetadata: {name: old}\nspec: {clusterPermissions: [a]}\nstatus: {state: IGNORED}",
      "OpensearchRole\nmetadata: {name: gone, deletionTimestamp: x}\nspec: {clusterPermissions: [a]}",
      "OpensearchRole\nmetadata: {name: hr, deletionTimestamp: x}\nspec: {clusterPermissions: [b]}",
      "OpensearchRole\nmetadata: {name: hr}\nspec: {clusterPermissions: [a]}",
    ]
      .map((rest) => `apiVersion: opensearch.org/v1\nkind: ${rest}\n`)
      .join("---\n"),
    taken: ['role_mappings/old {"users":["ana"]}', 'role_mappings/hr {"users":["ana"]}', hr],
    left: [
      "OpensearchRole old: the operator ignores it (status.state), most often as the cluster had an entry of that name before; its mapping is taken",
      "OpensearchRole gone: it is being deleted (metadata.deletionTimestamp)",
      "OpensearchRole hr: it is being deleted (metadata.deletionTimestamp)",
    ],
  },
  "bindings of a built-in role, to whose members the operator adds": {
    text: ["a", "b"]
      .map(
        (name) =>
          `apiVersion: opensearch.org/v1\nkind: OpensearchUserRoleBinding\nmetadata: {name: ${name}}\nspec: {opensearchCluster: {name: c}, roles: [all_access, hr], users: [${name}]}\n`,
      )
      .join("---\n"),
    taken: ['role_mappings/all_access {"users":["a","b"]}', 'role_mappings/hr {"users":["a","b"]}'],
    left: ["role_mappings/all_access: other members, such as administrators, that the server has of a built-in role"],
  },
  "values of the operator's chart": {
    path: "values.yaml",
    text: `roles: [{name: hr, clusterPermissions: [a]}]
users: [{name: ana, secretName: s, secretKey: k, opendistroSecurityRoles: [hr]}]
usersRoleBinding: [{name: x, users: [ana], roles: [hr]}]
tenants: [{name: t, description: d}]
`,
    taken: [
      'roles/hr {"cluster_permissions":["a"]}',
      'internal_users/ana {"password":"in a Secret","opendistro_security_roles":["hr"]}',
      'role_mappings/hr {"users":["ana"]}',
      'tenants/t {"description":"d"}',
    ],
  },
  "a state of Terraform, with modules": {
    path: "state.json",
    text: JSON.stringify({
      format_version: "1.0",
      terraform_version: "1.9.0",
      values: {
        root_module: {
          resources: [
            tf("opensearch_role", "r", {
              id: "hr",
              role_name: "hr",
              description: null,
              cluster_permissions: ["a"],
              index_permissions: [
                {
                  index_patterns: ["x"],
                  document_level_security: "q",
                  field_level_security: ["f"],
                  masked_fields: [],
                  allowed_actions: ["read"],
                },
              ],
              tenant_permissions: [],
              odd: 1,
            }),
            tf("aws_iam_role", "x", {}),
            { ...tf("opensearch_host", "h", {}), mode: "data" },
            tf("elasticsearch_xpack_role", "x", {}),
            tf("opensearch_audit_config", "x", { enabled: true }),
            tf("opensearch_roles_mapping", "unknown", { role_name: null }),
          ],
          child_modules: [
            {
              resources: [
                {
                  ...tf("elasticsearch_opendistro_roles_mapping", "m", { role_name: "hr", users: ["ana"] }),
                  address: `module.a["it's"].elasticsearch_opendistro_roles_mapping.m`,
                },
                tf("opensearch_user", "u", {
                  username: "ana",
                  password: "sha",
                  password_hash: null,
                  backend_roles: ["b"],
                }),
                tf("elasticsearch_opensearch_kibana_tenant", "t", {
                  tenant_name: "t",
                  description: "d",
                  index: ".kibana_1",
                }),
              ],
            },
          ],
        },
      },
    }),
    taken: [
      'roles/hr {"cluster_permissions":["a"],"index_permissions":[{"index_patterns":["x"],"dls":"q","fls":["f"],"allowed_actions":["read"]}]}',
      'role_mappings/hr {"users":["ana"]}',
      'internal_users/ana {"password":"sha","backend_roles":["b"]}',
      'tenants/t {"description":"d"}',
    ],
    left: [
      "opensearch_role.r: odd: no entry has such a field",
      "aws_iam_role.x: of Terraform's resources, import takes roles, role mappings, tenants and users",
      "opensearch_host.h: a data source declares nothing",
      "elasticsearch_xpack_role.x: it is of Elasticsearch's own security",
      "opensearch_audit_config.x: run gate-sync export --family audit, which writes it as the server has it",
      "opensearch_roles_mapping.unknown: its name is known after apply only",
    ],
  },
  "a plan of Terraform": {
    path: "plan.json",
    text: JSON.stringify({
      format_version: "1.2",
      planned_values: { root_module: { resources: [tf("opensearch_dashboard_tenant", "t", { tenant_name: "t" })] } },
      prior_state: {},
    }),
    taken: ["tenants/t {}"],
  },
  "a plan of Terraform that knows not all": {
    path: "plan.json",
    text: JSON.stringify({
      format_version: "1.2",
      planned_values: {
        root_module: {
          resources: [
            tf("opensearch_roles_mapping", "m", { role_name: "m", users: ["ana"] }),
            tf("opensearch_role", "r", { role_name: "r", cluster_permissions: ["a"] }),
            tf("opensearch_user", "u", { username: "u", backend_roles: ["b"] }),
          ],
        },
      },
      resource_changes: [
        {
          address: "opensearch_roles_mapping.m",
          change: { after_unknown: { id: true, backend_roles: [true, false] } },
        },
        { address: "opensearch_role.r", change: { after_unknown: { id: true, index_permissions: [{}] } } },
        { address: "opensearch_user.u", change: { after_unknown: { id: true, password: true } } },
      ],
    }),
    taken: [
      'roles/r {"cluster_permissions":["a"]}',
      'internal_users/u {"backend_roles":["b"],"password":"known after apply"}',
    ],
    left: ["opensearch_roles_mapping.m: its backend_roles will be known after terraform apply; import the state then"],
  },
  "a state file of Terraform": {
    path: "terraform.tfstate",
    text: '{"version": 4, "terraform_version": "1.9.0", "lineage": "x", "resources": []}',
    left: ["a state of Terraform: run terraform show -json, and import what that prints"],
  },
  "a generator of our own state files": {
    path: "gen.yml",
    text: "generate: {for_each: [{name: a}], as: t, roles: {'${each:t.name}': {}}}\nroles: {r: {}}\n",
    taken: ["roles/r {}"],
    left: ["generate: it generates entries: render it, and import what gate-sync render FILE prints"],
  },
  "a Secret with empty files": {
    path: "secret.yml",
    text: `apiVersion: v1
kind: Secret
metadata: {name: s}
stringData:
  roles.yml: "_meta: {type: roles, config_version: 2}\\nr: {}"
  tenants.yml: "_meta: {type: tenants, config_version: 2}"
  action_groups.yml: ""
`,
    taken: ["roles/r {}"],
    left: ["tenants.yml: it has no entries", "action_groups.yml: it has no entries"],
  },
  "code of Terraform": { path: "roles.tf", text: 'resource "opensearch_role" "r" {}', error: "foreign-product" },
  "texts below keys that are no names of files": {
    path: "values.yaml",
    text: `securityConfig:\n  internal_users: |\n    ana: {hash: x}\n  rolesMapping:\n    content: |\n      _meta: {type: rolesmapping, config_version: 2}\n      hr: {users: [a]}\nx: {y: {_meta: {type: tenants}, t: {}}}\nz: {users: {bob: {hash: x}}}\nother: {users: {eve: {password: x}}}\n`,
    left: ["eve: it looks like internal_users, and the key users above it names no resource type"],
    taken: [
      'internal_users/ana {"hash":"x"}',
      'role_mappings/hr {"users":["a"]}',
      "tenants/t {}",
      'internal_users/bob {"hash":"x"}',
    ],
  },
  "payloads without a family": {
    text: `{"cluster_permissions": []}\n---\n[{"op": "add", "path": "/x"}]\n---\nhr: {cluster_permissions: []}\nops: {users: []}\n---\na: 1\n---\nx: {users: []}`,
    left: [
      "the document: it has the fields of one entry; name it with --family roles --name NAME",
      "the document: it is a JSON Patch; name its resource type with --family, after the scripts whose entries it changes",
      "the document: no entries of the security plugin",
      "the document: no entry has a field of a state file",
      "the document: it looks like role_mappings; if it is, say so with --family role_mappings",
    ],
  },
  "a template that fills in values": {
    path: "roles.yml.j2",
    text: 'roles:\n  "{{ team }}": {cluster_permissions: ["{{ perm | default(\'x\') }}", "<%= p("a.b") %>"]}',
    taken: ["roles/\ue000team\ue002\ue002\ue002\ue002\ue001"].map((start) => expect.stringContaining(start)),
  },
  "variables of Ansible": {
    path: "group_vars/search.yml",
    text: `opensearch_port: 9200
opensearch_roles:
  hr: {cluster_permissions: ["{{ perm }}"]}
odfe_internal_users:
  bob:
    password: !vault |
      $ANSIBLE_VAULT;1.1;AES256
      6132
    attributes: {a: !unsafe "b"}
opensearch_tenants:
  t:
    description: !vault |
      $ANSIBLE_VAULT;1.1;AES256
`,
    taken: [
      'roles/hr {"cluster_permissions":["\ue000perm\ue002\ue002\ue002\ue002\ue001"]}',
      'internal_users/bob {"password":"$ANSIBLE_VAULT;1.1;AES256\\n6132\\n","attributes":{"a":"b"}}',
    ],
    left: [
      "opensearch_port: no entries of the security plugin",
      "tenants/t: it holds a value that Ansible Vault encrypts, where no secret belongs; import a copy with that value decrypted",
    ],
  },
  "hashes that Ansible encrypts": {
    text: "opensearch_internal_users:\n  bob:\n    hash: !vault |\n      $ANSIBLE_VAULT;1.1;AES256\n      6132\n  eve: {hash: '{{ pw | bcrypt }}'}\n",
    taken: [
      'internal_users/bob {"hash":"$ANSIBLE_VAULT;1.1;AES256\\n6132\\n"}',
      'internal_users/eve {"hash":"{{ pw | bcrypt }}"}',
    ],
  },
  "a file that Ansible Vault encrypts": {
    path: "group_vars/vault.yml",
    text: "$ANSIBLE_VAULT;1.1;AES256\n6132\n",
    left: [
      "the file: Ansible Vault encrypts all of it: pipe it in with ansible-vault view FILE | gate-sync import - --out FOLDER",
    ],
  },
  "a plan of Terraform that deletes a resource": {
    path: "plan.json",
    text: JSON.stringify({
      format_version: "1.2",
      planned_values: { root_module: { resources: [tf("opensearch_dashboard_tenant", "t", { tenant_name: "t" })] } },
      resource_changes: ["opensearch_role", "aws_iam_role"].map((type) => ({
        address: `${type}.gone`,
        type,
        change: { actions: ["delete"] },
      })),
    }),
    taken: ["tenants/t {}"],
    left: [
      "opensearch_role.gone: the plan deletes it: until terraform apply has run, the server has it, and no file declares it",
    ],
  },
  "tasks of Ansible": {
    path: "play.yml",
    text: `- hosts: all
  vars: {os_roles_mapping: {hr: {backend_roles: [b]}}}
  tasks:
    - name: role
      uri: {url: "{{ url }}/_plugins/_security/api/roles/hr", method: PUT, body_format: json, body: {cluster_permissions: [a]}}
    - ansible.builtin.uri:
        url: "{{ url }}/_plugins/_security/api/roles/{{ item }}"
        method: PUT
        body: '{"cluster_permissions": ["{{ item }}"]}'
      loop: "{{ names }}"
`,
    taken: ['role_mappings/hr {"backend_roles":["b"]}', hr],
    left: ["PUT /_plugins/_security/api/roles/$item: it is in a loop, and its variables differ each time"],
  },
  "entries of Ansible as lists with names": {
    text: `opensearch_users:\n  - {name: ana, hash: x, backend_roles: [a]}\nopensearch_roles:\n  - {role_name: r, cluster_permissions: [a]}\nroles_mapping:\n  - {role: r, users: [ana]}\napp_users:\n  - {name: bob, hash: x}\n`,
    taken: [
      'internal_users/ana {"hash":"x","backend_roles":["a"]}',
      'roles/r {"cluster_permissions":["a"]}',
      'role_mappings/r {"users":["ana"]}',
    ],
    left: ["app_users: no entries of the security plugin"],
  },
  "entries of Ansible with a state": {
    text: `opensearch_roles:
  - {name: gone, state: absent}
  - {name: stay, cluster_permissions: [a], state: present}
  - {name: maybe, cluster_permissions: [a], state: "{{ state }}"}
opensearch_role_mappings:
  gone: {state: absent, users: [a]}
opensearch_tenants: [{name: t, state: absent}, {name: u, state: present}]
opensearch_users: [{name: ana, state: absent}]
opensearch_action_groups: [{name: g, state: absent}]
opensearch_hosts: [{name: h, state: absent}]
`,
    taken: ['roles/stay {"cluster_permissions":["a"]}', "tenants/u {}"],
    left: [
      "opensearch_hosts: no entries of the security plugin",
      ...["roles/gone", "roles/maybe", "role_mappings/gone", "tenants/t", "internal_users/ana", "action_groups/g"].map(
        (address) =>
          address === "roles/maybe"
            ? `${address}: whether it is to exist depends on a variable: declare it where it is to, and leave it out elsewhere`
            : `${address}: state: absent is not copied: what no file declares is deleted once its resource type is managed without mode: adopt`,
      ),
    ],
  },
  "more keys than one line names": {
    text: `roles: {r: {cluster_permissions: [a]}}\nx:\n  roles: {s: {cluster_permissions: [a]}}\n${"abcdefg".replace(/./g, "$&: 1\n")}`,
    taken: ['roles/r {"cluster_permissions":["a"]}', 'roles/s {"cluster_permissions":["a"]}'],
    left: [..."abcdefg"].map((key) => `${key}: no entries of the security plugin`),
  },
  "a key of a Secret in both forms": {
    text: `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {roles.yml: ${Buffer.from("a: {}").toString("base64")}}\nstringData: {roles.yml: "b: {cluster_permissions: [a]}"}\n`,
    taken: ['roles/b {"cluster_permissions":["a"]}'],
    left: ["Secret s: roles.yml: the same key in stringData replaces it"],
  },
  "tasks of Ansible whose values are in the same file": {
    path: "tasks/main.yml",
    text: `- include_vars: secret.yml
- uri: {url: "https://h/_plugins/_security/api/roles/{{ name }}", method: PUT, body: "{{ role }}"}
  vars: {name: hr, role: {cluster_permissions: ["{{ perm }}"]}, perm: a}
- set_fact: {team: ops, mapping: {users: [ana]}}
- block:
    - uri: {url: "https://h/_plugins/_security/api/rolesmapping/{{ team }}", method: PUT, body: "{{ mapping | to_json }}"}
    - uri:
        url: https://h/_plugins/_security/api/tenants/{{ item.name }}
        method: PUT
        body: '{"description": "{{ item.text }} {{ dep }}"}'
      loop: [{name: t1, text: one}, {name: t2, text: two}]
    - ansible.builtin.uri: {url: "https://h/_plugins/_security/api/tenants/{{ item }}", method: PUT, body: {description: x}}
      with_items: "{{ names }}"
  rescue:
    - uri: {url: "https://h/_plugins/_security/api/tenants/rescued", method: PUT, body: {}}
  vars: {dep: hr, names: [t3], loop: "{{ loop }}"}
- command: date
  register: team
- set_fact: {mapping: {users: [bea]}}
  when: x
- uri: {url: "https://h/_plugins/_security/api/rolesmapping/{{ team }}", method: PUT, body: {users: [a]}}
- uri: {url: "https://h/_plugins/_security/api/rolesmapping/hr", method: PUT, body: "{{ mapping }}"}
- uri: {url: "https://h/_plugins/_security/api/roles/f", method: PUT, body: "{{ lookup('file', 'x') }}"}
- import_role: {name: y}
- set_fact: {late: x}
- include_vars: {file: late.yml}
- uri: {url: "https://h/_plugins/_security/api/tenants/late", method: PUT, body: {description: "{{ late }}"}}
`,
    taken: [
      hr,
      'role_mappings/ops {"users":["ana"]}',
      'tenants/t1 {"description":"one hr"}',
      'tenants/t2 {"description":"two hr"}',
      'tenants/t3 {"description":"x"}',
      expect.stringContaining("team"),
      expect.stringContaining('tenants/late {"description":"\ue000late'),
    ] as readonly string[],
    left: [
      "item.vars: no entries of the security plugin",
      "include_vars secret.yml: what it names is in other files: import those that hold entries, too",
      "import_role y: what it names is in other files: import those that hold entries, too",
      "include_vars late.yml: what it names is in other files: import those that hold entries, too",
      "PUT /_plugins/_security/api/tenants/rescued: handlers and rescue run in some cases only",
      "PUT /_plugins/_security/api/rolesmapping/hr: its body is a variable or a template, whose value is not in this file, or no JSON",
      "PUT /_plugins/_security/api/roles/f: its body is a variable or a template, whose value is not in this file, or no JSON",
    ],
  },
  "variables of plays and roles, and files that may replace them": {
    text: `- hosts: search
  vars: {opensearch_roles: {hr: {cluster_permissions: [a]}}, perm: b}
  vars_files: [x.yml]
  roles: [{role: search, vars: {opensearch_tenants: {t: {description: d}}}}]
  tasks:
    - uri: {url: "https://h/_plugins/_security/api/roles/x", method: PUT, body: {description: "{{ perm }}"}}
  handlers:
    - uri: {url: "https://h/_plugins/_security/api/roles/y", method: PUT, body: {}}
`,
    taken: [
      hr,
      'tenants/t {"description":"d"}',
      expect.stringContaining('roles/x {"description":"\ue000perm'),
    ] as readonly string[],
    left: [
      "vars.perm: no entries of the security plugin",
      "roles.role: no entries of the security plugin",
      "vars_files: what it names is in other files: import those that hold entries, too",
      "PUT /_plugins/_security/api/roles/y: handlers and rescue run in some cases only",
    ],
  },
  "variables of Ansible in a file that is called as a family": {
    path: "group_vars/search/roles.yml",
    text: "opensearch_roles: {hr: {cluster_permissions: [a]}}\nopensearch_tenants: [{name: t, description: d}]\n",
    taken: [hr, 'tenants/t {"description":"d"}'],
  },
  "values of Ansible that grow": {
    path: "tasks.yml",
    text: `- uri: {url: "https://h/_plugins/_security/api/roles/hr", method: PUT, body: "{{ v4 }}"}
  vars:
${[4, 3, 2, 1].map((at) => `    v${at}: [${`"{{ v${at - 1} }}", `.repeat(500)}]\n`).join("")}    v0: x
`,
    error: "wrong-type",
  },
  "roles with such names": {
    path: "roles.yml",
    text: "opensearch_a: {cluster_permissions: [a]}\nopensearch_roles: {cluster_permissions: [b]}\n",
    taken: ['roles/opensearch_a {"cluster_permissions":["a"]}', 'roles/opensearch_roles {"cluster_permissions":["b"]}'],
  },
  "tasks of Ansible that call curl": {
    text: `- name: a\n  shell: curl -u a:geheim -X PUT "https://h/_plugins/_security/api/roles/{{ a }}?x=geheim" -d '{}'\n- command: {argv: [curl, "https://h/_plugins/_security/api/roles/b"]}\n`,
    left: ["$a", "b"]
      .map(
        (name) =>
          `/_plugins/_security/api/roles/${name}: requests in a text of another file are not read: import that text as a script of its own`,
      )
      .toSpliced(1, 0, "item.name: no entries of the security plugin"),
  },
  "tasks of Ansible that have a condition": {
    text: `- name: a\n  when: env == "prod"\n  uri: {url: "${"https://h/_plugins/_security/api"}/roles/a", method: PUT, body: {}}\n- when: x\n  block:\n    - uri: {url: "https://h/_plugins/_security/api/roles/b", method: PUT, body: {}}\n- uri: {url: "https://h/_plugins/_security/api/roles/c", method: PUT, body: {}}\n`,
    taken: ["roles/c {}"],
    left: [
      ...["a", "b"].map(
        (name) => `PUT /_plugins/_security/api/roles/${name}: its task has a condition, and may not run`,
      ),
    ],
  },
  "a template that does more": {
    path: "roles.yml.j2",
    text: "roles:\n{% for x in y %}\n  {{ x }}: {}\n{% endfor %}",
    error: "roles.yml.j2:2:1 rendered-template",
  },
  "an entry with the rest of a template": {
    path: "values.yaml",
    text: "my: {roles: {hr: {cluster_permissions: ['{{ x | join }}']}}}",
    left: [`roles/hr: what {{ x | join }} gives is not known here. ${ofAnsible}`],
  },
  "look-ups by constant keys": {
    path: "vars.yml",
    text: `my:
  internal_users.yml: |
    a: {hash: {{ hashes['a'] }}}
    b:
      hash: {{ hashes["b"].x[0] }}
  roles.yml: |
    r:
      cluster_permissions: [{{ index .Values.more "c" }}, x]
`,
    taken: [
      `internal_users/a {"hash":"${createPlaceholder("hashes.a", "", undefined, "{{ hashes['a'] }}".length)}"}`,
      `internal_users/b {"hash":"${createPlaceholder("hashes.b.x.0", "", undefined, '{{ hashes["b"].x[0] }}'.length)}"}`,
      `roles/r {"cluster_permissions":["${createPlaceholder("more.c", "Values", undefined, '{{ index .Values.more "c" }}'.length)}","x"]}`,
    ],
  },
  "expressions, each of which leaves its own entry": {
    path: "roles.yml",
    text: `roles:
  a: {cluster_permissions: {{ perms | map("geheim: x") | list }}}
  b:
    description: {{ include "x" . | quote }} # {{ c }}
  c: {cluster_permissions: [{{ {'k': 1}['k'] }}]}
  d: {cluster_permissions: [x]}
`,
    taken: ['roles/d {"cluster_permissions":["x"]}'],
    left: [
      `roles/a: what {{ perms | map('…') | list }} gives is not known here. ${ofAnsible}`,
      `roles/b: what {{ include '…' . | quote }} gives is not known here. ${ofHelm}`,
      `roles/c: what {{ {'…': 1}['…'] }} gives is not known here. ${ofAnsible}`,
    ],
  },
  "a template beside an encrypted value": {
    text: "opensearch_tenants:\n  t{{ x | join }}:\n    description: !vault |\n      $ANSIBLE_VAULT;1.1;AES256\n",
    left: [`tenants/t{{ x | join }}: what {{ x | join }} gives is not known here. ${ofAnsible}`],
  },
  "two entries that differ": {
    path: "all.yml",
    text: `${roles}\n---\n${roles.replace("[a]", "[b]")}`,
    error: "all.yml:5:1 duplicate-name",
  },
  "two equal entries": {
    path: "all.yml",
    text: `${roles}\n---\n${roles}`,
    taken: [hr],
    left: ["roles/hr: the same as one before it"],
  },
  "names that objects have": {
    path: "roles.yml",
    text: "roles: {__proto__: {cluster_permissions: [a]}, constructor: {}, '557': {}}",
    taken: ['roles/__proto__ {"cluster_permissions":["a"]}', "roles/constructor {}", "roles/557 {}"],
  },
  "a bomb of aliases": {
    text: `a: &a [x, x, x, x, x, x, x, x, x, x]\n${[..."bcdefgh"].map((name, at) => `${name}: &${name} [${Array(10).fill(`*${"abcdefgh"[at]}`).join(", ")}]`).join("\n")}`,
    error: "alias-bomb",
  },
  "depth without end": { text: "[".repeat(20_000), error: "syntax" },
  "a character of ours": { text: "roles: {'\ue000': {}}", error: "syntax" },
  "no entries": { text: "# nothing\n", left: ["the file: it has no entries"] },
};

describe("import takes", () => {
  test.each(Object.entries(rows))("%s", (_, row) => {
    const found = take(row.path ?? "input.yml", row.text);
    const [first] = found.diagnostics;
    const place = first?.range ? `${first.range.file.path}:${lineAndColumn(first.range)} ${first.code}` : first?.code;
    if (row.error !== undefined) {
      expect(place).toContain(row.error);
      return;
    }
    expect(found.diagnostics).toEqual([]);
    expect(taken(found)).toEqual(row.taken ?? []);
    expect(left(found)).toEqual(row.left ?? []);
  });
});

test("import lists the commands that let go of what Terraform has", () => {
  const resource = {
    ...tf("opensearch_role", "r", { role_name: "hr" }),
    address: `module.a["it's"].opensearch_role.r`,
  };
  const text = JSON.stringify({ format_version: "1.0", values: { root_module: { resources: [resource] } } });
  expect(take("state.json", text).letGo).toEqual([`'module.a["it'\\''s"].opensearch_role.r'`]);
});

function lineAndColumn({ file, start }: { readonly file: { readonly text: string }; readonly start: number }): string {
  const before = file.text.slice(0, start).split("\n");
  return `${before.length}:${(before.at(-1) ?? "").length + 1}`;
}

test.each([
  ["a.http", "PUT _plugins/_security/api/roles/a\n\n{}\n", "opensearch"],
  ["a.sh", "curl -X PUT h/_opendistro/_security/api/roles/a -d '{}'", "opensearch"],
  ["a.sh", "curl -X PUT h/_searchguard/api/roles/a -d '{}'", "search-guard"],
  ["a.yml", "_meta: {type: roles, config_version: 2}\na: {}\n", "opensearch"],
  ["a.yml", "opensearch_users: {ana: {hash: x}}\n", "opensearch"],
  ["a.yml", "opensearch_security_users: [{username: ana, password: x, backend_roles: [b]}]\n", "opensearch"],
  ["a.yml", "securityConfig: {internalUsers: {ana: {hash: x}}}\n", "opensearch"],
  ["a.yml", "_sg_meta: {type: roles, config_version: 2}\na: {}\n", "search-guard"],
])("import knows the product of %s %j", (path, text, product) => {
  expect([...takeFiles([createSourceFile(path, text)], { cwd: "/nowhere" }).products]).toEqual([product]);
});

test("import leaves what Terraform is about to delete, and names the resources of which two differ", () => {
  const role = (name: string, values: object) => ({
    ...tf("opensearch_role", name, values),
    address: `opensearch_role.${name}`,
  });
  const write = (...resources: object[]) =>
    JSON.stringify({ format_version: "1.0", values: { root_module: { resources } } });
  const deposed = { ...role("a", { role_name: "hr", description: "old" }), deposed_key: "5a1c0d77" };
  const replaced = take("state.json", write(role("a", { role_name: "hr" }), deposed));
  expect(replaced.diagnostics).toEqual([]);
  expect(taken(replaced)).toEqual(["roles/hr {}"]);
  expect(left(replaced)).toEqual([
    expect.stringMatching(
      /^opensearch_role\.a \(roles\/hr\): it is replaced already, and terraform state rm .* delete it in the cluster yourself/,
    ),
  ]);
  expect(replaced.letGo).toEqual(["'opensearch_role.a'"]);
  const two = take(
    "state.json",
    write(role("a", { role_name: "hr" }), role("b", { role_name: "hr", description: "x" })),
  );
  expect(two.diagnostics[0]?.what).toBe(
    "roles/hr is in the inputs twice, as opensearch_role.a and as opensearch_role.b, and the two differ.",
  );
});

test("import lets go of nothing that Terraform has not created yet", () => {
  const text = JSON.stringify({
    format_version: "1.2",
    planned_values: {
      root_module: {
        resources: ["a", "b"].map((name) => tf("opensearch_dashboard_tenant", name, { tenant_name: name })),
      },
    },
    resource_changes: [
      { address: "opensearch_dashboard_tenant.a", change: { actions: ["create"] } },
      { address: "opensearch_dashboard_tenant.b", change: { actions: ["update"] } },
    ],
  });
  const { letGo } = takeFiles([createSourceFile("plan.json", text)], { cwd: "/nowhere" });
  expect(letGo).toEqual(["'opensearch_dashboard_tenant.b'"]);
});

test("import says that the operator adds to mappings", () => {
  const text = "usersRoleBinding: [{name: x, users: [ana], roles: [hr]}]\n";
  expect([...take("values.yaml", text).notes]).toEqual([
    "The operator only adds members to a mapping; gate-sync also removes those that its file lacks.",
  ]);
  expect([...take("values.yaml", roles).notes].join("\n")).not.toContain("operator");
});
