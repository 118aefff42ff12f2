import { describe, expect, test } from "vitest";
import { editYaml, type YamlEdit } from "../../../src/edit/edit.ts";
import { findLineChanges } from "../../../src/json/line-changes.ts";

const roles = `roles:
  # Everybody in HR.
  hr: # hr!
    cluster_permissions:
      - "a"   # why a
      # and b
      - "b"
    description: 'of HR'

  # Contractors.
  pay: { cluster_permissions: [x, y] }

tenants: {}
`;

const set = (path: string, value?: YamlEdit["value"]): YamlEdit =>
  value === undefined ? { path: path.split("/") } : { path: path.split("/"), value };

const rows: readonly (readonly [what: string, edit: YamlEdit | readonly YamlEdit[], lines: string])[] = [
  [
    "a scalar keeps its quotes",
    set("roles/hr/description", "the team's"),
    "-    description: 'of HR'\n+    description: 'the team''s'",
  ],
  [
    "an item is added in the quotes of the others",
    set("roles/hr/cluster_permissions", ["a", "b", "c"]),
    '+      - "c"',
  ],
  [
    "an item is removed with its comment, others keep theirs",
    set("roles/hr/cluster_permissions", ["b"]),
    '-      - "a"   # why a',
  ],
  ["an item goes between two", set("roles/hr/cluster_permissions", ["a", "c", "b"]), '+      - "c"'],
  [
    "a list becomes empty",
    set("roles/hr/cluster_permissions", []),
    '-    cluster_permissions:\n-      - "a"   # why a\n-      # and b\n-      - "b"\n+    cluster_permissions: []',
  ],
  ["a field is added", set("roles/hr/hidden", true), "+    hidden: true"],
  ["a field is removed", set("roles/hr/description"), "-    description: 'of HR'"],
  [
    "in brackets",
    set("roles/pay/cluster_permissions", ["y", "z"]),
    "-  pay: { cluster_permissions: [x, y] }\n+  pay: { cluster_permissions: [y, z] }",
  ],
  [
    "a field in brackets",
    set("roles/pay/hidden", true),
    "-  pay: { cluster_permissions: [x, y] }\n+  pay: { cluster_permissions: [x, y], hidden: true }",
  ],
  [
    "an entry is added after an empty line, as the others are",
    set("roles/new", { cluster_permissions: ["*"] }),
    '+  new:\n+    cluster_permissions:\n+      - "*"\n+',
  ],
  [
    "an entry is removed with the comment above it",
    set("roles/pay"),
    "-  # Contractors.\n-  pay: { cluster_permissions: [x, y] }\n-",
  ],
  [
    "an empty family gets its first entry",
    set("tenants/hr", { description: "x" }),
    "-tenants: {}\n+tenants:\n+  hr:\n+    description: x",
  ],
  ["a family is added", set("blocks", { a: { value: "b" } }), "+blocks:\n+  a:\n+    value: b\n+"],
  [
    "a list becomes a map",
    set("roles/hr/cluster_permissions", { a: 1 }),
    '-      - "a"   # why a\n-      # and b\n-      - "b"\n+      a: 1',
  ],
  ["the only entries go", [set("roles/hr"), set("roles/pay")], ""],
  [
    "several at once",
    [set("roles/hr/description", "x"), set("roles/pay/cluster_permissions/0", "q")],
    "-    description: 'of HR'\n+    description: 'x'\n-  pay: { cluster_permissions: [x, y] }\n+  pay: { cluster_permissions: [q, y] }",
  ],
];

function diff(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  return findLineChanges(old, now)
    .flatMap(({ from, to, newFrom, newTo }) => [
      ...old.slice(from, to).map((line) => `-${line}`),
      ...now.slice(newFrom, newTo).map((line) => `+${line}`),
    ])
    .join("\n");
}

describe("an edit in place", () => {
  test.each(rows.filter(([, , lines]) => lines !== ""))("%s", (_, edits, lines) => {
    const { text = "", problem } = editYaml(roles, [edits].flat());
    expect(problem).toBeUndefined();
    expect(diff(roles, text)).toBe(lines);
  });

  test("a family of which all entries go is an empty map, and comments that are not theirs stay", () => {
    const text = "a:\n  # these are all\n\n  b: 1 # b\n  c: 2\nd: 1\n";
    expect(editYaml(text, [set("a/b"), set("a/c")]).text).toBe("a: {}\n  # these are all\n\nd: 1\n");
  });

  test("what is at the top of a file stays with the file, and what is above an entry goes with it", () => {
    const head = "# yaml-language-server: $schema=x\n# Of security.\n";
    expect(editYaml(`${head}hr: {}\nfin: {}\n`, [set("hr")]).text).toBe(`${head}fin: {}\n`);
    expect(editYaml(`${head}\n# HR\nhr: {}\nfin: {}\n`, [set("hr")]).text).toBe(`${head}\nfin: {}\n`);
  });

  test.each<readonly [string, YamlEdit, string]>([
    ["a: &x { b: 1 }\nc: *x\n", set("c/b", 2), "it is an alias (*), and what it refers to is used in other places"],
    ["a: &x { b: 1 }\nc: *x\n", set("a/b", 2), "that would change what other places of the file mean"],
    ["a: &x { b: 1 }\nc:\n  <<: *x\n", set("c/b"), '"b" comes from a merge key (<<)'],
    ["a: [\n", set("a", 1), "the file has errors"],
    ["? a\n: b\n", set("a", "c"), "it has an explicit key (?)"],
    ["a: [b, # why\n  c]\n", set("a", ["c"]), "a comment is among what is to be removed"],
  ])("%j is refused with the reason", (text, edit, problem) => {
    expect(editYaml(text, [edit])).toEqual({ problem });
  });

  test("a merged field is replaced by an own one", () => {
    const text = "a: &x { b: 1 }\nc:\n  <<: *x\n";
    expect(editYaml(text, [set("c/b", 2)]).text).toBe(`${text}  b: 2\n`);
  });
});
