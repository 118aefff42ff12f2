import { expect, test } from "vitest";
import { type Diagnostic, getFileStart } from "../../../src/diagnostics/diagnostic.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import type { Product } from "../../../src/model/plan.ts";
import { checkSpacesAround, checkSuspiciousAction } from "../../../src/validate/text-checks.ts";
import { validateValues } from "../../../src/validate/values.ts";
import { repositoryOf } from "../../support/nodes.ts";

function check(text: string, ...expected: readonly string[]): readonly Diagnostic[] {
  return checkOn("search-guard", "7", text, ...expected);
}

/** Severity, code and what is underlined. */
function checkOn(product: Product, release: string, text: string, ...expected: readonly string[]) {
  const found = validateValues(repositoryOf({ "state.yml": text }), createDialect(product, release));
  const brief = found.map(({ severity, code, range }) => `${severity} ${code} ${text.slice(range?.start, range?.end)}`);
  expect(brief).toEqual(expected);
  return found;
}

const permission = (fields: string) =>
  `roles: {r: {index_permissions: [{index_patterns: [i], allowed_actions: [READ], ${fields}}]}}`;
const pattern = (text: string) =>
  `roles: {r: {index_permissions: [{index_patterns: [${text}], allowed_actions: [READ]}]}}`;
const action = (text: string) => `roles: {r: {cluster_permissions: [${text}]}}`;
const block = (type: string, value: string) => `blocks: {b: {type: ${type}, value: ${value}, verdict: disallow}}`;

test.each<[about: string, text: string]>([
  ["an address", block("ip", "'2001:db8::1'")],
  ["a network", block("net_mask", "10.0.0.0/8")],
  ["a network of version 6", block("net_mask", "'2001:db8::/32'")],
  ["a user name that is a pattern", block("name", "'/q.*/'")],
  ["several values", block("ip", "[1.2.3.4, 1.2.3.5]")],
])("admits blocks: %s", (_, text) => {
  check(text);
});

test.each<[about: string, text: string, expected: string]>([
  ["no address", block("ip", "1.2.3"), "error bad-block-value 1.2.3"],
  ["a network for an address", block("ip", "10.0.0.0/8"), "error bad-block-value 10.0.0.0/8"],
  ["an address for a network", block("net_mask", "[10.0.0.0/8, 10.0.0.1]"), "error bad-block-value 10.0.0.1"],
  ["a network too long", block("net_mask", "10.0.0.0/33"), "error bad-block-value 10.0.0.0/33"],
])("refuses block values: %s", (_, text, expected) => {
  check(text, expected);
});

test("takes several values in a block only where the product does", () => {
  const text = block("ip", "[1.2.3.4, 1.2.3.5]");
  checkOn("gate", "7.x-43.0.0", text, "error several-block-values value");
  checkOn("gate", "7.x-43.0.0", block("ip", "[1.2.3.4, 1.2.3.4]"));
});

test.each([
  "email",
  "email::SHA-512",
  "email::sha-1",
  "'*ip*::/[0-9]{1,3}$/::XXX::/^[0-9]+/::***'",
  "a::KECCAK-256",
  "'a::/(.)(?:x)(?<b>.*)/::$2$1'",
  "'a::/(x)\\(/::\\$9'",
])("admits the masking expression %s", (expression) => {
  check(permission(`masked_fields: [${expression}]`));
});

test.each(["email::SHA-513", "'email::'", "email::/x/", "email::x::y", "email::/x/::y::/z/", "'::MD5'"])(
  "refuses the masking expression %s",
  (expression) => {
    check(permission(`masked_fields: [${expression}]`), `error bad-masked-field ${expression}`);
  },
);

test.each(["'a::/(/::x'", "'a::/x/::y::/*/::z'"])(
  "refuses the masking expression %s where it was tried",
  (expression) => {
    const text = permission(`masked_fields: [${expression}]`);
    checkOn("opensearch", "2.19", text, `error bad-masked-field ${expression}`);
    checkOn("search-guard", "7.x-38", text);
  },
);

test.each(["'a::/r/::$1'", "'a::/(r)(?:x)/::$2'", "'a::/\\(r/::x$1'"])(
  "warns of the masking expression %s, whose replacement has a group that there is none of",
  (expression) => {
    check(permission(`masked_fields: [${expression}]`), `warning bad-masked-field ${expression}`);
  },
);

test.each([
  `'{"match_all": {}}'`,
  `'{"term": {"owner": "$\{user.name}"}}'`,
  `'{"terms": {"role": [$\{user.roles}]}}'`,
  `'{"bool": {"filter": [{"terms": {"role": $\{user.attrs.x|toJson}}}, {"term": {"q": "\\"$\{user.name}"}}]}}'`,
  `''`,
])("admits the query %s", (query) => {
  check(permission(`dls: ${query}`));
});

