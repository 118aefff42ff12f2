// What each lint rule finds, beside a declaration that looks like it and is right; what a real server did is in proofs.test.ts.
import { expect, test } from "vitest";
import { lintCodes } from "../../../src/diagnostics/catalogue.ts";
import { decodeFamily } from "../../../src/dialects/codec.ts";
import { assumedRelease, createDialect } from "../../../src/dialects/index.ts";
import type { Json } from "../../../src/json/value.ts";
import { lintRules } from "../../../src/lint/rules/index.ts";
import { runLintRules } from "../../../src/lint/run.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import type { Policies } from "../../../src/model/policy.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { repositoryOf } from "../../support/nodes.ts";

interface Where {
  readonly product?: Product;
  readonly release?: string;
  /** What the server answers for each family that is read; absent: offline. */
  readonly live?: Partial<Record<ResourceFamily, Json>>;
  readonly policies?: Policies;
}

/** Codes with what they underline, in the order of the rules. */
function check(
  text: string,
  { product = "search-guard", release, live, policies }: Where,
  ...expected: readonly string[]
) {
  const dialect = createDialect(product, release ?? assumedRelease[product]);
  const { desired } = normalise(repositoryOf({ "state.yml": text }), dialect, {});
  const served = Object.entries(live ?? {}) as readonly [ResourceFamily, Json][];
  const resources = new Map(served.map(([family, body]) => [family, decodeFamily(dialect, family, body) ?? new Map()]));
  const found = runLintRules({
    desired,
    declared: desired,
    live: live && { resources, paths: new Map() },
    dialect,
    policies,
    off: () => false,
  });
  expect(found.map(({ code, range }) => `${code} ${text.slice(range?.start, range?.end)}`)).toEqual(expected);
  return found;
}

const os: Where = { product: "opensearch" };
const seven: Where = { release: "7.x-38.0.0" };
const six: Where = { release: "6" };

/** Roles, each a list of permissions on indices, and what the cluster permits. */
const role = (name: string, permissions: string, cluster = "") =>
  `  ${name}: {cluster_permissions: [${cluster}], index_permissions: [${permissions}]}\n`;
const on = (patterns: string, actions: string, more = "") =>
  `{index_patterns: [${patterns}], allowed_actions: [${actions}]${more}}`;
const search = "'indices:data/read/search'";
const tenant = (patterns: string, actions: string) =>
  `roles: {r: {tenant_permissions: [{tenant_patterns: [${patterns}], allowed_actions: [${actions}]}]}}`;

