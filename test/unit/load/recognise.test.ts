import { describe, expect, it } from "vitest";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { recogniseDocument } from "../../../src/load/recognise.ts";
import { parseDocuments } from "../../../src/load/yaml.ts";
import { toValue } from "../../../src/model/node.ts";

function look(text: string, path = "a.yml") {
  const file = { path, text };
  const root = parseDocuments(file).documents[0];
  if (!root) throw new Error("The text holds no document.");
  const { document, diagnostics, unmanaged, other } = recogniseDocument(file, root);
  const sections = document?.sections.map(({ family, entries }) =>
    [family, ...entries.map(({ key }) => key)].join(" "),
  );
  const codes = diagnostics.map(
    ({ code, range }) => `${code} ${range && formatLocation(range).slice(path.length + 1)}`,
  );
  const reading = document && `${document.form}: ${sections?.join(", ")}`;
  return { document, diagnostics, unmanaged, other, codes, reading };
}

/** The document reads so, `form: family names…`, and nothing is said about it. */
function check(text: string, reading: string, path?: string) {
  expect(look(text, path)).toMatchObject({ codes: [], reading, unmanaged: undefined });
}

/** It is refused, each code with its line and column. */
function complains(text: string, codes: readonly string[], path?: string) {
  expect(look(text, path).codes).toEqual(codes);
}

describe("by family", () => {
  it("takes any of the families", () => {
    check(
      "roles: {a: {cluster_permissions: [x]}}\nblocks: {}\nrole_mappings: {a: {users: [u]}, b: {}}\n",
      "by-family: roles a, blocks, role_mappings a b",
    );
  });
  it("takes the single documents", () => {
    const { document } = look("config: {dynamic: {http: {}}}\nlicense: {text: x}\n");
    expect(document?.form).toBe("by-family");
    expect(document?.sections.map(({ family, node }) => [family, toValue(node)])).toEqual([
      ["config", { dynamic: { http: {} } }],
      ["license", { text: "x" }],
    ]);
  });
  it("passes over the keys of later features", () =>
    check("waivers: [x]\npersonas: {}\ntenants: {a: {}}", "by-family: tenants a"));
  it("distinguishes an empty family from a missing one, and says so where it is null", () => {
    check("roles: {}", "by-family: roles");
    expect(look("roles:\n")).toMatchObject({
      reading: "by-family: roles",
      codes: ["null-entry 1:1"],
      diagnostics: [{ severity: "error" }],
    });
  });
  it("a role may be named like a field", () => {
    check(
      "roles: {users: {cluster_permissions: [x]}, indices: {cluster_permissions: [y]}}",
      "by-family: roles users indices",
    );
  });
  it("a misspelt family is reported, with what was meant", () => {
    for (const [key, meant] of [
      ["rolesmapping", "role_mappings"],
      ["roles_mapping", "role_mappings"],
      ["actiongroups", "action_groups"],
      ["tenant", "tenants"],
      ["bloks", "blocks"],
    ]) {
      const { codes, diagnostics } = look(`roles: {a: {cluster_permissions: [x]}}\n${key}: {a: {}}\n`);
      expect(codes).toEqual(["unknown-field 2:1"]);
      expect(diagnostics[0]?.what).toContain(`"${meant}"`);
    }
    complains("role_mapping: {a: {users: [x]}}", ["unknown-field 1:1"]);
  });
  it.each([
    ["rolemappings", "role_mappings"],
    ["roleMappings", "role_mappings"],
    ["role-mappings", "role_mappings"],
    ["mappings", "role_mappings"],
    ["rols", "roles"],
    ["actionGroups", "action_groups"],
  ])("so is %s as the only key", (key, meant) => {
    const fields = { role_mappings: "users", roles: "cluster_permissions", action_groups: "allowed_actions" }[meant];
    const { other, codes, diagnostics } = look(`${key}: {a: {${fields}: [x]}}\n`);
    expect({ other, codes }).toEqual({ other: undefined, codes: ["unknown-field 1:1"] });
    expect(diagnostics[0]?.what).toContain(`"${meant}"`);
  });
  it("a family holds a map", () => complains("roles: [a]\ntenants: x\n", ["wrong-type 1:1", "wrong-type 2:1"]));
});

