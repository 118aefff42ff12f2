import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "vscode-languageserver-types";
import { createProject } from "../../../src/cli/language-server/project.ts";
import { validate } from "../../../src/engine/validate.ts";
import { createOpenFiles } from "../../../src/load/open-files.ts";
import { type Files, inFolder } from "../../support/command.ts";
import { connectEditor, formatRange, startServer, uriOf, withEditor, withMarks } from "../../support/editor.ts";

const config = 'targets:\n  prod:\n    product: opensearch\n    release: "2.19"\n    state: [access]\n';

describe("problems in an editor", () => {
  test("are those of validate, in all files, at the same places", async () => {
    const files = {
      "gate-sync.yaml": config,
      "access/roles.yml": `roles:\r\n  "😀 r": { cluster_permision: [x] }\r\n  r2:\r\n    index_permissions:\r\n      - {index_patterns: [a], allowed_actions: [raed]}\r\n`,
      "access/mappings.yml": "role_mappings:\n  r3: { users: [ana] }\n",
      "access/broken.yml": "tenants:\n  a: [\n",
    };
    await withEditor(files, async (editor, folder) => {
      editor.open(join(folder, "access/roles.yml"), files["access/roles.yml"]);
      await editor.problems(join(folder, "access/roles.yml"));
      const { diagnostics } = await validate({ cwd: folder, env: {}, flags: { statePaths: [] } });
      expect(diagnostics.map(({ code }) => code)).toContain("unknown-field");
      const expected = diagnostics.map(({ code, range, path }) => `${range?.file.path ?? path} ${code}`);
      const found = [...editor.shown].flatMap(([uri, all]) =>
        all.map(({ code }) => `${uri.slice(uri.indexOf("access/"))} ${code}`),
      );
      expect(found.sort()).toEqual(expected.sort());
      const problems = await editor.problems(join(folder, "access/roles.yml"));
      const first = problems.find(({ code }) => code === "unknown-field");
      // An emoji is two UTF-16 code units.
      expect(first && formatRange(first.range)).toBe("2:13-30");
      expect(first?.message).toMatch(/no field "cluster_permision"\. Did you mean "cluster_permissions"\?\n/);
    });
  });

  test("are those of the text that is not saved, and of the file again when it is closed", async () => {
    const files = { "gate-sync.yaml": config, "access/roles.yml": "roles: { r: {} }\n" };
    await withEditor(files, async (editor, folder) => {
      const path = join(folder, "access/roles.yml");
      editor.open(path, "roles: { r: { dsl: x } }\n");
      expect(await editor.problems(path)).toMatchObject([{ code: "unknown-field", severity: 1, source: "gate-sync" }]);
      editor.type(path, "roles: { r: {} }\n");
      expect(await editor.problems(path, (all) => all.length === 0)).toEqual([]);
      editor.type(path, "roles: { r: { dsl: x } }\n");
      await editor.problems(path, (all) => all.length > 0);
      editor.close(path);
      expect(await editor.problems(path, (all) => all.length === 0)).toEqual([]);
    });
  });

  test("are sent again for a file only where they have changed", async () => {
    const files = { "gate-sync.yaml": config, "access/a.yml": "roles: { r: { dsl: x } }\n", "access/b.yml": "" };
    await withEditor(files, async (editor, folder) => {
      const [one, other] = [join(folder, "access/a.yml"), join(folder, "access/b.yml")];
      editor.open(other, "");
      const first = await editor.problems(one);
      editor.type(other, "tenants: { t: { dsl: x } }\n");
      await editor.problems(other, (all) => all.length > 0);
      editor.type(other, "\n");
      await editor.problems(other, (all) => all.length === 0);
      expect(await editor.problems(one)).toBe(first);
      expect([...editor.shown.keys()].sort()).toEqual([uriOf(one), uriOf(other)]);
    });
  });

  test("are about the last of many changes", async () => {
    await withEditor({ "gate-sync.yaml": config, "access/roles.yml": "" }, async (editor, folder) => {
      const path = join(folder, "access/roles.yml");
      editor.open(path, "");
      for (let at = 0; at < 50; at++) editor.type(path, `roles: { r: { wrong_${at}: x } }\n`);
      const [last] = await editor.problems(path, ([one]) => one?.message.includes("wrong_49") === true);
      expect(last?.code).toBe("unknown-field");
    });
  });

  test("are found however many changes come before the first check ends", async () => {
    await inFolder({ "gate-sync.yaml": config, "access/roles.yml": "roles: { r: { wrong: x } }\n" }, async (folder) => {
      const logged: string[] = [];
      const log = (message: string) => void logged.push(message);
      const project = createProject({ folder, open: createOpenFiles(), publish: () => {}, log, lintGuide: undefined });
      const asked = [project.getNames(), project.getDiagnostics()] as const;
      for (let at = 0; at < 20_000; at++) project.check();
      expect(await project.getDiagnostics()).toMatchObject([{ code: "unknown-field" }]);
      expect([(await asked[1]).length, logged]).toEqual([1, []]);
      expect(await asked[0]).toBeDefined();
    });
  });

  test("name the targets that they are about, where these are not all", async () => {
    const targets = `targets:
  one: { product: opensearch, state: [a.yml], vars: { G: read } }
  two: { product: opensearch, state: [a.yml, b.yml], vars: { G: [1] } }
  three: { product: opensearch, state: [a.yml, c.yml] }
`;
    const files = {
      "gate-sync.yaml": targets,
      "a.yml": 'roles: { "${var:G}": {}, s: { x: 1 } }\n',
      "b.yml": "roles: {}\n",
    };
    await withEditor(files, async (editor, folder) => {
      const path = join(folder, "a.yml");
      editor.open(path, files["a.yml"]);
      const found = await editor.problems(path, (all) => all.length === 3);
      expect(found[2]?.message).not.toContain("This is so");
      expect(found.slice(0, 2).map(({ code, message }) => `${code} ${message.split("\n").at(-1)}`)).toEqual([
        "variable-type This is so for target two.",
        "unknown-variable This is so for target three.",
      ]);
      // What is in no file is shown where targets are.
      const [missing] = await editor.problems(join(folder, "gate-sync.yaml"));
      expect(missing).toMatchObject({ code: "missing-state", range: { start: { line: 0, character: 0 } } });
    });
  });

  test("are gone with the target that they are about", async () => {
    const one = "targets:\n  one: { product: opensearch, state: [a.yml] }\n";
    const two = "  two: { product: opensearch, state: [b.yml] }\n";
    const files = { "gate-sync.yaml": one + two, "a.yml": "roles: {}\n", "b.yml": "roles: { r: { dsl: x } }\n" };
    await withEditor(files, async (editor, folder) => {
      editor.open(join(folder, "gate-sync.yaml"), files["gate-sync.yaml"]);
      expect(await editor.problems(join(folder, "b.yml"))).toMatchObject([{ code: "unknown-field" }]);
      editor.type(join(folder, "gate-sync.yaml"), one);
      expect(await editor.problems(join(folder, "b.yml"), (all) => all.length === 0)).toEqual([]);
    });
  });

  test("name the guide where a lint rule found them, and nowhere else", async () => {
    const roles = `roles:
  r: { index_permissions: [{ index_patterns: [a], allowed_actions: ["*"] }] }
  s: { dsl: x }
`;
    await withEditor({ "gate-sync.yaml": config, "access/a.yml": roles }, async (editor, folder) => {
      editor.open(join(folder, "access/a.yml"), roles);
      const found = await editor.problems(join(folder, "access/a.yml"), (all) => all.length === 2);
      expect(found.map(({ code, codeDescription }) => [code, codeDescription?.href.split("/").slice(-2)])).toEqual([
        ["write-without-bulk", ["lint", "README.md"]],
        ["unknown-field", undefined],
      ]);
    });
  });

  test("are shown for gate-sync.yaml and its files of variables, too", async () => {
    const files = {
      "gate-sync.yaml": `${config}    vars_files: [vars.yml]\n`,
      "vars.yml": "A: 1\n",
      "access/a.yml": 'roles: { "${var:A}": {} }\n',
    };
    await withEditor(files, async (editor, folder) => {
      const [own, vars, state] = ["gate-sync.yaml", "vars.yml", "access/a.yml"].map((name) => join(folder, name));
      editor.open(own as string, `${files["gate-sync.yaml"]}    colour: red\n`);
      expect(await editor.problems(own as string)).toMatchObject([{ code: "unknown-field" }]);
      editor.type(own as string, files["gate-sync.yaml"]);
      await editor.problems(own as string, (all) => all.length === 0);
      editor.open(vars as string, "B: 1\n");
      expect(await editor.problems(state as string)).toMatchObject([{ code: "unknown-variable" }]);
    });
  });

  test("end where the editor goes without a word", async () => {
    await inFolder({ "gate-sync.yaml": "targets: []\n" }, async (folder) => {
      const server = startServer();
      const editor = await connectEditor(server, folder);
      editor.open(join(folder, "gate-sync.yaml"), "targets: []\n");
      await editor.problems(join(folder, "gate-sync.yaml"));
      server.toServer.end();
      expect(await server.ended).toBe(1);
    });
  });
});

