import { expect, test } from "vitest";
import type { Dialect } from "../../../src/dialects/dialect.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { plainTextReference, Secret } from "../../../src/json/secret.ts";
import { parseDocuments } from "../../../src/load/yaml.ts";
import type { DesiredResource } from "../../../src/model/desired.ts";
import type { Node } from "../../../src/model/node.ts";
import { isBcrypt, validateUserWrites } from "../../../src/validate/user-writes.ts";
import { validateUsers } from "../../../src/validate/users.ts";

const file = { path: "users.yml", text: "" };
const origin = { file, start: 0, end: 0 };
const good = `$2y$12$${"a".repeat(53)}`;

function stateOf(fields: Readonly<Record<string, string>>, more: Partial<DesiredResource> = {}) {
  const value = Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, new Secret(plainTextReference, text)]),
  );
  const node = { ...origin, kind: "scalar", value: null } as const;
  const ana: DesiredResource = {
    family: "internal_users",
    name: "ana",
    value,
    origin,
    node,
    serverOwned: false,
    ...more,
  };
  return { resources: new Map([["internal_users", new Map([["ana", ana]])]] as const) };
}

const [searchGuard, openSearch] = [createDialect("search-guard", "7"), createDialect("opensearch", "2.19")];

const far = { url: "https://search.example:9200" };

test.each<[about: string, fields: Readonly<Record<string, string>>, codes: readonly string[]]>([
  ["a vendors' hash", { hash: "$2y$12$TRwAAJgnNo67w3rVUz4FIeLx9Dy/llB79zf9I15CKJ9vkM4ZzAd3." }, ["demo-password"]],
  [
    "the same with another prefix",
    { hash: "$2a$12$TRwAAJgnNo67w3rVUz4FIeLx9Dy/llB79zf9I15CKJ9vkM4ZzAd3." },
    ["demo-password"],
  ],
  [
    "the admin's with another prefix",
    { hash: "$2b$12$VcCDgh2NDk07JGN0rjGbM.Ad41qVR/YFJcgHp0UGns5JDymv..TOG" },
    ["demo-password"],
  ],
  ["the demo's password", { password: "myStrongPassword123!" }, ["demo-password"]],
  ["the user's name", { password: "Ana" }, ["demo-password"]],
  ["a hash that is cut", { hash: good.slice(0, -1) }, ["bad-hash"]],
  ["both", { hash: good, password: "x" }, ["exclusive-fields"]],
  ["a hash", { hash: good }, []],
  ["a password", { password: "Xk9!mvQ-77aZ" }, ["plain-password"]],
  ["an empty password", { password: "" }, []],
  ["neither", {}, []],
])("%s of a user", (_, fields, codes) => {
  expect(validateUsers(stateOf(fields), far, openSearch).map(({ code }) => code)).toEqual(codes);
  expect(validateUsers(stateOf(fields, { serverOwned: true }), far, openSearch)).toEqual([]);
});

test("what everybody knows is an error unless every URL is of this machine", () => {
  const found = (...urls: readonly string[]) =>
    validateUsers(stateOf({ password: "admin" }), { url: urls[0] ?? "", otherUrls: urls.slice(1) }, openSearch).length;
  expect(found("http://127.0.0.1:9200", "https://localhost:9200", "http://[::1]:1")).toBe(0);
  expect(found("http://127.0.0.1:9200", "https://search.example")).toBe(1);
  expect(validateUsers(stateOf({ password: "admin" }), {}, openSearch)).toHaveLength(1);
});

test("a password in plain text is a warning unless every URL is of this machine", () => {
  const written = stateOf({ password: "Xk9!mvQ-77aZ" });
  expect(validateUsers(written, {}, openSearch)).toMatchObject([{ code: "plain-password", severity: "warning" }]);
  expect(validateUsers(written, { url: "http://127.0.0.1:9200" }, openSearch)).toEqual([]);
  const referred = new Secret("${env:PASSWORD}", "Xk9!mvQ-77aZ");
  expect(validateUsers(stateOf({}, { value: { password: referred } }), far, openSearch)).toEqual([]);
});

test.each([
  ["password: ${env:P:-Xk9!mvQ-77aZ}", ["plain-password"]],
  ['password: "a${env:P:-Xk9}b"', ["plain-password"]],
  ["password: ${env:P:-admin}", ["demo-password"]],
  ["password: ${env:P:-Ana}", ["demo-password"]],
  ["hash: ${env:P:-nonsense}", ["bad-hash"]],
  [`hash: \${env:P:-${good}}`, []],
  ["password: ${env:P:-}", []],
  ['password: "${env:P:- }"', []],
  ["password: ${env:P}", []],
  ["password: ${file:P:-x}", []],
])("a default is a text of the file, whether its variable is set or not: %s", (text, codes) => {
  const [node] = parseDocuments({ path: "users.yml", text }).documents;
  if (!node) throw new Error("It cannot be read.");
  const field = text.split(":")[0] ?? "";
  for (const secret of [new Secret("${env:P}"), new Secret("${env:P}", field === "hash" ? good : "Xk9!mvQ-77aZ")])
    expect(
      validateUsers(stateOf({}, { node, value: { [field]: secret } }), far, openSearch).map(({ code }) => code),
    ).toEqual(codes);
});

