// What is shown of a line on which, or below whose key, a secret is.
import { expect, test } from "vitest";
import { parseDocuments } from "../../../src/load/yaml.ts";
import { hideValues, maskLine, recordParsedFile } from "../../../src/secrets/masked-line.ts";
import { combineMasks } from "../../../src/secrets/masked-text.ts";

/** The last line of a file that does not parse, and what is shown of it; where the file parses, no secret either. */
function check(text: string, shown: string): void {
  const lines = text.split("\n");
  const masked = maskLine({ path: "a.yml", text }, lines.length);
  expect(masked).toBe(shown);
  expect(masked.length).toBe(lines.at(-1)?.length);
  if (!/hun|ter2/.test(shown)) for (const one of maskParsed(text) ?? []) expect(one).not.toMatch(/hun|ter2|hunter3/);
}

/** Each line of a file, by its nodes; undefined where it does not parse. */
function maskParsed(text: string): readonly string[] | undefined {
  const file = { path: "a.yml", text };
  const { documents, diagnostics } = parseDocuments(file);
  if (diagnostics.length > 0) return undefined;
  recordParsedFile(file, documents);
  const lines = text.split("\n");
  const masked = lines.map((_, at) => maskLine(file, at + 1));
  expect(masked.map(({ length }) => length)).toEqual(lines.map(({ length }) => length));
  return masked;
}

test.each([
  ["bare", "password: hun, ter}2", "password: **** *****"],
  ["bare, between brackets", "{ password: hunter2, host: x }", "{ password: *******, host: x }"],
  [
    "bare, with a comma",
    "{ password: hunter2, hunter3, x y, host: x }",
    "{ password: ******** ******** * *, host: x }",
  ],
  ["bare, with a comma at its end", "{ a: b, password: hunter2, hunter3 }", "{ a: b, password: ******** ******* }"],
  ["in quotes", '{ password: "hun\\"ter2, x", host: y }', "{ password: *********** **, host: y }"],
  ["in single quotes", "{ password: 'hun''ter2, }', host: y }", "{ password: *********** **, host: y }"],
  ["in quotes that are never closed", 'password: "hunter2, x', "password: ********* *"],
  ["in a list", 'password: ["hunter2]", x]', "password: ************ **"],
  ["with a tag", "{ password: !vault 'hunter2', x: y }", "{ password: ****** ********** ** * *"],
  ["that looks like an alias", "{ password: *hunter2 }", "{ password: ******** *"],
  ["of several colons", "password: hunter2: hunter3", "password: ******** *******"],
  ["in JSON", '{"password": "hunter2", "host": "x"}', '{"password": *********, "host": "x"}'],
  ["of a license", "license: { text: hunter2 }", "license: { text: ******* }"],
  ["of a header, in the wrong shape", 'headers: ["hunter2"]', "headers: ***********"],
  ["as a reference", "{ password: ${env:P}, host: x }", "{ password: ${env:P}, host: x }"],
  ["around a reference", "{ password: a${env:P}b, host: x }", "{ password: **********, host: x }"],
  ["in a URL", "url: http://ci:hun@ter/2@search.example", "url: http://************@search.example"],
  ["in a URL without a scheme", "host: ci:hun/ter2@search.example:9200", "host: ***********@search.example:9200"],
  ["in an address of odd characters", 'url: "ci:hun ter2@search.example"', 'url: ******* ****@search.example"'],
  ["before an address alone", "url: hunter2@search.example", "url: *******@search.example"],
  ["in one address of several", "{ url: [https://a, ci:hunter2@b] }", "{ url: [https://** **********@b] }"],
  ["of a header with a space", 'headers: {"X A": "hunter2", b: "c"}', 'headers: {"X A": *********, b: ***}'],
  ["of a header with more than that", `headers: {'X, "B": ': hunter2}`, `headers: {'X, "B": ** ********`],
  ["as the default of a reference", "password: ${env:P:-hunter2}", "password: *****************"],
  ["that is an address of mail", "users: [ana@example.org]", "users: [ana@example.org]"],
  ["under another name", "host: hunter2", "host: hunter2"],
  ["of a misspelt key", "pasword: hunter2", "pasword: *******"],
  ["without the colon", "{ x: y, password hunter2 }", "{ x: y, password ******* }"],
  ["of an option", "exec: login --password hunter2", "exec: login --password *******"],
  ["of an option, in a list", 'exec: [login, "--token", hunter2]', 'exec: [login, "--token", *******]'],
  ["of an option, joined", "exec: [login, --token=hunter2]", "exec: [login, --token=********"],
  ["in a URL with an escaped sign", 'url: "http://ci:hunter2\\u0040b"', 'url: "http://**********\\u0040b"'],
  ["in a URL of JSON", '{"url": "http:\\/\\/ci:hunter2%40b"}', '{"url": "http:\\/\\/**********%40b"}'],
  ["in a URL with an escape of YAML", 'url: "http://ci:hunter2\\x40b"', 'url: "http://**********\\x40b"'],
  ["of a misspelt field of a server", "{ signig_key: hunter2, x: y }", "{ signig_key: *******, x: y }"],
  ["of an internal user", "ana: { hash: hunter2 }", "ana: { hash: ******* }"],
  ["that is a hash, wherever it is", "a: $2y$12$hunter2/ter2", "a: *******************"],
  ["that is a key in PEM", 'a: "-----BEGIN PRIVATE KEY-----\\nhunter2"', 'a: "********** ******* ******************'],
  ["of a request", 'exec: curl -H "Authorization: Bearer hunter2"', 'exec: curl -H "Authorization: ****** ********'],
  ["without its colon, in JSON", '{"password" "hunter2"}', '{"password" *********}'],
  ["with a colon too many", 'password:: "hunter2"', "password:: *********"],
  ["that begins with a quote", "password: '''hunter2", "password: **********"],
  ["of headers without the colon", "headers X-A:hunter2", "headers ***********"],
  [
    "that is repeated in a key",
    '{ "admin:hunter2": 1, password: hunter2 }',
    '{ "admin:*******": 1, password: ******* }',
  ],
  ["that is repeated in a value", "{ password: hunter2, host: hunter2 }", "{ password: *******, host: ******* }"],
  [
    "that is repeated, and written otherwise",
    '{ host: "\\x68unter2", password: hunter2 }',
    '{ host: "**********", password: ******* }',
  ],
  ["that is the name of its key", "{ password: password, host: x }", "{ password: ********, host: x }"],
  ["that is in the name of its key", "bind_password: password # host", "bind_password: ******** * ****"],
  ["that is as short as a name", "{ password: host, host: x }", "{ password: ****, host: x }"],
  ["in a license, under a key that it has not", "license: { txt: hunter2 }", "license: { txt: ******* }"],
])("a value %s", (_how, text, shown) => check(text, shown));

