// No secret of an input is copied, wherever it is.
import { describe, expect, test } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { takeFiles } from "../../../src/imports/take.ts";
import { writeEntries } from "../../../src/imports/written.ts";
import { families } from "../../../src/model/names.ts";

interface Row {
  readonly path?: string;
  readonly text: string;
  readonly written: readonly string[];
  readonly left?: readonly string[];
  readonly letGo?: readonly string[];
}

const repeats = "it repeats a secret of the input where none belongs; take it out there, and import again";
const repeatedField = "it repeats a secret of the input, and servers show it to all who may read users";
const url = "https://h/_plugins/_security/api";

function managed(type: string, label: string, values: object, marks: object = {}): object {
  return { mode: "managed", type, address: `${type}.${label}`, values, sensitive_values: marks };
}

/** The address is no place for a name that is secret. */
function role(name: string, values: object, marks: object = {}): object {
  return managed("opensearch_role", name.startsWith("geheim") ? "x" : name, { role_name: name, ...values }, marks);
}

function permit(query: string): object {
  const shown = { index_patterns: ["logs-2026-*"], allowed_actions: ["indices:data/read/search"] };
  return { index_permissions: [{ ...shown, document_level_security: query }] };
}

function writeState(...resources: readonly object[]): string {
  return JSON.stringify({ format_version: "1.0", values: { root_module: { resources } } });
}