test.each<[about: string, text: string, where: Where, expected: readonly string[]]>([
  [
    "writing without the cluster permission",
    `roles:\n${role("wrong", on("a", "'indices:data/write/index', 'indices:data/write/bulk[s]'"))}${role("right", on("a", "'indices:data/write/index', 'indices:data/write/bulk[s]'"), "'indices:data/write/bulk'")}`,
    os,
    ["write-without-bulk 'indices:data/write/index'"],
  ],
  [
    "writing without the permission of shards",
    `roles:\n${role("wrong", on("a", "'indices:data/write/delete'"), "'indices:data/write/bulk'")}${role("right", `${on("a", "'indices:data/write/delete'")}, ${on("'*'", "'indices:data/write/bulk*'")}`, "'indices:data/write/bulk'")}`,
    os,
    ["write-without-bulk 'indices:data/write/delete'"],
  ],
  [
    "writing by groups, with what is built in",
    `roles:\n${role("wrong", on("a", "SGS_CRUD"))}${role("right", on("a", "SGS_CRUD"), "SGS_CLUSTER_COMPOSITE_OPS")}${role("unsure", on("a", "SGS_CRUD"), "may_be_a_group")}`,
    seven,
    ["write-without-bulk SGS_CRUD"],
  ],
  [
    "what another role of the same brings",
    `roles:\n${role("wrong", on("a", "SGS_CRUD"))}${role("right", on("a", "SGS_CRUD"))}${role("base", "", "SGS_CLUSTER_COMPOSITE_OPS")}role_mappings: {wrong: {users: [x]}, right: {users: [y], backend_roles: [team]}, base: {backend_roles: [team]}}`,
    seven,
    ["write-without-bulk SGS_CRUD"],
  ],
  [
    "all writing, and no new field",
    `roles:\n${role("wrong", on("a", "'indices:data/write/*'"), "'indices:data/write/bulk'")}${role("right", on("a", "'indices:data/write/*', 'indices:admin/mapping/put'"), "'indices:data/write/bulk'")}`,
    os,
    ["write-without-mapping 'indices:data/write/*'"],
  ],
  [
    "a query on who writes",
    `roles:\n${role("wrong", on("a", "crud", ", dls: '{}'"), "cluster_composite_ops")}${role("right", on("a", "read", ", dls: '{}'"))}`,
    os,
    ["restricted-writes '{}'"],
  ],
  [
    "hidden fields on who updates",
    `roles:\n${role("wrong", on("a", "crud", ", fls: [x]"), "cluster_composite_ops")}${role("right", on("a", "'indices:data/write/index', 'indices:data/write/bulk[s]'", ", fls: [x]"), "cluster_composite_ops")}`,
    os,
    ["restricted-writes x"],
  ],
  [
    "cluster actions on indices",
    `action_groups: {mine: ['cluster:monitor/health']}\nroles:\n${role("wrong", on("a", "'cluster:monitor/*', 'indices:data/read/scroll', mine"))}${role("right", on("a", "'indices:data/read/*', read, 'indices:data/read/scroll'"), "'cluster:monitor/*', mine, cluster_composite_ops")}`,
    os,
    [
      "cluster-action-on-index 'cluster:monitor/*'",
      "cluster-action-on-index 'indices:data/read/scroll'",
      "cluster-action-on-index mine",
    ],
  ],
  [
    "index actions for the cluster",
    `roles:\n${role("wrong", "", "'indices:admin/create', indices_monitor")}${role("right", on("a", "'indices:admin/create'"), "'indices:data/read/*', 'indices:*', cluster_composite_ops")}`,
    os,
    ["index-action-on-cluster 'indices:admin/create'", "index-action-on-cluster indices_monitor"],
  ],
  [
    "a search template is asked for on the index, its rendering for the cluster",
    `roles:\n${role("wrong", on("a", "'indices:data/read/search/template', 'indices:data/read/search/template/render', 'indices:data/read/msearch/template'"))}`,
    os,
    [
      "cluster-action-on-index 'indices:data/read/search/template/render'",
      "cluster-action-on-index 'indices:data/read/msearch/template'",
    ],
  ],
  [
    "where builds evaluate search templates differently, nothing is said",
    `roles:\n${role("right", on("a", "'indices:data/read/search/template', 'indices:data/read/msearch/template'"))}`,
    seven,
    [],
  ],
  [
    "fields in and out in one role",
    `roles:\n${role("wrong", `${on("a", "read", ", fls: [in]")}, ${on("'*'", "read", ", fls: [~out]")}`)}${role("right", `${on("a", "read", ", fls: [in]")}, ${on("b", "read", ", fls: [~out]")}`)}`,
    os,
    ["mixed-field-rules in"],
  ],
  [
    "FLS rules that are plain text",
    `roles:\n${role("wrong", on("a", "read", ", fls: ['~t?am', '/t.*/']"))}${role("right", on("a", "read", ", fls: ['~t*m', 'a/b'], masked_fields: ['t?am', '/t.*/']"))}`,
    os,
    ["mixed-field-rules '/t.*/'", "mixed-field-rules 'a/b'", "plain-field-rule '~t?am'", "plain-field-rule '/t.*/'"],
  ],
  [
    "two masks of one field",
    `roles:\n${role("wrong", `${on("a", "read", ", masked_fields: [x, 'x::SHA-1']")}, ${on("'*'", "read", ", masked_fields: ['x::/a/::b']")}`)}${role("right", `${on("a", "read", ", masked_fields: [x, y]")}, ${on("b", "read", ", masked_fields: ['x::SHA-1', x*]")}`)}`,
    os,
    ["two-masks 'x::SHA-1'", "two-masks 'x::/a/::b'"],
  ],
  [
    "a restriction that stops where an alias has a matching name",
    `roles:\n${role("wrong", `${on("'hr-?', /fin-.*/, 'pay-*'", "read", ", fls: [x]")}, ${on("/a(b|c)/", "read", ", masked_fields: [x]")}`)}${role("right", `${on("'hr-*', 'hr-?', pay-1, '/fin-[1]/'", "read", ", dls: '{}'")}, ${on("'a?', /b.*/", "read")}`)}`,
    os,
    ["alias-drops-restriction 'hr-?'", "alias-drops-restriction /fin-.*/", "alias-drops-restriction /a(b|c)/"],
  ],
  [
    "the same elsewhere: it holds",
    `roles:\n${role("right", on("'hr-?', /fin-.*/", "SGS_READ", ", fls: [x]"))}`,
    seven,
    [],
  ],
  [
    "fields in and out in one role, which has a neighbour: reported once",
    `roles:\n${role("wrong", on("a", "read", ", fls: [in, ~out]"))}${role("other", on("a", "read", ", fls: [~out]"))}role_mappings: {wrong: {users: [x]}, other: {users: [x]}}`,
    os,
    ["mixed-field-rules in"],
  ],
  [
    "a group of which not all is known",
    `action_groups: {half: ['cluster:monitor/health', may_be_a_group]}\nroles:\n${role("unsure", on("a", "half"))}`,
    os,
    [],
  ],
  [
    "fields in and out over two roles",
    `roles:\n${role("wrong", on("a", "read", ", fls: [in]"))}${role("other", on("a", "read", ", fls: [~out]"))}${role("right", on("a", "read", ", fls: [in]"))}role_mappings: {wrong: {users: [x]}, other: {users: [x]}, right: {users: [y]}}`,
    os,
    ["mixed-field-rules in"],
  ],
  [
    "a restriction that another role does not lift",
    `roles:\n${role("wrong", on("a", "read", ", dls: '{}'"))}${role("other", on("'*'", "read"))}${role("right", on("a", "read", ", dls: '{}'"))}role_mappings: {wrong: {users: [x]}, other: {users: [x]}, right: {users: [y]}}`,
    os,
    ["restriction-stays '{}'"],
  ],
  [
    "a restriction on what another role covers by the same text or by what it begins with, and not on what merely begins so",
    `roles:\n${[
      role("begins", on("logs-x, logs-y*", "read", ", dls: '{}'")),
      role("same", on("'a?*'", "read", ", fls: [f]")),
      role("regex", on("/a.*/", "read", ", masked_fields: [m]")),
      role("right", on("hr-x", "read", ", dls: '{}'")),
      role("half", on("logs-x, other", "read", ", dls: '{}'")),
      role("star", on("'fin-a*'", "read", ", masked_fields: [star]")),
      role("beyond", on("fin-ab", "read", ", masked_fields: [beyond]")),
      role(
        "open",
        `${on("'logs-*'", "read")}, ${on("'fin*'", "read")}, ${on("'a?*', hr", "read")}, ${on("/a.*/", "read")}`,
      ),
      role("unread", on("'*'", "'indices:admin/get'")),
    ].join("")}role_mappings: {${["begins", "same", "regex", "right", "half", "star", "beyond", "open", "unread"]
      .map((name) => `${name}: {users: [x]}`)
      .join(", ")}}`,
    os,
    [
      "alias-drops-restriction 'a?*'",
      "alias-drops-restriction /a.*/",
      "restriction-stays '{}'",
      "restriction-stays f",
      "restriction-stays m",
      "restriction-stays star",
      "restriction-stays beyond",
    ],
  ],
  [
    "expressions that meet whole names",
    `roles:\n${role("r", on("/logs-/, '/^logs-/', '/logs$/', '/logs-.*/', '/logs-[ab]/', '/^logs$/', logs-", search))}role_mappings: {r: {users: [/lic/, '/al.ce/']}}`,
    six,
    ["anchored-regex /logs-/", "anchored-regex '/^logs-/'", "anchored-regex '/logs$/'", "anchored-regex /lic/"],
  ],
  [
    "_all on OpenSearch",
    `roles:\n${role("wrong", on("_all", search))}${role("right", on("'*'", search))}`,
    os,
    ["all-pattern _all"],
  ],
  [
    "_all on Search Guard",
    `roles:\n${role("wrong", on("_all", search))}${role("right", on("'*'", search))}`,
    seven,
    ["all-pattern _all"],
  ],
  [
    "an alias with a filter",
    `roles:\n${role("wrong", on("logs-filtered", search))}${role("right", on("logs-unfilteredness, 'logs-filter*'", search))}`,
    os,
    ["filtered-alias logs-filtered"],
  ],
  [
    "patterns that meet no index",
    `roles:\n${role("wrong", on("'a,b', '-a', /a", search))}${role("right", on("a, 'a-b', '/a,b.*/', '<a-{now/d}>'", search))}`,
    os,
    ["matches-nothing 'a,b'", "matches-nothing '-a'", "matches-nothing /a"],
  ],
  ["a minus that excludes", `roles:\n${role("right", on("'a*', '-ab'", search))}`, { release: "FLX" }, []],
  [
    "patterns that meet no tenant",
    `tenants: {hr: {}}\n${tenant("'it*', 'h*', '*'", "kibana_all_read")}`,
    os,
    ["matches-nothing 'it*'"],
  ],
  [
    "variables where none is replaced",
    `roles:\n${role("wrong", `${on("'${user.roles}', '${user.attrs.x}'", "'${user.name}'")}, ${on("b", search, ", fls: ['${attr.internal.f}']")}`)}${role("right", on("'${user.name}', '${attr.internal.x}-*', '${attr_internal_x}'", search, ', dls: \'{"terms":{"t":[${user.roles}]}}\''))}role_mappings: {wrong: {backend_roles: ['\${user.name}']}, right: {users: [x]}}`,
    os,
    [
      "variable-not-replaced '${user.name}'",
      "variable-not-replaced '${user.name}'",
      "variable-not-replaced '${attr.internal.f}'",
      "variable-not-replaced '${user.roles}'",
      "variable-not-replaced '${user.attrs.x}'",
    ],
  ],
  ...(
    [os, seven, { product: "opensearch", release: "3.6" }, { product: "opensearch", release: "3.7" }] satisfies Where[]
  ).map((server): [string, string, Where, string[]] => [
    `a value for want of one, and variables in variables, on ${server.release ?? "OpenSearch 2.x"}`,
    `roles:\n${role("r", on("'a-${x:-y}', '${attr.internal.x:-none}', 'b-${attr.internal.${attr.internal.y}}', '${attr.internal.x}-:-'", search, ', dls: \'{"term":{"t":"${attr.internal.x:-none}"}}\''))}`,
    server,
    server.release === "3.7"
      ? []
      : [
          "variable-not-replaced 'a-${x:-y}'",
          "variable-not-replaced '${attr.internal.x:-none}'",
          "variable-not-replaced 'b-${attr.internal.${attr.internal.y}}'",
          `variable-not-replaced '{"term":{"t":"\${attr.internal.x:-none}"}}'`,
        ],
  ]),
  [
    "variables of tenants",
    tenant("'${user.name}'", "SGS_KIBANA_ALL_READ"),
    seven,
    ["variable-not-replaced '${user.name}'"],
  ],
  [
    "variables of tenants, which OpenSearch replaces where an attribute comes first",
    tenant("'${attr.internal.t}', '${attr_internal_t}-x', '${user.name}', 'x-${attr.internal.t}'", "kibana_all_read"),
    os,
    ["variable-not-replaced '${user.name}'", "variable-not-replaced 'x-${attr.internal.t}'"],
  ],
  [
    "an attribute in a 6.x pattern, which has no dots",
    `roles:\n${role("right", on("'${attr_internal_x}'", search))}`,
    six,
    [],
  ],
  [
    "variables in expressions",
    `roles:\n${role("r", on("'/(${attr.internal.dept})-x/', '/a-${user.name}/', '${attr.internal.dept}-*', '/a-${nope}/', '/a-b.*/'", search))}`,
    os,
    ["variable-in-expression '/(${attr.internal.dept})-x/'", "variable-in-expression '/a-${user.name}/'"],
  ],
  [
    "names that become patterns",
    `roles:\n${role("wrong", on("'${user.name}'", search))}${role("right", on("'${user.name}'", search))}role_mappings: {wrong: {backend_roles: ['team*']}, right: {users: [ana]}}`,
    os,
    ["chosen-name '${user.name}'"],
  ],
  [
    "a network among hosts",
    "role_mappings: {r: {hosts: ['10.0.0.0/8', 'web/24', '10.0.*', '/10\\.1\\..*/', 'fe80::/10']}}",
    seven,
    ["cidr-in-hosts '10.0.0.0/8'", "cidr-in-hosts 'fe80::/10'"],
  ],
  [
    "a distinguished name that brackets take apart, and ones that are whole",
    `role_mappings:
  a: {backend_roles: [cn=hr,ou=groups,dc=org, other]}
  b: {backend_roles: [ops, CN=web-*, O=Org], users: [uid = x, dc=org], hosts: [a=b,c=d]}
  right: {backend_roles: ["cn=hr", 'ou=groups', cn=it], users: ["cn=a,dc=org", "cn=b,dc=org"]}
  block:
    backend_roles:
      - cn=hr
      - ou=groups
nodes_dn: {other: {nodes_dn: [CN=n1,O=org]}}`,
    os,
    [
      "unquoted-dn cn=hr,ou=groups,dc=org",
      "unquoted-dn uid = x, dc=org",
      "unquoted-dn CN=web-*, O=Org",
      "unquoted-dn a=b,c=d",
      "unquoted-dn CN=n1,O=org",
    ],
  ],
  [
    "two items in one text, and commas that belong there",
    `role_mappings: {r: {backend_roles: ["hr, it", "hr,it", "cn=hr, dc=org", '/a{1, 2}/'], hosts: ["10.0.0.1, 10.0.0.2"], users: ["Lee, Ann"]}}
internal_users: {u: {backend_roles: ["ops,  dev"]}}`,
    os,
    ['joined-items "hr, it"', 'joined-items "10.0.0.1, 10.0.0.2"', 'joined-items "ops,  dev"'],
  ],
  [
    "names that mix scripts",
    "roles: {'\u0430dmin': {}, 'каталог': {}}\nrole_mappings: {r: {users: ['p\u0430y-*', 'CN=Иванов,OU=users'], backend_roles: ['/\u0430.dmin/'], hosts: ['h\u043est']}}",
    os,
    [
      "unmapped-role '\u0430dmin'",
      "unmapped-role 'каталог'",
      "mixed-scripts '\u0430dmin'",
      "mixed-scripts 'p\u0430y-*'",
      "mixed-scripts '/\u0430.dmin/'",
      "mixed-scripts 'h\u043est'",
    ],
  ],
  [
    "patterns, fields and permissions that mix scripts between their signs",
    `roles: {r: {cluster_permissions: ['cluster:m\u043enitor/*'], index_permissions: [{index_patterns: ['p\u0430yroll-*', 'logs-журнал-*', '\u0440\u0430y*', '日本log'], fls: ['~s\u0430lary', '~имя.keyword'], masked_fields: ['n\u0430me::/\u0430/::x'], allowed_actions: [re\u0430d]}], tenant_permissions: [{tenant_patterns: ['h\u0440'], allowed_actions: [kibana_all_read]}]}}`,
    os,
    [
      "mixed-scripts 'cluster:m\u043enitor/*'",
      "mixed-scripts 'p\u0430yroll-*'",
      "mixed-scripts '\u0440\u0430y*'",
      "mixed-scripts '~s\u0430lary'",
      "mixed-scripts 'n\u0430me::/\u0430/::x'",
      "mixed-scripts re\u0430d",
      "mixed-scripts 'h\u0440'",
      "lookalike-name re\u0430d",
    ],
  ],
  [
    "names that look alike, of one kind, of the product and of another mapping",
    "role_mappings: {All_Access: {backend_roles: [HR]}, own_index: {backend_roles: [hr, rh], users: [HR, 'résumé', resume, h*, H*]}, readall: {backend_roles: [HR]}}\naction_groups: {READ: [a], '\uff52ead': [a], read2: [a]}",
    os,
    [
      "lookalike-name All_Access",
      "lookalike-name H*",
      "lookalike-name hr",
      "lookalike-name '\uff52ead'",
      "lookalike-name 'résumé'",
    ],
  ],
  [
    "names and parts of patterns that are wholly of look-alikes of another script, and honest words of these",
    "roles: {pay: {index_permissions: [{index_patterns: ['pay-*'], allowed_actions: [read]}]}, '\u0440\u0430\u0443': {index_permissions: [{index_patterns: ['\u0440\u0430\u0443-*', 'logs-\u0440\u0430\u0443', 'ресурс-*', 'сахар*'], allowed_actions: [read], masked_fields: [сахар]}]}}\nrole_mappings: {pay: {users: [HR-Boss, Сара, 'CN=Сара,OU=users'], backend_roles: [cocoa, bob]}, '\u0440\u0430\u0443': {users: ['\u041d\u0433-\u0432oss'], backend_roles: ['\u0441\u043e\u0441\u043e\u0430', 'Νίκος', 'βοβ', 'море']}}",
    os,
    [
      "mixed-scripts '\u041d\u0433-\u0432oss'",
      "lookalike-name '\u0440\u0430\u0443'",
      "lookalike-name '\u041d\u0433-\u0432oss'",
      "lookalike-name '\u0441\u043e\u0441\u043e\u0430'",
      "lookalike-name 'βοβ'",
      "lookalike-name '\u0440\u0430\u0443-*'",
      "lookalike-name 'logs-\u0440\u0430\u0443'",
    ],
  ],
  [
    "names like those that a server has",
    "role_mappings: {own_index: {users: [Ana], backend_roles: [hr]}}\ninternal_users: {BOB: {hash: x}}",
    {
      ...os,
      live: {
        internal_users: { bob: {} },
        role_mappings: { x: { users: ["ana"] }, y: { backend_roles: ["HR"] }, own_index: { users: ["ANA"] } },
      },
    },
    ["lookalike-name Ana", "lookalike-name hr", "lookalike-name BOB"],
  ],
  [
    "a name with what nobody sees, before the plain one",
    'role_mappings: {own_index: {users: ["a\\u200bna", ana]}}',
    os,
    ['lookalike-name "a\\u200bna"'],
  ],
  ["one name in many places", "role_mappings: {own_index: {users: [a, b]}, readall: {users: [a]}}", os, []],
  ["any backend role", "role_mappings: {r: {backend_roles: ['*', 'a*']}}", os, ["star-backend-role '*'"]],
  ["any backend role, where one is needed", "role_mappings: {r: {backend_roles: ['*']}}", seven, []],
  [
    "a tenant that cannot be written",
    tenant("hr", "'kibana:saved_objects/*'"),
    os,
    ["tenant-not-writable 'kibana:saved_objects/*'"],
  ],
  ["a tenant with all actions", tenant("hr", "SGS_UNLIMITED"), seven, ["tenant-not-writable SGS_UNLIMITED"]],
  ["a tenant with all actions, later", tenant("hr", "'*'"), { release: "7.x-53.0.0" }, []],
  ["a tenant that can be written", tenant("hr", "'*', kibana_all_write"), os, []],
  ["a tenant that is to be read", tenant("hr", "kibana_all_read"), os, []],
  [
    "groups that are named like patterns",
    "action_groups: {'*': ['indices:data/read/get'], 'indices:data/read/x': [], mine-1: []}",
    os,
    ["pattern-named-group '*'", "pattern-named-group 'indices:data/read/x'"],
  ],
  [
    "groups that are named like built-in ones",
    "action_groups: {read: {allowed_actions: ['indices:data/read/get']}, get: {allowed_actions: ['indices:data/read/get*', 'indices:data/read/mget*']}, mine: []}",
    os,
    ["builtin-named-group read"],
  ],
  [
    "groups that no role uses",
    `action_groups: {wrong: ['a:b'], outer: [inner], inner: ['a:b']}\nroles:\n${role("r", on("a", "outer"))}`,
    os,
    ["unused-action-group wrong"],
  ],
  [
    "roles without members",
    `roles:\n${role("wrong", on("a", search))}${role("right", on("a", search))}role_mappings: {right: {users: [x]}}`,
    os,
    ["unmapped-role wrong"],
  ],
  [
    "roles without a mapping, which internal users have",
    `roles:\n${role("wrong", on("a", search))}${role("right", on("a", search))}role_mappings: {}\ninternal_users: {jo: {hash: x, opendistro_security_roles: [right]}}`,
    os,
    ["unmapped-role wrong"],
  ],
])("%s", (_, text, where, expected) => {
  const found = check(text, where, ...expected);
  expect(found.filter(({ what, why, fix }) => !what || !why || !fix)).toEqual([]);
});

