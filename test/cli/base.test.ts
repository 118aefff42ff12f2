// `plan --base REF`: which families are managed now and were not at a commit.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import type { Files } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { git, type History, hasGit, onHistory } from "./history.ts";

const schema = readSchema("plan");
const ajv = createAjv({ isStrict: false });
if (!hasGit) console.warn("git is not installed: plan --base is not tested.");

const roles = "roles: { reader: {} }\n";
const state = { roles: { reader: {}, by_hand: {}, legacy: {} } };

const config = (mode: string, paths = "[access]") =>
  `targets: { prod: { url: "URL", state: ${paths} } }\ndefaults: { families: { roles: { mode: ${mode} } } }\n`;
const managed = { "gate-sync.yaml": config("manage"), "access/r.yml": roles };

describe.skipIf(!hasGit)("what the files take over from the server", () => {
  const rolesOf = (...lines: readonly string[]) => ({
    ...managed,
    "access/r.yml": `roles:\n${lines.map((line) => `  ${line}\n`).join("")}`,
  });
  const taken = /(New|Changed|Removed) (in|from) the files [^:]*: [^.]*\./g;
  test.for<[string, Files, Files, readonly string[]]>([
    [
      "of each kind; what is to be applied is a change, and no note",
      rolesOf("reader: { cluster_permissions: [a] }", "gone: {}", "legacy: {}"),
      rolesOf("reader: {}", "by_hand: {}", "to_come: {}", "legacy: { cluster_permissions: [b] }"),
      [
        "New in the files since main, as the server has it already: roles/by_hand.",
        "Changed in the files since main, to what the server has already: roles/reader.",
        "Removed from the files since main, and not on the server any more: roles/gone.",
      ],
    ],
    [
      "none where the files only look otherwise",
      rolesOf("reader: { cluster_permissions: [], description: '' }", "legacy: {}"),
      rolesOf("legacy: {}", '"reader": { "description": "", cluster_permissions: [] }'),
      [],
    ],
    [
      "none of what leaves the files and is still on the server: the plan deletes it",
      rolesOf("reader: {}", "by_hand: {}", "legacy: {}"),
      rolesOf("reader: {}", "legacy: {}"),
      [],
    ],
    ["none of a family that is managed for the first time", { "gate-sync.yaml": config("manage") }, managed, []],
  ])("%s", ([, was, now, notes], { expect }) =>
    onHistory({ was, now, state }, async (run) => {
      const { stdout } = await run("plan --base main --allow deletions --allow protection");
      expect(stdout.replace(/\s+/g, " ").match(taken) ?? []).toEqual(notes);
      const without = await run("plan --allow deletions");
      expect(without.stdout.replace(/\s+/g, " ")).not.toMatch(taken);
    }),
  );
});

const histories: Readonly<Record<string, History & { readonly turned: string }>> = {
  "nothing turned": { was: managed, now: managed, turned: "" },
  "observe became manage": {
    was: { ...managed, "gate-sync.yaml": config("observe") },
    now: managed,
    turned: "roles observe",
  },
  "adopt became manage, for one target": {
    was: { ...managed, "gate-sync.yaml": config("adopt") },
    now: {
      ...managed,
      "gate-sync.yaml": `targets: { prod: { url: "URL", state: [access], families: { roles: { mode: manage } } } }\n`,
    },
    turned: "roles adopt",
  },
  "observe became manage, by a target that no longer goes before the others": {
    was: {
      ...managed,
      "gate-sync.yaml": 'targets: { prod: { url: "URL", state: [access], families: { roles: { mode: observe } } } }\n',
    },
    now: managed,
    turned: "roles observe",
  },
  "manage became observe": {
    was: managed,
    now: { ...managed, "gate-sync.yaml": config("observe") },
    turned: "",
  },
  "nothing was said of the family, which is to manage it": {
    was: { ...managed, "gate-sync.yaml": 'targets: { prod: { url: "URL", state: [access] } }\n' },
    now: managed,
    turned: "",
  },
  "a family is declared for the first time": {
    was: { "gate-sync.yaml": config("manage"), "access/t.yml": "tenants: {}\n" },
    now: { ...managed, "access/t.yml": "tenants: {}\n" },
    turned: "roles undeclared",
  },
  "a file that was there became part of the target": {
    was: { ...managed, "gate-sync.yaml": config("manage", "[other]") },
    now: managed,
    turned: "roles undeclared",
  },
  "the state files moved": {
    was: { "gate-sync.yaml": config("manage", "[old/, ./old/r.yml]"), "old/r.yml": roles },
    now: managed,
    turned: "",
  },
  "gate-sync.yaml is new": { was: { "access/r.yml": roles }, now: managed, turned: "roles undeclared" },
  "gate-sync.yaml had another ending": {
    was: { "gate-sync.yml": config("manage"), "access/r.yml": roles },
    now: managed,
    turned: "",
  },
  "gate-sync.yaml was broken": {
    was: { "gate-sync.yaml": "targets: [\n", "access/r.yml": roles },
    now: managed,
    turned: "roles undeclared",
  },
  "the target is new": {
    was: {
      ...managed,
      "gate-sync.yaml": 'defaults: { state: [access] }\ntargets: { dev: { url: "http://127.0.0.1:1" } }\n',
    },
    now: managed,
    turned: "roles undeclared",
  },
  "the target has another name": {
    was: { ...managed, "gate-sync.yaml": 'defaults: { state: [access] }\ntargets: { dev: { url: "URL" } }\n' },
    now: managed,
    turned: "",
  },
  "the config was observed, as a file of the server's own tools is": {
    was: {
      "gate-sync.yaml": config("manage"),
      "access/config.yml": "_meta: { type: config, config_version: 2 }\nsg_config: { dynamic: { http: {} } }\n",
      "access/r.yml": roles,
    },
    now: { ...managed, "access/c.yml": "config: { dynamic: { do_not_fail_on_forbidden: true } }\n" },
    turned: "config observe",
  },
  "paths are named on the command line": {
    was: { "access/r.yml": roles },
    now: { "access/r.yml": roles, "access/t.yml": "tenants: {}\n" },
    line: "plan --url URL access --base main --format json",
    turned: "tenants undeclared",
  },
  "only another family is planned": {
    was: { ...managed, "gate-sync.yaml": config("observe") },
    now: { ...managed, "access/t.yml": "tenants: {}\n" },
    line: "plan --family tenants --base main --format json",
    turned: "tenants undeclared",
  },
};

