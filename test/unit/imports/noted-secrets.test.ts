// What an input says of its secrets beside the entries: in variables, in requests that are not taken, in other commands.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createSourceFile } from "../../../src/diagnostics/source.ts";
import { splitWords } from "../../../src/imports/shell-split.ts";
import { takeFiles } from "../../../src/imports/take.ts";
import { writeEntries } from "../../../src/imports/written.ts";
import { families } from "../../../src/model/names.ts";

const url = "https://h/_plugins/_security/api";
const secret = "geheim-11";
const put = (path: string, body: object) => `curl -XPUT ${url}/${path} -d '${JSON.stringify(body)}'`;

function take(files: Readonly<Record<string, string>>) {
  const sources = Object.entries(files).map(([path, text]) => createSourceFile(path, text));
  const findings = takeFiles(sources, { cwd: "/nowhere" });
  const { documents } = writeEntries(findings.entries, families, findings);
  return {
    entries: findings.entries,
    left: findings.left.map(({ what, why }) => `${what}: ${why}`),
    shown: JSON.stringify(documents.map(({ value }) => [...value])),
  };
}

test.each<[about: string, lines: readonly string[], repeated?: string]>([
  ["a variable that is called a password", [`ADMIN_PASSWORD='${secret}'`]],
  ["one that is exported", [`export OPENSEARCH_INITIAL_ADMIN_PASSWORD=${secret}`]],
  ["one in camel case", [`adminPwd=${secret}`]],
  ["one in one word", [`dbpassword=${secret}`]],
  ["a key of a cloud", [`AWS_SECRET_ACCESS_KEY=${secret}`]],
  ["a login with its name", [`CREDENTIALS=admin:${secret}`]],
  ["a variable for one command", [`docker run -e INITIAL_PASSWORD=${secret} x`]],
  ["a literal for another tool", [`kubectl create secret generic x --from-literal=password=${secret}`]],
  ["an option of another tool", [`wget --http-password ${secret} h`]],
  ["the password of wget", [`wget --password ${secret} h`]],
  [
    "a login of two words that is encoded",
    [`A=$(printf '%s:%s' admin ${secret} | base64)`, 'curl -H "Authorization: Basic $A" h'],
  ],
  ["what is hashed", [`HASH=$(/x/hash.sh -p ${secret})`]],
  ["a default that is assigned", [`: "\${PW:=${secret}}"`, 'curl -u "admin:$PW" h']],
  ["an element of an array", [`PW[ana]=${secret}`, 'curl -u "admin:${PW[ana]}" h']],
  [
    "a login that the script encodes",
    [`AUTH=$(echo -n "admin:${secret}" | base64)`, 'curl -H "Authorization: Basic $AUTH" h'],
  ],
  [
    "a login that a header encodes",
    [`PASS=${secret}`, 'curl -H "Authorization: Basic $(printf %s "admin:$PASS" | base64)" h'],
  ],
  [
    "a line that a loop reads",
    [
      "while IFS=: read -r u p; do",
      `${put("internalusers/$u", {})}`.replace("{}", '\'"{\\"password\\":\\"$p\\"}"\''),
      "done <<EOF",
      `ana:${secret}`,
      "EOF",
    ],
  ],
  ["what is read from a text", [`read -r ADMIN_PASS <<< ${secret}`]],
  ["a cookie alone", [`curl -H 'Cookie: a=b; sid=${secret}' h`]],
  ["a cookie by its option", [`curl -b sid=${secret} h`]],
  ["a query", [`curl "h/x?token=${secret}"`]],
  ["a query by its option", [`curl --url-query api_key=${secret} h`]],
  ["a login in a URL that is encoded", ["curl https://admin:ge%68eim-11@h/"]],
  ["a header of a proxy", [`curl -H 'X-Proxy-Auth: ${secret}' h`]],
  ["a login in another form", [`curl -H 'Authorization: Digest admin ${secret}' h`]],
  ["an option for TLS", [`curl --tlspassword ${secret} h`]],
  ["a login in JSON", [`curl -XPOST h/login -d '{"username":"a","password":"${secret}"}'`]],
  ["a login in a form", [`curl h/token -d 'grant_type=x&client_secret=${secret}'`]],
  [
    "a user that is replaced",
    [put("internalusers/ana", { password: secret }), put("internalusers/ana", { password: "other-22" })],
  ],
  [
    "a user that is deleted",
    [put("internalusers/ana", { password: secret }), `curl -XDELETE ${url}/internalusers/ana`],
  ],
  ["a request that may not be sent", ["if x; then", put("internalusers/ana", { password: secret }), "fi"]],
  [
    "a patch of a user that is not there",
    [`curl -XPATCH ${url}/internalusers/ana -d '[{"op":"replace","path":"/password","value":"${secret}"}]'`],
  ],
  ["a password in base64", [put("internalusers/ana", { password: secret })], Buffer.from(secret).toString("base64")],
  ["a password in a URL", [put("internalusers/ana", { password: "geheim 11+" })], "geheim%2011%2B"],
])("a role that repeats %s is left", (_, lines, repeated = secret) => {
  const { left, shown } = take({ "a.sh": [...lines, put("roles/r", { description: `of ${repeated}` })].join("\n") });
  expect(left.join("\n")).toContain("roles/r: it repeats a secret of the input");
  expect(shown).not.toContain(repeated);
});

