// init: from a cluster to a repository that is in sync, with nothing overwritten and no secret in a file.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createCiFiles } from "../../src/engine/init.ts";
import { gateSyncWithin } from "../support/command.ts";
import { commitAll } from "../support/committed.ts";
import { findLooseSecrets, type GitHubStep } from "../support/github.ts";
import { type Env, onHarness } from "./harness.ts";

const login: Env = { GATE_SYNC_USERNAME: "ci", GATE_SYNC_PASSWORD: "bind-Tuesday-42" };
const cluster = {
  product: "opensearch",
  users: [{ name: "ci", password: "bind-Tuesday-42", rights: "all" }],
  state: { tenants: { hr: {} }, roles: { log_reader: { cluster_permissions: ["cluster:monitor/main"] } } },
} as const;

function listFiles(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

test.each(["1.10", "1e3", "007", "true", "null"])("jobs name the target %s as a text", (name) => {
  const [access] = createCiFiles("github", name, "main", []);
  const { jobs } = parse(access?.text ?? "");
  const named = [jobs.plan, jobs.apply].flatMap(({ steps }) => steps.map((step: GitHubStep) => step.with?.target));
  expect([...named.filter((target) => target !== undefined), jobs.apply.environment]).toEqual([name, name, name]);
  const [gitlab] = createCiFiles("gitlab", name, "main", []);
  expect(parse(gitlab?.text ?? "").include[0].inputs.target).toBe(name);
});

describe.concurrent("init", () => {
  test("writes a repository that is in sync, with jobs and settings, and no secret", ({ expect }) =>
    onHarness(
      { ...cluster, files: { ".gitignore": "dist", "node_modules/gate-sync/schemas/x": "" } },
      async ({ run, folder, url, writes }) => {
        const { code, stdout, stderr } = await run("init --url URL --name stage --ci github", login);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
        expect(stdout).toMatch(/server {5}opensearch [\s\S]*stage: in sync \(1 tenant, 1 role\)\. Nothing to do\./);
        // The name of a setting cannot be broken.
        const lines = stdout.split("\n").filter((line) => !/plugins\.security/.test(line));
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
        const files = listFiles(folder);
        expect(Object.keys(files)).toEqual([
          ".github/workflows/access.yml",
          ".github/workflows/drift.yml",
          ".gitignore",
          ".vscode/settings.json",
          "access/roles.yml",
          "access/tenants.yml",
          "gate-sync.yaml",
          "node_modules/gate-sync/schemas/x",
        ]);
        expect(parse(files["gate-sync.yaml"] ?? "")).toEqual({
          targets: {
            stage: { url, product: "opensearch", release: "2.19", apply_as: { user: "ci" }, state: ["access"] },
          },
        });
        expect(files[".gitignore"]).toBe("dist\n.gate-sync/\nnode_modules/\n/backup/\n/state.json\n");
        for (const name of ["access", "drift"]) expect(files[`.github/workflows/${name}.yml`]).not.toContain("Copy to");
        expect(files[".github/workflows/access.yml"]).toMatch(/target: stage[\s\S]*refs\/tags\/applied\/stage\n/);
        const rest = stdout.replace(/\s+/g, " ");
        expect(rest).toContain("An environment stage, for main alone, with the user of apply_as.");
        for (const text of [stdout, ...Object.values(files)]) expect(text).not.toContain(login.GATE_SYNC_PASSWORD);
        expect(writes()).toEqual([]);
      },
    ));

  test("says how what it left out is exported, by a command that works", ({ expect }) =>
    onHarness(
      { ...cluster, state: { internal_users: { ana: { hash: "$2y$04$abc" } } }, files: {} },
      async ({ run, folder }) => {
        const { stdout } = await run("init --url URL", login);
        const [, command = ""] = /to write one of them:\n +npx --no -- gate-sync (export .*)$/m.exec(stdout) ?? [];
        const { code, stdout: reported } = await run(command, login);
        expect([code, reported]).toEqual([0, "1 internal user\nWrote 1 file to internal_users.\n"]);
        expect(Object.keys(listFiles(folder))).toContain("internal_users/internal_users.yml");
      },
    ));

  test("again it adds what is missing, and changes no byte of what is there", ({ expect }) =>
    onHarness({ ...cluster, files: { ".gitlab-ci.yml": "mine: {}\n" } }, async ({ run, folder, emulator }) => {
      expect((await run("init --url URL", login)).code).toBe(0);
      const before = listFiles(folder);
      expect(before[".gitignore"]).toBe(".gate-sync/\n/backup/\n/state.json\n");
      const later = (await run("init", login)).stdout;
      expect(later).toContain("What git does not have yet; review it, commit it.");
      expect(later).not.toMatch(/what the cluster holds now|In the project/);
      emulator.replaceState({ tenants: { hr: {}, other: {} } });
      const { code, stdout } = await run("init --ci gitlab --url URL", login);
      expect(code).toBe(0);
      expect(stdout.replace(/\s+/g, " ")).toContain(
        "Left .gitlab-ci.yml: it is there already. Add to the list under its include: - { local: .gitlab/gate-sync.yml, inputs: { target: prod } }",
      );
      expect(stdout).toContain("1 to delete: other");
      expect(stdout).toMatch(/git push -u origin HEAD\n\nIn the project on GitLab, /);
      const { ".gitlab/gate-sync.yml": added, ...after } = listFiles(folder);
      expect(added).toContain("spec:");
      expect(after).toEqual({ ...before, ".gitignore": ".gate-sync/\n/backup/\n/state.json\nnode_modules/\n" });
      expect((await run("init --ci gitlab", login)).stdout).toContain("Left .gitlab/gate-sync.yml: there already\n");
    }));

  test("again as another login says so, and names what takes in entries that the plan deletes", ({ expect }) =>
    onHarness(
      { ...cluster, users: [...cluster.users, { name: "ci-apply", password: "pass-apply", rights: "all" }] },
      async ({ run, folder, emulator }) => {
        const first = await run("init --url URL", login);
        expect(first.stdout).not.toMatch(/You are logged in|--update/);
        emulator.replaceState({ ...cluster.state, tenants: { hr: {}, made_since: {}, made_now: {} } });
        const other: Env = { GATE_SYNC_USERNAME: "ci-apply", GATE_SYNC_PASSWORD: "pass-apply" };
        const { stdout } = await run("init --ci github", other);
        const text = stdout.replace(/\s+/g, " ");
        expect(text).toContain("You are logged in as ci-apply, and apply_as in gate-sync.yaml is ci. If the jobs");
        expect(text).toMatch(
          /git add .* # Takes what only the server has into the files \(2\): .* --target prod --update /,
        );
        await run("export --target prod --update", other);
        expect(readFileSync(join(folder, "access/tenants.yml"), "utf8")).toContain("made_since");
        const same = await run("init", login);
        expect(same.stdout).not.toMatch(/You are logged in|--update/);
      },
    ));

  test("of a server without entries makes a repository that plans", ({ expect }) =>
    onHarness({ ...cluster, state: {} }, async ({ run, folder }) => {
      const { code, stdout } = await run("init --url URL", login);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/prod: in sync[\s\S]*Next/) });
      expect(readFileSync(join(folder, "access/roles.yml"), "utf8")).toBe("roles: {}\n");
    }));

  test("says what jobs need: a branch to begin on, npm, and each file in git", ({ expect }) =>
    onHarness({ ...cluster, files: { "ca.pem": "", "package.json": "{}" } }, async ({ run, folder }) => {
      execFileSync("git", ["init", "--quiet", "--initial-branch=trunk"], { cwd: folder });
      const { stdout } = await run("init --url URL --ca ca.pem --ci github", login);
      expect(stdout.slice(stdout.indexOf("\nNext\n"))).toBe(`
Next
  # The jobs run npm ci, which needs package-lock.json.
  npm install --save-dev gate-sync
  git commit --allow-empty -m Begin
  # URL of the project.
  git remote add origin URL
  # A pull request needs a branch to merge into.
  git push -u origin trunk
  # The jobs fail on a direct push to trunk.
  git switch -c gate-sync
  git add access/ gate-sync.yaml .gitignore .github/workflows/access.yml \\
    .github/workflows/drift.yml ca.pem package.json package-lock.json
  git commit -m 'Access of prod, as it is'
  git push -u origin HEAD

In the project on GitHub, with gh or by these names in the settings
  # Variable: a user of the cluster that only reads.
  gh variable set GATE_SYNC_READER --body ci-plan
  # Secrets; gh asks for the first: paste line by line.
  gh secret set GATE_SYNC_READER_PASSWORD
  openssl rand -hex 32 | gh secret set GATE_SYNC_PLAN_KEY
  # Its job shows that all is in sync.
  gh pr create --fill

There, for the merge
  # An environment prod, for trunk alone, with the user of apply_as.
  gh api -X PUT 'repos/{owner}/{repo}/environments/prod' \\
    -F 'deployment_branch_policy[protected_branches]=false' \\
    -F 'deployment_branch_policy[custom_branch_policies]=true'
  gh api 'repos/{owner}/{repo}/environments/prod/deployment-branch-policies' \\
    -f name=trunk
  gh variable set GATE_SYNC_WRITER --env prod --body ci
  gh secret set GATE_SYNC_WRITER_PASSWORD --env prod
  # By hand, trunk: pull requests only, plan has to pass, a push takes approvals
  # back.

Then merge it: each merge is applied, and sets the tag applied/prod, without
which the nightly drift job fails.

  # After an edit: what would change, and who gains or loses access.
  npx --no -- gate-sync plan --target prod
  # Makes exactly that change, and keeps a backup first.
  npx --no -- gate-sync apply --target prod
`);
      const jobs = readFileSync(join(folder, ".github/workflows/access.yml"), "utf8");
      const branches = ["trunk"];
      expect(parse(jobs).on).toEqual({
        pull_request: { branches },
        merge_group: null,
        push: { branches },
        workflow_dispatch: null,
      });
      expect(jobs).not.toMatch(/\bmain\b/);
      writeFileSync(
        join(folder, "package-lock.json"),
        '{ "packages": { "": { "devDependencies": { "gate-sync": "1" } } } }',
      );
      execFileSync("git", ["remote", "add", "origin", "x.git"], { cwd: folder });
      const again = (await run("init --ci github", login)).stdout;
      expect(again).toContain("Left .github/workflows/access.yml, .github/workflows/drift.yml: there already");
      expect(again).toContain(`
  git commit --allow-empty -m Begin
  # A pull request needs`);
      // A run that ended before its last lines is made again.
      expect(again).toContain("  git add .github/workflows/access.yml .github/workflows/drift.yml");
    }));

  test("says what jobs would not find: a file elsewhere, and variables of a login", ({ expect }) =>
    onHarness({ ...cluster, files: { "ca.pem": "", "repo/.git/x": "" } }, async ({ folder, url }) => {
      const place = { cwd: join(folder, "repo"), env: { X: "bind-Tuesday-42" } };
      const words = ["init", "--url", url, "--ca", "../ca.pem", "--username", "ci", "--password-env", "X"];
      const first = (await gateSyncWithin(words, place)).stdout.replace(/\s+/g, " ");
      expect(first).toContain("tls.ca in gate-sync.yaml is ../ca.pem, which is not in the repository");
      const again = await gateSyncWithin(["init", "--ci", "github", "--format", "json"], place);
      const { notes, next } = JSON.parse(again.stdout);
      expect(notes).toEqual([expect.stringMatching(/^tls\.ca/), expect.stringMatching(/\(auth\).* do not set X\. /)]);
      expect(next.find((line: string) => line.startsWith("git add"))).toMatch(
        / gate-sync\.yaml access [^.]*package\.json/,
      );
      expect(next.join()).not.toContain("ca.pem");
    }));

  test("writes which role administers, where only one of the login's can be it", ({ expect }) =>
    onHarness(
      {
        ...cluster,
        state: {
          roles: { ci_apply: {}, own: {}, other: {} },
          role_mappings: { ci_apply: { users: ["ci"] }, own: { users: ["*"] }, other: { users: ["else"] } },
        },
      },
      async ({ run, folder, emulator }) => {
        const settings = () => parse(readFileSync(join(folder, "gate-sync.yaml"), "utf8")).targets.prod;
        const { stdout } = await run("init --url URL", login);
        expect(stdout).toContain("Wrote gate-sync.yaml: with admin_roles, as this login administers by ci_apply");
        expect(settings().admin_roles).toEqual(["all_access", "security_rest_api_access", "ci_apply"]);
        rmSync(join(folder, "gate-sync.yaml"));
        emulator.replaceState({ role_mappings: { ci_apply: { users: ["ci"] }, other: { users: ["ci"] } } });
        await run("init --url URL --out again", login);
        expect(settings()).not.toHaveProperty("admin_roles");
      },
    ));

  test("names the secrets of the state files, gives them to the jobs, and asks for them first", ({ expect }) =>
    onHarness(
      {
        ...cluster,
        files: {
          "a.yml": `roles: { r: { index_permissions: [{ index_patterns: [x], dls: "\${env:QUERY}", allowed_actions: [read] }] } }
internal_users: { u: { hash: "\${env:HASH}" } }
`,
        },
      },
      async ({ run, folder, url }) => {
        const target = `{ url: "${url}", product: opensearch, state: [a.yml] }`;
        writeFileSync(join(folder, "gate-sync.yaml"), `targets: { prod: ${target} }\n`);
        const { code, stdout, stderr } = await run("init --ci github", login);
        expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("QUERY") });
        expect(stdout).toMatch(
          /\n\nNo plan can be made yet\. Correct that, then run npx --no -- gate-sync init\nagain\.\n$/,
        );
        expect(stdout).not.toMatch(/Next|In the project/);
        // Of internal users, which no mode was stated for, nothing is written.
        expect(stdout).not.toContain("HASH");
        for (const name of ["access", "drift"]) {
          const jobs = parse(readFileSync(join(folder, `.github/workflows/${name}.yml`), "utf8"));
          const steps = Object.values<{ steps: readonly GitHubStep[] }>(jobs.jobs).flatMap((job) => job.steps);
          const given = steps.filter(({ env }) => env?.QUERY === "${{ secrets.QUERY }}");
          expect(given).toEqual(steps.filter(({ uses, run }) => /gate-sync/.test(`${uses} ${run}`)));
          expect(given.map(({ with: words }) => words?.mode)).toEqual(
            name === "access" ? ["plan", "apply"] : [undefined],
          );
          expect(findLooseSecrets(jobs)).toEqual([]);
        }
      },
    ));

  test("says that what the cluster holds and no file may have is corrected by the first plan", ({ expect }) => {
    const masked = (field: string) => ({
      r: { index_permissions: [{ index_patterns: ["x"], allowed_actions: ["read"], masked_fields: [field] }] },
    });
    return onHarness({ ...cluster, state: { roles: masked("a::SHA-9") } }, async ({ run, folder }) => {
      const { code, stdout, stderr } = await run("init --url URL", login);
      expect([code, stderr]).toEqual([3, expect.stringContaining('"a::SHA-9" is no masking expression')]);
      expect(stdout.replace(/\s+/g, " ")).toMatch(
        /run npx --no -- gate-sync init again\. The cluster holds it as it is written here: the first plan shows the correction\. $/,
      );
      const path = join(folder, "access/roles.yml");
      writeFileSync(path, readFileSync(path, "utf8").replace("SHA-9", "SHA-512"));
      const again = await run("init", login);
      expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("1 to change")]);
    });
  });

  test("adds to state files that are there what only the cluster has, and changes none of them", ({ expect }) =>
    onHarness(
      {
        ...cluster,
        files: { "access/own.yml": "roles:\n  log_reader: { cluster_permissions: [cluster:monitor/main] } # kept\n" },
      },
      async ({ run, folder, emulator }) => {
        emulator.replaceState({ ...cluster.state, roles: { ...cluster.state.roles, by_hand: {} } });
        const own = readFileSync(join(folder, "access/own.yml"), "utf8");
        const { code, stdout } = await run("init --url URL --ci github", login);
        expect(code).toBe(0);
        expect(stdout).toMatch(/Wrote access\/rest-of-cluster\.yml\n {2}which your files do not have: [^\n]*1 role\b/);
        expect(readFileSync(join(folder, "access/own.yml"), "utf8")).toBe(own);
        const rest = parse(readFileSync(join(folder, "access/rest-of-cluster.yml"), "utf8"));
        expect(Object.keys(rest.roles)).toEqual(["by_hand"]);
        expect(stdout).not.toMatch(/to delete|--update/);
        expect(stdout).toMatch(/\n {2}git add [^\n]*access\b/);
        expect(stdout.match(/git add (?:[^\n]*\\\n)*[^\n]*/)?.[0]).not.toContain("access/rest-of-cluster.yml");
        expect((await run("apply --yes", login)).code).toBe(0);
        expect((await run("plan --detailed-exitcode", login)).code).toBe(0);
      },
    ));

  test.each([
    ["a variable without a value", 'log_reader: { description: "${var:team}" }', true],
    ["such a variable in a name", '"${var:team}_reader": {}', false],
    ["an unknown field", "log_reader: { cluster_permission: [x] }", true],
    ["a text for a list", 'log_reader: { cluster_permissions: "${var:all}" }', true],
    ["such a variable in a name, and another error", '"${var:team}_reader": { cluster_permission: [x] }', false],
    ["an entry that is no map", "log_reader: [x]", true],
    ["two of one name", "log_reader: {}\n  log_reader: { cluster_permissions: [x] }", false],
  ])("of files with %s, takes the rest only where names are known", (_, role, isTaken) =>
    onHarness({ ...cluster, files: { "access/own.yml": `roles:\n  ${role}\n` } }, async ({ run, folder }) => {
      expect((await run("init --url URL --ci none", login)).code).toBe(3);
      expect(existsSync(join(folder, "access/rest-of-cluster.yml"))).toBe(isTaken);
    }),
  );

  test("takes nothing beside state files with errors, and says what does it later", ({ expect }) =>
    onHarness(
      { ...cluster, files: { "access/own.yml": "roles:\n  log_reader: {}\n  log_reader: {}\n" } },
      async ({ run, folder, emulator }) => {
        emulator.replaceState({ ...cluster.state, roles: { ...cluster.state.roles, by_hand: {} } });
        const { code, stdout } = await run("init --url URL --ci github", login);
        expect(code).toBe(3);
        expect(stdout).toContain("Left access/, whose files have errors: what else the cluster has is not taken");
        expect(existsSync(join(folder, "access/rest-of-cluster.yml"))).toBe(false);
        writeFileSync(join(folder, "access/own.yml"), "roles:\n  log_reader: { cluster_permissions: [x] }\n");
        const again = await run("init --ci github", login);
        expect(again.stdout).toMatch(
          /Without its(?: |\n {2}# )line, .*\n(?: {2}# .*\n)? {2}npx --no -- gate-sync export \\\n {4}--only roles\/by_hand \\\n {4}--only roles\/log_reader \\\n/,
        );
        commitAll(folder);
        expect((await run("export --target prod --update", login)).code).toBe(0);
        expect((await run("plan --detailed-exitcode", login)).code).toBe(0);
      },
    ));

  test("again about another server is refused", () =>
    onHarness({ ...cluster }, async ({ run, folder, url }) => {
      await run("init --url URL", login);
      const before = listFiles(folder);
      const { code, stderr } = await run("init --url http://127.0.0.1:1", login);
      expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining("names another server") });
      expect(listFiles(folder)).toEqual(before);
      expect((await run(`init --url ${url}/`, login)).code).toBe(0);
    }));

  test("adds no second target, and says how one is added", ({ expect }) =>
    onHarness(cluster, async ({ run, folder, url }) => {
      expect((await run("init --url URL", login)).code).toBe(0);
      const before = listFiles(folder);
      const { code, stderr } = await run("init --name stage --url URL", login);
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringMatching(
          /no target "stage".*under targets.*gate-sync export --target stage --out access-stage/,
        ),
      });
      expect(listFiles(folder)).toEqual(before);
      const second = `  stage: { url: "${url}", product: opensearch, state: [access-stage] }\n`;
      appendFileSync(join(folder, "gate-sync.yaml"), second);
      expect((await run("export --target stage --out access-stage", login)).code).toBe(0);
      for (const name of ["prod", "stage"])
        expect((await run(`plan --detailed-exitcode --target ${name}`, login)).code).toBe(0);
    }));

  test("a plan in a folder below names the gate-sync.yaml of the one above", () =>
    onHarness(
      {
        files: {
          ".git/x": "",
          "gate-sync.yaml": "targets: { prod: { state: [a.yml] } }\n",
          "sub/below/x": "",
          "own/gate-sync.yaml": "targets: { prod: {} }\n",
        },
      },
      async ({ folder }) => {
        const plan = async (below: string) =>
          (await gateSyncWithin(["plan", "--color", "never"], { cwd: join(folder, below), env: {} })).stderr;
        expect(await plan("sub/below")).toMatch(
          /no gate-sync\.yaml in this folder\. There is \.\.\/\.\.\/gate-sync\.yaml\./,
        );
        expect(await plan("own")).toContain("Nothing says which files to read.");
      },
    ));

  test("refers to the password by the variable or file that holds it", ({ expect }) =>
    onHarness({ ...cluster, files: { "pw.txt": "bind-Tuesday-42" } }, async ({ run, folder }) => {
      const env = { CI_PASSWORD: "bind-Tuesday-42" };
      const read = () => parse(readFileSync(join(folder, "gate-sync.yaml"), "utf8")).targets.prod.auth;
      expect((await run("init --url URL --username ci --password-env CI_PASSWORD", env)).code).toBe(0);
      expect(read()).toEqual({ username: "ci", password: "${env:CI_PASSWORD}" });
      expect((await run("plan --detailed-exitcode", env)).code).toBe(0);
    }));

  test.for([
    ["no server", "init", 64, "No server is named."],
    ["a dead one", "init --url http://127.0.0.1:1", 1, "Nothing listens"],
    ["a wrong login", "init --url URL --username other", 1, "Correct GATE_SYNC_USERNAME"],
    ["a folder with files", "init --url URL --out full", 64, "The folder full is not empty."],
    ["a name that is none", "init --url URL --name ../x", 64, "--name"],
    ["a name that no tag can have", "init --url URL --name x.lock", 64, "--name"],
    ["another one", "init --url URL --name a..b", 64, "--name"],
  ] as const)("writes nothing with %s", ([, line, exit, what], { expect }) =>
    onHarness({ ...cluster, files: { "full/x": "" } }, async ({ run, folder }) => {
      const { code, stderr } = await run(line, login);
      expect({ code, stderr }).toEqual({ code: exit, stderr: expect.stringContaining(what) });
      expect(existsSync(join(folder, "gate-sync.yaml"))).toBe(false);
      expect(Object.keys(listFiles(folder))).toEqual(["full/x"]);
    }),
  );

  test.each([
    ["--out ../elsewhere", "is outside of the repository"],
    ["--out linked/access", "is outside of the repository"],
    ["--out .gate-sync/access", "is where gate-sync keeps the records"],
    ["--out sub/access --ci github", "not the top of the git work tree", "sub"],
  ])("%s is refused, and nothing is written", (words, message, below = ".") =>
    onHarness({ ...cluster, files: { "repo/sub/x": "", "repo/.git/x": "", "out/x": "" } }, async ({ folder, url }) => {
      symlinkSync("../out", join(folder, "repo/linked"));
      const before = listFiles(folder);
      const cwd = join(folder, "repo", below);
      const { code, stderr } = await gateSyncWithin(["init", "--url", url, ...words.split(" ")], { cwd, env: login });
      expect({ code, stderr: stderr.replace(/\s+/g, " ") }).toEqual({
        code: 64,
        stderr: expect.stringContaining(message),
      });
      expect(listFiles(folder)).toEqual(before);
    }),
  );

  test("leaves what a link leads out of the folder for, and says so", () =>
    onHarness({ ...cluster, files: { "repo/x": "", "out/x": "" } }, async ({ folder, url }) => {
      for (const name of [".github", ".gitignore"]) symlinkSync("../out", join(folder, "repo", name));
      const words = ["init", "--url", url, "--ci", "github"];
      const { code, stdout } = await gateSyncWithin(words, { cwd: join(folder, "repo"), env: login });
      expect(code).toBe(0);
      expect(stdout).toMatch(/Left \.gitignore, which is no file of its own/);
      expect(stdout).toMatch(/Left \.github\/workflows\/access\.yml: a link leads out of this folder/);
      expect(readdirSync(join(folder, "out"))).toEqual(["x"]);
    }));

  test("says in JSON what it did", ({ expect }) =>
    onHarness(cluster, async ({ run }) => {
      const { stdout } = await run("init --url URL --format json", login);
      expect(JSON.parse(stdout)).toEqual({
        format_version: 1,
        target: "prod",
        written: ["access/", "gate-sync.yaml", ".gitignore"],
        left: [expect.stringContaining("settings for editors")],
        notes: [],
        in_sync: true,
        next: [
          "git init -b main",
          "git add access/ gate-sync.yaml .gitignore",
          "npx --no -- gate-sync plan --target prod",
          "npx --no -- gate-sync apply --target prod",
        ],
        project: [],
      });
    }));
});