describe("native, by header", () => {
  it.each([
    ["roles", "_meta"],
    ["rolesmapping", "_sg_meta"],
    ["actiongroups", "_gate_meta"],
    ["tenants", "_meta"],
    ["blocks", "_sg_meta"],
  ])("of type %s in %s", (type, key) => {
    const family = { rolesmapping: "role_mappings", actiongroups: "action_groups" }[type] ?? type;
    check(`a: {}\n${key}: {type: "${type}", config_version: "2"}\nb: {}\n`, `native: ${family} a b`);
  });
  it("the header wins over the name of the file, with a warning", () => {
    expect(look("_meta: {type: rolesmapping}\na: {}\n", "x/roles_a.yml")).toMatchObject({
      reading: "native: role_mappings a",
      codes: ["meta-mismatch 1:15"],
    });
    check("_meta: {type: tenants}\na: {}\n", "native: tenants a", "roles_tenants.yml");
  });
  it("the header wins over the words of families", () => {
    check(
      "_meta: {type: roles}\ntenants: {cluster_permissions: [x]}\nroles: {reserved: true}\n",
      "native: roles tenants roles",
    );
  });
  it("but not over entries of a family below its word", () => {
    complains("_meta: {type: roles}\nrole_mappings: {a: {users: [x]}}\n", ["mixed-families 2:1"]);
  });
  it("an unknown type is refused, with a suggestion", () => {
    const { codes, diagnostics } = look("_meta:\n  type: actionsgroups\na: {}\n");
    expect(codes).toEqual(["unknown-family 2:9"]);
    expect(diagnostics[0]?.what).toContain('"actiongroups"');
  });
  it("without entries it declares nothing", () => check("_meta: {type: roles}\n", "native: "));
  it("types that are not managed are left out", () => {
    expect(look("_meta: {type: sessions}\na: {hash: x}\n", "roles.yml")).toMatchObject({
      codes: [],
      unmanaged: "authentication settings of newer releases",
    });
  });
});

describe("native config", () => {
  it.each(["sg_config", "gate_config", "searchguard", "opendistro_security"])("under %s", (key) => {
    const { document, codes } = look(`${key}:\n  dynamic: {http: {}}\n`);
    expect(codes).toEqual([]);
    expect(document).toMatchObject({ form: "native", sections: [{ family: "config", entries: [] }] });
    expect(document?.sections.map(({ node }) => toValue(node))).toEqual([{ dynamic: { http: {} } }]);
  });
  it("config under a header is native, without one it is by family", () => {
    check("_meta: {type: config}\nconfig: {dynamic: {}}\n", "native: config");
    check("config: {dynamic: {}}\n", "by-family: config");
  });
  it("takes one key only", () => {
    complains("_meta: {type: config}\nconfig: {dynamic: {}}\nconfigs: {}\n", ["unknown-field 3:1"]);
  });
});

