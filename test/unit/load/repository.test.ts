import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { getDiagnosticPath } from "../../../src/diagnostics/diagnostic.ts";
import { getPosition } from "../../../src/diagnostics/source.ts";
import { Secret } from "../../../src/json/secret.ts";
import { findConfigFile } from "../../../src/load/config-file.ts";
import { type LoadInput, loadRepository } from "../../../src/load/repository.ts";
import { toValue } from "../../../src/model/node.ts";
import { folderWith } from "./folder.ts";

const role = "roles: {a: {cluster_permissions: [x]}}\n";

async function load(cwd: string, more: Partial<LoadInput> = {}) {
  const input = { state: ["."], cwd, vars: new Map(), env: {}, secrets: "resolve", ...more } as const;
  const { repository, diagnostics } = await loadRepository(input);
  return {
    repository,
    diagnostics,
    files: repository.documents.map(({ file }) => file.path),
    explained: diagnostics.map((diagnostic) => `${getDiagnosticPath(diagnostic)} ${diagnostic.code}`),
  };
}

/** A folder with these files gives these documents and complaints. */
async function check(files: Parameters<typeof folderWith>[0], expected: object, more: Partial<LoadInput> = {}) {
  const loaded = await load(folderWith(files), more);
  expect({ files: loaded.files, explained: loaded.explained }).toEqual({ files: [], explained: [], ...expected });
  return loaded;
}

const waiver = "waivers: [{rule: login, addresses: [config], reason: x}]\n";

describe("the file of waivers", () => {
  const more = { waivers: "waivers.yaml" };
  it("is read beside whatever state is named", () =>
    check(
      { "a.yml": role, "waivers.yaml": waiver },
      { files: ["a.yml", "waivers.yaml"] },
      { ...more, state: ["a.yml"] },
    ));
  it.each([
    ["a family", "roles: {sneaky: {cluster_permissions: ['*']}}\n", "roles"],
    ["a family beside waivers", `${waiver}tenants: {sneaky: {}}\n`, "tenants"],
    ["a family in another document", `${waiver}---\nroles: {}\n`, "roles"],
    ["roles as the server's tools keep them", "sneaky: {cluster_permissions: ['*']}\n", "sneaky"],
    ["roles with a header", `_meta: {type: roles, config_version: 2}\n`, "_meta"],
    ["internal users", "ana: {hash: x}\n", "ana"],
    ["what later parts of the product read", "personas: {}\n", "personas"],
  ])("holds nothing else: %s", async (_what, text, key) => {
    const files = { "a.yml": role, "waivers.yaml": text };
    const explained = ["waivers.yaml unknown-field"];
    const { diagnostics } = await check(files, { files: ["a.yml"], explained }, { ...more, state: ["a.yml"] });
    expect(diagnostics[0]?.range).toMatchObject({ start: text.indexOf(key), end: text.indexOf(key) + key.length });
    expect(diagnostics[0]?.fix).toContain("to a state file");
  });
  it("is read once and last, also where it lies in a state folder", () =>
    check(
      { "a.yml": role, "waivers.yaml": waiver, "d.yml": role },
      { files: ["a.yml", "d.yml", "waivers.yaml"] },
      more,
    ));
  it("holds nothing else there either, nor by a link from a state folder", async () => {
    const folder = folderWith({ "state/a.yml": role, "waivers.yaml": role });
    symlinkSync("../waivers.yaml", join(folder, "state/b.yml"));
    const { files, explained } = await load(folder, { ...more, state: ["state"] });
    expect({ files, explained }).toEqual({ files: ["state/a.yml"], explained: ["waivers.yaml unknown-field"] });
  });
});

describe("a state file that is called like that of waivers", () => {
  it.each(["waivers.yaml", "waivers.yml", "deep/waivers.yml"])("is read as any other: %s", async (name) => {
    await check(
      { "z.yml": role, [`state/${name}`]: `${waiver}${role}` },
      { files: [`state/${name}`] },
      { state: ["state"] },
    );
  });
  it("is not taken for the one beside gate-sync.yaml", () =>
    check(
      { "waivers.yaml": waiver, "state/waivers.yaml": role },
      { files: ["state/waivers.yaml", "waivers.yaml"] },
      { waivers: "waivers.yaml", state: ["state"] },
    ));
  it("is reported where it is broken", () =>
    check({ "a.yml": role, "waivers.yml": "waivers: [" }, { files: ["a.yml"], explained: ["waivers.yml syntax"] }));
});

