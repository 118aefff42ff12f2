import { expect, test } from "vitest";
import { createDialect } from "../../../src/dialects/index.ts";
import { checkFiles, checkTogether } from "../../../src/engine/pipeline/checked-files.ts";
import type { Fields } from "../../../src/json/value.ts";
import type { LiveState } from "../../../src/model/live.ts";
import type { ResourceFamily } from "../../../src/model/names.ts";
import type { Product } from "../../../src/model/plan.ts";
import type { Lint } from "../../../src/model/target.ts";
import { repositoryOf } from "../../support/nodes.ts";

interface Given {
  readonly files: Readonly<Record<string, string>>;
  readonly lint?: Lint;
  readonly product?: Product;
}

/** Severity, code and line of all that is said. */
function check({ files, lint, product = "opensearch" }: Given, ...expected: readonly string[]) {
  const repository = repositoryOf(files);
  const evaluated = checkFiles(
    { repository, whole: repository },
    createDialect(product, product === "opensearch" ? "2" : "7"),
    {
      families: {},
      ...(lint && { lint }),
    },
  );
  const found = [...evaluated.diagnostics, ...checkTogether(evaluated)];
  expect(
    found.map(({ severity, code, range }) => {
      const line = range?.file.text.slice(0, range.start).split("\n").length;
      return `${severity} ${code} ${line}`;
    }),
  ).toEqual(expected);
  return found;
}

const hosts = (...lines: readonly string[]) => ({
  "m.yml": ["role_mappings:", "  r:", "    hosts:", ...lines].join("\n"),
});
const lintRule = "      - 10.0.0.0/8";
const ignore = "# gate-sync-ignore";

test("a lint rule is a warning, unless the repository says otherwise", () => {
  check({ files: hosts(lintRule) }, "warning cidr-in-hosts 4");
  check({ files: hosts(lintRule), lint: { "cidr-in-hosts": "error" } }, "error cidr-in-hosts 4");
  check({ files: hosts(lintRule), lint: { "cidr-in-hosts": "warning" } }, "warning cidr-in-hosts 4");
  check({ files: hosts(lintRule), lint: { "cidr-in-hosts": "off", "all-pattern": "error" } });
});

test("older checks that are lint rules are set alike", () => {
  const files = { "m.yml": "roles: {}\nrole_mappings: {r: {users: ['*']}}" };
  check({ files }, "warning wildcard-principal 2", "warning unknown-role 2");
  check({ files, lint: { "wildcard-principal": "off", "unknown-role": "error" } }, "error unknown-role 2");
});

test("what is an error in itself stays one", () => {
  const files = { "g.yml": "action_groups: {a: [b], b: [a]}" };
  check({ files, product: "search-guard" }, "error action-group-cycle 1");
});

test("what the server refuses stays an error, whatever is set or commented", () => {
  const text = `role_mappings: {r: {users: [x]}} ${ignore} unknown-role x`;
  const repository = repositoryOf({ "m.yml": text });
  const live = {
    resources: new Map([
      ["roles" as const, new Map()],
      ["role_mappings" as const, new Map()],
    ]),
    paths: new Map(),
  };
  const checked = checkFiles({ repository, whole: repository }, createDialect("opensearch", "2"), {
    families: {},
    lint: { "unknown-role": "off" },
  });
  expect(checkTogether(checked, live).map(({ severity, code }) => `${severity} ${code}`)).toEqual([
    "error unknown-role",
  ]);
});

test("a comment with a reason silences its line, and that alone", () => {
  check({ files: hosts(`${lintRule} ${ignore} cidr-in-hosts a script reads it`) });
  check(
    { files: hosts(`${lintRule} ${ignore} cidr-in-hosts a script reads it`, "      - 11.0.0.0/8") },
    "warning cidr-in-hosts 5",
  );
  check({ files: hosts(`${lintRule} ${ignore} cidr-in-hosts known`), lint: { "cidr-in-hosts": "error" } });
  check(
    { files: hosts(`${lintRule} # why not: ${ignore} all-pattern x ${ignore} cidr-in-hosts y`) },
    "warning unused-ignore 4",
  );
});

test.each<[about: string, comment: string, expected: readonly string[]]>([
  ["no code", ignore, ["bad-ignore"]],
  ["no reason", `${ignore} cidr-in-hosts  `, ["bad-ignore"]],
  ["an unknown code", `${ignore} cidr-in-host known`, ["bad-ignore"]],
  ["a code that is no lint rule", `${ignore} duplicate-name known`, ["bad-ignore"]],
  ["another lint rule", `${ignore} all-pattern known`, ["unused-ignore"]],
  ["a word that only begins so", `${ignore}d cidr-in-hosts known`, []],
])("a comment that does not silence is reported: %s", (_, comment, expected) => {
  check(
    { files: hosts(`${lintRule} ${comment}`) },
    "warning cidr-in-hosts 4",
    ...expected.map((code) => `warning ${code} 4`),
  );
});

test("a misspelt code is reported with the one that is meant", () => {
  const found = check(
    { files: hosts(`${lintRule} ${ignore} cidr-in-host x`) },
    "warning cidr-in-hosts 4",
    "warning bad-ignore 4",
  );
  expect(found[1]?.what).toContain('Did you mean "cidr-in-hosts"?');
});

test.each([
  ["quotes", `      - "a ${ignore}"`],
  ["single quotes", `      - 'a ${ignore}'`],
  ["a block", `      - |\n        a ${ignore}`],
  ["a folded block", `      - >-\n        a\n        b ${ignore}`],
  ["a key", `    'x ${ignore}': []`],
  ["a plain text", `      - a${ignore}`],
])("what is in %s is no comment", (_, line) => {
  check({ files: hosts(line) });
});