test.each([
  ["six characters", "ab12-x", "of ab12-x here", false],
  ["a text that begins like it", secret, "of geheim-12", true],
  ["a word", "analytics", "of analytics here", true],
])("a description is compared with a password: %s", (_, password, description, isTaken) => {
  const lines = [put("internalusers/ana", { password }), put("roles/r", { description })];
  expect(take({ "a.sh": lines.join("\n") }).shown.includes(description)).toBe(isTaken);
});

test.each<[about: string, lines: readonly string[], shown?: string]>([
  [
    "a here-document that is not read by a loop",
    ["read -r -s pass", "cat <<EOF", "of logs-2026", "EOF", 'curl -u "a:$pass" h'],
  ],
  [
    "another column of what a loop reads",
    ["while IFS=: read -r u p team; do", 'curl -u "a:$p" h', "done <<EOF", "ana:geheim-11:logs-2026", "EOF"],
  ],
  ["what is printed", ['echo "PASS=$PASS is for logs-2026"', 'curl -u "a:$PASS" h']],
  ["the name of a secret", ["gcloud access --secret=logs-2026", "SECRET=logs-2026", "docker x --secret logs-2026"]],
  ["what comes after an option that asks for a password", ["mysqldump --password logs-2026"]],
  ["a user of htpasswd", ['htpasswd -b logs-2026 ana "$PW"', 'curl -u "a:$PW" h']],
  ["what is printed as an example", ["echo ADMIN_PASS=logs-2026"]],
  ["the last word of any other tool", ["tool -b x logs-2026"]],
  ["a key that is none of a login", ["curl -H 'Routing-Key: logs-2026' h"]],
  ["a cookie with a setting", ["curl -b 'lang=en; tenant=logs-2026' h"]],
  [
    "what is encoded and no login",
    ['C=$(echo "of logs-2026" | base64)', 'curl -H "Authorization: Basic $(echo -n "a:$PW" | base64)" h'],
  ],
])("a role may have %s", (_, lines) => {
  const text = [...lines, put("roles/r", { description: "of logs-2026" })].join("\n");
  expect(take({ "a.sh": text }).shown).toBe('[[["r",{"description":"of logs-2026"}]]]');
});