describe("finding files", () => {
  it("goes through folders in code-unit order, hidden ones left out", () =>
    check(
      { "b.yml": role, "B.yaml": role, "a/z.json": "{}", "a/.x.yml": "{", ".git/y.yml": "{", "a.yml": role },
      { files: ["B.yaml", "a.yml", "a/z.json", "b.yml"] },
    ));
  it("takes files and folders in the order given, each file once", () =>
    check(
      { "x/a.yml": role, "x/b.yml": role, "c.yml": role },
      { files: ["x/b.yml", "c.yml", "x/a.yml"] },
      { state: ["x/b.yml", "c.yml", "x", "x/", "./x/a.yml"] },
    ));
  it("passes over the tool's own file and what is no state", () =>
    check(
      { "gate-sync.yaml": "{", "gate-sync.yml": "{", "README.md": "x", "ca.pem": "x", "a.yml": role },
      { files: ["a.yml"] },
    ));
  it("warns of files that look like state and are not read", async () => {
    const names = ["roles.yml.j2", "_roles.yml.tpl", "tenants.yaml.bak", "blocks.yml~", "roles.ymal", "config.yml.erb"];
    const { explained, diagnostics } = await load(
      folderWith({ ...Object.fromEntries(names.map((n) => [n, ""])), "a.yml": role }),
    );
    expect(explained).toEqual([...names].sort().map((name) => `${name} unread-file`));
    expect(diagnostics.find((diagnostic) => getDiagnosticPath(diagnostic) === "roles.ymal")?.fix).toContain(
      "roles.yml",
    );
  });
  it("says when a path does not exist, or a folder holds nothing", () =>
    check(
      { "a.yml": role, "empty/readme.txt": "" },
      { files: ["a.yml"], explained: ["empty missing-state", "nope missing-state"] },
      { state: ["a.yml", "nope", "empty"] },
    ));
  it("follows symbolic links, but not for ever", async () => {
    const folder = folderWith({ "state/a.yml": role, "shared/b.yml": role });
    symlinkSync("../shared", join(folder, "state/linked"));
    symlinkSync("..", join(folder, "shared/up"));
    symlinkSync("a.yml", join(folder, "state/again.yml"));
    symlinkSync("self.yml", join(folder, "state/self.yml"));
    symlinkSync("../state", join(folder, "state/back"));
    const { files, explained } = await load(folder, { state: ["state"] });
    expect(files).toEqual(["state/a.yml", "state/linked/b.yml"]);
    expect(explained).toEqual([
      "state/back symlink-loop",
      "state/linked/up/shared symlink-loop",
      "state/linked/up/state symlink-loop",
      "state/self.yml symlink-loop",
    ]);
  });
  it("says what cannot be read", async () => {
    const folder = folderWith({ "a.yml": role });
    symlinkSync("gone", join(folder, "dangling.yml"));
    mkdirSync(join(folder, "folder.yml"));
    expect((await load(folder)).explained).toEqual(["dangling.yml unreadable-file"]);
  });
  it("refuses what is too large without reading it", async () => {
    const folder = folderWith({ "a.yml": role });
    writeFileSync(join(folder, "big.yml"), Buffer.alloc(64 * 1024 * 1024 + 1, 0x20));
    expect((await load(folder)).explained).toEqual(["big.yml file-too-large"]);
  });
  it("shows paths relative to where the user is", async () => {
    const folder = folderWith({ "repo/state/a.yml": role, "here/x": "" });
    expect((await load(join(folder, "here"), { state: ["../repo/state"] })).files).toEqual(["../repo/state/a.yml"]);
    const absolute = join(folder, "repo/state/a.yml");
    expect((await load(join(folder, "here"), { state: [absolute] })).files).toEqual([absolute]);
  });
});