const rows: Readonly<Record<string, Row>> = {
  "a text in the place of a user": {
    path: "secret.yml",
    text: `apiVersion: v1\nkind: Secret\nstringData:\n  internal_users.yml: |\n    ana: {password: geheim-1}\n    bob: geheim-2\n    cat: [geheim-3]\n    dan:\n`,
    written: ['ana {"password":"${env:SECRET_INTERNAL_USERS_ANA_PASSWORD}"}', "dan null"],
    left: ["bob", "cat"].map(
      (name) => `internal_users/${name}: it is no map of fields, and may be a password: write password: below its name`,
    ),
  },
  "passwords in Secrets that users of the operator name, taken or not": {
    text: [
      `v1\nkind: Secret\nmetadata: {name: s}\ndata: {pw: ${Buffer.from("geheim-1x\n").toString("base64")}, username: ${Buffer.from("analytics-1").toString("base64")}}\nstringData: {password: geheim-2x, pin: ab1}`,
      "v1\nkind: Secret\nmetadata: {name: other}\nstringData: {pw: public-1}",
      "opensearch.org/v1\nkind: OpensearchUser\nmetadata: {name: ana}\nspec: {passwordFrom: {name: s, key: pw}, description: of geheim-1x}",
      "opensearch.org/v1\nkind: OpensearchUser\nmetadata: {name: old, deletionTimestamp: x}\nspec: {passwordFrom: {name: of-old, key: k}}",
      "v1\nkind: Secret\nmetadata: {name: of-old}\nstringData: {k: geheim-3x}",
      ...["geheim-1x", "geheim-2x", "geheim-3x", "analytics-1 ab1 public-1"].map(
        (text, at) =>
          `opensearch.org/v1\nkind: OpensearchTenant\nmetadata: {name: t${at + 1}}\nspec: {description: "${text}"}`,
      ),
    ]
      .map((rest) => `apiVersion: ${rest}\n`)
      .join("---\n"),
    written: [
      't4 {"description":"analytics-1 ab1 public-1"}',
      'ana {"password":"${env:SECRET_INTERNAL_USERS_ANA_PASSWORD}"}',
    ],
    left: [
      ...["s: pw", "s: username", "s: password", "s: pin", "other: pw"].map(
        (key) => `Secret ${key}: its name is no file of the security plugin`,
      ),
      "OpensearchUser old: it is being deleted (metadata.deletionTimestamp)",
      "Secret of-old: k: its name is no file of the security plugin",
      `internal_users/ana: description: ${repeatedField}`,
      `tenants/t1: ${repeats}`,
      `tenants/t2: ${repeats}`,
      `tenants/t3: ${repeats}`,
    ],
  },
  "attributes with the names of secrets": {
    text: `internal_users:\n  ana:\n    attributes: {apikey: geheim-1, access_token: 557, team: pay, passwort: geheim-2, secret: ""}\n`,
    written: [
      'ana {"attributes":{"apikey":"${var:ana_apikey}","access_token":"${var:ana_access_token}","team":"pay","passwort":"${var:ana_passwort}","secret":""}}',
    ],
  },
  "a variable of an HTTP file that is a password, and more": {
    path: "a.http",
    text: `@pw = geheim-1\n### one\nPUT ${url}/internalusers/ana\n\n{"password": "{{pw}}", "description": "with {{pw}}", "attributes": {"note": "{{pw}}"}}\n###\nPUT ${url}/roles/r\n\n{"description": "{{pw}}"}\n###\nPUT ${url}/roles/of-{{pw}}\n\n{}\n###\nPUT ${url}/roles/s\n\n{}\n`,
    written: ["s {}", 'ana {"password":"${env:SECRET_INTERNAL_USERS_ANA_PASSWORD}","attributes":{}}'],
    left: [
      `internal_users/ana: description: ${repeatedField}`,
      `internal_users/ana: attributes.note: ${repeatedField}`,
      `roles/r: ${repeats}`,
      `an entry of roles: ${repeats}`,
    ],
  },
  "what Terraform says is secret, and passwords that it makes": {
    path: "state.json",
    text: JSON.stringify({
      format_version: "1.0",
      values: {
        outputs: { pw: { sensitive: true, value: ["geheim-1"] }, url: { sensitive: false, value: "public-1" } },
        root_module: {
          resources: [
            { mode: "managed", type: "random_password", address: "p", values: { result: "geheim-2" } },
            {
              mode: "data",
              type: "x",
              address: "x",
              values: { a: [{ b: "geheim-3" }], c: "public-2" },
              sensitive_values: { a: [{ b: true }] },
            },
            ...["geheim-1", "geheim-2", "geheim-3", "public-1", "public-2"].map((text) => ({
              mode: "managed",
              type: "opensearch_role",
              address: text.replace("geheim-", "r"),
              values: { role_name: text.replace("geheim-", "r"), description: `with ${text}` },
            })),
          ],
        },
      },
    }),
    written: ['public-1 {"description":"with public-1"}', 'public-2 {"description":"with public-2"}'],
    left: [
      "p: of Terraform's resources, import takes roles, role mappings, tenants and users",
      "x: a data source declares nothing",
      ...["r1", "r2", "r3"].map((name) => `roles/${name}: ${repeats}`),
    ],
    letGo: ["'public-1'", "'public-2'"],
  },
  "what Terraform marks as sensitive in entries themselves": {
    path: "state.json",
    text: writeState(
      role("desc", { description: "geheim-1" }, { description: true }),
      role("dls", permit("geheim-2"), { index_permissions: [{ document_level_security: true }] }),
      role("set", permit("geheim-3"), { index_permissions: true }),
      role("geheim-4", {}, { role_name: true }),
      role("empty", { description: "" }, { description: true, index_permissions: [] }),
      managed(
        "opensearch_roles_mapping",
        "m",
        { role_name: "m", backend_roles: ["geheim-5"] },
        { backend_roles: true },
      ),
      managed("opensearch_user", "u", { username: "u", attributes: { team: "geheim-6" } }, { attributes: true }),
      managed(
        "opensearch_user",
        "v",
        { username: "v", attributes: { team: "geheim-7" } },
        { attributes: { team: true } },
      ),
      managed(
        "opensearch_user",
        "w",
        { username: "w", password: "geheim-8", attributes: { apikey: "geheim-9" } },
        { password: true, attributes: true },
      ),
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => role(`r${n}`, { description: `as geheim-${n}` })),
      role("plain", permit("")),
    ),
    written: [
      "empty {}",
      'plain {"index_permissions":[{"index_patterns":["logs-2026-*"],"allowed_actions":["indices:data/read/search"]}]}',
      'w {"password":"${env:SECRET_INTERNAL_USERS_W_PASSWORD}","attributes":{"apikey":"${var:w_apikey}"}}',
    ],
    left: [
      ["role.desc", "description"],
      ["role.dls", "index_permissions.document_level_security"],
      ["role.set", "index_permissions"],
      ["role.x", "role_name"],
      ["roles_mapping.m", "backend_roles"],
      ["user.u", "attributes"],
      ["user.v", "attributes.team"],
    ]
      .map(
        ([address, field]) =>
          `opensearch_${address}: Terraform marks its ${field} as sensitive: where that is no secret, wrap the value in nonsensitive(), apply, and import again`,
      )
      .concat([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `roles/r${n}: ${repeats}`)),
    letGo: ["role.empty", "user.w", "role.plain"].map((address) => `'opensearch_${address}'`),
  },
  "what Terraform marks as sensitive in a plan, and in a deposed object": {
    path: "plan.json",
    text: JSON.stringify({
      format_version: "1.2",
      planned_values: {
        root_module: {
          resources: [
            role("a", { description: "geheim-1" }, { description: true }),
            { ...role("b", { description: "geheim-2" }, { description: true }), deposed_key: "5a1c0d77" },
            { ...role("geheim-3", {}, { role_name: true }), deposed_key: "5a1c0d78" },
            role("c", { description: "as geheim-2" }),
          ],
        },
      },
    }),
    written: [],
    left: [
      expect.stringMatching(/^opensearch_role\.a: Terraform marks its description as sensitive/),
      expect.stringMatching(/^opensearch_role\.b \(roles\/b\): it is replaced already, and terraform state rm/),
      expect.stringMatching(/^opensearch_role\.x: it is replaced already/),
      `roles/c: ${repeats}`,
    ],
  },
  "a password that is a name, or a word": {
    text: `internal_users:\n  ana: {password: readonly1, description: for readonly1}\n  readonly1: {password: pay, backend_roles: [pay], description: pay}\n`,
    written: [
      'ana {"password":"${env:SECRET_INTERNAL_USERS_ANA_PASSWORD}","description":"for readonly1"}',
      'readonly1 {"password":"${env:SECRET_INTERNAL_USERS_READONLY1_PASSWORD}","backend_roles":["pay"]}',
    ],
    left: [`internal_users/readonly1: description: ${repeatedField}`],
  },
};