test("what a server holds counts like what is declared", () => {
  const roles = `roles:\n${role("r", on("a", "mine"))}`;
  check(
    roles,
    { ...os, live: { role_mappings: { r: { users: ["x"] } }, action_groups: { mine: ["indices:data/write/index"] } } },
    "write-without-bulk mine",
  );
  check(roles, { ...os, live: { role_mappings: {}, action_groups: {} } }, "unmapped-role r");
});

test("what is declared just as it is built in is not its author's", () => {
  check(
    "roles: {kibana_user: {cluster_permissions: [cluster_composite_ops]}}\nrole_mappings: {}",
    os,
    "unmapped-role kibana_user",
  );
  check("action_groups: {read: {reserved: true, allowed_actions: []}}\nroles: {}", os);
});

test("each rule may be set and silenced", () => {
  const codes = lintRules.map(({ code }) => code);
  expect(codes.filter((code) => !lintCodes.includes(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});

test("of two roles, who has both is named: not everybody need who has the one", () => {
  const both = (one: string) =>
    `roles:\n${role("wrong", on("a", "read", one))}${role("other", on("'*'", "read", one && ", fls: [~out]"))}role_mappings: {wrong: {backend_roles: [alone, both]}, other: {backend_roles: [both]}}`;
  const [stays] = check(both("").replace("[read]}", "[read], dls: '{}'}"), os, "restriction-stays '{}'");
  expect(stays?.what).toBe(
    'The role "other" is mapped to the backend role "both" as well, and covers these indices without DLS.',
  );
  const [mixed] = check(both(", fls: [in]"), os, "mixed-field-rules in");
  expect(mixed?.what).toContain('the role "other", which is mapped to the backend role "both" as well, excludes');
});

test.each([
  ["${user.name}", 'chooses "*", gets every index.'],
  ["scratch-${user.name}", 'chooses "*", gets the indices that match "scratch-*".'],
  ["${user_name}-*", 'chooses "*", gets the indices that match "*-*".'],
  ["/scratch-${user.name}/", 'chooses ".*", gets the indices that match "/scratch-.*/".'],
])("the pattern %s, with a name that a user chooses, is said to allow no more than it does", (pattern, end) => {
  const text = `roles:\n${role("r", on(`'${pattern}'`, search))}role_mappings: {r: {backend_roles: ['team*']}}`;
  const inExpression = pattern.startsWith("/") ? [`variable-in-expression '${pattern}'`] : [];
  const found = check(text, os, ...inExpression, `chosen-name '${pattern}'`);
  expect(found.at(-1)?.why?.endsWith(end)).toBe(true);
});

const basic = "{http_authenticator: {type: basic}, authentication_backend: {type: intern}}";
const tokens = "{http_authenticator: {type: jwt}, authentication_backend: {type: noop}}";
const people = `role_mappings: {r: {users: [ann, bob, "app-*", "/x.*/", admin, "CN=web,O=org"]}}
internal_users: {ann: {}}
`;
const loginsBy = (...domains: readonly string[]) =>
  `${people}config: {dynamic: {authc: {${domains.map((domain, at) => `d${at}: ${domain}`).join(", ")}}}}`;
const managed: Policies = { internal_users: { mode: "manage" } };

test.each<[about: string, text: string, where: Where, expected: readonly string[]]>([
  ["all logins are internal", loginsBy(basic), { policies: managed }, ["unknown-user bob"]],
  [
    "no backend is the internal one",
    loginsBy("{http_authenticator: {type: jwt}}"),
    { policies: managed },
    ["unknown-user bob"],
  ],
  ["a user whom the server holds", loginsBy(basic), { policies: managed, live: { internal_users: { bob: {} } } }, []],
  ["tokens name others", loginsBy(basic, tokens), { policies: managed }, []],
  [
    "tokens that are off",
    loginsBy(basic, tokens.replace("{", "{http_enabled: false, ")),
    { policies: managed },
    ["unknown-user bob"],
  ],
  [
    "a backend of another's own",
    loginsBy(basic, basic.replace("intern", "org.example.Own")),
    { policies: managed },
    [],
  ],
  ["no login domain is known", people, { policies: managed }, []],
  ["every domain is off", loginsBy(basic.replace("{", "{http_enabled: false, ")), { policies: managed }, []],
  ["users are only compared", loginsBy(basic), {}, []],
  ["users are only added", loginsBy(basic), { policies: { internal_users: { mode: "adopt" } } }, []],
  [
    "some users are others'",
    loginsBy(basic),
    { policies: { internal_users: { mode: "manage", exclude: ["b*"] } } },
    [],
  ],
])("a mapped user that no internal user is: %s", (_, text, where, expected) => {
  check(`${text}\nroles: {r: {}}`, { ...os, ...where }, ...expected);
});