describe("reading", () => {
  it("accepts a byte order mark, and counts columns without it", async () => {
    const { explained, diagnostics } = await load(folderWith({ "a.yml": `\ufeffroels: {}\n${role}` }));
    expect(explained).toEqual(["a.yml unknown-field"]);
    expect(diagnostics[0]?.range?.start).toBe(0);
  });
  it("refuses what is not UTF-8, with its place", async () => {
    const bytes = Buffer.concat([Buffer.from("a: '\ufffd'\nb: "), Buffer.from([0xe9]), Buffer.from("\n")]);
    const { diagnostics } = await check({ "a.yml": bytes }, { explained: ["a.yml invalid-utf8"] });
    const range = diagnostics[0]?.range;
    expect(range && getPosition(range.file, range.start)).toEqual({ line: 2, column: 4 });
    expect(diagnostics[0]?.what).toContain("0xe9");
  });
  it("says so when it is UTF-16", async () => {
    const bytes = Buffer.from(`\ufeff${role}`, "utf16le");
    const { diagnostics } = await check({ "a.yml": bytes }, { explained: ["a.yml invalid-utf8"] });
    expect(diagnostics[0]?.what).toContain("UTF-16");
  });
  it.each(["", "# nothing\n", "{}\n", "---\n"])("%j declares nothing, with a notice", async (text) => {
    const { repository } = await load(folderWith({ "roles.yml": text }));
    expect(repository.documents.flatMap(({ sections }) => sections)).toEqual([]);
    expect(repository.notices).toEqual(["roles.yml has no entries: it declares nothing."]);
  });
  it("reports all problems of a run, not just the first", () =>
    check(
      {
        "a.yml": "roles: {a: 1, a: 2}\n",
        "b.yml": "a: b: c",
        "c.yml": "x: {z: !tag y}\n",
        "d.yml": `${role}x: '\${var:NO}'\n`,
      },
      {
        files: ["a.yml", "d.yml"],
        explained: [
          "a.yml duplicate-key",
          "b.yml syntax",
          "c.yml unknown-family",
          "c.yml unknown-tag",
          "d.yml unknown-field",
          "d.yml unknown-variable",
        ],
      },
    ));
  it("counts the files", async () => {
    const { repository } = await load(folderWith({ "a.yml": role, "audit.yml": "x: 1", "b.yml": "" }));
    expect(repository.fileCount).toBe(3);
  });
});

describe("templates", () => {
  it.each([
    "{{ roles | to_nice_yaml }}\n",
    "roles:\n{% for r in roles %}\n  {{ r }}: {}\n{% endfor %}\n",
    "roles:\n <% if x %>\n  a: {}\n <% end %>\n",
    "roles:\n  a:\n    cluster_permissions:\n      - {{ .Values.x }}\n",
    "roles:\n  a: {description: '{{ x }}'}\n",
  ])("%j is reported once, and nothing else of it", async (text) => {
    await check({ "a.yml": text }, { explained: ["a.yml rendered-template"] });
  });
  it("may be imported, as gate-sync.yaml may not, and so may what is not read because of its ending", async () => {
    const folder = folderWith({
      "access/task.yml": "- uri: { url: 'https://{{ host }}/_plugins/_security/api/roles/hr', method: PUT }\n",
      "access/roles.yml.j2": "roles: {}\n",
      "gate-sync.yaml": "targets: {{ x }}\n",
    });
    const { diagnostics } = await load(folder, { state: ["access"] });
    expect(diagnostics.map(({ fix }) => fix?.includes("gate-sync import FILE"))).toEqual([true, true]);
    expect((await findConfigFile(folder)).diagnostics.map(({ fix }) => fix?.includes("import"))).toEqual([false]);
  });
  it("in comments do not count, nor do the braces of a query", () =>
    check(
      { "a.yml": `# {{ x }}\nroles: # {% x %}\n  a:\n    index_permissions: [{dls: '{"a":{"b":{}}}'}]\n` },
      { files: ["a.yml"] },
    ));
});