/** A user whose password is this, and a role that repeats what it is. */
const script = (before: string, password: string, repeated = "geheim-11", after = "") =>
  `${before}\ncurl -XPUT ${url}/internalusers/ana -d "{\\"password\\":\\"${password}\\"}"\n${after}
curl -XPUT ${url}/roles/r -d "{\\"description\\":\\"of ${repeated}\\"}"\n`;
const encoded = Buffer.from("admin:geheim-11").toString("base64");

test.each([
  ["the default of a variable", script("", "$" + "{PW:-geheim-11}")],
  ["the default of a variable that is set to it", script('PW="$' + '{PW:-geheim-11}"', "$PW")],
  ["the default of an argument", script("PW=$" + "{1:-geheim-11}", "$PW")],
  ["an item of an array", script("PWS=(other-22 geheim-11)", "$" + "{PWS[1]}")],
  ["an item of an array with keys", script("declare -A P=([ana]=geheim-11)", "$" + "{P[$k]}")],
  ["what one branch of a condition sets", script("if x; then PW=geheim-11; else PW=other-22; fi", "$PW")],
  ["the default of what one branch sets", script('if x; then PW="$' + '{X:-geheim-11}"; fi', "$PW")],
  ["a part of a word of a loop", script("for pair in ana:geheim-11; do p=$" + "{pair#*:}", "$p", "geheim-11", "done")],
  ["what is beside a variable", script("", "geheim-11-$STAGE", "geheim-11-x")],
  ["a variable that is a password", script("", "$PW", "$PW")],
  ["an argument that is a password", script("PW=$" + "{1:-x}", "$PW", "$PW")],
  ["the login of a request", script("curl -u admin:geheim-11 h", "other-22")],
  ["the login of a proxy", script("curl --proxy-user 'a:geheim-11' -x http://a:other-33@p h", "other-22")],
  ["the login in a URL", script("curl https://admin:geheim-11@h/", "other-22")],
  ["the login in the address of a proxy", script("curl -x http://a:geheim-11@p h", "other-22")],
  ["the default of a login", script('curl -u "$' + '{AUTH:-admin:geheim-11}" h', "other-22")],
  ["a login whose name is a variable with a default", script('curl -u "$' + '{U:-admin}:geheim-11" h', "other-22")],
  ["an encoded login", script(`curl -H 'Authorization: Basic ${encoded}' h`, "other-22")],
  ["an encoded login as it is", script(`curl -H 'Authorization: Basic ${encoded}' h`, "other-22", encoded)],
  ["a token", script("curl -H 'authorization: Bearer geheim-11' h", "other-22")],
  ["a token by its option", script("curl --oauth2-bearer geheim-11 h", "other-22")],
  ["the password of a key", script("curl --cert me.pem:geheim-11 --key me.key h", "other-22")],
  ["the password of a key by its option", script("curl --pass geheim-11 h", "other-22")],
  ["a login at a proxy", script("curl --proxy-header 'Proxy-Authorization: Bearer geheim-11' h", "other-22")],
  ["a cookie", script("curl -H 'Cookie: sid=geheim-11' h", "other-22", "sid=geheim-11")],
])("a role that repeats %s is left, though the script has the secret nowhere else", (_, text) => {
  const findings = takeFiles([createSourceFile("a.sh", text)], { cwd: "/nowhere" });
  const { documents } = writeEntries(findings.entries, families, findings);
  expect(documents.map(({ family }) => family)).toEqual(["internal_users"]);
  expect(findings.left.map(({ what, why }) => `${what}: ${why}`)).toContain(`roles/r: ${repeats}`);
});

