// Who may do what, as asked on the command line: exit codes, chains with their places, and JSON as its schema says.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { asked, files } from "./access-harness.ts";
import { onHarness } from "./harness.ts";

const schema = JSON.parse(readFileSync(new URL("../../schemas/access.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020.default({ strict: false, allErrors: true });

describe("can-i", () => {
  test.each<[about: string, line: string, code: number, reported: readonly string[]]>([
    [
      "yes, by a chain with its places",
      "can-i --user bo --backend-role hr search hr-2026",
      0,
      [
        "yes  user bo, backend role hr: search hr-2026",
        "mapping hr_reader (access/mappings.yml:3)",
        "role hr_reader on hr-* (access/roles.yml:4)",
        "hr_read (access/roles.yml:15) > indices:data/read/*",
        '{"term": {"dept": "hr"}}',
        "all but salary",
        "Based on 2 files for search-guard 7; no server was asked.",
      ],
    ],
    [
      "no, with what comes near",
      "can-i --persona ana delete-index hr-2026",
      2,
      ["no  persona ana", "role hr_reader has hr_read on hr-*"],
    ],
    ["partly", "can-i --persona ana search h*", 2, ["partly  persona ana", "yes  hr-*", "no  all others (such as "]],
    [
      "a pattern that may match no index",
      "can-i --persona ana search zz-*",
      2,
      ["no  persona ana", "Indices that match zz-* are assumed to exist; without any, a request gets an empty answer."],
    ],
    [
      "an index that has no say",
      "can-i --persona ana health hr-1",
      2,
      ['"health" is about no index: hr-1 has no say in it.'],
    ],
    [
      "an index that is called as a file",
      "can-i --persona ana search hr.yml",
      2,
      ['"hr.yml" is taken for the name of an index: files are named with --state.'],
    ],
    [
      "an action by a name of its own that might be a folder's",
      "can-i --persona ana indices:data/read/ hr-1",
      0,
      ["indices:data/read/ hr-1"],
    ],
    [
      "an action misspelt by its own name",
      "can-i --persona ana indices:data/read/serach hr-1",
      0,
      ['No action "indices:data/read/serach" is known here. Did you mean "indices:data/read/search"?'],
    ],
    [
      "the same where the answer is no",
      "can-i --user rex --host 1.1.1.1 indices:data/read/serach hr-1",
      2,
      ["no  user rex", 'Did you mean "indices:data/read/search"?'],
    ],
    ["the same user as that of a persona", "can-i --persona ana --user ana search hr-1", 0, ["yes  persona ana"]],
    ["a user's tenant", "can-i --persona ana write --tenant hr", 0, ["role dash on hr (access/roles.yml:13)"]],
    ["a tenant that is not there", "can-i --persona ana read --tenant hrr", 2, ["there is no tenant hrr"]],
    ["the cluster", "can-i --persona ana health", 2, ["cluster:monitor/health (cluster permission): not granted"]],
    ["files of its own", "can-i --state access/roles.yml --user bo search hr-1", 2, ["Without role mappings"]],
  ])("%s", async (_, line, code, reported) => {
    const run = await asked(line);
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code, stderr: "" });
    const flat = run.stdout.replace(/\s+/g, " ");
    for (const text of reported) expect(flat).toContain(text.replace(/\s+/g, " "));
    expect(run.stdout.split("\n").filter((text) => text.length > 80)).toEqual([]);
  });

  test("unknown has an exit code of its own, and says what would help", async () => {
    const blocks = { "access/blocks.yml": "blocks: { b: { type: ip, value: 10.0.0.1, verdict: disallow } }\n" };
    const run = await asked("can-i --user bo --backend-role hr search hr-1", blocks);
    expect(run.code).toBe(7);
    expect(run.stdout).toMatch(/^unknown {2}user bo/);
    expect(run.stdout).toContain("--host");
  });

  test("of one index, it is the expression that decides, and nothing else need be asked", async () => {
    const run = await asked("can-i --user ub search logs-1", {
      "access/odd.yml": `roles: { odd: { index_permissions: [{ index_patterns: ['/\\blogs.*/'], allowed_actions: [hr_read] }] } }
role_mappings: { odd: { users: [ub] } }
`,
    });
    expect(run.code).toBe(7);
    const flat = run.stdout.replace(/\s+/g, " ");
    expect(flat).toContain("role odd is about /\\blogs.*/, a Java regular expression that is not evaluated here");
    expect(flat).not.toContain("ask about one index");
  });

  test.each<[about: string, line: string, code: number, reported: string]>([
    ["no one", "can-i search hr-1", 64, "Nothing says who is asked about."],
    ["an unknown action", "can-i --user a serch hr-1", 64, 'Did you mean "search"?'],
    ["no index", "can-i --user a search", 64, "none is named"],
    ["an unknown persona", "can-i --persona ann search a", 64, 'Did you mean "ana"?'],
    ["what is no index", "can-i --user a search /a/", 64, "or regular expressions"],
    [
      "a question mark, which servers do not expand",
      "can-i --user a search logs-?",
      64,
      "Write logs-*, or name the indices.",
    ],
    [
      "what builds evaluate differently",
      "can-i --user a indices:data/read/search/template a --product search-guard --release 7",
      64,
      "is unknown: builds of Search Guard",
    ],
    ["an index and a tenant", "can-i --user a read x --tenant y", 64, "not about both"],
    ["an empty user", "can-i --user  search a", 64, "--user is empty."],
    ["an empty backend role", "can-i --user a --backend-role  search a", 64, "--backend-role is empty"],
    ["an empty host", "what-can --user a --host ", 64, "--host is empty"],
    [
      "a host by its name",
      "can-i --user a --host web1 search a",
      64,
      '--host takes an IP address, and "web1" is none.',
    ],
    ["a network for a host", "what-can --user a --host 10.0.0.0/8", 64, "--host takes an IP address"],
    ["an empty persona", "can-i --persona  search a", 64, "--persona is empty"],
    ["an empty tenant", "who-can read --tenant ", 64, "--tenant is empty"],
    [
      "a persona as another user",
      "can-i --persona ana --user bo health",
      64,
      "persona ana is the user ana, and --user says bo",
    ],
    ...["can-i --user a search a", "who-can search a", "what-can --user a"].map(
      (line): [string, string, number, string] => [
        `a server and a snapshot at once: ${line}`,
        `${line} --live snap.json --server`,
        64,
        "Both --server and --live say what is asked.",
      ],
    ),
    ["a server that is not asked", "who-can search a --url http://127.0.0.1:1", 64, "nothing says that it is asked"],
    ["a file for an action", "can-i access/ search --user a", 64, "--state access/ ACTION INDEX"],
    ["a file for an action, of everybody", "who-can a.yml search", 64, '"a.yml" looks like a file'],
    ["a file for an index", "can-i --user a search access/a.yml", 64, "where an index is expected"],
    ["a folder of no such name for an index", "can-i --user a search a/b", 64, "is no name or pattern of an index"],
    ["an index before the action", "can-i --user a hr-1 search", 64, "Write search hr-1."],
    ["a file that is no option", "can-i access.yml --user a search hr-1", 64, "Files are named with --state here"],
    ["an attribute without a value", "can-i --user a --attribute x search a", 64, "NAME=VALUE"],
  ])("refuses %s", async (_, line, code, reported) => {
    const run = await asked(line);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code, stdout: "" });
    expect(run.stderr.replace(/\s+/g, " ")).toContain(reported);
  });

  test("files with errors are not asked", async () => {
    const run = await asked("can-i --user a search b", {
      "access/wrong.yml": "personas: { ana: {}, bo: { usr: x } }\n",
    });
    expect([run.code, run.stdout]).toEqual([3, ""]);
    expect(run.stderr).toContain('The persona "ana" is declared twice.');
    expect(run.stderr).toContain('Did you mean "user"?');
  });
});

