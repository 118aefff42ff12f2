// init around files of an import, which the server rarely agrees with: what differs in short, and what to do about it.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "vitest";
import { type Env, onHarness } from "./harness.ts";

const login: Env = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "bind-Tuesday-42" };
const server = {
  product: "opensearch",
  users: [{ name: "ci", password: "bind-Tuesday-42", rights: "all" }],
} as const;

const reads = (pattern: string) => `index_permissions: [{ index_patterns: ["${pattern}-*"], allowed_actions: [read] }]`;
const imported = {
  "access/roles.yml": `roles:
  log_reader: { cluster_permissions: [cluster:monitor/main] }
  pay_reader: { ${reads("pay")} }
  hr_reader: { ${reads("hr")} }
  stock_reader: { ${reads("stock")} }
`,
  "access/role_mappings.yml": `role_mappings:
  pay_reader: { backend_roles: [payments] }
  hr_reader: { backend_roles: [hr] }
`,
  "access/tenants.yml": "tenants:\n  hr: { description: Human resources }\n  stock: {}\n",
  "access/internal_users.yml": 'internal_users:\n  etl: { hash: "${env:ETL_HASH}" }\n',
  "package-lock.json": '{ "packages": { "": { "devDependencies": { "gate-sync": "1" } } } }',
};
const state = {
  roles: {
    log_reader: { cluster_permissions: ["cluster:monitor/main"] },
    pay_reader: { index_permissions: [{ index_patterns: ["pay-*"], allowed_actions: ["read", "search"] }] },
    made_by_hand: { cluster_permissions: ["cluster_monitor"] },
  },
  role_mappings: {
    pay_reader: { backend_roles: ["payments", "finance"] },
    all_access: { users: ["ci"] },
    kibana_user: { backend_roles: ["kibanauser"] },
    logstash: { backend_roles: ["logstash"] },
    readall: { backend_roles: ["readall"] },
  },
  tenants: { hr: { description: "HR" } },
};

const begin = (folder: string) => {
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example", ...words], { cwd: folder });
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "-m", "Begin");
  git("remote", "add", "origin", "x.git");
  return git;
};