describe("files of families that are not managed", () => {
  it("are left out with a notice, whatever is in them", async () => {
    const { repository } = await check(
      {
        "internal_users.yml": "a: {hash: {{ x }}}\n",
        "nodes_dn.yml": "x: {{ y }}\n",
        "audit.yml": "a: b: c\n",
        "roles.yml": role,
      },
      { files: ["roles.yml"] },
    );
    expect(repository.notices).toEqual([
      "audit.yml is skipped: it cannot be read, and audit configurations are only compared.",
      "internal_users.yml is skipped: it cannot be read, and internal users are only compared.",
      "nodes_dn.yml is skipped: it cannot be read, and node certificate lists are only compared.",
    ]);
  });
  it("their names bring no characters that do something to a terminal", async () => {
    const name = "\u001b[31ma\n\u009b\u202e";
    const { repository } = await load(folderWith({ [`${name}/audit.yml`]: "x: 1\n", [`${name}/roles.yml`]: "" }));
    expect(repository.notices).toEqual([
      `"\\u001b[31ma\\n\\u009b\\u202e/audit.yml" is skipped: gate-sync does not manage audit settings of another form.`,
      `"\\u001b[31ma\\n\\u009b\\u202e/roles.yml" has no entries: it declares nothing.`,
    ]);
  });
  it("are skipped with placeholders of a template in them, too", async () => {
    const files = {
      "audit.yml": "_meta: {type: audit}\nconfig:\n  enabled: {{ .Values.audit }}\n",
      "users-of-us.yml": '_meta:\n  type: "internalusers"\n{{ users }}\n',
      "a.yml": role,
    };
    const { explained, repository } = await load(folderWith(files));
    expect(explained).toEqual([]);
    expect(repository.notices).toHaveLength(2);
  });
  it("are skipped like files of other programs, each with one notice", async () => {
    const files = {
      "action.yml": "actions: {1: {action: delete_indices, filters: []}}\n",
      "compose.yml": "services: {es: {image: x}}\n",
      "config.yml.example": "config: {dynamic: {}}\n",
      "dashboard.yml": "hosts:\n  - default: {url: 'https://manager', port: 55000, username: u}\n",
      "instance-role.yml": "AWSTemplateFormatVersion: '2010-09-09'\nResources: {Role: {Type: 'AWS::IAM::Role'}}\n",
      "mapping.json": "PUT index\n{ }\n",
      "list.json": '[{"key": "a", "value": "b"}]',
      "a.yml": role,
    };
    const { explained, repository } = await load(folderWith(files));
    expect(explained).toEqual([]);
    expect([...repository.notices].sort()).toEqual([
      "action.yml is skipped: it is a list of actions of Curator (if it declares access: gate-sync import FILE).",
      "compose.yml is skipped: it is a Docker Compose file (if it declares access: gate-sync import FILE).",
      "config.yml.example is skipped: it is an example.",
      "dashboard.yml is skipped: it says where Wazuh's API is (if it declares access: gate-sync import FILE).",
      "instance-role.yml is skipped: it is a template of CloudFormation (if it declares access: gate-sync import FILE).",
      "list.json is skipped: it is not a map, and nothing in it looks like state (if it declares access: gate-sync import FILE).",
      "mapping.json is skipped: it is a list of requests (if it declares access: gate-sync import FILE).",
    ]);
  });
  it("hidden files are not read; one that is called like state is named", async () => {
    const { explained, repository } = await load(
      folderWith({ ".roles.yml": role, ".gitlab-ci.yml": "x: 1\n", "a.yml": role }),
    );
    expect(explained).toEqual([]);
    expect(repository.notices).toEqual([".roles.yml is skipped: its name begins with a dot."]);
  });
  it("files that are called like state, with another ending, get a warning", async () => {
    const { explained } = await load(folderWith({ "sg_roles.txt": role, "notes.txt": "x", "a.yml": role }));
    expect(explained).toEqual(["sg_roles.txt unread-file"]);
  });
  it("but one that is named itself is an error", () =>
    check(
      { "compose.yml": "services: {es: {image: x}}\n" },
      { explained: ["compose.yml foreign-product"] },
      { state: ["compose.yml"] },
    ));
  it("but a broken file of such a name that holds a family is not passed over", () =>
    check({ "audit.yml": "roles:\n  a: b: c\n" }, { explained: ["audit.yml syntax"] }));
});

describe("blank and commented lines", () => {
  it(
    "cost no more than their length",
    () => check({ "a.yml": `${"\n  # x\n \n".repeat(20_000)}${role}` }, { files: ["a.yml"] }),
    10_000,
  );
  it("may be above a list of requests", async () => {
    const { repository } = await load(folderWith({ "a.json": "# first\n\nGET _search\n{}\n", "b.yml": role }));
    expect(repository.notices).toEqual([
      "a.json is skipped: it is a list of requests (if it declares access: gate-sync import FILE).",
    ]);
  });
});

