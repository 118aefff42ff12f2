import { expect, test } from "vitest";
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { validateShape } from "../../../src/validate/shape.ts";
import { repositoryOf } from "../../support/nodes.ts";

/** `error unknown-field host`: severity, code and what is underlined. */
function brief({ severity, code, range }: Diagnostic): string {
  return `${severity} ${code} ${range?.file.text.slice(range.start, range.end) ?? ""}`;
}

function check(text: string, ...expected: readonly string[]): readonly Diagnostic[] {
  // A mapping of 6.x has neither a family key nor a header.
  const path = text.startsWith("m:") ? "roles_mapping.yml" : "state.yml";
  const found = validateShape(repositoryOf({ [path]: text }), { acceptFields: [] });
  expect(found.map(brief)).toEqual(expected);
  return found;
}

test("ips of a mapping is a field of FLX that a target admits", () => {
  const [found] = check("role_mappings: {m: {users: [a], ips: [10.0.0.0/8]}}", "error unknown-field ips");
  expect(found?.fix).toContain("For FLX, write accept_fields: [ips]");
});

const header = "_meta: {type: roles, config_version: 2}\n";

test.each<[about: string, text: string]>([
  ["roles of 7.x", "roles: {r: {cluster_permissions: [a], index_permissions: [{index_patterns: [a], dls: null}]}}"],
  [
    "roles of 6.x",
    "r:\n  readonly: true\n  cluster: [A]\n  indices: {i: {'*': [READ], _dls_: '', _fls_: [a]}}\n  tenants: {t: rw}",
  ],
  ["mappings of 6.x", "m: {backendroles: [a], and_backendroles: [], hosts: null}"],
  ["a bare action group", "action_groups: {READ: ['indices:data/read*']}"],
  ["a block with one value", "blocks: {b: {type: name, value: worf, verdict: disallow}}"],
  ["numbers and booleans as texts in a config", "config: {dynamic: {authc: {d: {order: '1', http_enabled: 'false'}}}}"],
  ["a config of 6.x", "searchguard: {dynamic: {http: {xff: {proxiesHeader: x}}, authc: {d: {enabled: true}}}}"],
  [
    "what an authenticator makes of its settings",
    "config: {dynamic: {authc: {d: {http_authenticator: {config: {a: [1]}}}}}}",
  ],
  ["a secret where text belongs", "roles: {r: {description: '$" + "{env:TEXT}'}}"],
  ["a family that is declared empty", "roles: {}"],
  [
    "access tests",
    "access_tests:\n  - {name: x, as: ana, action: search, index: [a, b], expect: allowed, sees: everything, allow_unknown: true}\n" +
      "  - {as: {backend_roles: [a]}, action: [read], tenant: t, expect: denied}\n  - {only: {}, action: health}",
  ],
  ["no access tests", "access_tests:"],
  [
    "personas",
    "personas: {ana: {user: ana, backend_roles: [a], host: 10.0.7.3, attributes: {internal.dept: hr}}, bo: }",
  ],
  ["a waiver", "waivers: [{rule: deletions, addresses: [roles/a], reason: x, until: 2027-01-31}]"],
])("admits %s", (_, text) => {
  check(text);
});

