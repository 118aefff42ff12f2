// What entries become in another product: each case is a state, and what of it is in the files or in the notes afterwards.
import { describe, expect, it } from "vitest";
import { RunError } from "../../../src/diagnostics/failure.ts";
import { convertText, type ProductRelease } from "../../support/converted.ts";

const [seven, open] = ["search-guard 7.x-38", "opensearch 2.19"] as const;
const role = (patterns: string, more = "") =>
  `roles: { r: { index_permissions: [{ index_patterns: [${patterns}], allowed_actions: ["indices:data/read/get"]${more} }] } }`;
const nested = ["$", "{attr.internal.", "$", "{attr.internal.which}}"].join("");
const patternsOf = (...patterns: readonly string[]) => ({
  roles: { r: { index_permissions: [{ index_patterns: patterns, allowed_actions: ["indices:data/read/get"] }] } },
});

const hash = `$2y$12$${"a".repeat(53)}`;

interface Case {
  readonly title: string;
  readonly from?: ProductRelease;
  readonly to?: string;
  readonly isExact?: true;
  readonly text: string;
  readonly state: object;
  /** Parts of sentences, all of them. */
  readonly notes?: readonly string[];
}

const cases: readonly Case[] = [
  {
    title: "built-in groups by what they are called there",
    text: "roles: { r: { cluster_permissions: [SGS_CLUSTER_MONITOR, own] } }\naction_groups: { own: { allowed_actions: [SGS_READ] } }",
    state: {
      roles: { r: { cluster_permissions: ["cluster_monitor", "own"] } },
      action_groups: { own: { allowed_actions: ["read"] } },
    },
  },
  {
    title: "built-in groups that grant more there, asked for exactly",
    isExact: true,
    text: "action_groups: { own: { allowed_actions: [SGS_GET, SGS_READ] } }",
    state: {
      action_groups: {
        own: { allowed_actions: ["get", "indices:admin/mappings/fields/get*", "indices:data/read*"] },
      },
    },
    notes: ["SGS_READ is written out as what it holds"],
  },
  {
    title: "back again",
    from: open,
    to: "search-guard-7.x-38",
    text: "action_groups: { own: { allowed_actions: [get, cluster_manage_index_templates] } }",
    state: {
      action_groups: {
        own: {
          allowed_actions: [
            "SGS_GET",
            "cluster:admin/component_template/*",
            "indices:admin/index_template/*",
            "indices:admin/template/*",
          ],
        },
      },
    },
    notes: ["cluster_manage_index_templates is written out"],
  },
  {
    title: "a permission that names nothing, and is a group there",
    text: "action_groups: { own: { allowed_actions: [read, x] } }",
    state: { action_groups: { own: { allowed_actions: ["x"] } } },
    notes: ["read names nothing in Search Guard 7, and is left out"],
  },
  {
    title: "an entry that is called like one that the other product comes with",
    text: 'roles: { r: { cluster_permissions: [write] } }\naction_groups: { write: { allowed_actions: ["indices:a"] } }',
    state: {
      roles: { r: { cluster_permissions: ["write_converted"] } },
      action_groups: { write_converted: { allowed_actions: ["indices:a"] } },
    },
    notes: ["It is called write_converted: OpenSearch has another write of its own."],
  },
  {
    title: "an entry of the user's own that the other product comes with",
    text: 'roles: { r: { cluster_permissions: [get] } }\naction_groups: { get: { allowed_actions: ["indices:data/read/get*", "indices:data/read/mget*"] } }',
    state: { roles: { r: { cluster_permissions: ["get"] } }, action_groups: {} },
  },
  {
    title: "groups of Search Guard 6 that have another name",
    from: "search-guard 6",
    to: "search-guard-7",
    text: "roles: { r: { cluster: [ALL, MONITOR] } }",
    state: { roles: { r: { cluster_permissions: ["SGS_INDICES_ALL", "SGS_INDICES_MONITOR"] } } },
  },
  {
    title: "_all, which matches nothing in OpenSearch",
    text: role("_all, a"),
    state: patternsOf("*", "a"),
    notes: ["_all is written as *"],
  },
  {
    title: "_all, which matches everything in Search Guard",
    from: open,
    to: "search-guard-7",
    text: role("_all, a"),
    state: patternsOf("a"),
    notes: ["_all grants nothing in OpenSearch, and is left out"],
  },
  {
    title: "_all, by which OpenSearch restricts",
    from: open,
    to: "search-guard-7",
    text: role("_all, a", ", fls: [x]"),
    state: {
      roles: {
        r: {
          index_permissions: [
            { index_patterns: ["*"], fls: ["x"] },
            { index_patterns: ["a"], fls: ["x"], allowed_actions: ["indices:data/read/get"] },
          ],
        },
      },
    },
    notes: ["_all grants nothing", "_all restricts every index in OpenSearch"],
  },
  {
    title: "names of patterns with a dot, which match nothing in Search Guard 6",
    from: "search-guard 6",
    to: "search-guard-7",
    text: "roles: { r: { indices: { a.b: { '*': ['indices:data/read/get'] }, a?b: { '*': ['indices:data/read/get'] } } } }",
    state: patternsOf("a?b"),
    notes: ["a.b matches nothing in Search Guard 6"],
  },
  {
    title: "document types",
    from: "search-guard 6",
    to: "search-guard-7",
    text: "roles: { r: { indices: { a: { doc: [READ], '*': ['indices:data/read/get'] } } } }",
    state: patternsOf("a"),
    notes: ["for the document types doc: Search Guard 7 has no document types."],
  },
  {
    title: "tenants of Search Guard 6, which are there once a role names them",
    from: "search-guard 6",
    to: "search-guard-7",
    text: "roles: { r: { tenants: { hr: RW, it: RO, SGS_GLOBAL_TENANT: RW } } }",
    state: {
      tenants: { hr: {}, it: {} },
      roles: {
        r: {
          tenant_permissions: [
            { tenant_patterns: ["SGS_GLOBAL_TENANT"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
            { tenant_patterns: ["hr"], allowed_actions: ["SGS_KIBANA_ALL_WRITE"] },
            { tenant_patterns: ["it"], allowed_actions: ["SGS_KIBANA_ALL_READ"] },
          ],
        },
      },
    },
    notes: ["it is written out, as Search Guard 7 wants it declared"],
  },
  {
    title: "the tenant of all users, by name and by pattern",
    text: "roles: { r: { tenant_permissions: [{ tenant_patterns: [SGS_GLOBAL_TENANT, SGS_*], allowed_actions: [SGS_KIBANA_ALL_WRITE] }] } }",
    state: {
      roles: {
        r: {
          tenant_permissions: [{ tenant_patterns: ["SGS_*", "global_tenant"], allowed_actions: ["kibana_all_write"] }],
        },
      },
    },
    notes: ["SGS_* matches SGS_GLOBAL_TENANT: global_tenant is written besides."],
  },
  {
    title: "actions that make a tenant writable in one product alone",
    from: "search-guard FLX",
    to: "opensearch",
    text: "roles: { r: { tenant_permissions: [{ tenant_patterns: [hr], allowed_actions: ['*'] }] } }",
    state: {
      roles: { r: { tenant_permissions: [{ tenant_patterns: ["hr"], allowed_actions: ["kibana_all_write"] }] } },
    },
    notes: ["The actions on hr are written as kibana_all_write: in OpenSearch they would only read."],
  },
  {
    title: "the backend role *, which also matches users without any in OpenSearch",
    text: 'roles: { r: {} }\nrole_mappings: { r: { backend_roles: ["*"] } }',
    state: { roles: { r: {} }, role_mappings: { r: { backend_roles: ["**"] } } },
    notes: ["The backend role * is written as **"],
  },
  {
    title: "back again, as everyone",
    from: open,
    to: "search-guard-7",
    text: 'roles: { r: {} }\nrole_mappings: { r: { backend_roles: ["*", a], and_backend_roles: ["*", b] } }',
    state: { roles: { r: {} }, role_mappings: { r: { backend_roles: ["a"], and_backend_roles: ["b"], users: ["*"] } } },
    notes: ["written as the user *"],
  },
  {
    title: "who has not logged in",
    text: "roles: { r: {} }\nrole_mappings: { r: { users: [sg_anonymous, ana], backend_roles: [sg_anonymous_backendrole] } }",
    state: {
      role_mappings: {
        r: {
          users: ["ana", "opendistro_security_anonymous"],
          backend_roles: ["opendistro_security_anonymous_backendrole"],
        },
      },
    },
    notes: ["sg_anonymous is written as", "sg_anonymous_backendrole is written as"],
  },
  {
    title: "a mapping of a role that is not there",
    text: "roles: { r: {} }\nrole_mappings: { r: { users: [ana] }, gone: { users: [ana] } }",
    state: { role_mappings: { r: { users: ["ana"] } } },
    notes: ["There is no role gone: it gives nothing, and OpenSearch refuses a mapping without a role."],
  },
  {
    title: "roles that the source comes with: some are there, some are written out",
    text: "roles: { r: {} }\nrole_mappings: { SGS_READALL: { users: [ana] }, SGS_XP_MONITORING: { users: [bo] } }",
    state: {
      role_mappings: { readall: { users: ["ana"] }, SGS_XP_MONITORING: { users: ["bo"] } },
      roles: {
        SGS_XP_MONITORING: {
          cluster_permissions: [
            "cluster:admin/xpack/monitoring/bulk",
            "cluster:monitor/main",
            "cluster:monitor/xpack/info",
            "cluster_monitor",
          ],
          index_permissions: [{ index_patterns: ["*:.monitor*", ".monitor*"], allowed_actions: ["indices_all"] }],
        },
      },
    },
    notes: ["Search Guard 7 comes with it; it is written out"],
  },
  {
    title: "no role where none is declared: all others on the server would be deleted",
    text: "role_mappings: { SGS_XP_MONITORING: { users: [bo] } }",
    state: { role_mappings: { SGS_XP_MONITORING: { users: ["bo"] } } },
    notes: ["OpenSearch has none that grants all of it, and no roles are declared"],
  },
  {
    title: "a role that gives its tenant by its name, written out",
    isExact: true,
    text: "roles: { r: {} }\nrole_mappings: { SGS_KIBANA_USER: { users: [ana] } }",
    state: {
      roles: {
        SGS_KIBANA_USER: {
          tenant_permissions: [{ tenant_patterns: ["global_tenant"], allowed_actions: ["kibana_all_write"] }],
        },
      },
    },
    notes: ["Search Guard 7 gives its global tenant with this role"],
  },
  {
    title: "blocks, and what excludes",
    from: "search-guard 7",
    text: "roles: { r: { exclude_cluster_permissions: ['*'] } }\nblocks: { b: { type: name, value: ana, verdict: disallow } }",
    state: { roles: { r: {} } },
    notes: [
      "OpenSearch has no blocks: whom it shuts out is let in.",
      "exclude_cluster_permissions: roles of OpenSearch",
    ],
  },
  {
    title: "entries that are marked as the server's own",
    text: "roles: { r: { reserved: true }, unused: { reserved: true } }\nrole_mappings: { r: { reserved: true, users: [ana] } }",
    state: { roles: { r: {} }, role_mappings: { r: { users: ["ana"] } } },
    notes: [
      "It is the server's own (reserved), and no mapping and no internal user has it.",
      "is an entry of yours now",
    ],
  },
  {
    title: "internal users, whose roles are called otherwise",
    text: `roles: { r: {} }\nrole_mappings: { r: { users: [ana] } }
internal_users:
  ana: { hash: "${hash}", search_guard_roles: [r, SGS_READALL, gone], backend_roles: [x], attributes: { a: b } }
  a*: { hash: "${hash}", search_guard_roles: [r] }
  "a:b": { hash: "${hash}" }
  "100% b": { hash: "${hash}" }
  admin: { hash: "${hash}", reserved: true }`,
    state: {
      internal_users: {
        ana: {
          hash: "${env:SECRET_INTERNAL_USERS_ANA_HASH}",
          opendistro_security_roles: ["r", "readall"],
          backend_roles: ["x"],
          attributes: { a: "b" },
        },
        "a*": { opendistro_security_roles: ["r"] },
      },
    },
    notes: [
      "There is no role gone: it gives nothing, and OpenSearch refuses it.",
      "OpenSearch refuses names with a % without two hex digits after it",
      "OpenSearch refuses names with a colon",
      "Its name is a pattern, too",
      "(reserved): OpenSearch has its own, and what this one may do is lost",
    ],
  },
  {
    title: "families of OpenSearch alone",
    from: open,
    to: "search-guard-7",
    text: "roles: { r: {} }\nnodes_dn: { n: { nodes_dn: ['CN=a'] } }\naudit: { config: { enabled: true } }",
    state: { roles: { r: {} } },
    notes: ["Search Guard 7 has no node certificate", "Search Guard 7 has no audit"],
  },
  {
    title: "families of OpenSearch, which stay",
    from: "opensearch 2.19",
    to: "opensearch-3",
    text: "nodes_dn: { n: { nodes_dn: ['CN=a'] } }",
    state: { nodes_dn: { n: { nodes_dn: ["CN=a"] } } },
  },
  {
    title: "groups that hold each other, over which Search Guard 7 fails",
    from: open,
    to: "search-guard-7",
    text: 'action_groups: { a: { allowed_actions: [b] }, b: { allowed_actions: [a, "indices:x"] } }',
    state: {
      action_groups: { a: { allowed_actions: ["indices:x"] }, b: { allowed_actions: ["indices:x"] } },
    },
    notes: ["over which Search Guard 7 fails"],
  },
  {
    title: "types of groups",
    text: "action_groups: { a: { type: kibana, allowed_actions: [x] }, b: { type: index, allowed_actions: [x] } }",
    state: { action_groups: { a: { allowed_actions: ["x"] }, b: { type: "index", allowed_actions: ["x"] } } },
    notes: ["Its type kibana is left out, which decides nothing"],
  },
  {
    title: "the config: what the other product has not, and what it may not read",
    text: `config: { dynamic: { kibana: { server_username: k }, authc: { a: { http_enabled: true, order: 1,
      http_authenticator: { type: basic }, authentication_backend: { type: ldap, config: { hosts: [h] } } } },
      http: { anonymous_auth_enabled: true } } }`,
    state: { config: { dynamic: { kibana: { server_username: "k" }, http: { anonymous_auth_enabled: true } } } },
    notes: ["Taken over as it is: authc.a.authentication_backend.config."],
  },
  {
    title: "the config: the default of Search Guard 6, and types of its scalars",
    from: "search-guard 6",
    to: "search-guard-7.x-38",
    text: "config: { dynamic: { do_not_fail_on_forbidden: 'true', kibana: { do_not_fail_on_forbidden: true } } }",
    state: {
      config: { dynamic: { do_not_fail_on_forbidden: true, multi_rolespan_enabled: false } },
    },
    notes: [
      "dynamic.kibana.do_not_fail_on_forbidden: Search Guard 7 has no such setting.",
      "multi_rolespan_enabled: false",
    ],
  },
  {
    title: "the config: a login that Search Guard 6 has turned off stays off",
    from: "search-guard 6",
    text: `config: { dynamic: { authc: { on: { enabled: true, order: 1 }, off: { enabled: 'false', http_enabled: true } }, authz: { off: { enabled: false } } } }`,
    state: {
      config: {
        dynamic: {
          authc: {
            on: { order: 1 },
            off: { http_enabled: false, transport_enabled: false },
          },
          authz: { off: { http_enabled: false, transport_enabled: false } },
        },
      },
    },
    notes: [
      "dynamic.authc.on.enabled: true is left out",
      "dynamic.authc.off.enabled: false is written as http_enabled: false",
      "dynamic.authz.off.enabled: false is written as http_enabled: false",
    ],
  },
  {
    title: "the config: a login of which it is unknown whether it is on is off",
    from: "search-guard 6",
    text: "searchguard: { dynamic: { authc: { odd: { enabled: maybe } } } }",
    state: { config: { dynamic: { authc: { odd: { http_enabled: false, transport_enabled: false } } } } },
    notes: ["dynamic.authc.odd.enabled is neither true nor false"],
  },
  {
    title: "who administers Search Guard FLX administers OpenSearch",
    from: "search-guard FLX",
    text: "role_mappings: { SGS_ALL_ACCESS: { users: [ana] } }\nroles: { r: {} }",
    state: { role_mappings: { all_access: { users: ["ana"] } } },
  },
  {
    title: "patterns that match a tenant which is called otherwise there",
    text: `roles: { r: { tenant_permissions: [{ tenant_patterns: ["*_tenant"], allowed_actions: [SGS_KIBANA_ALL_READ] },
      { tenant_patterns: ["g*"], allowed_actions: [SGS_KIBANA_ALL_READ] }] } }\ntenants: { global_tenant: {} }`,
    state: {
      tenants: { global_tenant_converted: {} },
      roles: {
        r: {
          tenant_permissions: [
            { tenant_patterns: ["*_tenant", "global_tenant_converted"], allowed_actions: ["kibana_all_read"] },
            { tenant_patterns: ["g*"], allowed_actions: ["kibana_all_read"] },
          ],
        },
      },
    },
    notes: [
      "The tenant pattern *_tenant matches what is called global_tenant_converted now",
      "It is called global_tenant_converted",
    ],
  },
  {
    title: "a tenant that a role names, which is said to be renamed once",
    text: `roles: { r: { tenant_permissions: [{ tenant_patterns: [global_tenant], allowed_actions: [SGS_KIBANA_ALL_READ] }] } }
tenants: { global_tenant: {} }`,
    state: { tenants: { global_tenant_converted: {} } },
    notes: ["It is called global_tenant_converted"],
  },
  {
    title: "a tenant of Search Guard 6 that is called like the one of all users there",
    from: "search-guard 6",
    text: "roles: { r: { tenants: { global_tenant: RW } } }",
    state: {
      tenants: { global_tenant_converted: {} },
      roles: {
        r: {
          tenant_permissions: [{ tenant_patterns: ["global_tenant_converted"], allowed_actions: ["kibana_all_write"] }],
        },
      },
    },
    notes: [
      "The tenant global_tenant is called global_tenant_converted: OpenSearch has another global_tenant of its own.",
    ],
  },
  {
    title: "patterns that match who has not logged in",
    text: 'roles: { r: {} }\nrole_mappings: { r: { users: ["sg_anon*", x], backend_roles: ["sg_anonymous_*"] } }',
    state: {
      role_mappings: {
        r: {
          users: ["opendistro_security_anonymous", "sg_anon*", "x"],
          backend_roles: ["opendistro_security_anonymous_backendrole", "sg_anonymous_*"],
        },
      },
    },
    notes: ["sg_anon* matches sg_anonymous: opendistro", "sg_anonymous_* matches sg_anonymous_backendrole: opendistro"],
  },
  {
    title: "patterns that match who has not logged in only there",
    text: 'roles: { r: {} }\nrole_mappings: { r: { users: ["opendistro*"] } }',
    state: { role_mappings: { r: { users: ["opendistro*"] } } },
    notes: ["opendistro* matches opendistro_security_anonymous: in OpenSearch, who has not logged in is called so."],
  },
  {
    title: "a role of the server's own that an internal user has",
    text: `roles: { r: { reserved: true, cluster_permissions: [x] } }\ninternal_users: { u: { hash: '\${env:H}', search_guard_roles: [r] } }`,
    state: {
      roles: { r: { cluster_permissions: ["x"] } },
      internal_users: { u: { opendistro_security_roles: ["r"] } },
    },
    notes: ["It was marked as the server's own (reserved), and is an entry of yours now."],
  },
  {
    title: "two mappings that become one, of users who have several backend roles",
    text: `roles: { readall: { cluster_permissions: [SGS_CLUSTER_COMPOSITE_OPS_RO, "indices:admin/resolve/index"],
      index_permissions: [{ index_patterns: ["*"], allowed_actions: [SGS_READ, "indices:admin/resolve/index"] }] } }
role_mappings: { readall: { users: [r1], and_backend_roles: [a, b] }, SGS_READALL: { users: [r2], and_backend_roles: [c] } }`,
    state: { role_mappings: { readall: { users: ["r1", "r2"], and_backend_roles: ["a", "b"] } } },
    notes: ["and_backend_roles: it becomes one mapping with another, which has a, b there"],
  },
  {
    title: "the same, where one of them names none",
    text: `roles: { readall: { cluster_permissions: [SGS_CLUSTER_COMPOSITE_OPS_RO, "indices:admin/resolve/index"],
      index_permissions: [{ index_patterns: ["*"], allowed_actions: [SGS_READ, "indices:admin/resolve/index"] }] } }
role_mappings: { readall: { users: [r1], and_backend_roles: [a, b] }, SGS_READALL: { users: [r2] } }`,
    state: { role_mappings: { readall: { users: ["r1", "r2"], and_backend_roles: ["a", "b"] } } },
  },
  {
    title: "what OpenSearch would take for a service account",
    text: "internal_users: { u: { hash: '${env:H}', attributes: { service: 'true' } } }",
    state: {},
    notes: ["Its attribute service makes it a service account in OpenSearch"],
  },
  {
    title: "an attribute that makes no service account in the same product",
    to: "search-guard-flx",
    text: "internal_users: { u: { hash: '${env:H}', attributes: { service: 'true' } } }",
    state: { internal_users: { u: { attributes: { service: "true" } } } },
  },
  {
    title: "a role of the user's own that only reads the tenants which the built-in one writes",
    text: `roles: { all_access: { cluster_permissions: ["*"], index_permissions: [{ index_patterns: ["*"],
      allowed_actions: ["*"] }], tenant_permissions: [{ tenant_patterns: ["*"], allowed_actions: [SGS_KIBANA_ALL_READ] }] } }`,
    state: { roles: { all_access_converted: { cluster_permissions: ["*"] } } },
    notes: ["It is called all_access_converted: OpenSearch has another all_access of its own."],
  },
  {
    title: "no query",
    text: role("a", ", dls: ' '"),
    state: patternsOf("a"),
  },
  {
    title: "service accounts, which Search Guard has not",
    from: open,
    to: "search-guard-7",
    text: "internal_users: { u: { attributes: { service: 'true', enabled: 'true' } } }",
    state: {},
    notes: ["It is a service account, of which Search Guard 7 has none"],
  },
  {
    title: "queries that the engines may answer differently",
    text: role("a", `, dls: '{"bool":{"must_not":{"term":{"_type":"x"}}}}'`),
    state: patternsOf("a"),
    notes: ["The query of dls has _type: whether OpenSearch answers it with the same documents is unknown."],
  },
  {
    title: "the config of gate, which calls the dashboards otherwise, and one that FLX does not take",
    from: "gate 7.x-43.0.0",
    to: "opensearch-2.19",
    text: "config: { dynamic: { dashboard: { multitenancy_enabled: false } } }",
    state: { config: { dynamic: { kibana: { multitenancy_enabled: false } } } },
  },
  {
    title: "variables that only one product replaces",
    from: open,
    to: "search-guard-7",
    text: role('"${user.name}-*", "${attr.internal.x}"', `, dls: '{"terms":{"a":["\${user.securityRoles}"]}}'`),
    state: { roles: { r: {} } },
    notes: ["The query of dls has ${user.securityRoles}: Search Guard 7 is not known to replace it."],
  },
  ...(
    [
      ["3.8", "search-guard-7", "Search Guard 7 is not known to replace it"],
      ["3.8", "opensearch-2.19", "OpenSearch 2.19 is not known to replace it"],
      ["3.6", "search-guard-7", "neither product is known to replace it"],
      ["2.19", "opensearch-3.7", "only OpenSearch 3.7 is known to replace it"],
    ] as const
  ).map(
    ([release, to, says]): Case => ({
      title: `fallbacks and nested variables, of OpenSearch ${release} for ${to}`,
      from: `opensearch ${release}` as const,
      to,
      text: role('"a-${attr.internal.x:-none}", "${attr.internal.y}"', `, dls: '{"term":{"a":"${nested}"}}'`),
      state: { roles: { r: {} } },
      notes: [`The index pattern has \${attr.internal.x:-none}: ${says}.`, `has ${nested}: ${says}.`],
    }),
  ),
  {
    title: "a fallback for a name that no server knows",
    from: "opensearch 2.19",
    to: "opensearch-3.8",
    text: role('"b-${x:-y}"'),
    state: { roles: { r: {} } },
    notes: ["The index pattern has ${x:-y}: only OpenSearch 3.8 is known to replace it."],
  },
  {
    title: "fallbacks between releases that have them",
    from: "opensearch 3.7",
    to: "opensearch-3.8",
    text: role('"a-${attr.internal.x:-none}", "b-${x:-y}"'),
    state: { roles: { r: {} } },
  },
  {
    title: "variables that only some builds replace",
    from: "search-guard FLX",
    text: role("a", `, dls: '{"term":{"a":"\${user.attrs.x|toJson}"}}'`),
    state: { roles: { r: {} } },
    notes: ["${user.attrs.x|toJson}: only Search Guard FLX and later builds of 7.x replace it."],
  },
];

describe("a state becomes one of another product", () => {
  for (const { title, from = seven, to = "opensearch-2.19", isExact, text, state, notes = [] } of cases) {
    it(title, async () => {
      const { state: found, conversion } = await convertText(text, from, to, isExact);
      expect(found).toMatchObject(state);
      const sentences = conversion.notes.map((note) => note.text);
      for (const note of notes) expect(sentences.join("\n")).toContain(note);
      // Of mappings that are not declared other tests say more.
      const others = sentences.filter((one) => !/It is not declared|It is the server's own|written out/.test(one));
      expect(others.filter((one) => !notes.some((note) => one.includes(note)))).toEqual([]);
    });
  }

  it("takes no product that it does not know, and no 6.x", async () => {
    for (const to of ["solr", "opensearch-x", "search-guard-6", "gate-6.x-25"])
      await expect(convertText("roles: {}", seven, to)).rejects.toThrow(RunError);
  });
  it("keeps a family without entries, and adds none", async () => {
    const { state } = await convertText("roles: {}", seven, "opensearch");
    expect(state).toEqual({ roles: {} });
  });
});