describe("a reference that is never closed", () => {
  it("is reported, and an escaped one is text", () =>
    check(
      { "a.yml": "roles: {a: {description: '${env:X'}, b: {description: '$${env:X'}}\n" },
      { files: ["a.yml"], explained: ["a.yml unknown-variable"] },
    ));
});

describe("names that are numbers", () => {
  it.each([
    "role_mappings: {m: {users: [1234, 007, true]}}\n",
    "_meta: {type: rolesmapping}\nm: {users: [1234, 007, true]}\n",
  ])("are the text that was written: %s", async (text) => {
    const { repository, explained } = await load(folderWith({ "a.yml": text }));
    expect(explained).toEqual([]);
    const [entry] = repository.documents[0]?.sections[0]?.entries ?? [];
    expect(entry && toValue(entry.value)).toEqual({ users: ["1234", "007", "true"] });
  });
});

describe("very many of anything", () => {
  const many = 50_000;
  it.each([
    ["keys twice", `roles: {a: {cluster_permissions: [x]}}\n${"x: 1\n".repeat(many)}`, many],
    ["documents", "tenants: {}\n---\n".repeat(many), 0],
    ["references", `roles: {a: {cluster_permissions: [x${`,'\${var:x}'`.repeat(many)}]}}\n`, many],
  ])(
    "do not run off the stack: %s",
    async (_, text, problems) => {
      expect((await load(folderWith({ "a.yml": text }))).explained).toHaveLength(problems);
    },
    180_000,
  );
});

describe("documents", () => {
  it("of one file each count", async () => {
    const { repository } = await load(
      folderWith({ "a.yml": `${role}---\ntenants: {t: {}}\n---\n_meta: {type: blocks}\n` }),
    );
    expect(repository.documents.map(({ sections }) => sections.map(({ family }) => family))).toEqual([
      ["roles"],
      ["tenants"],
      [],
    ]);
  });
  it("of another product are not evaluated further", () =>
    check({ "a.yml": `apiVersion: v1\nkind: Secret\ndata: '\${env.X}'\n` }, { explained: ["a.yml foreign-product"] }));
});

describe("the license", () => {
  const files = { "state/a.yml": "license: {file: ../key.txt, write: always}\n", "key.txt": "L1C\n" };
  async function licenseOf(more: Partial<LoadInput>) {
    const { repository, explained } = await load(folderWith(files), { state: ["state"], ...more });
    const section = repository.documents[0]?.sections[0];
    return { explained, section, value: section && (toValue(section.node) as { text: Secret; write: string }) };
  }
  it("is read from its file, as a secret", async () => {
    const { explained, value, section } = await licenseOf({});
    expect(explained).toEqual([]);
    expect(value?.text.reference).toBe(`\${file:../key.txt}`);
    expect(value?.text.reveal()).toBe("L1C");
    expect(value?.write).toBe("always");
    expect(section && toValue(section.document.root)).toEqual({ license: value });
  });
  it("is not needed where secrets are left alone", async () => {
    const { value } = await licenseOf({ secrets: "leave" });
    expect(value?.text).toBeInstanceOf(Secret);
    expect(value?.text.resolved).toBe(false);
  });
  it("is not awaited from what is no regular file", async () => {
    const license = "license: {file: /dev/null}\n";
    const readable = { within: [], secretFiles: ["/dev"], directory: "/" };
    const expected = { files: ["a.yml"], explained: ["a.yml unset-secret"] };
    const { diagnostics } = await check({ "a.yml": license }, expected, { readable });
    expect(diagnostics[0]?.what).toContain("no regular file");
  });
  it("that is not there is reported", () =>
    check({ "a.yml": "license: {file: nope}\n" }, { files: ["a.yml"], explained: ["a.yml unset-secret"] }));
});

it.each([
  ["a Kubernetes object", { "a.yml": "apiVersion: v1\nkind: Secret\n" }],
  ["values of a chart", { "values.yaml": "roles_of: {x: 1}\n" }],
  ["a list", { "a.yml": "- x\n" }],
  ["a state of Terraform", { "a.json": '{"version": 4, "terraform_version": "1.9.0", "resources": []}' }],
  ["a file that declares nothing known", { "a.yml": "secretGenerator: [{name: x}]\n" }],
])("%s, named as state, is no state: the message names import", async (_, files) => {
  const { diagnostics } = await load(folderWith(files), { state: Object.keys(files) });
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]?.fix).toContain("gate-sync import FILE");
});