test.each([
  ["a block of text", "signing_key: |\n  hunter2 x", "  ******* *"],
  ["a list", "a:\n  signing_keys:\n    - hunter2", "    * *******"],
  ["a map where the text of a license belongs", "license:\n  text:\n    hunter2: hunter3", "    ******** *******"],
  ["the license itself, whose fields are known", "license:\n  file: license.txt", "  file: license.txt"],
  ["headers", "headers:\n  X-A: hunter2", "  X-A: *******"],
  ["a login, where names may be misspelt", "auth:\n  username: ci\n  pasword: hunter2", "  pasword: *******"],
  ["a login, which says who", "auth:\n  password: hunter2\n  username: ci", "  username: ci"],
  ["headers, whose names hold spaces", 'headers:\n  "X A": hunter2', '  "X A": *******'],
  ["a login that is a text", "auth:\n  hunter2", "  *******"],
  ["a login that is a list", "auth:\n  - hunter2", "  * *******"],
  ["a command that logs in", "auth:\n  exec:\n    - login", "    * *****"],
  ["addresses", 'url:\n  - "ci:hun ter2@b"', '  * ******* ****@b"'],
  ["an option", "exec:\n  - --password\n  - hunter2", "  * *******"],
  ["a block of text, not indented", "signing_key: |\nhunter2", "*******"],
  ["a block of several lines, not indented", "  signing_key: >-\n hun\n ter2", " ****"],
  ["a quote that goes on", '  { password: "x y\n  hunter2", host: x }', "  ********* ***** * *"],
  ["a value that a line breaks", "{ password: x\n  hunter2", "  *******"],
  ["a key whose colon is a line later", "{ token\n  : hunter2 }", "  * ******* *"],
  ["a line that repeats a distinctive secret", 'password: hunter2\n"admin:hunter2": 1', '"admin:*******": 1'],
  ["a word that is a secret by chance", "password: planner\nplanner: x", "planner: x"],
  ["internal users, in the place of a map", "internal_users:\n  neu: hunter2", "  neu: *******"],
  ["an internal user that is a list", "internal_users:\n  neu:\n    - hunter2", "    * *******"],
  ["an internal user that is one", "internal_users:\n  neu:\n    description: x", "    description: x"],
  ["something that ended", "password: >\n  hunter2\nhost: x", "host: x"],
])("a line below %s", (_what, text, shown) => check(text, shown));