test.each([`'{"match_all": {}'`, `'term: a'`, `'["a"]'`, `'{"a": $\{user.name}x}'`, `'{"query": {"match_all": {}}}'`])(
  "refuses the query %s",
  (query) => {
    check(permission(`dls: ${query}`), `error dls-not-json ${query}`);
  },
);

test.each([
  "'*'",
  "'indices:data/read/*'",
  "cluster:monitor/main",
  "READ",
  "my-group.v2",
  "'indices:data/read/mget[shard]'",
  "/indices:.*/",
])("takes the action %s for one", (name) => {
  check(action(name));
});

test.each([`'cluster:monitor/main"'`, "' READ'", "'indices: data'", "'-READ'", "'READ,WRITE'", `'\${user.name}'`])(
  "wonders about the action %s",
  (name) => {
    check(action(name), `warning suspicious-action ${name}`);
  },
);

test.each([
  [" ", "a space"],
  ["\t", "a tab"],
  ["\n", "a line break"],
  ["\u00a0", "the character U+00A0, which is no space"],
  ["\u3000", "the character U+3000, which is no space"],
  ["\ufeff", "the character U+FEFF, which is no space"],
])("says which blank is in an action, and around a name: %j", (blank, named) => {
  const [range, action] = [getFileStart({ path: "a.yml", text: "" }), `in${blank}dices`];
  expect(checkSuspiciousAction(new Set())(action, range)).toMatchObject([
    { what: `The action ${JSON.stringify(action)} holds ${named}.` },
  ]);
  expect(checkSpacesAround(`a${blank}`, range)).toMatchObject([
    { what: `${JSON.stringify(`a${blank}`)} begins or ends with ${named}.` },
  ]);
});

test("an action group may have any name, where it is declared", () => {
  check("roles: {r: {cluster_permissions: ['read, all']}}\naction_groups: {'read, all': {allowed_actions: ['*']}}");
});

test.each<[text: string, expected: string]>([
  [pattern("'?kibana'"), "warning question-mark-pattern '?kibana'"],
  ["_sg_meta: {type: roles}\nr: {indices: {?kibana: {'*': [READ]}}}", "warning question-mark-pattern ?kibana"],
  [pattern("'logs-$user.name'"), "warning broken-variable $user.name"],
  [permission(`dls: '{"term": {"a": "$attr.x"}}'`), "warning broken-variable $attr.x"],
  [pattern("'logs '"), "warning spaces-around-name 'logs '"],
  ["role_mappings: {'admins ': {users: []}}", "warning spaces-around-name 'admins '"],
  ["role_mappings: {m: {users: ['*']}}", "warning wildcard-principal '*'"],
  ["role_mappings: {m: {hosts: ['']}}", "warning null-in-list ''"],
  ["tenants: {'': {description: x}}", "error bad-name ''"],
  ["tenants: {' ': {description: x}}", "warning spaces-around-name ' '"],
])("%s: %s", (text, expected) => {
  check(text, expected);
});

test.each([
  pattern("'foo?bar'"),
  pattern(`'logs-\${user.name}'`),
  "role_mappings: {m: {backend_roles: ['*'], users: [' ']}}",
])("has nothing to say of the pattern in %s", (text) => {
  const found = validateValues(repositoryOf({ "state.yml": text }), createDialect("search-guard", "7"));
  expect(found.filter(({ code }) => code !== "null-in-list")).toEqual([]);
});

test("refuses strings of spaces where the product does", () => {
  checkOn("opensearch", "3", "role_mappings: {m: {hosts: ['']}}", "error null-in-list ''");
});

test.each<[text: string, expected: string]>([
  ["blocks: {b: {type: ip, description: x}}", "error incomplete-block b"],
  ["blocks: {b: {type: ip, value: [], verdict: allow}}", "error incomplete-block b"],
  ["role_mappings: {m: {description: x}, n: {users: []}}", "error incomplete-mapping m"],
  ["action_groups: {g: {type: index}, h: {allowed_actions: []}, i: [READ]}", "error incomplete-action-group g"],
  [
    "roles: {r: {index_permissions: [{index_patterns: [i], dls: ''}]}}",
    "warning incomplete-index-permission index_patterns",
  ],
  [
    "roles: {r: {index_permissions: [{allowed_actions: [READ]}]}}",
    "warning incomplete-index-permission allowed_actions",
  ],
])("%s: %s", (text, expected) => {
  check(text, expected);
});

