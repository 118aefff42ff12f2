import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { Secret } from "../../../src/json/secret.ts";
import { createSettingFiles } from "../../../src/load/named-files.ts";
import { escapeReferences } from "../../../src/load/reference-text.ts";
import { resolveReferences } from "../../../src/load/references.ts";
import { readGivenVariables } from "../../../src/load/variables.ts";
import { parseDocuments } from "../../../src/load/yaml.ts";
import { findNodeAt, getScalarSource, type Node, toValue } from "../../../src/model/node.ts";
import { folderWith } from "./folder.ts";

const nothing: Node = { kind: "list", file: { path: "", text: "" }, start: 0, end: 0, items: [] };
const lookups = {
  vars: readGivenVariables({ TEAM: "hr", EMPTY: "", TRICKY: `$&\${var:TEAM}` }),
  env: { TOKEN: "t0p", BLANK: "" },
  secrets: "resolve",
  directory: "/nonexistent",
  files: createSettingFiles([]),
} as const;

function resolve(text: string, more: Partial<Parameters<typeof resolveReferences>[1]> = {}) {
  const root = parseDocuments({ path: "a.yml", text }).documents[0] ?? nothing;
  const { node, diagnostics } = resolveReferences(root, { ...lookups, ...more });
  const codes = diagnostics.map(({ code, range }) => `${code} ${range && formatLocation(range).replace("a.yml:", "")}`);
  return { root, node, value: toValue(node), codes, diagnostics };
}

/** The text gives this value and no complaint. */
function check(text: string, value: unknown) {
  const resolved = resolve(text);
  expect(resolved.codes).toEqual([]);
  expect(resolved.value).toEqual(value);
}

function secretOf(text: string, more = {}) {
  const { value, codes } = resolve(`a: ${text}`, more);
  const secret = (value as { a: unknown }).a;
  if (!(secret instanceof Secret)) throw new Error(`${text} is no secret`);
  return { reference: secret.reference, text: secret.resolved ? secret.reveal() : undefined, codes };
}

describe("variables with types", () => {
  const variables =
    "n: 5\non: true\nlist: [a, b]\nmap: {k: {x.y: 1, z: [c]}}\nv: 1.10\nid: 00123456789012345678\nblank: {k: ~}\n";
  const written = parseDocuments({ path: "v.yml", text: variables });
  const root = written.documents[0];
  const vars = new Map(root?.kind === "map" ? root.entries.map(({ key, value }) => [key, value]) : []);
  it.each<[text: string, value: unknown]>([
    ["a: ${var:n}", { a: 5 }],
    ["a: '${var:on}'", { a: true }],
    ["a: x${var:n}-${var:on}", { a: "x5-true" }],
    ["a: x${var:v}-${var:id}", { a: "x1.10-00123456789012345678" }],
    ["r${var:id}: 1", { r00123456789012345678: 1 }],
    [`a: '"\${var:n}"'`, { a: '"5"' }],
    ["a: ${var:list}", { a: ["a", "b"] }],
    ["a: [x, '${var:list}', '${var:map.k.z}', '${var:n}', y]", { a: ["x", "a", "b", "c", 5, "y"] }],
    ["a: [[x], '${var:list}']", { a: [["x"], "a", "b"] }],
    ["a: ${var:map.k}", { a: { "x.y": 1, z: ["c"] } }],
    ["a: ${var:map.k.x.y}", { a: 1 }],
    ["'${var:n}': 1", { "5": 1 }],
    ["a: '${var:none:-d}'", { a: "d" }],
    ["a: '${var:list:-d}'", { a: ["a", "b"] }],
    ["a: ['${var:blank.k:-d}', 'x${var:blank.k:-d}', '${var:blank.k}']", { a: ["d", "xd", null] }],
    ["a: '$${var:list}'", { a: "${var:list}" }],
  ])("%s", (text, value) => {
    const resolved = resolve(text, { vars });
    expect([resolved.codes, resolved.value]).toEqual([[], value]);
  });
  it.each<[text: string, code: string, related: string]>([
    ["a: x${var:list}", "variable-type 1:5", "v.yml:3:7"],
    ["a: x${var:map.k}", "variable-type 1:5", "v.yml:4:10"],
    ["'${var:list}': 1", "variable-type 1:2", "v.yml:3:7"],
    [`a: ['"\${var:list}"']`, "variable-type 1:7", "v.yml:3:7"],
    ["a: x${var:blank.k}", "variable-type 1:5", "v.yml:7:12"],
    ["a: ${var:map.kk}", "unknown-variable 1:4", ""],
    ["a: ${var:n.k}", "unknown-variable 1:4", "v.yml:1:4"],
  ])("%s is an error", (text, code, place) => {
    const { codes, diagnostics } = resolve(text, { vars });
    expect(codes).toEqual([code]);
    const related = diagnostics.flatMap((one) => one.related ?? []).map(({ range }) => formatLocation(range));
    expect(related.join()).toBe(place);
  });
  it("a value has the place where it is used, and is shown as it is", () => {
    const { node } = resolve("a: [x, '${var:v}']", { vars });
    const item = findNodeAt(node, ["a", "1"]);
    expect([formatLocation(item), item.kind === "scalar" && getScalarSource(item)]).toEqual(["a.yml:1:8", "1.10"]);
  });
});