test.each([
  [{ password: "p" }, ["http://search.example:9200"], ["password-over-http"]],
  [{ password: "p" }, ["https://search.example", "http://10.0.0.1"], ["password-over-http"]],
  [{ password: "p" }, ["http://localhost.example"], ["password-over-http"]],
  [{ password: "p" }, ["http://127.0.0.1:9200", "http://localhost", "http://[::1]:9200"], []],
  [{ password: "p" }, ["https://search.example"], []],
  [{ hash: good }, ["http://search.example"], []],
])("%j to %j: %j", (fields, urls, codes) => {
  const change = { family: "internal_users", name: "ana", action: "create", reason: "declared", edits: [] } as const;
  expect(validateUserWrites([change], stateOf(fields), urls, searchGuard).map(({ code }) => code)).toEqual(codes);
  expect(validateUserWrites([{ ...change, action: "update" }], stateOf(fields), urls, searchGuard)).toEqual([]);
});

test.each([
  ["$2y$", true],
  ["$2a$", true],
  ["$2b$", true],
  ["$2x$", false],
  ["$2$", false],
])("%s is a prefix that both products verify: %s", (prefix, expected) => {
  expect(isBcrypt(`${prefix}10$${"./aZ9".repeat(10)}abc`)).toBe(expected);
  expect(isBcrypt(`${prefix}10$${"./aZ9".repeat(10)}abc\n`)).toBe(false);
});

test.each<[name: string, ofOpenSearch: string | undefined, ofSearchGuard?: string]>([
  ["a:b", "a colon", "a colon"],
  ["a%3ab", "%3A, an encoded colon"],
  ["100% sure", "a % without two hex digits after it"],
  ["100%", "a % without two hex digits after it"],
  ["a%4", "a % without two hex digits after it"],
  ["pct%41", undefined],
  // Java takes a sign in the place of the first digit.
  ["%+1", undefined],
])("%j has %s", (name, ofOpenSearch, ofSearchGuard) => {
  const change = { family: "internal_users", name, action: "create", reason: "declared", edits: [] } as const;
  const { resources } = stateOf({ hash: good }, { name });
  const user = resources.get("internal_users")?.get("ana");
  const renamed = { resources: new Map([["internal_users", new Map(user ? [[name, user]] : [])]] as const) };
  const found = (dialect: Dialect) =>
    validateUserWrites([change], renamed, [], dialect).map(({ code, what }) => [code, what]);
  const expected = (fault: string | undefined) =>
    fault === undefined ? [] : [["bad-name", `The name of internal user ${JSON.stringify(name)} has ${fault}.`]];
  expect(found(openSearch)).toEqual(expected(ofOpenSearch));
  expect(found(searchGuard)).toEqual(expected(ofSearchGuard));
});

test("an attribute without a value is dropped by OpenSearch alone", () => {
  const text = (value: string) => ({ ...origin, kind: "scalar", value }) as const;
  const entry = (key: string, value: Node) => ({ key, keyRange: origin, value });
  const attributes = { ...origin, kind: "map", entries: [entry("a", text("")), entry("b", text(" "))] } as const;
  const node = { ...origin, kind: "map", entries: [entry("attributes", attributes)] } as const;
  const found = validateUsers(stateOf({ hash: good }, { node }), far, openSearch);
  expect(found).toMatchObject([
    {
      severity: "warning",
      code: "unsupported-here",
      what: 'The attribute "a" of internal user "ana" is empty.',
    },
  ]);
  expect(validateUsers(stateOf({ hash: good }, { node }), far, searchGuard)).toEqual([]);
});

test.each([
  ["password", "Xk9!mvQ-77aZ", "true"],
  ["hash", good, "True"],
])("a service account with a %s is refused on OpenSearch alone", (field, text, service) => {
  const user = stateOf({}, { value: { [field]: new Secret("${env:SECRET}", text), attributes: { service } } });
  expect(validateUsers(user, far, openSearch)).toMatchObject([
    {
      code: "exclusive-fields",
      what: `The internal user "ana" has a ${field}, and attributes: {service: "true"} make it a service account.`,
      fix: `Remove ${field}:, or the attribute "service".`,
    },
  ]);
  expect(validateUsers(user, far, searchGuard)).toEqual([]);
  expect(validateUsers(stateOf({}, { value: { attributes: { service } } }), far, openSearch)).toEqual([]);
});