test("who-can names every entry and every persona, with its chain", async () => {
  const { code, stdout } = await asked("who-can search hr-2026");
  expect(code).toBe(0);
  const own = stdout.split("\n").filter((line) => /^ {2}\S/.test(line));
  expect(own).toEqual(expect.arrayContaining(["  user ana", "  backend role hr", "  persona ana"]));
  expect(stdout).toContain("mapping hr_reader (access/mappings.yml:4)");
  expect((await asked("who-can write --tenant hr")).stdout).toContain("  user ana");
  expect((await asked("who-can health hr-1")).stdout).toContain("hr-1 has no say in it.");
  expect((await asked("who-can indices:data/write/idnex hr-1")).stdout).toMatch(
    /mean\s+"indices:data\/write\/index"\?/,
  );
});

test("who-can says which indices are left where some are not shown", async () => {
  const { stdout } = await asked("who-can delete-index *");
  expect(stdout).toContain("yes  all but searchguard (such as other)");
});

test("what-can says everything instead of each request", async () => {
  const { stdout } = await asked("what-can admin");
  expect(stdout).toMatch(/Indices\n {2}all\n {4}everything\n\nCluster\n {2}everything\n {2}by \*\n/);
  expect(stdout).toContain("No role permits changes to searchguard,");
});