test("words between separators are those of a shell, empty ones too", () => {
  const separators = [" \t\n", ":", " :", ",;", "\n"];
  const values = ["a b", " a  b ", "a::b", ":a:", "a : b", "a :: b ", "::", "", " ", "a,;b", "a\nb\n", "*a ?"];
  const cases = separators.flatMap((separator) => values.map((value) => ({ separator, value })));
  const quote = (text: string) => `$'${text.replaceAll("\n", "\\n").replaceAll("\t", "\\t")}'`;
  const lines = cases.map(
    ({ separator, value }) =>
      `v=${quote(value)}; IFS=${quote(separator)}; set -- $v; IFS=' '; for w in "$@"; do printf '<%s>' "$w"; done; printf '\\0'`,
  );
  const { stdout } = spawnSync("bash", { input: ["set -f", ...lines].join("\n"), encoding: "utf8" });
  const found = cases.map(({ separator, value }) =>
    splitWords({ text: value, start: 0 }, separator)
      .map(({ text }) => `<${text}>`)
      .join(""),
  );
  expect(found).toEqual(stdout.split("\0").slice(0, -1));
});

test.each([
  ["PASSWORD_FILE", "/run/admin-pw"],
  ["KEY", "orders-2026"],
  ["BYPASS", "orders-2026"],
])("%s is not called like a secret", (name, value) => {
  expect(take({ "a.sh": `${name}=${value}\n${put("roles/r", { description: `of ${value}` })}` }).shown).toContain(
    value,
  );
});

test.each([
  ["a variable of the file", `@adminPassword = ${secret}\n`, "x.txt", ""],
  ["a login in JSON", `POST https://h/login\n\n{"password": "${secret}"}\n\n###\n`, "x.txt", ""],
  [
    "an environment of Postman",
    "",
    "e.json",
    JSON.stringify({ _postman_variable_scope: "environment", values: [{ key: "x", value: secret, type: "secret" }] }),
  ],
  [
    "an environment of a client",
    "",
    "http-client.private.env.json",
    JSON.stringify({ dev: { adminPassword: secret } }),
  ],
])("a role that repeats %s is left in a file of requests", (_, before, path, other) => {
  const text = `${before}PUT ${url}/roles/r\n\n{"description": "of ${secret}"}\n`;
  const { left, shown } = take({ "a.http": text, [path]: other });
  expect(left.join("\n")).toContain("roles/r: it repeats a secret of the input");
  expect(shown).toBe("[]");
});