describe("native, by the name of the file", () => {
  it.each([
    ["roles", "a: {cluster_permissions: [x]}"],
    ["roles", "a: {cluster: [x], indices: {'*': {'*': [READ]}}}"],
    ["role_mappings", "a: {backendroles: [x]}\nb: {}"],
    ["role_mappings", "a: {users: x}\nb: {description: y}"],
    ["action_groups", "a: [x, y]\nb: [z]"],
    ["action_groups", "a: {readonly: true, permissions: [x]}"],
    ["action_groups", "a: {reserved: true, type: index, allowed_actions: [x]}"],
    ["blocks", "a: {type: ip, value: 1.2.3.4, verdict: disallow}"],
    ["tenants", "a: {description: x}\nb: {}"],
  ])("%s: %j", (family, text) => {
    expect(look(text, `x/hr_${family}.yml`)).toMatchObject({
      codes: [],
      document: { form: "native", sections: [{ family }] },
    });
    // Where nothing says the family, the message says what the entries look like, and how to declare it.
    const { codes, diagnostics } = look(text, "x/whatever.yml");
    expect(codes).toEqual(["unknown-family 1:1"]);
    if (family !== "tenants") expect(diagnostics[0]?.fix).toContain(`Put the entries under ${family}:`);
  });
  it.each([
    ["role_mapings:\n", "role_mappings"],
    ["role_mapings: {}\n", "role_mappings"],
    ["role_mapings:\n  - a\n", "role_mappings"],
    ["role_mapings:\n  a: {nonsense: 1}\n", "role_mappings"],
    ["action_group:\n", "action_groups"],
  ])("a misspelt family with nothing recognisable below it is named: %j", (text, family) => {
    const { codes, diagnostics } = look(text, "x/whatever.yml");
    expect(codes).toEqual(["unknown-field 1:1"]);
    expect(diagnostics[0]?.what).toContain(`Did you mean "${family}"?`);
  });
  it("entries of another family are mistakes of these entries", () =>
    check("a: {users: [x]}", "native: roles a", "roles.yml"));
  it("the name decides where the content says nothing", () => {
    check("a:\nb: {reserved: true}\n", "native: roles a b", "sg_roles.yml");
    check("a: {description: x}\n", "native: role_mappings a", "roles_mapping.yml");
    complains("a:\nb: {reserved: true}\n", ["unknown-family 1:1"], "things.yml");
  });
  it("the name decides between two that come into question", () => {
    check("a: {users: [x]}\nb: {cluster_permissions: [x]}\n", "native: role_mappings a b", "roles_mapping.yml");
  });
  it("one stray entry among many is that entry's mistake", () => {
    check(
      "a: {users: [x]}\nb: {users: [x]}\nc: {users: [x]}\nd: {cluster_permissions: [x]}\n",
      "native: role_mappings a b c d",
      "roles_mapping.yml",
    );
  });
  it("users and roles in one file are refused, with both places", () => {
    const { codes, diagnostics } = look("a: {hash: x}\nb: {cluster_permissions: [x]}\n");
    expect(codes).toEqual(["mixed-families 2:1"]);
    expect(diagnostics[0]?.related).toHaveLength(1);
  });
  it("what is not indented below its name or family is reported there", () => {
    complains("roles:\nhr: {cluster_permissions: [x]}\n", ["unknown-family 2:1"]);
    complains("hr:\ncluster_permissions: [x]\nindex_permissions: []\n", ["unknown-family 2:1"]);
    complains("roles:\n  hr:\n  cluster_permissions: [x]\n", ["unknown-family 3:3"]);
    complains("tenants:\n  hr:\n  description: x\n", ["unknown-family 3:3"]);
  });
  it("the vendors' own key of role mappings is one of theirs", () => {
    check("roles_mapping: {a: {users: [x]}}\nroles: {}\n", "by-family: role_mappings a, roles");
    check("rolesmapping: {a: {users: [x]}}\n", "by-family: role_mappings a");
    expect(look("roles_mapping: {a: {users: [x]}}\nrole_mappings: {}\n").codes).toEqual(["unknown-field 1:1"]);
    check("rolesmapping: {cluster_permissions: [x]}\n", "native: roles rolesmapping", "roles.yml");
  });
  it("a role may be named like a family", () => {
    check(
      "tenants: {cluster_permissions: [x]}\nadmin: {cluster_permissions: [y]}\n",
      "native: roles tenants admin",
      "roles.yml",
    );
    check("tenants: {reserved: true, cluster_permissions: [x]}\n", "native: roles tenants", "roles.yml");
  });
  it("what may be either is refused", () => {
    complains("tenants: {}\nadmin: {cluster_permissions: [y]}\n", ["mixed-families 1:1"]);
  });
});