test("a hostile folder has no program run, no secret looked up and no file outside of it read", async () => {
  const hostile = `targets:
  prod:
    product: opensearch
    url: "https://127.0.0.1:1/"
    auth: { exec: [touch, ran] }
    tls: { ca: /dev/stdin, cert: "\${file:/etc/hostname}", key: /etc/hostname }
    state: [access, ../outside.yml, /etc/hostname]
`;
  const files = {
    "repo/gate-sync.yaml": hostile,
    "repo/access/roles.yml": 'license: { text: "${file:/etc/hostname}" }\nroles: { "${env:PASSWORD}": {} }\n',
    "outside.yml": "roles: { outside_of_it: { odd: 1 } }\n",
  };
  await inFolder(files, async (outer) => {
    const folder = join(outer, "repo");
    symlinkSync(join(outer, "outside.yml"), join(folder, "access/link.yml"));
    const server = startServer({ PASSWORD: "correct horse" });
    const editor = await connectEditor(server, folder);
    editor.open(join(folder, "access/roles.yml"), files["repo/access/roles.yml"]);
    await editor.problems(join(folder, "gate-sync.yaml"));
    await editor.quit();
    const all = JSON.stringify([...editor.shown]);
    expect(all).toContain("outside-repository");
    expect(all).not.toMatch(/horse|outside_of_it/);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });
});