test.each<[about: string, text: string, expected: string]>([
  ["a field that no persona has", "personas: {ana: {backend_role: [a]}}", "error unknown-field backend_role"],
  ["backend roles that are no list", "personas: {ana: {backend_roles: a}}", "error wrong-type a"],
  ["a persona of no name", 'personas: {"": {user: ana}}', 'error bad-name ""'],
  ["a persona named by spaces", 'personas: {" ": {user: ana}}', 'error bad-name " "'],
  ["an attribute of no name", 'personas: {ana: {attributes: {"": hr}}}', 'error bad-name ""'],
  ["a user of no name", 'personas: {ana: {user: ""}}', 'error wrong-type ""'],
  ["a backend role of no name", 'personas: {ana: {backend_roles: [a, ""]}}', 'error wrong-type ""'],
  [
    "an access test of a user of no name",
    'access_tests: [{as: {user: ""}, action: x, expect: denied}]',
    'error wrong-type ""',
  ],
  [
    "an access test of a backend role of no name",
    'access_tests: [{as: {backend_roles: [""]}, action: x, expect: denied}]',
    'error wrong-type ""',
  ],
  ["access tests that are no list", "access_tests: {a: b}", "error wrong-type {a: b}"],
  [
    "a field that no access test has",
    "access_tests: [{as: a, actions: x, action: x, expect: denied}]",
    "error unknown-field actions",
  ],
  [
    "an access test named by spaces",
    'access_tests: [{name: " ", as: a, action: x, expect: denied}]',
    'error wrong-type " "',
  ],
  [
    "an access test of no one",
    "access_tests: [{action: x, expect: denied}]",
    "error missing-field {action: x, expect: denied}",
  ],
  [
    "an access test that expects something else",
    "access_tests: [{as: a, action: x, expect: deny}]",
    "error wrong-type deny",
  ],
  [
    "an access test of a user and of all others",
    "access_tests: [{as: a, only: {}, action: x}]",
    "error exclusive-fields {as: a, only: {}, action: x}",
  ],
  [
    "an access test of no one else that expects something",
    "access_tests: [{only: {}, action: x, expect: denied}]",
    "error exclusive-fields {only: {}, action: x, expect: denied}",
  ],
  [
    "an access test of a tenant that everything of it is seen",
    "access_tests: [{as: a, action: read, tenant: t, expect: allowed, sees: everything}]",
    "error exclusive-fields {as: a, action: read, tenant: t, expect: allowed, sees: everything}",
  ],
  [
    "an exception of no kind",
    "access_tests: [{only: {backend_role: [a]}, action: x}]",
    "error unknown-field backend_role",
  ],
  ["a waiver to no guard", "waivers: [{rule: deletion, addresses: [roles/a], reason: x}]", "error wrong-type deletion"],
  [
    "a waiver without a reason",
    "waivers: [{rule: login, addresses: [config]}]",
    "error missing-field {rule: login, addresses: [config]}",
  ],
  [
    "a waiver to what is no address",
    "waivers: [{rule: login, addresses: [role/a], reason: x}]",
    "error wrong-type role/a",
  ],
  [
    "a waiver until no day",
    "waivers: [{rule: login, addresses: [config], reason: x, until: tomorrow}]",
    "error wrong-type tomorrow",
  ],
  ["misspelt", "roles: {r: {index_permissions: [{alowed_actions: [a]}]}}", "error unknown-field alowed_actions"],
  ["host", "role_mappings: {m: {host: [a], users: [b]}}", "error unknown-field host"],
  [
    "of a role, in a mapping",
    "role_mappings: {m: {cluster_permissions: [a]}}",
    "error foreign-field cluster_permissions",
  ],
  ["of an internal user", "role_mappings: {m: {users: [a], hash: x}}", "error foreign-field hash"],
  ["of another product", "roles: {r: {cluster_permissions: [], run_as: [a]}}", "error foreign-field run_as"],
  [
    "one level too deep",
    "roles: {r: {index_permissions: [{cluster_permissions: [a]}]}}",
    "error unknown-field cluster_permissions",
  ],
  ["retired", "roles: {r: {cluster: [A], expires: '15'}}", "warning retired-field expires"],
  ["of a whole role, once", "roles: {r: {cluster: [A], dls: {a: b}}}", "error retired-field dls"],
  [
    "below dynamic",
    "config: {dynamic: {do_not_fail_on_forbiden: true}}",
    "error unknown-field do_not_fail_on_forbiden",
  ],
  [
    "in a listener",
    "config: {dynamic: {auth_failure_listeners: {l: {type: ip, tries: 1}}}}",
    "error unknown-field tries",
  ],
  ["in a domain", "config: {dynamic: {authc: {d: {ordr: 1}}}}", "error unknown-field ordr"],
])("underlines a field that is not known: %s", (_, text, expected) => {
  check(text, expected);
});

test("suggests the field that was meant, or says where it belongs", () => {
  const [host] = check("role_mappings: {m: {host: [a]}}", "error unknown-field host");
  expect(host?.what).toBe('A role mapping has no field "host". Did you mean "hosts"?');
  const [hash] = check("role_mappings: {m: {users: [], hash: x}}", "error foreign-field hash");
  expect(hash?.what).toContain("It belongs to internal users.");
  const [type] = check("roles: {r: {cluster_permissions: [], type: x}}", "error foreign-field type");
  expect(type?.what).toContain("It belongs to action groups and blocks.");
  const [deep] = check(
    "roles: {r: {cluster_permissions: [], index_patterns: [a]}}",
    "error unknown-field index_patterns",
  );
  expect(deep?.fix).toBe("It belongs to the elements of index_permissions in roles: look at the indentation.");
});