describe("what is something else", () => {
  it.each([
    ["a: {cluster: [all], indices: [{names: ['*'], privileges: [all]}]}", "roles.yml"],
    ["a: {cluster: [monitor], run_as: [x]}", "roles.yml"],
    ["admins: ['cn=admins,dc=example']", "role_mapping.yml"],
    ["a: {roles: [x], enabled: true, rules: {field: {username: y}}}", "a.json"],
    ["apiVersion: v1\nkind: ConfigMap\ndata: {roles.yml: x}", "a.yml"],
    ["a: {indices: {'logs-*': {privileges: [read]}}}", "roles.yml"],
    ["common: {roles: {}}", "values.yaml"],
  ])("%j is another product's", (text, path) => {
    expect(look(text, path)).toMatchObject({ document: undefined, diagnostics: [{ code: "foreign-product" }] });
  });
  it.each([
    ["cluster_permissions: [x]\nindex_permissions: []\n", "1:1"],
    ["users: [x]\n", "1:1"],
    ["dynamic: {}\n", "1:1"],
    ["[{op: add, path: /a, value: {}}]", "1:1"],
    ["- a\n- b\n", "1:1"],
    ["just a text", "1:1"],
    ["foo: {bar: {baz: 1}}\n", "1:1"],
  ])("%j declares no family", (text, place) => complains(text, [`unknown-family ${place}`]));
  it.each([
    ["apiVersion: audit.k8s.io/v1\nrules: [{level: None}]\n", "audit.yml", "audit settings of another form"],
    ["config: {enabled: true, audit: {}}\nb: 1\n", "audit.yml", "audit settings of another form"],
    ["config: {paths: [/x]}", "whitelist.yml", "API allow lists of another form"],
    ["cluster.name: x\nhttp.port: 9200\n", "es.yml", "the node's own settings"],
    ["auth_domains: [{type: basic}]\n", "sg_authc.yml", "authentication settings of newer releases"],
  ])("%j in %s is not managed", (text, path, unmanaged) => {
    expect(look(text, path)).toMatchObject({ codes: [], unmanaged, document: undefined });
  });
  it.each([
    ["config: {enabled: true, audit: {}}", "native: audit config", "audit.yml"],
    ["_readonly: [/audit]\nconfig: {compliance: {}}", "native: audit config", "s/audit.yml"],
    ["_meta: {type: audit}\nconfig: {}\n", "native: audit config", "of-us.yml"],
    ["audit: {config: {enabled: true}}", "by-family: audit config", "of-us.yml"],
    ["a: {nodes_dn: ['CN=x']}", "native: nodes_dn a", "nodes_dn.yml"],
    ["config: {enabled: false, requests: {}}", "native: whitelist config", "whitelist.yml"],
    ["config: {requests: {}}", "native: allowlist config", "allowlist.yml"],
    ["audit: {cluster_permissions: [x]}", "native: roles audit", "roles.yml"],
    ["auditors: {description: a}", "native: tenants auditors", "s/audit_tenants.yml"],
    ["a: {hash: x, backend_roles: [y]}", "native: internal_users a", "people.yml"],
    ["a: {backend_roles: [y]}", "native: internal_users a", "internal_users.yml"],
    ["_meta: {type: internalusers}\na: {backend_roles: [y]}\n", "native: internal_users a", "people.yml"],
    ["internal_users: {a: {backend_roles: [y]}}", "by-family: internal_users a", "people.yml"],
    ["a: {description: x}", "native: role_mappings a", "audit_roles_mapping.yml"],
    ["a: [x]", "native: action_groups a", "audit_action_groups.yml"],
    ["a: {users: [x]}", "native: role_mappings a", "internal_users_roles_mapping.yml"],
  ])("%j is read: %s, in %s", check);
  it.each([
    ["services: {es: {image: x}}", "docker-compose.yml"],
    ["on: push\njobs: {a: {}}", "ci.yml"],
    ["apiVersion: apps/v1\nkind: Deployment\nspec: {}", "es.yml"],
    ["id: x\nrealm: r\nenabled: true\nroles: {realm: [{name: a}]}\nusers: []\n", "realm.json"],
    ["clientId: x\nprotocol: openid-connect\nenabled: true\nredirectUris: [a]\n", "app.json"],
    ["nodes: {indexer: [{name: n, ip: x}]}", "config.yml"],
    ["ca: {root: {dn: x}}\ndefaults: {validityDays: 1}\n", "tls-template.yml"],
    ["filebeat.inputs: [{type: log}]\noutput.x: {hosts: [a], users: [b]}\n", "filebeat.yml"],
    ["es.logger.level: INFO\nrootLogger: a, b\nlogger: {action: DEBUG}\n", "logging.yml"],
    ["index_patterns: ['a-*']\nsettings: {number_of_shards: 1}\n", "template.json"],
    ["thing: a\nothers: [b]\nlist: {of: c}\n", "thing.yml"],
  ])("%j in %s is a file of another program", (text, path) => {
    const { other, codes } = look(text, path);
    expect({ isOther: other !== undefined, codes }).toEqual({ isOther: true, codes: [] });
  });
  it.each([
    ["a: x\nhr: {cluster_permission: [x]}\n", "team.yml"],
    ["a: x\nrole: {hr: {}}\n", "team.yml"],
    ["cluster_permissions: [x]\nindex_permissions: y\n", "team.yml"],
    ["a: x\nb: {hosts: y}\n", "team.yml"],
    ["a: x\n", "roles.yml"],
    ["a:\n  users:[ana]\n", "team.yml"],
    ["a: x\nteams: {hr: {users: [x]}}\n", "team.yml"],
  ])("%j in %s is a mistake, and not skipped", (text, path) => {
    expect(look(text, path)).toMatchObject({ other: undefined, unmanaged: undefined });
  });
  it.each([
    ["server.host: '0'\nopensearch.hosts: [a]\nopensearch_security.multitenancy.enabled: true\n", "dashboards.yml"],
    ["elasticsearch.requestHeadersAllowlist: [a]\nelasticsearch.hosts: [b]\n", "kibana.yml"],
  ])("%j in %s is settings of a node", (text, path) => {
    expect(look(text, path)).toMatchObject({ unmanaged: "the node's own settings", document: undefined });
  });
  it.each([
    ["a: {hash: x, backend_roles: [y]}", "roles_mapping.yml", "1:1"],
    ["_meta: {type: internalusers}\na: {hash: x}\nb: {cluster_permissions: [x]}\n", "team.yml", "3:1"],
    ["a: {hash: x}\nb: {hash: x}\nc: {hash: x}\nd: {cluster_permissions: [x]}\n", "team.yml", "4:1"],
    ["a: {cluster_permissions: [x], password: y}", "roles.yml", "1:1"],
  ])("%j in %s has what users do not have, and is no users' file", (text, path, place) => {
    expect(look(text, path)).toMatchObject({ codes: [`mixed-families ${place}`], unmanaged: undefined });
  });
  it("a name that only holds such a word decides nothing", () =>
    complains("a: {reserved: true}", ["unknown-family 1:1"], "audit-prod.yml"));
  it.each([
    ["a: {users: [x]}", "audit.yml"],
    ["a: {cluster_permissions: [x]}", "audit.yml"],
    ["auditors: {description: a}", "sg_audit.yml"],
    ["a: {users: [x]}", "internal_users.yml"],
  ])("%j in %s is not what the name says, and is refused", (text, path) =>
    complains(text, ["mixed-families 1:1"], path),
  );
  it("families in a file of such a name are read", () => {
    check("roles: {a: {cluster_permissions: [x]}}", "by-family: roles a", "audit.yml");
  });
});