test("a field under a misspelt name, which the schema reports, is not missing as well", () => {
  check("roles: {r: {index_permissions: [{index_pattern: [i], allowed_actions: [READ]}]}}");
  check("roles: {r: {index_permissions: [{index_patterns: [i], alowed_actions: [READ]}]}}");
});

test("words of 6.x make an entry complete, too", () => {
  check("m: {backendroles: []}\nn: {and_backendroles: [a]}");
  check("g: {permissions: []}");
});

test("and_backend_roles make a mapping complete except on gate", () => {
  const text = "role_mappings: {m: {and_backend_roles: [a]}}";
  check(text);
  checkOn("gate", "7.x-43.0.0", text, "error incomplete-mapping m");
});

test("two halves of one index permission are one mistake", () => {
  const text = "roles: {r: {index_permissions: [{index_patterns: [i]}, {allowed_actions: [READ]}]}}";
  const [userMessage] = check(text, "warning incomplete-index-permission index_patterns");
  expect(userMessage?.fix).toContain("take out its dash");
  expect(userMessage?.related).toHaveLength(1);
});

test("names the document types that are united", () => {
  const text =
    "_sg_meta: {type: roles}\nr: {indices: {sf: {ships: [READ], public: ['*'], _dls_: ''}, logs: {'*': [READ]}}}";
  const [userMessage] = check(text, "warning document-types ships");
  expect(userMessage?.what).toBe(
    "The permission on sf for the document types ships and public holds for the whole index.",
  );
});

test("says what a product does not have", () => {
  checkOn("opensearch", "2", block("ip", "1.2.3.4"), "error unsupported-here blocks");
  checkOn("opensearch", "2", "license: {text: x}", "error unsupported-here license");
  checkOn("gate", "7.x-43.0.0", "license: {text: x}\nconfig: {dynamic: {}}");
});

test.each([
  [action("'${TEAM}_read'"), "Nothing replaces ${TEAM}: write ${var:TEAM}, and"],
  [permission("dls: '${QUERY}'"), "Nothing replaces ${QUERY}: write ${var:QUERY}, and"],
  [action("a b"), "Look at its quotes and commas."],
  [permission("dls: '${user.name}'"), "Check its braces and quotes."],
])("reports a variable as shells write it: %s", (text, fix) => {
  const found = validateValues(repositoryOf({ "state.yml": text }), createDialect("search-guard", "7"));
  expect(found.map((userMessage) => userMessage.fix?.slice(0, fix.length))).toEqual([fix]);
});

test("says nothing of what a reference that failed would have been", () => {
  check(action("'${var:TEAM}', '${vars:TEAM}', '${env.TEAM}'"));
  check(permission("dls: '${var:QUERY}'"));
});

test.each(["reserved", "hidden", "static", "readonly"])(
  "what is marked %s is never written: nothing in it blocks",
  (mark) => {
    const group = (flag: string) => `action_groups: {g: {${flag}type: kibana, allowed_actions: ['kibana:x']}}`;
    checkOn("opensearch", "2.19", group(`${mark}: true, `));
    checkOn("opensearch", "2.19", group(`${mark}: "true", `));
    checkOn("opensearch", "2.19", group(`${mark}: false, `), "error unsupported-here kibana");
  },
);

test.each([
  ["allow", "it lets no one in; an allow block shuts out everybody it does not let in"],
  ["disallow", "it blocks no one"],
])("a value that matches no one is explained by its verdict: %s", (verdict, why) => {
  const text = `blocks: {b: {type: net_mask, value: 10.0.0.0/44, verdict: ${verdict}}}`;
  expect(check(text, "error bad-block-value 10.0.0.0/44")[0]?.why).toContain(why);
});

test.each<[about: string, text: string, written: string]>([
  ["actions", "roles:\n  r:\n    cluster_permissions:\n      - READ\n        - WRITE\n", "READ\n        - WRITE"],
  ["users", "role_mappings:\n  m:\n    users:\n      - ana\n       - bo\n", "ana\n       - bo"],
  [
    "patterns",
    "roles:\n  r:\n    index_permissions:\n      - index_patterns:\n        - hr-*\n         - it-*\n        allowed_actions: [READ]\n",
    "hr-*\n         - it-*",
  ],
])("warns of items of a list that are read as one: %s", (_, text, written) => {
  check(text, `warning joined-items ${written}`);
});

test("a text in quotes, or in one line, may hold what looks like an item", () => {
  check("role_mappings:\n  m:\n    users:\n      - 'ana\n        - bo'\n      - ana - bo\n");
  check("tenants:\n  t:\n    description: one\n      - two\n");
});