const guarded = config("manage").replace("defaults: {", "defaults: { protect: [roles/legacy],");
const observed = { state, was: { ...managed, "gate-sync.yaml": config("observe") }, now: managed };
const explained = "Since main, roles turned from observe to manage: 2 that only the server has";

describe.skipIf(!hasGit).concurrent("plan --base", () => {
  test.for(Object.entries(histories))("%s", ([, { turned, line, ...history }], { expect }) =>
    onHistory({ ...history, state }, async (run, folder) => {
      const { stdout } = await run(line ?? "plan --base main --format json");
      const { since } = JSON.parse(stdout) as {
        since: { turned_to_manage: readonly { family: string; was: string }[] };
      };
      expect(since).toMatchObject({ ref: "main", commit: git(folder, "rev-parse", "HEAD") });
      expect(since.turned_to_manage.map(({ family, was }) => `${family} ${was}`).join(", ")).toBe(turned);
      ajv.validate(schema, JSON.parse(stdout));
      expect(ajv.errors ?? []).toEqual([]);
    }),
  );

  test("says at the top how much is deleted by it, in every form, and changes neither plan nor fingerprint", ({
    expect,
  }) =>
    onHistory(observed, async (run) => {
      const text = await run("plan --base main --allow deletions --allow protection");
      const [protection = ""] = /Protection.*?is: +manage\n+/s.exec(text.stdout) ?? [];
      expect(protection).toContain("~ families.roles.mode (gate-sync.yaml:2:40)");
      expect(text.stdout.split("\n").slice(3, 10)).toEqual([
        "",
        "2 to delete, in 1 request. 2 by this branch.",
        "The rest: 1 in sync.",
        "",
        `${explained} will`,
        "  be deleted.",
        "",
      ]);
      const markdown = await run("plan --base main --allow deletions --allow protection --format markdown");
      expect(markdown.stdout).toContain(`\`\`\`diff\n! ${explained} will be deleted.\n\`\`\``);
      const [waived = ""] = /note: Allowed for this run \(--allow protection\).*?\.\n\n/s.exec(text.stdout) ?? [];
      expect(waived).toContain("2 roles would be changed that");
      const plain = await run("plan --allow deletions");
      expect(plain.stdout).toBe(
        text.stdout
          .replace(/Since main[^.]*\.\n\n/, "")
          .replace(protection, "")
          .replace(waived, "\n")
          .replaceAll(" 2 by this branch.", ""),
      );
    }));

  test("speaks of what would be where a guard refuses the plan", ({ expect }) =>
    onHistory({ ...observed, now: { ...managed, "gate-sync.yaml": guarded } }, async (run) => {
      const { code, stdout } = await run("plan --base main");
      expect(code).toBe(4);
      expect(stdout).toContain(`${explained}\n  would be deleted.`);
    }));

  test("says it of a family in sync too", ({ expect }) =>
    onHistory(
      { ...observed, now: { ...managed, "access/r.yml": "roles: { reader: {}, by_hand: {}, legacy: {} }\n" } },
      async (run) => {
        const { stdout } = await run("plan --base main");
        expect(stdout.split("\n").slice(1)).toEqual([
          "Since main, roles turned from observe to manage: nothing is deleted by that now.",
          "  From now on, entries that only the server has are deleted.",
          "Protection: weaker than at the base",
          "  ~ families.roles.mode (gate-sync.yaml:2:40)",
          "      was: observe",
          "      is:  manage",
          "note: New in the files since main, as the server has it already: roles/by_hand,",
          "      roles/legacy.",
          "",
        ]);
      },
    ));

  test.for([
    ["nope", {}, 64, 'no commit "nope"'],
    ["--all", {}, 64, 'no commit "--all"'],
    ["main", { PATH: "/nonexistent" }, 1, "git is not found"],
  ] as const)("says why it cannot: %s", ([ref, env, exit, what], { expect }) =>
    onHistory(observed, async (run) => {
      const { code, stdout, stderr } = await run(`plan --base=${ref}`, env);
      expect({ code, stdout }).toEqual({ code: exit, stdout: "" });
      expect(stderr).toContain(what);
      expect(stderr).toContain("--base");
      expect(stderr).not.toContain("--applied-ref");
    }),
  );

  test("says why it cannot: no repository", ({ expect }) =>
    onHistory(observed, async (run, folder) => {
      rmSync(join(folder, ".git"), { recursive: true });
      const { code, stderr } = await run("plan --base main");
      expect(code).toBe(64);
      expect(stderr).toContain("This folder is in no git repository.");
    }));
});