describe("a file of access tests", () => {
  const one = "{as: a, action: health, expect: denied}";
  it.each([
    ["a list", `- ${one}\n`],
    ["their key", `access_tests:\n  - ${one}\n`],
    ["a header and their key", `_meta: {}\naccess_tests:\n  - ${one}\n`],
  ])("is %s", (_, text) => {
    const { document, codes } = look(text, "hr.access-test.yaml");
    expect(codes).toEqual([]);
    expect(document?.accessTests && toValue(document.accessTests)).toEqual([
      { as: "a", action: "health", expect: "denied" },
    ]);
  });
  it("declares nothing else, whatever it is called besides", () => {
    const { codes, reading } = look(`roles: {a: {}}\naccess_tests: [${one}]\n`, "roles.access-test.yml");
    expect(codes).toEqual(["unknown-field 1:1"]);
    expect(reading).toBe("by-family: ");
  });
  it("is known by its name alone", () => complains(`- ${one}\n`, ["unknown-family 1:1"], "access-test.yaml"));
});

describe("the name of a file", () => {
  const mapping = "_meta: {type: rolesmapping}\nr1: {users: [ana]}\n";
  const nameMessages = (path: string, text = mapping) =>
    look(text, path)
      .diagnostics.filter(({ code }) => code === "misspelt-file-name")
      .map(({ what }) => what);
  it.each([
    ["roes_mapping.yml", "roles_mapping.yml"],
    ["access/sg_roles_maping.yml", "sg_roles_mapping.yml"],
    ["role_mapping.yaml", "roles_mapping.yaml"],
    ["rolesmaping.json", "rolesmapping.json"],
  ])("%s is nearly %s", (path, near) => expect(nameMessages(path)).toEqual([`The name of ${path} is nearly ${near}.`]));
  it.each([
    ["role.yaml", "r1: {cluster_permissions: [x]}", "roles.yaml"],
    ["acton_groups.yml", "_meta: {type: actiongroups}\ng: {allowed_actions: [x]}", "action_groups.yml"],
    ["tenant.yml", "t: {description: x}", "tenants.yml"],
    ["rols.yml", "_meta: {type: roles, config_version: 2}\nr: {cluster_permissions: [x]}", "roles.yml"],
  ])("so is %s", (path, text, near) => expect(nameMessages(path, text)).toEqual([expect.stringContaining(near)]));
  it.each([
    "roles_mapping.yml",
    "role_mappings.yml",
    "sg_roles_mapping.yml",
    "rolesmapping.yml",
    "roles_mapping_2.yml",
  ])("%s is one", (path) => expect(nameMessages(path)).toEqual([]));
  it.each(["payments.yml", "roles_a.yml", "hr_roles.yml", "mappings-eu.yml", "people.yml"])(
    "%s is a team's own",
    (path) => expect(nameMessages(path)).toEqual([]),
  );
  it("does not matter where the entries are below a family key", () => {
    expect(nameMessages("roes_mapping.yml", "role_mappings: {r1: {users: [ana]}}")).toEqual([]);
  });
});
