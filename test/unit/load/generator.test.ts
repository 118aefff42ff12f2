import { describe, expect, it, test } from "vitest";
import { formatLocation } from "../../../src/diagnostics/source.ts";
import { createDialect } from "../../../src/dialects/index.ts";
import { loadFile } from "../../../src/load/file.ts";
import { unreadFiles } from "../../../src/load/named-files.ts";
import { readGivenVariables } from "../../../src/load/variables.ts";
import { parseDocuments } from "../../../src/load/yaml.ts";
import { normalise } from "../../../src/normalise/desired.ts";
import { addEntryPlaces } from "../../../src/normalise/entry-places.ts";
import { applyOverrides } from "../../../src/normalise/overrides.ts";
import { maskLine } from "../../../src/secrets/masked-line.ts";

/** What `access/teams.yml` and what is beside it come to. */
function load(text: string, beside: Readonly<Record<string, string>> = {}, variables = "") {
  const [root] = parseDocuments({ path: "gate-sync.yaml", text: variables }).documents;
  const named = root?.kind === "map" ? root.entries.map(({ key, value }) => [key, value] as const) : [];
  const lookups = {
    vars: new Map([...readGivenVariables({ env: "prod" }), ...named]),
    env: {},
    secrets: "leave",
    files: unreadFiles,
  } as const;
  const items = new Map(
    Object.entries(beside).map(([path, one]) => [`/access/${path}`, { file: { path, text: one } }]),
  );
  const loaded = loadFile({ path: "teams.yml", text }, "/access/teams.yml", lookups, false, items);
  const { documents, notices } = loaded;
  const { repository, diagnostics } = applyOverrides({ documents, notices, fileCount: 1 });
  const normalised = normalise(repository, createDialect("gate", "7.x-43.0.0"), {});
  const { resources } = normalised.desired;
  const found = addEntryPlaces([...loaded.diagnostics, ...diagnostics, ...normalised.diagnostics], repository);
  const entries = [...resources].flatMap(([family, some]) =>
    [...some.values()].map(({ name, value, origin }) => ({
      at: `${family}/${name}`,
      value,
      origin: formatLocation(origin),
    })),
  );
  return {
    entries,
    values: Object.fromEntries(entries.map(({ at, value }) => [at, value])),
    families: [...resources.keys()],
    itemFiles: loaded.itemFiles,
    messages: found.map(({ code, range, what, related = [] }) =>
      [
        `${code} ${range && formatLocation(range)} ${what}`,
        ...related.map((one) => `${formatLocation(one.range)}: ${one.what}`),
      ].join(" | "),
    ),
  };
}

const each = (path: string) => `\${each:${path}}`;

function generator(forEach: string, families: string): string {
  return `generate:\n  for_each: ${forEach}\n  as: team\n${families}\n`;
}

const tenantOf = (path: string) => `  tenants: { "${each(path)}": {} }`;