test.each([
  ["a login", `Authorization: Basic admin:geheim-11`],
  ["a login in two words", `Authorization: Basic admin geheim-11`],
  ["an encoded login", `Authorization: Basic ${encoded}`],
  ["a key", `X-Api-Key: geheim-11`],
  ["the login of its URL", "", `${url.replace("//", "//admin:geheim-11@")}`],
])("a role that repeats %s of a file of requests is left", (_, header, api = url) => {
  const text = `PUT ${api}/roles/r\n${header}\n\n{"description": "of geheim-11"}\n`;
  const findings = takeFiles([createSourceFile("a.http", text)], { cwd: "/nowhere" });
  expect(writeEntries(findings.entries, families, findings).documents).toEqual([]);
  expect(findings.left.map(({ what, why }) => `${what}: ${why}`)).toEqual([`roles/r: ${repeats}`]);
});

test("a role that repeats the default of a template's password is left", () => {
  const user = `internal_users:\n  ana: { password: "{{ pw | default('geheim-11') }}" }\n`;
  const text = `${user}roles:\n  r: { description: of geheim-11 }\n`;
  const findings = takeFiles([createSourceFile("a.yml", text)], { cwd: "/nowhere" });
  const { documents } = writeEntries(findings.entries, families, findings);
  expect(documents.map(({ family }) => family)).toEqual(["internal_users"]);
});