const marked = withMarks(`action_groups:
  search_gro│up: { allowed_actions: ["indices:data/read/search", rea│d] }
tenants:
  h│r: { description: "Personnel *department*" }
roles:
  │hr_reader:
    index_permissions: [{ index_patterns: [hr-*], allowed_actions: [sea│rch_group] }]
    tenant_permissions: [{ tenant_patterns: [h│r], allowed_actions: [kibana_all_read] }]
`);
const [groupAt, builtinAt, tenantAt, roleAt, mentionAt, tenantMentionAt] = marked.places;
const named = {
  "gate-sync.yaml": config,
  "access/roles.yml": marked.text,
  "access/z/mappings.yml":
    "role_mappings:\n  hr_reader: { backend_roles: [hr, a`b], and_backend_roles: [x, y], users: [ana] }\n",
  "access/z/override.yml": "overrides:\n  roles:\n    hr_reader: { +cluster_permissions: [search_group] }\n",
};

async function withNames(
  work: (ask: (kind: string, position: unknown) => Promise<unknown>) => Promise<void>,
): Promise<void> {
  await withEditor(named, async (editor, folder) => {
    const path = join(folder, "access/roles.yml");
    editor.open(path, marked.text);
    await work((kind, position) =>
      editor.ask(`textDocument/${kind}`, {
        textDocument: { uri: uriOf(path) },
        position,
        context: { includeDeclaration: true },
      }),
    );
  });
}

describe("names in an editor", () => {
  test("are described where they are hovered over", async () => {
    await withNames(async (ask) => {
      const hover = async (position: unknown) =>
        (await ask("hover", position)) as { contents: { value: string }; range: unknown };
      expect((await hover(mentionAt)).contents.value).toBe(
        "**action group** `search_group`\n\n* comes to: `indices:data/read/search`, `indices:admin/mappings/fields/get*`, `indices:admin/resolve/index`, `indices:data/read*`\n* used by: `hr_reader`",
      );
      expect((await hover(mentionAt)).range).toEqual({
        start: { line: 6, character: 68 },
        end: { line: 6, character: 80 },
      });
      expect((await hover(builtinAt)).contents.value).toContain("**action group** `read` (built-in)\n\n* comes to: ");
      expect((await hover(roleAt)).contents.value).toBe(
        "**role** `hr_reader`\n\n* on the cluster: `search_group`\n* on indices: `hr-*: search_group`\n* in tenants: `hr: kibana_all_read`\n* held by: `user ana`, ``backend role a`b``, `backend role hr`, `backend roles x and y`",
      );
      expect((await hover(tenantAt)).contents.value).toBe(
        "**tenant** `hr`\n\n`Personnel *department*`\n\n* granted by: `hr_reader`",
      );
      expect(await hover({ line: 1, character: 1 })).toBeNull();
    });
  });

  test("lead to where they are decided, and to where they are used", async () => {
    await withNames(async (ask) => {
      const places = async (kind: string, position: unknown) =>
        ((await ask(kind, position)) as { uri: string; range: Diagnostic["range"] }[]).map(
          ({ uri, range }) => `${uri.slice(uri.indexOf("access/") + 7)} ${formatRange(range)}`,
        );
      expect(await places("definition", mentionAt)).toEqual(["roles.yml 2:3-15"]);
      expect(await places("definition", tenantMentionAt)).toEqual(["roles.yml 4:3-5"]);
      // From the role to its mapping.
      expect(await places("definition", roleAt)).toEqual(["z/mappings.yml 2:3-12"]);
      expect(await places("definition", builtinAt)).toEqual([]);
      expect(await places("references", groupAt)).toEqual([
        "roles.yml 2:3-15",
        "z/override.yml 3:41-53",
        "roles.yml 7:69-81",
      ]);
      expect(await places("references", roleAt)).toEqual([
        "roles.yml 6:3-12",
        "z/mappings.yml 2:3-12",
        "z/override.yml 3:5-14",
      ]);
    });
  });
});