test.each([
  ["neu: hunter2", "neu: *******"],
  ["neu:\n- hunter2", "* *******"],
  ["neu: [hunter2]", "neu: *********"],
  ["neu: { hash: hunter2, description: x }", "neu: { hash: *******, description: x }"],
  ["neu: ${env:NEU}", "neu: ${env:NEU}"],
  ["# of the team", "# of the team"],
])("in the place of an internal user: %s", (text, shown) => {
  const lines = text.split("\n");
  for (const path of ["internal_users.yml", "access/sg_internal_users.yml"]) {
    const [parsed, unparsed] = [
      { path, text },
      { path, text },
    ];
    recordParsedFile(parsed, parseDocuments(parsed).documents);
    for (const file of [parsed, unparsed]) expect(maskLine(file, lines.length)).toBe(shown);
  }
});

test("a login in one line, and what is before it", () =>
  check(
    "{ url: x, auth: { username: ci, pasword: hunter2 } }",
    "{ url: x, auth: { username: ci, pasword: ******* } }",
  ));

test.each([
  ["of colons", `a: ${"x:".repeat(200_000)}`],
  ["of one word", `a: ${"x".repeat(400_000)}`],
  ["of addresses", "http://a ".repeat(50_000)],
])(
  "long lines cost no more than their length: %s",
  (_what, line) => {
    expect(maskLine({ path: "a.yml", text: line }, 1)).toBe(line);
  },
  2000,
);

test("each line of a file is one of its own, however often it is asked for", () => {
  const file = { path: "a.yml", text: "password: hunter2\nhost: x\n\n" };
  const lines = [1, 2, 3, 1, 2, 3].map((line) => maskLine(file, line));
  expect(lines).toEqual(["password: *******", "host: x", "", "password: *******", "host: x", ""]);
});

test("a line full of escapes and quotes is read once", () => {
  const name = "\\u00e9".repeat(500);
  const line = `{"roles":{"a":["${name}","it's","${name}"]}}`;
  check(line, line);
});

test.each([
  ["a script", "run: |\n  export PASSWORD=hunter2\n  curl http://a:hunter3@b", "  curl http://*********@b"],
  ["a role named like a secret", "roles:\n  api_token:\n    cluster_permissions: [a]", "    cluster_permissions: [a]"],
  ["a mail address in a long line", "{ url: http://a, users: [b@c] }", "{ url: http://** ****** **@c] }"],
  [
    "the rest of the line",
    "{ password: [hunter2, { a: hunter3 }], host: x }",
    "{ password: ********* * ** ******* *** ***** * *",
  ],
  ["a key that a comma cuts off", "{ password: hunter2, hunter3, host: x }", "{ password: ******** *******, host: x }"],
  [
    "what a comma cuts off in a list",
    "[a, password: hunter2, hunter3, host: x]",
    "[a, password: ******** *******, host: x]",
  ],
  ["a comment about a secret", "host: x # password: hunter2", "host: x # password: *******"],
  ["a comment beside a secret", "password: hunter2 # before: hunter3", "password: ******* * ******* *******"],
  ["a comment after the sign of a block", "note: | # password: hunter2", "note: | # password: *******"],
  ["a value of several lines", 'password: "hunter2\n  and hunter3"', "  *** ********"],
  ["a key in quotes with an escape", '"pass\\u0077ord": hunter2', '"pass\\u0077ord": *******'],
  ["a tag", "{ password: !!str hunter2, host: x }", "{ password: ***** ******** ***** * *"],
  ["the value of an alias", "a: &p hunter2\nb: { password: *p }", "b: { password: ** *"],
])("by the nodes and the text of a file: %s", (_, text, shown) => {
  const masked = maskParsed(text);
  expect(masked?.at(-1)).toBe(shown);
  expect(masked?.join(" ")).not.toMatch(/hunter/);
});