test.each([
  ["the line of a block's sign", `      - >- ${ignore}\n        a`],
  ["brackets", `      [ # one\n        a ] ${ignore}`],
  ["an anchored text, which the whole parser reads", `      - &x a ${ignore}\n      - *x`],
  ["the last line of a file", `      - a ${ignore}`],
])("what follows %s is one", (_, line) => {
  const at = line.slice(0, line.indexOf(ignore)).split("\n").length + 3;
  check({ files: hosts(line) }, `warning bad-ignore ${at}`);
});

test("JSON has no comments", () => {
  check({ files: { "m.json": `{"role_mappings": {"r": {"hosts": ["a ${ignore} cidr-in-hosts x"]}}}` } });
});

test("a comment is not called idle where no rule would say it of the product, or it is unknown", () => {
  const stars = (product: Product, ...expected: readonly string[]) =>
    check(
      { files: { "m.yml": `role_mappings: {r: {backend_roles: [a]}} ${ignore} star-backend-role x` }, product },
      ...expected,
    );
  stars("opensearch", "warning unused-ignore 1");
  stars("search-guard");
  const roles = `roles: {r: {cluster_permissions: ['cluster:monitor/main']}} ${ignore} unmapped-role x`;
  check({ files: { "r.yml": roles } });
  check(
    { files: { "r.yml": roles, "m.yml": "action_groups: {}\nrole_mappings: {r: {users: [x]}}" } },
    "warning unused-ignore 1",
  );
  check({
    files: { "m.yml": `role_mappings: {r: {hosts: [a]}} ${ignore} cidr-in-hosts x` },
    lint: { "cidr-in-hosts": "off" },
  });
});

/** A server that was read, with these names and nothing in them. */
function holding(
  names: Partial<Record<Exclude<ResourceFamily, "blocks">, Readonly<Record<string, Fields>>>>,
): LiveState {
  const families = (["roles", "role_mappings", "action_groups", "tenants"] as const).map((family) => {
    const entries = Object.entries(names[family] ?? {});
    const read = entries.map(([name, value]) => [name, { family, name, value, ownership: "open" }] as const);
    return [family, new Map(read)] as const;
  });
  return { resources: new Map(families), paths: new Map() };
}

const bulk = "indices:data/write/bulk";
const group = `action_groups: {g: {allowed_actions: ['${bulk}*', 'indices:data/write/index']}}`;
const mapping = "role_mappings: {r: {users: [x]}}";
const reader = "roles: {r: {cluster_permissions: ['cluster:monitor/main']}}";
const writer = (...actions: readonly string[]) =>
  `roles: {r: {cluster_permissions: ['${bulk}'], index_permissions: [{index_patterns: [a], allowed_actions: [${actions}]}]}}`;
const tenants = "tenants: {t: {}}";
const silencing = (line: string, code: string) => `${line} ${ignore} ${code} x`;

test.each<[code: string, ...lines: readonly string[]]>([
  ["unmapped-role", silencing(reader, "unmapped-role"), mapping],
  ["unknown-role", silencing(mapping, "unknown-role"), reader],
  ["unknown-action-group", silencing(writer("g"), "unknown-action-group"), group],
  [
    "unknown-tenant",
    silencing("roles: {r: {tenant_permissions: [{tenant_patterns: [t]}]}}", "unknown-tenant"),
    tenants,
  ],
  ["unused-action-group", silencing(group, "unused-action-group"), writer("g")],
  ["write-without-bulk", silencing(writer(`'${bulk}*'`, "'indices:data/write/index'"), "write-without-bulk")],
  ["restricted-writes", silencing(writer("g"), "restricted-writes"), group],
])("an idle comment is reported where the files decide, with a server and without: %s", (_, ...lines) => {
  const files = { "a.yml": lines.join("\n") };
  for (const held of [undefined, holding({ role_mappings: { r: { users: ["x"] } } })]) {
    const repository = repositoryOf(files);
    const evaluated = checkFiles({ repository, whole: repository }, createDialect("opensearch", "2"), {
      families: {},
    });
    expect(checkTogether(evaluated, held).map(({ code }) => code)).toContain("unused-ignore");
  }
});

test.each<[about: string, line: string, held: LiveState]>([
  ["a mapping", silencing(reader, "unmapped-role"), holding({ role_mappings: { r: { users: ["x"] } } })],
  ["a role", silencing(mapping, "unknown-role"), holding({ roles: { r: {} } })],
  [
    "a group that a name may mean",
    silencing(writer("mine"), "write-without-bulk"),
    holding({ action_groups: { mine: {} } }),
  ],
  [
    "no group of the product's own",
    silencing("action_groups: {crud: {allowed_actions: [read]}}", "builtin-named-group"),
    holding({ roles: { r: { cluster_permissions: ["crud"] } } }),
  ],
])("a comment is left alone that has nothing to do only as this server holds %s", (_, line, held) => {
  const repository = repositoryOf({ "a.yml": line });
  const evaluated = checkFiles({ repository, whole: repository }, createDialect("opensearch", "2"), {
    families: {},
  });
  expect(checkTogether(evaluated, held).filter(({ code }) => code.endsWith("-ignore"))).toEqual([]);
  expect(checkTogether(evaluated).filter(({ code }) => code.endsWith("-ignore"))).toEqual([]);
});