describe.concurrent("init after an import", () => {
  test("says in a minute what differs, and what to do first", ({ expect }) =>
    onHarness({ ...server, state, files: imported }, async ({ run, folder }) => {
      begin(folder);
      const { code, stdout, stderr } = await run("init --url URL --ci gitlab", login);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout.replace(/(?<=on GitLab, ).*/s, "")).toBe(`Wrote access/rest-of-cluster.yml
  which your files do not have: 1 role, 4 role mappings
Wrote .gitignore: git leaves out .gate-sync/, node_modules/, /backup/ and
  /state.json
Wrote gate-sync.yaml, .gitlab-ci.yml, .gitlab/gate-sync.yml
Left settings for editors: they need gate-sync in node_modules

prod: not in sync.
  Tenants        1 to create: stock; 1 to change: hr
  Roles          2 to create: hr_reader, stock_reader; 1 to change: pay_reader
  Role mappings  1 to create: hr_reader; 1 to change: pay_reader
  Internal users 1 not there, only compared: etl
  ~ hr                                                      access/tenants.yml:2
      description
        - HR
        + Human resources
  ~ pay_reader                                                access/roles.yml:3
      index_permissions  pay-*
        allowed_actions  - search
  ~ pay_reader                                        access/role_mappings.yml:2
      backend_roles
        - finance
For apply to create what is only compared: families: { internal_users: { mode:
adopt } } under prod in gate-sync.yaml
All of it, with 3 warnings: npx --no -- gate-sync plan --target prod --full

Next
  # The jobs fail on a direct push to main.
  git switch -c gate-sync
  git add gate-sync.yaml .gitignore .gitlab-ci.yml .gitlab/gate-sync.yml \\
    access package-lock.json
  # What is committed may be replaced by the server's version.
  git commit -m 'Plan and apply in CI'
  # Takes these from the server. Delete the lines where your files are right,
  # which the merge then writes to it; if in all, do not run it.
  npx --no -- gate-sync export \\
    --only tenants/hr \\
    --only roles/pay_reader \\
    --only role_mappings/pay_reader \\
    --target prod --update
  git commit -a --amend --no-edit
  git push -u origin HEAD

In the project on GitLab, `);
    }));

  test("is true to what the update does", ({ expect }) =>
    onHarness({ ...server, state, files: imported }, async ({ run, folder }) => {
      const git = begin(folder);
      const { stdout } = await run("init --url URL --ci gitlab", login);
      git("add", ".");
      git("commit", "--quiet", "-m", "x");
      // With the line of one entry deleted.
      const lines = stdout.match(/ {2}npx --no -- gate-sync export (?:.*\\\n)+.*--update\n/)?.[0] ?? "";
      const picked = lines.replace("    --only tenants/hr \\\n", "").replace(/\\\n/g, "").trim();
      const update = await run(picked.replace("npx --no -- gate-sync ", ""), login);
      expect([update.code, update.stdout]).toEqual([0, expect.stringContaining("2 differences taken into 2 files.")]);
      expect(git("diff", "--name-only").toString()).not.toContain("tenants");
      // Something is left to the files: what is to be created.
      const whole = await run("export --target prod --update", login);
      expect([whole.code, whole.stdout]).toEqual([2, expect.stringContaining("let gate-sync apply create it.")]);
      expect(whole.stdout.replace(/\s+/g, " ")).toContain(
        "left to you (exit code 2), as only the files have them: apply them, or remove them with --prune.",
      );
      const tenants = readFileSync(join(folder, "access/tenants.yml"), "utf8");
      expect(tenants).toBe("tenants:\n  hr: { description: HR }\n  stock: {}\n");
      expect(git("diff", "--name-only").toString().trim().split("\n")).toEqual([
        "access/role_mappings.yml",
        "access/roles.yml",
        "access/tenants.yml",
      ]);
      git("commit", "--quiet", "-a", "-m", "x");
      const again = (await run("init", login)).stdout;
      expect(again).toContain("Left .gitlab-ci.yml, .gitlab/gate-sync.yml: there already\n");
      expect(again).toMatch(/not in sync\.\n {2}Tenants {8}1 to create: stock\n/);
      expect(again).not.toMatch(/to change|to delete|--update/);
      expect(again).toMatch(/ {2}git push -u origin HEAD\n\nIn the project on GitLab, [\s\S]*glab mr create --fill/);
      expect((await run("init --ci none", login)).stdout).not.toContain("In the project");
    }));

  test("of several targets, guesses from no job which one it is about", ({ expect }) =>
    onHarness({ ...server, state, files: imported }, async ({ run, folder, url }) => {
      const target = `{ url: "${url}", product: opensearch, state: [access] }`;
      writeFileSync(join(folder, "gate-sync.yaml"), `targets: { prod: ${target}, stage: ${target} }\n`);
      const first = await run("init --name stage --ci github", login);
      expect(first.stdout).toContain("In the project on GitHub, ");
      rmSync(join(folder, ".github/workflows/drift.yml"));
      const { code, stdout } = await run("init --name stage", login);
      expect([code, stdout]).toEqual([0, expect.not.stringMatching(/Wrote \.github|the project on/)]);
    }));

  test("where only fields differ, leaves open who is right", ({ expect }) =>
    onHarness({ ...server, state, files: { "access/tenants.yml": "tenants: { hr: {} }\n" } }, async ({ run }) => {
      const { stdout } = await run("init --url URL", login);
      expect(stdout).toContain(`Next
  # There is no git repository here yet.
  git init -b main
  # What git does not have yet; review it, commit it.
  git add gate-sync.yaml .gitignore access
  # What is committed may be replaced by the server's version.
  git commit -m 'Access of prod'
  # Only if the server is right about tenants/hr. Else apply writes yours to it.
  npx --no -- gate-sync export --only tenants/hr --target prod --update
  # After an edit`);
    }));

  test("of many resource types, and many entries, gives few lines and no secret", ({ expect }) => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`entry_with_a_long_name_${at}`, {}]));
    const bodies = {
      action_groups: "allowed_actions: [read]",
      tenants: "description: x",
      roles: "description: x",
      role_mappings: "users: [x]",
    };
    const files = Object.fromEntries(
      Object.entries(bodies).map(([family, body]) => {
        const entries = Array.from({ length: 9 }, (_, at) => `  a_declared_long_name_of_an_entry_${at}: { ${body} }\n`);
        return [`access/${family}.yml`, `${family}:\n${entries.join("")}`];
      }),
    );
    const user = 'internal_users:\n  etl: { password: "${env:ETL}" }\n  jo: { password: "${env:ETL}" }\n';
    return onHarness(
      {
        ...server,
        state: { tenants: many, roles: many, role_mappings: many, internal_users: { jo: { description: "x" } } },
        files: { ...files, "access/users.yml": user },
      },
      async ({ run, folder, url }) => {
        const config = `targets: { prod: { url: "${url}", product: opensearch, state: [access] } }\n`;
        writeFileSync(join(folder, "gate-sync.yaml"), config);
        const { code, stdout } = await run("init", { ...login, ETL: "secret-Wednesday-7" });
        expect({ code, has: stdout.includes("secret-Wednesday-7") }).toEqual({ code: 0, has: false });
        const lines = stdout.slice(stdout.indexOf("prod: not"), stdout.indexOf("\n\nNext")).split("\n");
        expect(lines.length).toBeLessThanOrEqual(16);
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
        expect(lines.join(" ").replace(/\s+/g, " ")).toContain("9 to create");
        expect(lines.join("\n")).toMatch(
          /Internal users 1 differs, only compared: jo; 1 not there, only compared: etl/,
        );
        // Too many to pick from.
        expect(stdout.replace(/[\s#]+/g, " ")).toMatch(
          /Only if the server is right in all \d+; else name those in which it is with --only TYPE\/NAME\. npx --no -- gate-sync export --target prod --update/,
        );
      },
    );
  });

  test("says a failure once, and nothing that it leaves open", ({ expect }) =>
    onHarness(
      { ...server, state, files: { "access/r.yml": `roles: { hr: { ${reads("${var:team}")} } }\n` } },
      async ({ run, folder, url }) => {
        const end = "\n\nNo plan can be made yet. Correct that, then run npx --no -- gate-sync init\nagain.\n";
        const first = await run("init --url URL --ci github", login);
        expect(first.code).toBe(3);
        expect(first.stderr.match(/The variable "team"/g)).toHaveLength(1);
        expect(first.stdout).toMatch(/^Wrote /);
        expect(first.stdout.endsWith(end)).toBe(true);
        expect(first.stdout).not.toMatch(/Next|In the project/);
        const config = join(folder, "gate-sync.yaml");
        writeFileSync(
          config,
          readFileSync(config, "utf8").replace(/^ {4}state:/m, "    vars: { team: hr }\n    state:"),
        );
        const again = await run("init", login);
        expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("1 to create: hr\n")]);
        writeFileSync(config, readFileSync(config, "utf8").replace(url, "http://127.0.0.1:1"));
        const gone = await run("init", login);
        expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining("Nothing listens")]);
        expect(gone.stdout.endsWith(end)).toBe(true);
        const quiet = await run("init --quiet", login);
        expect([quiet.code, quiet.stdout]).toEqual([1, ""]);
      },
    ));

  test("says how many users only the cluster has, and leaves them alone", ({ expect }) => {
    const internal_users = { bob: {}, eve: {}, etl: {} };
    return onHarness({ ...server, state: { ...state, internal_users }, files: imported }, async ({ run, folder }) => {
      const { stdout } = await run("init --url URL", login);
      const command = "npx --no -- gate-sync export --family internal_users --out users";
      expect(stdout).toContain(
        `Left 2 internal users that only the cluster has (bob, eve); to see them:\n  ${command}\n`,
      );
      expect(readFileSync(join(folder, "access/rest-of-cluster.yml"), "utf8")).not.toMatch(/bob|internal_users/);
      expect((await run(command.replace("npx --no -- gate-sync ", ""), login)).stdout).toContain("3 internal users");
    });
  });

  test("offers to do without an imported config that has a mistake, and claims nothing of the server", ({ expect }) => {
    const files = {
      ...imported,
      "access/config.yml":
        "_meta: { type: config, config_version: 2 }\nconfig: { dynamic: { kibana: { server_username: 1 }, do_not_fail_on_forbidden: ${env:UNSET_HERE} } }\n",
    };
    return onHarness({ ...server, state, files }, async ({ run, folder }) => {
      const { code, stdout, stderr } = await run("init --url URL", login);
      expect([code, stderr]).toEqual([3, expect.stringMatching(/access\/config\.yml[\s\S]*Nothing was planned\.\n/)]);
      expect(stderr).not.toContain("server was asked");
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "Correct that, or delete access/config.yml to leave the config alone, then run npx --no -- gate-sync init again.",
      );
      rmSync(join(folder, "access/config.yml"));
      expect((await run("init", login)).code).toBe(0);
    });
  });

  test("keeps state files in git that are called like the inputs of an import", ({ expect }) =>
    onHarness({ ...server, state }, async ({ run, folder }) => {
      expect((await run("init --url URL --out backup", login)).code).toBe(0);
      expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(".gate-sync/\n/state.json\n");
    }));

  test("says which secrets the workflows have", ({ expect }) =>
    onHarness(
      {
        ...server,
        files: {
          "access/u.yml": `internal_users:
  etl: { password: "\${env:ETL_PASSWORD}" }
  hr: { password: "\${env:PASSWORD_OF_HUMAN_RESOURCES}" }
`,
        },
      },
      async ({ run, folder, url }) => {
        const families = "families: { internal_users: { mode: adopt } }";
        const config = `targets: { prod: { url: "${url}", product: opensearch, state: [access], ${families} } }\n`;
        writeFileSync(join(folder, "gate-sync.yaml"), config);
        const env = { ...login, ETL_PASSWORD: "so-Thursday-1", PASSWORD_OF_HUMAN_RESOURCES: "so-Friday-2" };
        const { stdout } = await run("init --ci github", env);
        expect(stdout).toContain(`PLAN_KEY
  # ETL_PASSWORD: secret; the workflows have it under env
  gh secret set ETL_PASSWORD
  # PASSWORD_OF_HUMAN_RESOURCES: secret; the workflows have it under env
  gh secret set PASSWORD_OF_HUMAN_RESOURCES
  # Read the plan`);
        const [plan = "", drift = ""] = ["access", "drift"].map((name) =>
          join(folder, `.github/workflows/${name}.yml`),
        );
        const byHand = readFileSync(plan, "utf8").replace("{ secrets.ETL_PASSWORD }", "{secrets.ETL_PASSWORD}");
        writeFileSync(plan, byHand);
        writeFileSync(drift, readFileSync(drift, "utf8").replace("secrets.ETL_PASSWORD", "secrets.ETL_PASSWORD_2"));
        expect((await run("init", env)).stdout).toContain(`
  # ETL_PASSWORD: secret; in .github/workflows/drift.yml, under env of each step
  # of gate-sync, write ETL_PASSWORD: \${{ secrets.ETL_PASSWORD }}
  gh secret set ETL_PASSWORD
`);
      },
    ));
});