test.each([
  "auth: { username: ci, pasword:hunter2 }",
  "auth: {admin:hunter2}",
  "headers: { X-A:hunter2 }",
  "auth:{ token: hunter2 }",
  "license:{ text: hunter2 }",
  "headers:\n  X-A: &hunter2",
  "headers:\n  X-A: {hunter2}",
  'config: { dynamic: { a: { password: &p "hunter2 token=x" }, b: { x: *p } } }',
  "auth: { username: ci, password: ,hunter2, x: y }",
  "auth: { username: ci, hunter2 }",
  'headers: { "X-A:hunter2": x }',
  "headers:\n  X-A hunter2: x",
  "auth: { <<: { password: hunter2 }, username: ci, password: [1] }",
])("a slip shows no secret, though the file parses: %s", (text) => {
  expect(maskParsed(text)?.join("\n") ?? "").not.toMatch(/hunter/);
});

test.each([
  ["** cd", "ab **", "** **"],
  ["** cd", "ab cd", "** cd"],
  ["ab cd", "ab **", "ab **"],
  ["ab cd", "ab cd", "ab cd"],
])("of two masks, %j and %j, only what both show is shown", (one, other, both) => {
  expect(combineMasks("ab cd", one, other)).toBe(both);
});

test.each(["roles", "role_mappings", "action_groups", "tenants", "blocks"])(
  "What %s are called hides nothing of them",
  (family) => {
    for (const name of ["secret-reader", "token_service", '"api_key"', "password"]) {
      for (const below of [
        `${name}:\n    users: [hun]`,
        `${name}: { users: [ter2], more: { a: b } }`,
        `${name}:\n    a:\n      - x: y`,
      ]) {
        const text = `${family}:\n  ${below}`;
        check(text, text.split("\n").at(-1) ?? "");
        check(`${text}\n  broken: [`, "  broken: [");
      }
      check(`${family}:\n  ${name}: { password: hunter2 }`, `  ${name}: { password: ******* }`);
      check(`${family}:\n  ${name}:\n    password: hunter2`, "    password: *******");
      check(`internal_users:\n  ${name}:\n    - hunter2`, "    * *******");
    }
  },
);

test.each([
  ["the name of a domain", "config:\n  dynamic:\n    authc:\n      jwt_token: { http_enable: true, order: 1 }"],
  ["what is below such a name", "config:\n  dynamic:\n    authc:\n      jwt_token:\n        http_enable: true"],
  ["the name of a persona", "personas:\n  token: { user: ana, roles: [a] }"],
  ["what is below the name of a persona", "personas:\n  secret:\n    user: ana"],
  ["a name that is nearly `headers`", "only:\n  readers: [ana]"],
  [
    "marks of an internal user",
    "internal_users:\n  ana: { reserved: true, hidden: false, static: false, description: x }",
  ],
])("%s is no secret", (_what, text) => {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  check(text, line);
  expect(maskParsed(text)?.at(-1)).toBe(line);
});

test.each([
  ['  "allowed_actions"  [ "hunter2" ]', '  "allowed_actions"  [ "*******" ]'],
  ['  "a": "hunter2" [ 1 ]', '  "a": "*******" [ * ]'],
  ["{% if prod %}", "{% if prod %}"],
  ["{% for team in teams %}", "{% for team in teams %}"],
  ["{%- password hunter2 -%}", "{** ******** ******* **}"],
  ["{% call user(bob, hunter2) %}", "{* **** ********, ******** *}"],
  ["{% set pw = 'hunter2' %}", "{* *** ** * ********* *}"],
])("of a file of another tool only keys are shown: %s", (text, shown) => {
  const file = { path: "a.json", text };
  hideValues(file);
  expect(maskLine(file, 1)).toBe(shown);
});

test.each([
  ["where the name of a domain belongs", "authc:\n  token: hunter2", "  token: *******"],
  [
    "below the name of a domain",
    "authc:\n  token: { password: hunter2, order: 1 }",
    "  token: { password: *******, order: 1 }",
  ],
  ["below such a name", "authc:\n  token:\n    password: hunter2", "    password: *******"],
  [
    "of a login, where names may be anything",
    "auth:\n  authc:\n    token: { a: hunter2 }",
    "    token: { a: ******* }",
  ],
  ["where the name of a persona belongs", "personas:\n  token: hunter2", "  token: *******"],
  ["of headers, misspelt", "header:\n  X-A: hunter2", "  X-A: *******"],
])("a secret %s is hidden", (_what, text, shown) => check(text, shown));