test("who-can shows the first of many; --full and JSON have them all", async () => {
  const users = Array.from({ length: 60 }, (_, at) => `u${at}`);
  const more = {
    "access/more.yml": `role_mappings: { many: { users: [${users}] } }\nroles:\n  many: { index_permissions: [{ index_patterns: [many], allowed_actions: ["*"] }] }\n`,
  };
  const named = (text: string) => users.filter((user) => new RegExp(`^  user ${user}$`, "m").test(text)).length;
  const [short, full, json] = await Promise.all(
    ["", " --full", " --format json"].map(async (flag) => (await asked(`who-can search many${flag}`, more)).stdout),
  );
  expect([named(short ?? ""), named(full ?? "")]).toEqual([50, 60]);
  expect(short).toContain("62 can search many, of ");
  expect(short).toContain("  ... 12 more (--full)");
  expect(full).not.toContain("(--full)");
  expect(JSON.parse(json ?? "").principals).toHaveLength(62);
});

describe("what-can", () => {
  test("shows roles, indices with limits, and tenants", async () => {
    const { stdout } = await asked("what-can hr");
    expect(stdout).toMatch(/^backend role hr\n/);
    for (const text of ["hr_reader, by backend role hr", "all but salary"]) expect(stdout).toContain(text);
  });
  test("a word that means several is asked back", async () => {
    const { code, stderr } = await asked("what-can ana");
    expect(code).toBe(64);
    expect(stderr.replace(/\s+/g, " ")).toContain("--user ana, --persona ana");
  });
  test("a role that is not there is reported", async () => {
    const { stdout } = await asked("what-can --user x --host 10.0.0.9");
    expect(stdout.replace(/\s+/g, " ")).toContain("there is no such role");
  });
  test("every word that it shows can be asked about, and is answered alike", async () => {
    // Not one permission of everything, which is said in one word.
    const allowed = "[{ index_patterns: [log-*], allowed_actions: ['indices:a*', 'indices:d*', 'indices:m*'] }]";
    const more = {
      "access/ops.yml": `roles: { ops: { cluster_permissions: ['cluster:*', 'indices:*'], index_permissions: ${allowed} } }
role_mappings: { ops: { users: [opal] } }
`,
    };
    const { stdout } = await asked("what-can opal", more);
    const wordsUnder = (title: string, end: string) =>
      (new RegExp(`\n${title}\n((?:  .*\n)+?)${end}`).exec(stdout)?.[1] ?? "").split(/[\s,]+/).filter(Boolean);
    const lines = [
      ...wordsUnder("Indices", "\n").flatMap((one) => (one === "log-*" ? [] : [`${one} log-*`])),
      ...wordsUnder("Cluster", "  by "),
      ...wordsUnder("Tenants", "\n").flatMap((one) => (one === "opal" ? [] : [`${one} --tenant opal`])),
    ];
    expect(lines.length).toBeGreaterThan(40);
    expect(lines).toEqual(expect.arrayContaining(["search log-*", "health", "write --tenant opal"]));
    const codes = await Promise.all(
      lines.map(async (line) => [line, (await asked(`can-i --user opal ${line}`, more)).code]),
    );
    expect(codes.filter(([, code]) => code !== 0)).toEqual([]);
  });
});