type Change = { readonly range: Diagnostic["range"]; readonly newText: string };
type Changes = { readonly changes: Readonly<Record<string, readonly Change[]>> };

const listChanges = ({ changes }: Changes) =>
  Object.entries(changes).flatMap(([uri, edits]) =>
    edits.map(({ range, newText }) => `${uri.slice(uri.lastIndexOf("/") + 1)} ${formatRange(range)} ${newText}`),
  );

describe("a name is renamed", () => {
  const rename = async (files: Files, text: string, newName: string): Promise<string | readonly string[]> => {
    const { text: written, places } = withMarks(text);
    let result: string | readonly string[] = [];
    await withEditor({ "gate-sync.yaml": config, "access/a.yml": written, ...files }, async (editor, folder) => {
      const path = join(folder, "access/a.yml");
      editor.open(path, written);
      const asked = { textDocument: { uri: uriOf(path) }, position: places[0], newName };
      result = await editor.ask("textDocument/rename", asked).then(
        (changes) => listChanges(changes as Changes),
        (error: Error) => error.message,
      );
    });
    return result;
  };

  test("wherever it is written, in its quotes", async () => {
    const files = {
      "access/b.yml":
        "role_mappings:\n  \"hr\": { users: [ana] }\noverrides:\n  roles:\n    'hr': { description: x }\n",
    };
    expect(
      await rename(files, "roles:\n  h│r: { cluster_permissions: [hr] }\ntenants: { hr: {} }\n", "per sonnel"),
    ).toEqual(['a.yml 2:3-5 "per sonnel"', 'b.yml 2:3-7 "per sonnel"', "b.yml 5:5-9 'per sonnel'"]);
    const tests = { "access/t.yml": "access_tests: [{ only: { roles: [hr] }, action: search, index: x }]\n" };
    expect(await rename(tests, "roles: { h│r: {} }\n", "staff")).toEqual([
      "a.yml 1:10-12 staff",
      "t.yml 1:34-36 staff",
    ]);
  });

  test.each<[what: string, files: Files, text: string, newName: string, message: string]>([
    [
      "into one that exists",
      { "access/b.yml": "role_mappings: { b: {} }\n" },
      "roles: { │a: {} }\n",
      "b",
      'There is "b" already, at access/b.yml:1:18.',
    ],
    [
      "if it is built-in",
      {},
      "roles: { a: { cluster_permissions: [re│ad] } }\n",
      "b",
      'No file declares the action group "read".',
    ],
    [
      "if it is made of a variable",
      { "gate-sync.yaml": `${config}    vars: { A: hr }\n`, "access/b.yml": 'role_mappings: { "${var:A}": {} }\n' },
      "roles: { h│r: {} }\n",
      "b",
      "At access/b.yml:1:18 the name is made of something else",
    ],
    [
      "if a file cannot be read",
      { "access/b.yml": "roles: [\n" },
      "roles: { │a: {} }\n",
      "b",
      "access/b.yml has errors",
    ],
    [
      "into a built-in role",
      {},
      "roles: { │r1: {} }\nrole_mappings: { r1: { users: [u] } }\n",
      "all_access",
      'comes with the role "all_access"',
    ],
    [
      "a mapping of a built-in role",
      {},
      "role_mappings: { │all_access: { users: [u] } }\n",
      "b",
      "comes with the role",
    ],
    [
      "into what a role names, though it is not declared",
      {},
      "roles: { r: { tenant_permissions: [{ tenant_patterns: [other] }] } }\ntenants: { │t1: {} }\n",
      "other",
      'There is "other" already',
    ],
    [
      "a tenant into what a pattern matches",
      {},
      'roles: { r: { tenant_permissions: [{ tenant_patterns: ["hr_*"] }] } }\ntenants: { │t1: {} }\n',
      "hr_secret",
      'has the tenant pattern "hr_*"',
    ],
    [
      "out of what is managed",
      { "gate-sync.yaml": `${config}    families: { roles: { exclude: ["x_*"] } }\n` },
      "roles: { │r1: {} }\n",
      "x_y",
      "families.roles of the target",
    ],
    [
      "out of what is protected",
      { "gate-sync.yaml": `${config}    protect: [role_mappings/r1]\n` },
      "roles: { │r1: {} }\n",
      "r2",
      "protect of the target",
    ],
    [
      "a role that administers",
      { "gate-sync.yaml": `${config}    admin_roles: [r1]\n` },
      "roles: { │r1: {} }\n",
      "r2",
      "admin_roles of the target",
    ],
    [
      "an entry that a waiver is about",
      { "access/w.yml": "waivers: [{ guard: protected, addresses: [roles/r1], until: 2030-01-01, reason: x }]\n" },
      "roles: { │r1: {} }\n",
      "r2",
      "A waiver at access/w.yml:1:",
    ],
    [
      "an internal user whom a mapping names",
      {},
      "internal_users: { │ana: { description: x } }\nrole_mappings: { all_access: { users: [ana] } }\n",
      "bo",
      'has the user "ana"',
    ],
    ["into what is no name", {}, "roles: { │a: {} }\n", "b\nc", "is no name"],
  ])("not %s", async (_, files, text, newName, message) => {
    expect(await rename(files, text, newName)).toContain(message);
  });
});