describe("variables that multiply", () => {
  const list = `[${Array.from({ length: 10_000 }, () => "x").join()}]`;
  const [root] = parseDocuments({ path: "v.yml", text: `list: ${list}\ntext: ${"x".repeat(10_000)}\n` }).documents;
  const vars = new Map(root?.kind === "map" ? root.entries.map(({ key, value }) => [key, value]) : []);
  it.each([
    ["values", "- ['${var:list}']\n", 150, "large-variables 100:4"],
    ["characters", "${var:text}", 150, "large-variables 1:1"],
  ])("end with one message: %s", (_, text, times, code) => {
    expect(resolve(text.repeat(times), { vars }).codes).toEqual([code]);
    expect(resolve(text.repeat(times / 2), { vars }).codes).toEqual([]);
  });
});

describe("public variables", () => {
  it("may be anywhere", () =>
    check(`logs-\${var:TEAM}:\n  - x\n  - '\${var:TEAM}-\${var:TEAM}'\n`, { "logs-hr": ["x", "hr-hr"] }));
  it("have defaults, also where they are empty", () =>
    check(`[ '\${var:NOPE:-dev}', '\${var:EMPTY:-dev}', '\${var:EMPTY}', '\${var:NOPE:-}' ]`, ["dev", "dev", "", ""]));
  it("are put in as they are", () => check(`a: \${var:TRICKY}`, { a: `$&\${var:TEAM}` }));
  it("unknown ones are reported with a suggestion, at the reference", () => {
    const { codes, diagnostics } = resolve(`a:\n  - "x \${var:TAEM}"\n`);
    expect(codes).toEqual(["unknown-variable 2:8"]);
    expect(diagnostics[0]?.what).toContain('Did you mean "TEAM"?');
  });
  it("may not make two keys one", () => {
    expect(resolve(`hr: 1\n\${var:TEAM}: 2\n`).codes).toEqual(["duplicate-key 2:1"]);
  });
  it("are not looked up in what every object has", () => {
    expect(resolve(`a: \${var:constructor}`).codes).toEqual(["unknown-variable 1:4"]);
  });
});

describe("secrets", () => {
  it("make the whole text a secret", () => {
    expect(secretOf(`Bearer \${env:TOKEN} of \${var:TEAM}`)).toEqual({
      reference: `\${env:TOKEN}`,
      text: "Bearer t0p of hr",
      codes: [],
    });
    expect(secretOf(`\${env:TOKEN}\${env:NOPE:-x}`)).toMatchObject({
      reference: `\${env:TOKEN}`,
      text: "t0px",
    });
  });
  it("come from files beside the one that mentions them, without the last line break", () => {
    const folder = folderWith({ "secrets/key": "k3y\n" });
    expect(secretOf(`\${file:secrets/key}`, { directory: folder }).text).toBe("k3y");
    expect(secretOf(`\${file:../secrets/key}`, { directory: join(folder, "secrets") }).text).toBe("k3y");
    expect(secretOf(`\${file:key}`, { directory: dirname(folder) }).codes).toEqual(["unset-secret 1:4"]);
  });
  it("are not awaited from what is no regular file", () => {
    const { codes, diagnostics } = resolve(`a: \${file:/dev/null}`);
    expect(codes).toEqual(["unset-secret 1:4"]);
    expect(diagnostics[0]?.what).toContain("no regular file");
  });
  it("that are not set, or empty, are reported", () => {
    expect(secretOf(`\${env:NOPE}`)).toMatchObject({ text: undefined, codes: ["unset-secret 1:4"] });
    expect(secretOf(`\${env:BLANK}`).codes).toEqual(["unset-secret 1:4"]);
    check(`a: \${env:BLANK:-x}`, { a: "x" });
  });
  it.each(["=hunter2", ":hunter2", ":=hunter2", "?hunter2", " || hunter2"])(
    "with %s behind the name are refused, and repeat nothing of it",
    (rest) => {
      for (const secrets of ["resolve", "leave"] as const) {
        const { codes, diagnostics } = resolve(`a: "\${env:NOPE${rest}}"`, { secrets });
        expect(codes).toEqual(["unknown-variable 1:5"]);
        expect(JSON.stringify(diagnostics.map(({ what, why, fix }) => [what, why, fix]))).not.toContain("hunter2");
      }
    },
  );
  it("may have any name that is set; what may be a default is not repeated", () => {
    expect(secretOf(`\${env:ES-PW}`, { env: { "ES-PW": "x" } })).toMatchObject({ text: "x", codes: [] });
    const { diagnostics } = resolve(`a: \${env:NOPE-hunter}`);
    expect(diagnostics[0]?.what).toBe("The environment variable of this reference is not set.");
    expect(diagnostics[0]?.fix).not.toContain("hunter");
  });
  it("are left alone where no values are needed", () => {
    expect(secretOf(`\${env:NOPE}`, { secrets: "leave" })).toEqual({
      reference: `\${env:NOPE}`,
      text: undefined,
      codes: [],
    });
    expect(secretOf(`\${file:nope}`, { secrets: "leave" }).codes).toEqual([]);
  });
  it("of a backup are the server's, and rollback alone reads them", () => {
    expect(secretOf(`\${live:secret}`).codes).toEqual(["unset-secret 1:4"]);
    const left = { reference: `\${live:secret}`, text: undefined, codes: [] };
    expect(secretOf(`\${live:secret}`, { secrets: "leave" })).toEqual(left);
  });
  it("are refused in names", () => expect(resolve(`a:\n  x-\${env:TOKEN}: 1\n`).codes).toEqual(["secret-in-name 2:3"]));
  it("are not looked up in what every object has", () => {
    expect(secretOf(`\${env:constructor}`)).toMatchObject({ text: undefined, codes: ["unset-secret 1:4"] });
  });
  it("do not show in what is said about them", () => {
    const { diagnostics } = resolve(`x-\${env:TOKEN}: 1\n`);
    expect(JSON.stringify(diagnostics)).not.toContain("t0p");
  });
});