test.each([
  "can-i --persona ana search h*,mask-1 --format json",
  "can-i --user bo delete-index hr-1 --format json",
  "can-i --user ana read --tenant ana --format json",
  "who-can index hr-1 --format json",
  "who-can search hr-1 --format json",
  "what-can --persona ana --format json",
  "what-can --user bo --format json",
])("JSON is as its schema says: %s", async (line) => {
  const { stdout } = await asked(line);
  ajv.validate(schema, JSON.parse(stdout));
  expect(ajv.errors ?? []).toEqual([]);
});

test("a server and a snapshot of it are asked as the files are", () =>
  onHarness(
    {
      files: {
        "access/roles.yml": String(files["access/roles.yml"]),
        "access/mappings.yml": String(files["access/mappings.yml"]),
      },
    },
    async ({ run, folder }) => {
      const applied = await run("apply --yes --url URL --allow protected access");
      expect(applied.code, applied.stderr).toBe(0);
      const live = await run("access can-i --user bo --backend-role hr search hr-1 --server --url URL");
      expect({ code: live.code, stderr: live.stderr }).toEqual({ code: 0, stderr: "" });
      expect(live.stdout.replace(/\s+/g, " ")).toContain("mapping hr_reader > role hr_reader on hr-* > hr_read >");
      expect(live.stdout).toContain("Based on what http://");
      const beside = (state: string) => run(`access who-can health --server --url URL --state ${state}`);
      expect(await beside("none")).toMatchObject({ code: 3, stderr: expect.stringContaining("There is no none") });
      writeFileSync(join(folder, "bad.yml"), "roles: {a: {nonsense: 1}}");
      expect((await beside("bad.yml")).stdout).toContain("The files have errors");
      expect((await beside("access")).stdout).not.toContain("The files have errors");
      await run("export --url URL --snapshot live.json");
      const later = await run("access can-i --persona ana delete-index hr-1 --live live.json --state access");
      expect(later.code).toBe(2);
    },
  ));

test("get-mapping shows which fields are hidden, and no query of documents", () => {
  const element = (rest: string) =>
    `{ index_patterns: ["hr-*"], allowed_actions: ["indices:admin/mappings/get"], dls: '{"term":{"a":1}}'${rest} }`;
  const state = `roles:
  r: { index_permissions: [${element(', fls: ["~salary"], masked_fields: [name]')}] }
  s: { index_permissions: [${element("")}] }
role_mappings: { r: { users: [ana] }, s: { users: [bo] } }
`;
  return onHarness({ files: { "access/a.yml": state } }, async ({ run }) => {
    const ask = async (user: string) =>
      (await run(`access can-i --user ${user} get-mapping hr-1 --state access --product opensearch`)).stdout;
    const hidden = await ask("ana");
    expect(hidden).toContain("\n  fields     all but salary\n");
    expect(hidden).not.toMatch(/documents {2}|masked {2}/);
    expect(await ask("bo")).not.toMatch(/fields {2}|documents {2}/);
  });
});

test("who-can names whom blocks shut out of what they are granted, and no others", () => {
  const state = `roles:
  r: { index_permissions: [{ index_patterns: ["hr-*"], allowed_actions: ["indices:data/read/*"] }] }
  s: { index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: ["indices:data/read/*"] }] }
role_mappings: { r: { users: [ana, bo] }, s: { users: [eve] } }
blocks: { b: { type: name, value: [ana], verdict: disallow }, c: { type: name, value: [eve], verdict: disallow } }
`;
  return onHarness({ files: { "access/a.yml": state } }, async ({ run }) => {
    const { stdout } = await run("access who-can search hr-1 --state access --product gate");
    expect(stdout).toContain("Shut out by blocks, and not listed: user ana.\n");
    const write = await run("access who-can index hr-1 --state access --product gate");
    expect(write.stdout).not.toContain("Shut out by blocks");
  });
});