test("what has one answer, or a suggestion, is fixed at a key", async () => {
  const text = `roles:
  r:
    cluster_permisions: [x]
    index_permissions: [{ index_patterns: [a], allowed_actions: ["serch_group", 'tennant_x'] }]
  r2:
action_groups:
  search_group: { allowed_actions: ["indices:data/read/search"] }
  tenant_x: { allowed_actions: ["indices:data/read/get"] }
`;
  await withEditor({ "gate-sync.yaml": config, "access/a.yml": text }, async (editor, folder) => {
    const path = join(folder, "access/a.yml");
    editor.open(path, text);
    await editor.problems(path);
    const range = { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } };
    const asked = { textDocument: { uri: uriOf(path) }, range, context: { diagnostics: [] } };
    type Action = { title: string; edit: Changes; diagnostics: Diagnostic[] };
    const actions = (await editor.ask("textDocument/codeAction", asked)) as readonly Action[];
    expect(actions.map(({ title, edit, diagnostics: [one] }) => [one?.code, title, ...listChanges(edit)])).toEqual([
      ["unknown-field", "Write cluster_permissions", "a.yml 3:5-23 cluster_permissions"],
      ["unknown-action-group", 'Write "search_group"', 'a.yml 4:66-79 "search_group"'],
      ["unknown-action-group", "Write 'tenant_x'", "a.yml 4:81-92 'tenant_x'"],
      ["null-entry", "Write {} if that is meant, or take the entry out.", "a.yml 5:6-6  {}"],
    ]);
  });
});

test("what is idle for one target and not for another has no fix; what is idle for both has one", async () => {
  const files = {
    "gate-sync.yaml": `targets:
  a: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [a/, o/] }
  b: { url: "https://127.0.0.1:1", product: search-guard, release: "7", state: [b/, o/] }
`,
    "a/r.yml": "roles: { r: { cluster_permissions: [z] }, s: { cluster_permissions: [z] } }\n",
    "b/r.yml": "roles: { r: { cluster_permissions: [y] }, s: { cluster_permissions: [z] } }\n",
  };
  const text = "overrides:\n  roles:\n    r: { cluster_permissions: [z] }\n    s: { cluster_permissions: [z] }\n";
  await withEditor({ ...files, "o/o.yml": text }, async (editor, folder) => {
    const path = join(folder, "o/o.yml");
    editor.open(path, text);
    await editor.problems(path);
    const range = { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } };
    const asked = { textDocument: { uri: uriOf(path) }, range, context: { diagnostics: [] } };
    const actions = (await editor.ask("textDocument/codeAction", asked)) as readonly { diagnostics: Diagnostic[] }[];
    expect(actions.map(({ diagnostics: [one] }) => [one?.code, one?.range.start.line])).toEqual([["idle-override", 3]]);
  });
});

test.each([null, {}, { textDocument: {} }, { textDocument: { uri: "file:///a.yml" }, position: { line: "x" } }])(
  "a question without a place is refused: %j",
  (asked) =>
    withEditor({ "gate-sync.yaml": config, "access/a.yml": "roles: {}\n" }, async (editor) => {
      await expect(editor.ask("textDocument/hover", asked)).rejects.toThrow("about no place of a document");
    }),
);