test("leaves to the loader what it reports already", () => {
  check("roles: {r: {cluster_permissions: []}}\nrolse: {}\ntenants: [a]");
});

test("admits what the target accepts, and only that", () => {
  const repository = repositoryOf({
    "state.yml": "roles: {r: {cluster_permissions: [], remote_permissions: [], x: 1}}",
  });
  const found = validateShape(repository, { acceptFields: ["remote_permissions"] });
  expect(found.map(brief)).toEqual(["error unknown-field x"]);
});

test.each<[about: string, text: string, expected: string]>([
  ["a list for a role", "roles: {r: [a], s: {cluster_permissions: []}}", "error wrong-type [a]"],
  ["a text for a list", "roles: {r: {cluster_permissions: all}}", "error wrong-type all"],
  ["a map for a query", "roles: {r: {index_permissions: [{dls: {term: {a: b}}}]}}", "error wrong-type {term: {a: b}}"],
  ["a number for a text", "tenants: {t: {description: 5}}", "error wrong-type 5"],
  ["a word for true", "config: {dynamic: {disable_rest_auth: maybe}}", "error wrong-type maybe"],
  ["an unknown verdict", "blocks: {b: {type: ip, value: 1.2.3.4, verdict: deny}}", "error wrong-type deny"],
  ["other access than RW and RO", "roles: {r: {tenants: {t: RX}}}", "error wrong-type RX"],
  ["a number in a list", "roles: {r: {cluster_permissions: [a, 1]}}", "error not-a-string 1"],
  ["a boolean in a list", "roles: {r: {index_permissions: [{fls: [true]}]}}", "error not-a-string true"],
  ["a map in a list", "role_mappings: {m: {users: [{a: b}]}}", "error not-a-string {a: b}"],
  ["null in a list", "role_mappings: {m: {users: [null]}}", "error null-in-list null"],
  ["null among index permissions", "roles: {r: {index_permissions: [~]}}", "error null-in-list ~"],
  ["a text among index permissions", "roles: {r: {index_permissions: [x]}}", "error wrong-type x"],
  ["a license without text", "license: {write: always}", "error missing-field license"],
  ["a license in two places", "license: {text: a, file: b}", "error exclusive-fields license"],
  ["a null role", "roles: {r: , s: {cluster_permissions: []}}", "warning null-entry r"],
  ["a missing space", "roles:\n  r:\n    cluster_permissions:\n      -a", "error wrong-type -a"],
])("underlines %s, once", (_, text, expected) => {
  check(text, expected);
});

test("says what was found and what to write", () => {
  const [list] = check("roles: {r: {cluster_permissions: all}}", "error wrong-type all");
  expect(list).toMatchObject({
    what: '"cluster_permissions" must be a list, not the text "all".',
    fix: "Write [all].",
  });
  const [dash] = check("roles:\n  r:\n    cluster_permissions:\n      -a", "error wrong-type -a");
  expect(dash?.fix).toBe("Put a space after the dash: - a");
  const [lines] = check('roles: {r: {cluster_permissions: "a\n b"}}', 'error wrong-type "a\n b"');
  expect(lines?.fix).toBe("Write it as a list.");
  const [glued] = check("roles:\n  r:\n    cluster_permissions:\n      -a\n      -b", "error wrong-type -a\n      -b");
  expect(glued?.fix).toBe("Put a space after the dash.");
  const [number] = check("roles: {r: {cluster_permissions: [557]}}", "error not-a-string 557");
  const [inner] = check("roles: {r: {cluster_permissions: [[a]]}}", "error not-a-string [a]");
  expect(inner?.fix).toBe("Write its elements in the outer list.");
  expect(number).toMatchObject({
    what: '"cluster_permissions" holds text, not the number 557.',
    fix: 'Put quotes around it: "557".',
  });
  const [verdict] = check("blocks: {b: {type: ip, verdict: disalow}}", "error wrong-type disalow");
  expect(verdict).toMatchObject({ what: expect.stringContaining("must be allow or disallow"), fix: "Write disallow." });
});

