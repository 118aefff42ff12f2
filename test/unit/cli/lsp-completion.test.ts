import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { CompletionItem, Hover } from "vscode-languageserver-types";
import type { Files } from "../../support/command.ts";
import { type Editor, uriOf, withEditor, withMarks } from "../../support/editor.ts";

const config = 'targets:\n  prod:\n    product: opensearch\n    release: "2.19"\n    state: [access]\n';
const others = `action_groups:
  search_group: { allowed_actions: ["indices:data/read/search"] }
tenants: { "hr dept": {} }
roles: { hr_reader: { index_permissions: [{ index_patterns: [hr-*], allowed_actions: [read] }] } }
role_mappings: { hr_reader: { backend_roles: [personnel], users: [ana] } }
`;

/** Opens a file with a `│` in it, and asks about that place. */
async function ask<T>(path: string, text: string, method: string, files: Files = {}): Promise<T> {
  const marked = withMarks(text);
  const all = {
    "gate-sync.yaml": config,
    "access/others.yml": others,
    ...(path.startsWith("access/") && { [path]: "" }),
    ...files,
  };
  let answer: unknown;
  await withEditor(all, async (editor: Editor, folder) => {
    editor.open(join(folder, path), marked.text);
    const asked = { textDocument: { uri: uriOf(join(folder, path)) }, position: marked.places[0] };
    answer = await editor.ask(`textDocument/${method}`, asked);
  });
  return answer as T;
}

const complete = async (path: string, text: string, files?: Files): Promise<readonly CompletionItem[]> =>
  (await ask<{ items: CompletionItem[] }>(path, text, "completion", files)).items;

describe("what may be written is completed", () => {
  const rows: readonly [what: string, path: string, text: string, has: readonly string[], hasNot: readonly string[]][] =
    [
      ["families", "access/a.yml", "│", ["roles: ", "role_mappings: ", "access_tests: "], ["cluster_permissions: "]],
      [
        "fields of a role",
        "access/a.yml",
        "roles:\n  a:\n    clu│",
        ["cluster_permissions: ", "index_permissions: "],
        ["roles: "],
      ],
      [
        "fields of an element",
        "access/a.yml",
        "roles:\n  a: { index_permissions: [{ │",
        ["dls: ", "allowed_actions: "],
        ["cluster_permissions: "],
      ],
      [
        "fields in an override",
        "access/a.yml",
        "overrides:\n  roles:\n    hr_reader:\n      │",
        ["cluster_permissions: "],
        [],
      ],
      [
        "fields in a template",
        "access/a.yml",
        "generate:\n  for_each: [a]\n  as: x\n  roles:\n    b:\n      │",
        ["cluster_permissions: "],
        [],
      ],
      [
        "fields of a file as the server's tools have it",
        "access/sg_roles.yml",
        "a:\n  │",
        ["cluster_permissions: "],
        ["roles: "],
      ],
      [
        "action groups and actions",
        "access/a.yml",
        "roles:\n  a:\n    cluster_permissions: [│",
        ["search_group", "read", "indices:data/read/search"],
        ["hr_reader"],
      ],
      [
        "in quotes that are closed",
        "access/a.yml",
        'roles:\n  a:\n    cluster_permissions: ["sea│"]',
        ['"search_group"'],
        ["search_group"],
      ],
      [
        "tenants",
        "access/a.yml",
        "roles:\n  a:\n    tenant_permissions:\n      - tenant_patterns: [│",
        ['"hr dept"'],
        ["read"],
      ],
      [
        "index patterns that others have",
        "access/a.yml",
        "roles:\n  a:\n    index_permissions:\n      - index_patterns:\n          - │",
        ['"hr-*"'],
        [],
      ],
      [
        "roles, as names of mappings",
        "access/a.yml",
        "role_mappings:\n  │",
        ["hr_reader: ", "all_access: "],
        ["search_group"],
      ],
      ["members", "access/a.yml", "role_mappings:\n  a:\n    backend_roles:\n      - │", ["personnel"], ["ana"]],
      [
        "roles of a user",
        "access/a.yml",
        "internal_users:\n  a:\n    opendistro_security_roles: [│",
        ["hr_reader"],
        ["read"],
      ],
      ["true and false", "access/a.yml", "roles:\n  a:\n    reserved: │", ["true", "false"], []],
      ["values that are one of some", "access/a.yml", "access_tests:\n  - expect: │", ["allowed", "denied"], []],
      [
        "what is beside a mistake",
        "access/a.yml",
        "tenants: {\nroles:\n  a:\n    cluster_permissions: [│",
        ["search_group"],
        [],
      ],
      ["settings", "gate-sync.yaml", `${config}    │`, ["vars: ", "families: "], ["roles: "]],
      ["lint rules", "gate-sync.yaml", `${config}    lint:\n      │`, ["write-without-bulk: "], []],
      ["targets", "gate-sync.yaml", `${config}default_target: │`, ["prod"], []],
      ["nothing in a comment", "access/a.yml", "roles: {} # r│", [], ["roles: "]],
    ];
  test.each(rows)("%s", async (_, path, text, has, hasNot) => {
    const found = (await complete(path, text)).map(({ textEdit }) => textEdit?.newText ?? "");
    expect(has.filter((one) => !found.includes(one))).toEqual([]);
    expect(hasNot.filter((one) => found.includes(one))).toEqual([]);
  });

  test("variables, behind their sign", async () => {
    const files = { "gate-sync.yaml": `${config}    vars: { TEAM: hr, nested: { a: 1 } }\n` };
    const items = await complete("access/a.yml", 'roles:\n  "${var:T│": {}\n', files);
    expect(items.map(({ label }) => label)).toEqual(["TEAM", "nested", "nested.a"]);
    expect(items[0]?.textEdit).toEqual({
      range: { start: { line: 1, character: 9 }, end: { line: 1, character: 10 } },
      newText: "TEAM",
    });
  });

  test("by replacing the word, and the quote that the editor has closed", async () => {
    const items = await complete("access/a.yml", "roles:\n  a:\n    cluster_permissions: ['sea│']");
    const found = items.find(({ label }) => label === "search_group");
    expect(found?.textEdit).toEqual({
      range: { start: { line: 2, character: 26 }, end: { line: 2, character: 31 } },
      newText: "'search_group'",
    });
  });
});

describe("what explain says is shown", () => {
  const rows: readonly [what: string, path: string, text: string, says: string][] = [
    [
      "of a key",
      "access/a.yml",
      "roles:\n  a: { cluster_permi│ssions: [] }\n",
      "**cluster_permissions**: What may be done:",
    ],
    ["of a setting", "gate-sync.yaml", config.replace("product", "pro│duct"), "* values: "],
    [
      "of a lint rule",
      "gate-sync.yaml",
      `${config}    lint: { write-without│-bulk: off }\n`,
      "**write-without-bulk**: Writing is granted",
    ],
    [
      "of a code in a comment",
      "access/a.yml",
      "roles:\n  a: {} # gate-sync-ignore unknown-│role old\n",
      "**unknown-role**: ",
    ],
    ["of a problem", "access/a.yml", "roles:\n  a: { x│: 1 }\n", "**unknown-field**: "],
  ];
  test.each(rows)("%s", async (_, path, text, says) => {
    expect(((await ask<Hover>(path, text, "hover")).contents as { value: string }).value).toContain(says);
  });
});