test.each([
  ["the login of a collection", { auth: { type: "basic", basic: [{ key: "password", value: "geheim-11" }] } }, {}],
  ["the token of a request", {}, { auth: { type: "bearer", bearer: [{ key: "token", value: "geheim-11" }] } }],
  [
    "a key in a header",
    {
      auth: {
        apikey: [
          { key: "key", value: "X-A" },
          { key: "value", value: "geheim-11" },
        ],
      },
    },
    {},
  ],
  ["a login of format 2.0", {}, { auth: { type: "basic", basic: { username: "a", password: "geheim-11" } } }],
  [
    "a login in a variable",
    { variable: [{ key: "v", value: "geheim-11" }] },
    { auth: { basic: { password: "{{v}}" } } },
  ],
  ["a variable of the type secret", { variable: [{ key: "v", type: "secret", value: "geheim-11" }] }, {}],
  ["a header", {}, { header: [{ key: "Authorization", value: `Basic ${encoded}` }] }],
  ["a header in a text", {}, { header: "A: b\nX-Api-Key: geheim-11" }],
  ["the login of its URL", {}, { url: `${url.replace("//", "//admin:geheim-11@")}/roles/r` }],
])("a role that repeats %s of a collection is left", (_, ofCollection, ofRequest) => {
  const body = { mode: "raw", raw: '{"description": "of geheim-11"}' };
  const request = { method: "PUT", url: `${url}/roles/r`, body, ...ofRequest };
  const info = { name: "c", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" };
  const text = JSON.stringify({ info, ...ofCollection, item: [{ name: "r", request }] });
  const findings = takeFiles([createSourceFile("a.json", text)], { cwd: "/nowhere" });
  expect(writeEntries(findings.entries, families, findings).documents).toEqual([]);
  expect(findings.left.map(({ what, why }) => `${what}: ${why}`)).toContain(`roles/r: ${repeats}`);
});

test("a variable that names a user may be its password, too", () => {
  const text = `curl -XPUT ${url}/internalusers/$U -d "{\\"password\\":\\"$U\\"}"
curl -XPUT ${url}/rolesmapping/r -d "{\\"users\\":[\\"$U\\"]}"\n`;
  const findings = takeFiles([createSourceFile("a.sh", text)], { cwd: "/nowhere" });
  expect(writeEntries(findings.entries, families, findings).documents.length).toBe(2);
});

test("what is no part of a password is no secret", () => {
  const text = script("for x in team:logs-2026 team:geheim-11; do y=$x", "other-$STAGE", "logs-2026 $STAGE", "done");
  const findings = takeFiles([createSourceFile("a.sh", `curl -u admin h\n${text}`)], { cwd: "/nowhere" });
  const { documents } = writeEntries(findings.entries, families, findings);
  expect(documents.map(({ family }) => family)).toEqual(["roles", "internal_users"]);
});

test.each([
  [
    "internal_users.yml",
    "_meta: {type: internalusers}\nana: {hash: x}\nbob: {hash:geheim}\n",
    "internal_users/bob: a field",
  ],
  ["a.sh", "curl -X PUT geheim,\ncurl -X PUT h/_plugins/_security/api/rolu://u:geheim@h\n", "PUT …"],
  ["a.http", "Authorization: Basic geheim\n", "a.http"],
])("import shows no secret of what is damaged in %s", (path, text, first) => {
  const findings = takeFiles([createSourceFile(path, text)], { cwd: "/nowhere" });
  writeEntries(findings.entries, families, findings);
  const { left } = findings;
  expect(left[0]?.what).toBe(first);
  expect(JSON.stringify(left.map(({ what }) => what))).not.toContain("geheim");
});

test("messages about files of other tools have keys, and no values", () => {
  const text = '- {name: "internalUsers.ana.hash",, value: geheim}\n';
  const { diagnostics } = takeFiles([createSourceFile("a.yml", text)], { cwd: "/nowhere" });
  expect(diagnostics[0]?.what).toBe("This is not expected here: , value: ********}");
});

describe("import hides", () => {
  test.each(Object.entries(rows))("%s", (_, { path = "a.yml", text, written, left = [], letGo = [] }) => {
    const findings = takeFiles([createSourceFile(path, text)], { cwd: "/nowhere" });
    const { documents } = writeEntries(findings.entries, families, findings);
    const entries = documents.flatMap(({ value }) =>
      [...value].map(([name, body]) => `${name} ${JSON.stringify(body)}`),
    );
    expect(entries).toEqual(written);
    expect(findings.left.map(({ what, why }) => `${what}: ${why}`)).toEqual(left);
    expect(findings.letGo).toEqual(letGo);
    expect(findings.diagnostics).toEqual([]);
  });
});