test.each<[about: string, ofCollection: object, ofItem: object]>([
  [
    "a variable of a variable",
    {
      auth: { basic: [{ key: "password", value: "{{a}}" }] },
      variable: [
        { key: "a", value: "{{b}}" },
        { key: "b", value: secret },
      ],
    },
    {},
  ],
  ["a variable that is called a password", { variable: [{ key: "adminPwd", value: secret }] }, {}],
  ["a field of a form", {}, { body: { mode: "urlencoded", urlencoded: [{ key: "client_secret", value: secret }] } }],
  ["a key of Hawk", {}, { auth: { hawk: [{ key: "authKey", value: secret }] } }],
  ["the passphrase of a certificate", {}, { certificate: { passphrase: secret } }],
])("a role that repeats %s is left in a collection", (_, ofCollection, ofItem) => {
  const info = { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" };
  const body = { mode: "raw", raw: `{"description": "of ${secret}"}` };
  const items = [
    { method: "POST", url: "https://h/x", ...ofItem },
    { method: "PUT", url: `${url}/roles/r`, body },
  ];
  const { left, shown } = take({
    "a.json": JSON.stringify({ info, ...ofCollection, item: items.map((request) => ({ name: "r", request })) }),
  });
  expect(left.join("\n")).toContain("roles/r: it repeats a secret of the input");
  expect(shown).toBe("[]");
});

test("what is left shows no secret of another entry in its name", () => {
  const lines = [
    put("internalusers/ana", { password: secret }),
    put(`internalusers/bob-${secret}`, { password: "other-22", full_name: "Bob" }),
    `curl -XDELETE ${url}/internalusers/of-${secret}`,
  ];
  const { left } = take({ "a.sh": lines.join("\n") });
  expect(left.join("\n")).toContain("internal_users/bob-…: full_name: no user has such a field");
  expect(left.join("\n")).toContain("DELETE /_plugins/_security/api/internalusers/of-…");
  expect(left.join("\n")).not.toContain(secret);
});

test("a field that is called like a secret is none of a role, and is written as one", () => {
  const { entries, shown } = take({
    "a.sh": [put("roles/r", { password: secret }), put("tenants/t", { secret })].join("\n"),
  });
  expect(entries).toHaveLength(2);
  expect(shown).toBe(
    '[[["t",{"secret":"${env:SECRET_TENANTS_T_SECRET}"}]],[["r",{"password":"${env:SECRET_ROLES_R_PASSWORD}"}]]]',
  );
});

const user = `curl -XPUT ${url}/internalusers/$1 -d "{\\"password\\":\\"$2\\"}"`;

test.each([
  ["the arguments of a function", `mk() { ${user}; }\nfor both in "ana ${secret}"; do mk $both; done`],
  ["those of the script", `for both in "ana ${secret}"; do set -- $both; ${user}; done`],
  ["those of a function with a variable of its own", `mk() { ${user}; }\nboth="ana ${secret}"\nDEBUG=1 mk $both`],
  ["those beside a text", `mk() { ${user}; }\nboth="na ${secret}"\nmk a$both`],
  ["those of separators that are as before", `OLD=$IFS; IFS=,; IFS=$OLD\nboth="ana ${secret}"\nset -- $both\n${user}`],
  ["what other characters separate", `IFS=:\nboth=ana:${secret}\nset -- $both\n${user}`],
])("the shell makes %s of a variable without quotes", (_, text) => {
  const { shown } = take({ "a.sh": text });
  expect(shown).toBe('[[["ana",{"password":"${env:SECRET_INTERNAL_USERS_ANA_PASSWORD}"}]]]');
});

test("what separates arguments may be unknown", () => {
  const { shown, left } = take({ "a.sh": `IFS=$X\nboth=ana:42-17-99\nset -- $both\n${user}` });
  expect([...left, shown].join("\n")).not.toContain("42-17-99");
});

const cluster = '{"cluster_permissions":["cluster_monitor"]}';

test.each([
  ["in lower case", `put ${url}/roles/r2\n\n${cluster}\n`],
  ["that is indented", `  PUT ${url}/roles/r2\n\n${cluster}\n`],
])("a request of a file of requests %s is one", (_, text) => {
  const { entries } = take({ "a.http": `PUT ${url}/roles/r1\n\n${cluster}\n\n### two\n${text}` });
  expect(entries.map(({ name }) => name)).toEqual(["r1", "r2"]);
});

test("a line of a body is no request", () => {
  const text = `PUT ${url}/roles/r1\n\n{"description":"a\n  get /x\n"}\n`;
  expect(take({ "a.http": text }).entries.map(({ name }) => name)).toEqual(["r1"]);
});

test("a part of a file of requests that has none is left", () => {
  const parts = [
    `PUT ${url}/roles/r1\n\n${cluster}`,
    `PUT\n  ${url}/roles/r2\n\n${cluster}`,
    "# a note\n@a = b",
    "Some words.",
    `< {%\n  client.log("x")\n%}\nGET ${url}/roles`,
  ];
  const { left } = take({ "a.http": parts.join("\n\n### next\n") });
  expect(left).toEqual([
    "a part without a request: none of its lines is a method and a URL",
    "GET /_plugins/_security/api/roles: it changes nothing",
  ]);
});

test("the path and the body of a request in a collection are what is sent", () => {
  const info = { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" };
  const body = { mode: "raw", raw: cluster };
  const named = { raw: `${url}/roles/:name?pretty=true`, variable: [{ key: "name", value: "hr" }] };
  const off = { method: "PUT", url: `${url}/roles/off`, body: { ...body, disabled: true } };
  const item = [{ method: "PUT", url: named, body }, off].map((request) => ({ name: "r", request }));
  const { entries, left } = take({ "a.json": JSON.stringify({ info, item }) });
  expect(entries.map(({ name }) => name)).toEqual(["hr"]);
  expect(left).toEqual(["PUT /_plugins/_security/api/roles/off: it has no body that can be read here"]);
});