test.each<[about: string, text: string, expected: string]>([
  ["an entry in words of 6.x", "roles: {r: {cluster: ALL}}", "warning scalar-for-list ALL"],
  ["a file without words of 7.x", "m: {users: worf}", "warning scalar-for-list worf"],
  ["a file with the header of 7.x", `${header}r: {cluster_permissions: ALL}`, "error wrong-type ALL"],
  [
    "a file with only the header of 7.x",
    "_meta: {type: rolesmapping, config_version: 2}\nm: {users: worf}",
    "error wrong-type worf",
  ],
  ["a dash without its space", "_sg_meta: {type: roles}\nr:\n  cluster:\n    -a", "error wrong-type -a"],
  ["a file with words of 7.x elsewhere", "m: {users: worf}\nn: {backend_roles: [a]}", "error wrong-type worf"],
  ["a family key", "role_mappings: {m: {users: worf}}", "error wrong-type worf"],
])("takes a single value for a list only where 6.x did: %s", (_, text, expected) => {
  check(text, expected);
});

test.each<[about: string, text: string, expected: string]>([
  ["two versions", "action_groups: {g: {reserved: true, permissions: [a]}}", "warning mixed-format permissions"],
  ["two flags", "tenants: {t: {readonly: true, reserved: true, description: x}}", "warning mixed-format readonly"],
  ["one list twice", "action_groups: {g: {allowed_actions: [a], permissions: [b]}}", "error mixed-format permissions"],
  ["one of them empty", "roles: {r: {cluster: [], cluster_permissions: [a]}}", "warning mixed-format cluster"],
])("notices mixed spellings: %s", (_, text, expected) => {
  check(text, expected);
});

test("finds every mistake of a file, wherever it is", () => {
  check(
    "roles: {a: {x: 1, cluster_permissions: [1, ~]}}\nblocks: {b: [c]}\nconfig: {dynamic: {http: {y: 1}}}",
    "error unknown-field x",
    "error not-a-string 1",
    "error null-in-list ~",
    "error wrong-type [c]",
    "error unknown-field y",
  );
});

test("names like properties of every object are names", () => {
  check(
    "roles: {__proto__: {cluster_permissions: [1]}, constructor: {toString: []}}",
    "error not-a-string 1",
    "error unknown-field toString",
  );
});

test.each([
  ["tenants: {t: {description: Payments, refunds}}", "refunds", "whole text in quotes"],
  ["tenants: {t: {description: 'Payments', refunds}}", "refunds", "Known here"],
  ["tenants: {t: {description: Payments, refunds: }}", "refunds", "Known here"],
  ["tenants: {t: {description: Payments, refunds: 1}}", "refunds", "Known here"],
  ["tenants:\n  t:\n    description: Payments\n    refunds:", "refunds", "Known here"],
])("reports a comma in a string: %s", (text, field, fix) => {
  expect(check(text, `error unknown-field ${field}`)[0]?.fix).toContain(fix);
});

test.each<[about: string, text: string, expected: readonly string[]]>([
  ["roles", "a: {cluster: [A]}\nb: {indices: {i: {'*': [R]}}}", ["warning mixed-format cluster"]],
  ["no role of 6.x", "a: {cluster_permissions: [A]}", []],
])("entries of 6.x below a header of 7.x are one warning: %s", (_, text, expected) => {
  const [found] = check(`${header}${text}\n`, ...expected);
  if (found) expect(found.what).toContain("below a header of 7.x. So is one other in this file.");
  check(`${text}\n`);
  check(`_meta: {type: roles, config_version: 1}\n${text}\n`);
});

test.each([
  ["rolesmapping", "m: {backendroles: [a]}", "backendroles"],
  ["actiongroups", "g: {permissions: [a]}", "permissions"],
])("so are entries of %s", (type, text, word) => {
  check(`_meta: {type: ${type}, config_version: 2}\n${text}\n`, `warning mixed-format ${word}`);
});

test.each([
  ["indices", "roles: {r: {index_permissions: [{indices: [a]}]}}", "unknown-field", "index_patterns"],
  ["names", "roles: {r: {index_permissions: [{names: [a]}]}}", "foreign-field", "index_patterns"],
  ["permissions", "roles: {r: {index_permissions: [{permissions: [a]}]}}", "foreign-field", "allowed_actions"],
  ["roles", "role_mappings: {m: {users: [], roles: [a]}}", "unknown-field", "backend_roles"],
  ["actions", "action_groups: {g: {actions: [a]}}", "foreign-field", "allowed_actions"],
])("another tool's word %s, at %s, is answered with the word here", (field, text, code, meant) => {
  const found = check(text, `error ${code} ${field}`)[0];
  expect(found?.what).toContain(`Did you mean "${meant}"?`);
  expect(found?.fix).toBe(`Write "${meant}".`);
});