describe("a generator", () => {
  it("makes one entry for each item and template", () => {
    const { entries, messages } = load(
      generator(
        "[{ name: a, indices: [a-*, b-*] }, { name: b, indices: [] }]",
        `  roles:
    "${each("team.name")}_reader":
      description: of ${each("team.name")} in \${var:env}, \${user.name} and $${each("team.name")}
      index_permissions:
        - { index_patterns: [x, "${each("team.indices")}"], allowed_actions: [read] }
  role_mappings:
    "${each("team.name")}_reader": { backend_roles: ["${each("team.name")}"] }`,
      ),
    );
    expect(messages).toEqual([]);
    expect(entries).toEqual([
      {
        at: "roles/a_reader",
        value: {
          description: `of a in prod, \${user.name} and ${each("team.name")}`,
          index_permissions: [{ index_patterns: ["a-*", "b-*", "x"], allowed_actions: ["read"] }],
        },
        origin: "teams.yml:5:5 (generated for teams.yml:2:14)",
      },
      {
        at: "roles/b_reader",
        value: {
          description: `of b in prod, \${user.name} and ${each("team.name")}`,
          index_permissions: [{ index_patterns: ["x"], allowed_actions: ["read"] }],
        },
        origin: "teams.yml:5:5 (generated for teams.yml:2:48)",
      },
      {
        at: "role_mappings/a_reader",
        value: { backend_roles: ["a"] },
        origin: "teams.yml:10:5 (generated for teams.yml:2:14)",
      },
      {
        at: "role_mappings/b_reader",
        value: { backend_roles: ["b"] },
        origin: "teams.yml:10:5 (generated for teams.yml:2:48)",
      },
    ]);
  });
  it("takes items that are texts, and those of a map with their keys", () => {
    expect(Object.keys(load(generator("[a, b]", tenantOf("team"))).values)).toEqual(["tenants/a", "tenants/b"]);
    const { values } = load(
      generator(
        "{ a: { t: x, m.n: y }, b: { t: z, m.n: 1.10 } }",
        `  tenants: { "${each("team.key")}": { description: "${each("team.value.t")} ${each("team.value.m.n")}" } }`,
      ),
    );
    expect(values).toEqual({ "tenants/a": { description: "x y" }, "tenants/b": { description: "z 1.10" } });
  });
  it("keeps types in whole values, and numbers as they were written in texts", () => {
    const { values } = load(
      generator(
        "[{ name: 007, list: [u, 1.0], map: { index_patterns: [i], allowed_actions: [read] } }]",
        `  role_mappings: { "m${each("team.name")}": { users: ${each("team.list")} } }
  roles: { "r${each("team.name")}": { index_permissions: ["${each("team.map")}"], description: "${each("team.name")}" } }`.replace(
          `users: ${each("team.list")} `,
          `users: "${each("team.list")}" `,
        ),
      ),
    );
    expect(values).toEqual({
      "role_mappings/m007": { users: ["1.0", "u"] },
      "roles/r007": { description: 7, index_permissions: [{ index_patterns: ["i"], allowed_actions: ["read"] }] },
    });
  });
  it("has conditions for an item and for a template", () => {
    const { values, messages } = load(
      `generate:
  for_each: [{ n: a, on: true, admin: true }, { n: b, on: true, admin: "false" }, { n: c, on: false, admin: true }]
  as: team
  when: ${each("team.on")}
  tenants:
    "${each("team.n")}": {}
    "${each("team.n")}_admin": { when: "${each("team.admin")}", description: x }
    "${each("team.n")}_never": { when: "\${var:off}" }
`,
      {},
      "off: false",
    );
    expect(messages).toEqual([]);
    expect(values).toEqual({ "tenants/a": {}, "tenants/a_admin": { description: "x" }, "tenants/b": {} });
  });
  it("reads items of a variable, at the place where each is defined", () => {
    const { entries } = load(generator("${var:teams}", tenantOf("team.n")), {}, "teams:\n  - n: a\n  - n: b\n");
    expect(entries.map(({ origin }) => origin)).toEqual([
      "teams.yml:4:14 (generated for gate-sync.yaml:2:5)",
      "teams.yml:4:14 (generated for gate-sync.yaml:3:5)",
    ]);
  });
  it("reads items of files, with variables in them", () => {
    const beside = { "t.yaml": "- n: a-${var:env}\n", "t.json": '{"k": {"n": "j"}}' };
    expect(load(generator("t.yaml", tenantOf("team.n")), beside).values).toEqual({ "tenants/a-prod": {} });
    expect(load(generator("${var:file}", tenantOf("team.value.n")), beside, "file: t.json").values).toEqual({
      "tenants/j": {},
    });
    expect(load(generator("../x/y.csv", tenantOf("team.n"))).itemFiles).toEqual(["/x/y.csv"]);
  });
  it("reads rows of CSV as texts and lists of them, each at its line", () => {
    const csv = 'name,indices[],note\r\n007,"a-*|b,c-*",no\r\n\r\n"x\r\ny",,"ä ""q"""\n1.10,z,true\n';
    const { entries, messages } = load(
      generator(
        "t.csv",
        `  roles: { "r${each("team.name")}": { description: "${each("team.note")}", index_permissions: [{ index_patterns: ["i", "${each("team.indices")}"] }] } }`,
      ),
      { "t.csv": csv },
    );
    expect(messages).toEqual([]);
    expect(entries).toEqual([
      {
        at: "roles/r007",
        value: { description: "no", index_permissions: [{ index_patterns: ["a-*", "b,c-*", "i"] }] },
        origin: "teams.yml:4:12 (generated for t.csv:2:1)",
      },
      {
        at: "roles/rx\r\ny",
        value: { description: 'ä "q"', index_permissions: [{ index_patterns: ["i"] }] },
        origin: "teams.yml:4:12 (generated for t.csv:4:1)",
      },
      {
        at: "roles/r1.10",
        value: { description: "true", index_permissions: [{ index_patterns: ["i", "z"] }] },
        origin: "teams.yml:4:12 (generated for t.csv:6:1)",
      },
    ]);
  });
  it("declares nothing without items, and says so", () => {
    for (const [forEach, place] of [
      ["[]", "2:13"],
      ["t.csv", "2:13"],
      ["t.yml", "2:13"],
    ] as const) {
      const { families, messages } = load(generator(forEach, tenantOf("team.n")), { "t.csv": "n\n", "t.yml": "" });
      expect(families).toEqual([]);
      expect(messages).toEqual([`nothing-generated teams.yml:${place} for_each has no items.`]);
    }
  });
  it("leaves a role of that name alone, and stays beside other families", () => {
    const native = loadFile(
      { path: "roles.yml", text: "generate: { cluster_permissions: [a] }\nother: {}\n" },
      "/roles.yml",
      { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles },
    );
    expect(native.diagnostics).toEqual([]);
    expect(native.documents[0]?.sections[0]?.entries.map(({ key }) => key)).toEqual(["generate", "other"]);
    const { values } = load(`tenants: { own: {} }\n${generator("[a]", tenantOf("team"))}`);
    expect(Object.keys(values).sort()).toEqual(["tenants/a", "tenants/own"]);
  });
  it("is laid over by overrides, of one entry alone", () => {
    const { values, messages } = load(
      `${generator("[a, b]", `  tenants: { "${each("team")}": { description: x } }`)}overrides: { tenants: { b: { description: y }, c: {} } }\n`,
    );
    expect(values).toEqual({ "tenants/a": { description: "x" }, "tenants/b": { description: "y" } });
    expect(messages).toEqual([expect.stringMatching(/^unknown-override teams.yml:5:\d+ /)]);
  });
});