describe("what is unmanaged", () => {
  it.each([
    `\${user.name}`,
    `\${user_name}`,
    `\${user.roles}`,
    `\${attr.ldap.x}`,
    `\${user.attrs.x|toList|toJson}`,
    `\${}`,
    `\${dlsquery:x}`,
    "$attr",
    "$5",
  ])("%s passes through", (text) => check(`a: '${text}'`, { a: text }));
  it.each([`\${env.NAME}`, `\${env.NAME:-x}`, `\${envbc.PW}`, `\${envbase64.PW}`])("%s is another tool's", (text) => {
    expect(resolve(`a: '${text}'`).codes).toEqual(["vendor-variable 1:5"]);
    expect(resolve(`'${text}': a`).codes).toEqual(["vendor-variable 1:2"]);
  });
  it("a misspelt kind is reported", () => expect(resolve(`a: \${vars:TEAM}`).codes).toEqual(["unknown-variable 1:4"]));
});

describe("references inside of others", () => {
  it.each([
    [`\${env:NO:-\${env:TOKEN}}`, "unset-secret 1:5"],
    [`\${env:TOKEN:-\${env:NO}}`, "unset-secret 1:5"],
    [`\${file:\${var:TEAM}/key}`, "unset-secret 1:5"],
    [`\${var:NO:-\${var:TEAM}}`, "unknown-variable 1:5"],
    [`\${var:NO:-\${user.name}}`, "unknown-variable 1:5"],
  ])("%s is refused", (text, code) => {
    const { codes, diagnostics } = resolve(`a: '${text}'`);
    expect(codes).toEqual([code]);
    expect(diagnostics[0]?.what).toContain("defaults cannot hold references");
    expect(resolve(`a: '${text}'`, { secrets: "leave" }).codes).toEqual([code]);
  });
  it("are replaced in what is the server's", () =>
    check(`a: '\${user.\${var:TEAM}} $\${user.x}'`, { a: `\${user.hr} $\${user.x}` }));
  it("cost no more than their length", () => {
    const text = "${".repeat(200_000);
    const begun = performance.now();
    check(`a: '${text}}'`, { a: `${text}}` });
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

describe("what has no reference", () => {
  it("stays the same object", () => {
    const { root, node } = resolve(`a: [1, {b: '\${user.name}'}]`);
    expect(node).toBe(root);
  });
  it("aliases stay shared, and are complained about once", () => {
    const { value, codes } = resolve(`a: &x ['\${var:TEAM}', '\${var:NO}']\nb: *x\n`);
    expect(value).toEqual({ a: ["hr", `\${var:NO}`], b: ["hr", `\${var:NO}`] });
    expect(codes).toHaveLength(1);
  });
});

describe("escapeReferences", () => {
  it.each([
    `\${var:x}`,
    `a \${env:X} b`,
    `\${env.X}`,
    `$\${var:x}`,
    `$$\${file:x}`,
    `\${vars:x}`,
    `\${live:secret}`,
    `\${live:other}`,
    `\${user.name}`,
    `$\${user.name}`,
    `\${env:A:-\${env:B}}`,
    `\${user.\${var:x}}`,
    "plain",
    "$",
  ])("%s is read back as it was", (text) => check(`a: '${escapeReferences(text)}'`, { a: text }));
  it("changes nothing else", () => expect(escapeReferences(`\${user.name} $5`)).toBe(`\${user.name} $5`));
});