it("names an override at the entry that it is of, and at no other of the template", () => {
  const { messages } = load(
    `${generator("[{ n: a }, { n: b }]", tenantOf("team.n"))}overrides: { tenants: { b: { description: y } } }
---
tenants: { a: {} }
---
tenants: { b: {} }
`,
  );
  expect(messages).toEqual([
    expect.not.stringContaining("overrid"),
    expect.stringContaining("first declared here, generated for teams.yml:2:24"),
  ]);
  const early = load(
    `tenants: { a: {} }
---
${generator("[{ n: a }, { n: b }]", tenantOf("team.n"))}overrides: { tenants: { b: { description: y } } }
`,
  );
  expect(early.messages).toEqual([
    expect.stringMatching(/^duplicate-name teams.yml:6:14 The tenant "a".*generated for this item/),
  ]);
  expect(early.messages[0]).not.toContain("overridden");
});

const two = "[{ n: a }, { n: b }]";

test.each<[what: string, text: string, message: string | readonly string[], beside?: Readonly<Record<string, string>>]>(
  [
    [
      "no for_each",
      `generate: { as: t, tenants: { x: {} } }`,
      "generator teams.yml:1:1 This generator has no for_each.",
    ],
    ["no as", `generate: { for_each: [a], tenants: { x: {} } }`, "generator teams.yml:1:1 This generator has no as."],
    [
      "as that is no word",
      `generate: { for_each: [a], as: a.b, tenants: { x: {} } }`,
      "generator teams.yml:1:32 as is not a name.",
    ],
    ["no template", `generate: { for_each: [a], as: t }`, "generator teams.yml:1:1 This generator has no template."],
    [
      "an empty family",
      `generate: { for_each: [a], as: t, roles: {} }`,
      "generator teams.yml:1:35 roles of a generator holds a map from names to their fields.",
    ],
    [
      "a list of generators",
      `generate: [{ for_each: [a] }]`,
      "generator teams.yml:1:1 generate holds a map, with for_each, as, and keys such as roles: below them.",
    ],
    [
      "a misspelt family",
      `generate: { for_each: [a], as: t, role: { x: {} }, tenants: { y: {} } }`,
      'generator teams.yml:1:35 A generator has no key "role". Did you mean "roles"?',
    ],
    [
      "a generator in a generator",
      `generate: { for_each: [a], as: t, generate: {}, tenants: { y: {} } }`,
      "generator teams.yml:1:35 A generator is inside of another one.",
    ],
    [
      "the config",
      `generate: { for_each: [a], as: t, config: {}, tenants: { y: {} } }`,
      'generator teams.yml:1:35 A generator has no key "config".',
    ],
    [
      "a number of items",
      generator("3", tenantOf("team")),
      "generator teams.yml:2:13 for_each is a list or a map of items, and here it is a single value.",
    ],
    [
      "a file that ends otherwise",
      generator("teams.txt", tenantOf("team")),
      "items-file teams.yml:2:13 teams.txt is no file of items by its ending.",
    ],
    [
      "a secret as an item",
      generator('["${env:X}"]', tenantOf("team")),
      "misplaced-secret teams.yml:2:14 ${env:X} is a secret, and items hold none.",
    ],
    [
      "a secret in an item",
      generator('[{ n: "a-${file:x}" }]', tenantOf("team.n")),
      "misplaced-secret teams.yml:2:19 ${file:x} is a secret, and items hold none.",
    ],
    [
      "a secret as items",
      generator('"${env:X}"', tenantOf("team.n")),
      "misplaced-secret teams.yml:2:13 ${env:X} is a secret, and items hold none.",
    ],
    [
      "an unknown variable of items",
      generator("${var:nope}", tenantOf("team.n")),
      expect.stringMatching(/^unknown-variable teams.yml:2:13 The variable "nope"/),
    ],
    [
      "an item in items",
      generator(`["${each("team")}"]`, tenantOf("team.n")),
      `unknown-variable teams.yml:2:15 ${each("team")} is outside of a template.`,
    ],
    [
      "an item outside of a generator",
      `tenants: { a: { description: "${each("team.n")}" } }`,
      `unknown-variable teams.yml:1:31 ${each("team.n")} is outside of a template.`,
    ],
    [
      "a key that no item has, once",
      generator("[{ nam: a }, { nam: b }, { nam: c }, { nam: d }, { nam: e }]", tenantOf("team.name")),
      'unknown-item-key teams.yml:4:15 The item has no "team.name". Did you mean "team.nam"? | teams.yml:2:14: generated for this item | teams.yml:2:26: the same for this item | teams.yml:2:38: the same for this item | teams.yml:2:50: the same for this item and 1 more',
    ],
    [
      "a key that one item does not have",
      generator("[{ name: a }, { nane: b }]", tenantOf("team.name")),
      'unknown-item-key teams.yml:4:15 The item has no "team.name". Did you mean "team.nane"? | teams.yml:2:27: generated for this item',
    ],
    [
      "another name than that of the item",
      generator("[{ n: a }]", tenantOf("tem.n")),
      'unknown-item-key teams.yml:4:15 "tem.n" begins with no item: here the item is called "team". | teams.yml:2:14: generated for this item',
    ],
    [
      "a list in a text",
      generator("[{ n: [a] }]", tenantOf("team.n")),
      'item-type teams.yml:4:15 "team.n" of the item is a list, and here a text is needed. | teams.yml:2:14: generated for this item',
    ],
    [
      "nothing in a text",
      generator("[{ n: }]", tenantOf("team.n")),
      'item-type teams.yml:4:15 "team.n" of the item is nothing, and here a text is needed. | teams.yml:2:14: generated for this item',
    ],
    [
      "a condition that is neither",
      generator("[{ n: a, w: yes }]", `  tenants: { "${each("team.n")}": { when: "${each("team.w")}" } }`),
      'item-type teams.yml:4:40 when is true or false, and here it is "yes". | teams.yml:2:14: generated for this item',
    ],
    [
      "one name of two items",
      generator("[{ n: a }, { n: b }, { n: a }]", tenantOf("team.n")),
      'duplicate-name teams.yml:4:14 "a" is generated twice. | teams.yml:2:34: generated for this item | teams.yml:4:14: generated here first, generated for teams.yml:2:14',
    ],
    [
      "a name that is declared, too",
      `${generator(two, tenantOf("team.n"))}tenants: { b: {} }`,
      expect.stringMatching(
        /^duplicate-name teams.yml:5:12 The tenant "b" is declared twice. \| teams.yml:4:14: first declared here, generated for teams.yml:2:24$/,
      ),
    ],
    [
      "a key twice in a map",
      generator("[{ n: description }]", `  tenants: { x: { description: a, "${each("team.n")}": b } }`),
      expect.stringMatching(/^duplicate-key teams.yml:4:35 With the item's values, the key "description" is twice/),
    ],
    [
      "a secret and an item in one text",
      generator(two, `  tenants: { "${each("team.n")}": { description: "\${env:A}${each("team.n")}" } }`),
      expect.stringMatching(/^misplaced-secret teams.yml:4:56 One text holds a secret/),
    ],
    [
      "a reference in a reference",
      generator(two, `  tenants: { "\${each:team.\${var:env}}": {} }`),
      expect.stringMatching(/^unknown-variable /),
    ],
    [
      "a file that is not CSV",
      generator("t.csv", tenantOf("team.n")),
      "items-file t.csv:2:1 The quotes of this row do not match.",
      { "t.csv": 'n\n"a' },
    ],
    ["an empty CSV", generator("t.csv", tenantOf("team.n")), "items-file t.csv:1:1 t.csv is empty.", { "t.csv": "" }],
    [
      "a ragged row",
      generator("t.csv", tenantOf("team.n")),
      "items-file t.csv:3:1 This row has 1 cell, and the header 2. | t.csv:1:1: the header",
      { "t.csv": "n,m\na,b\nc\n" },
    ],
    [
      "a column twice",
      generator("t.csv", tenantOf("team.n")),
      'items-file t.csv:1:1 Two columns are named "n".',
      { "t.csv": "n,n[]\na,b\n" },
    ],
    [
      "a column without a name",
      generator("t.csv", tenantOf("team.n")),
      "items-file t.csv:1:1 Column 2 has no name.",
      { "t.csv": "n,\na,b\n" },
    ],
    [
      "semicolons",
      generator("t.csv", tenantOf("team.n")),
      "items-file t.csv:1:1 The header has no comma.",
      { "t.csv": "n;m\na;b\n" },
    ],
    [
      "a list that does not parse",
      generator("t.yml", tenantOf("team.n")),
      expect.stringMatching(/^syntax t.yml:1:/),
      { "t.yml": "[a" },
    ],
    [
      "a file of one value",
      generator("t.yml", tenantOf("team.n")),
      "generator teams.yml:2:13 for_each is a list or a map of items, and here it is a single value. | t.yml:1:1: its value is here",
      { "t.yml": "a\n" },
    ],
  ],
)("%s is an error at its place", (_, text, message, beside = {}) => {
  expect(load(text, beside).messages).toEqual([message]);
});

test.each([
  ["users.csv", "name,pw\nana,CSVPW1\n", 2],
  ["users.yaml", "- { name: ana, pw: YAMLPW2 }\n", 1],
])("what a template uses as a password is not shown of %s", (path, text, line) => {
  const written = `generate:
  for_each: ${path}
  as: u
  internal_users: { "${each("u.name")}": { password: "${each("u.pw")}" } }
`;
  const file = { path, text };
  const lookups = { vars: new Map(), env: {}, secrets: "leave", files: unreadFiles } as const;
  const items = new Map([[`/access/${path}`, { file }]]);
  loadFile({ path: "users.yml", text: written }, "/access/users.yml", lookups, false, items);
  expect(maskLine(file, line)).not.toMatch(/PW\d/);
});
