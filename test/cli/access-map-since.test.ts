// What has changed since a commit or a snapshot, as a plan between the two would say it.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Files } from "../support/command.ts";
import { createAjv, readSchema } from "../support/schemas.ts";
import { type Harness, onHarness } from "./harness.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: access map --since of a commit is not tested.");

const reads = '["indices:data/read/*"]';
const role = (more: string) =>
  `roles: { r: { index_permissions: [${more}] } }\nrole_mappings: { r: { users: [ana] } }\n`;
const grant = (patterns: string, more = `allowed_actions: ${reads}`) => `{ index_patterns: [${patterns}], ${more} }`;
const dls = (dept: string) => `allowed_actions: ${reads}, dls: '{"term": {"dept": "${dept}"}}'`;
const before: Files = { "access/state.yml": role(grant("'hr-*', 'shop-*'", dls("hr"))) };
const after: Files = { "access/state.yml": role(`${grant("'hr-*'", dls("people"))}, ${grant("'logs-*'")}`) };
const path = { PATH: process.env.PATH ?? "" };

function git(folder: string, ...words: readonly string[]): string {
  const author = ["-c", "user.name=Ann Lee", "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"];
  const env = { ...path, HOME: "/nonexistent" };
  return execFileSync("git", [...author, ...words], { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** A repository with `was` as the commit `reviewed`, and `now` as the one after it. */
function onHistory(was: Files, now: Files, work: (harness: Harness) => Promise<void>): Promise<void> {
  return onHarness({ files: was }, async (harness) => {
    const { folder } = harness;
    git(folder, "init", "-q", "-b", "main");
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "-m", "first");
    git(folder, "tag", "reviewed");
    for (const name of Object.keys(was)) rmSync(join(folder, name));
    write(folder, now);
    git(folder, "add", "-A");
    git(folder, "commit", "-q", "--allow-empty", "-m", "Read\tthe logs");
    await work(harness);
  });
}

const source = "--state access --product gate --release 7.x-43.0.0";

async function listChanges({ run }: Harness, since: string, state = source): Promise<readonly string[]> {
  const { code, stdout, stderr } = await run(`access map ${state} --since ${since} --format csv`, path);
  expect([code, stderr]).toEqual([0, ""]);
  const [head, ...lines] = stdout.trimEnd().split("\r\n");
  expect(head).toBe("principals,change,what,granted_by");
  return lines;
}

describe.skipIf(!hasGit)("since a commit", () => {
  test("says who gained and lost what, by what, and which commits changed the files", () =>
    onHistory(before, after, async (harness) => {
      const lines = await listChanges(harness, "reviewed");
      expect(lines).toContainEqual(expect.stringMatching(/^user ana,gained,"?read logs-\*.*state\.yml/));
      expect(lines).toContainEqual(expect.stringMatching(/^user ana,lost,"?read shop-\*/));
      expect(lines).toContainEqual(expect.stringMatching(/^user ana,changed,"other documents of hr-\*.*""people""/));
      const { stdout } = await harness.run(`access map ${source} --since reviewed`, path);
      expect(stdout).toMatch(
        /^Access since commit reviewed \([0-9a-f]{7}\)\n\nAccess {11}1 gained, 1 lost, 1 changed\n/,
      );
      expect(stdout).toMatch(
        /\nCommits since then that changed these files:\n {2}[0-9a-f]{7} {2}\d{4}-\d\d-\d\d {2}Ann Lee: Read\\tthe logs\n/,
      );
    }));

  test("names authors as they are called, whatever git is to write in", () =>
    onHistory(before, after, async ({ run, folder }) => {
      git(folder, "commit", "-q", "--amend", "--author", "Zoë <z@x>", "-m", "Größe");
      for (const encoding of ["UTF-16", "latin1"]) {
        git(folder, "config", "i18n.logOutputEncoding", encoding);
        const { stdout } = await run(`access map ${source} --since reviewed`, path);
        expect(stdout).toContain("Zoë: Größe\n");
      }
    }));

  test("says it in each format", () =>
    onHistory(before, after, async ({ run, folder }) => {
      const words = `access map ${source} --since reviewed --format json --format html=a.html --format markdown=a.md`;
      const json = JSON.parse((await run(words, path)).stdout);
      expect(createAjv({ isStrict: false }).validate(readSchema("access"), json)).toBe(true);
      expect([json.kind, json.as_now, json.access.statements.length, json.commits]).toEqual([
        "access-since",
        [],
        1,
        [expect.objectContaining({ author: "Ann Lee", subject: "Read\tthe logs" })],
      ]);
      expect(readFileSync(join(folder, "a.html"), "utf8")).toContain("nothing → read");
      expect(readFileSync(join(folder, "a.md"), "utf8")).toContain("Access: **1 gained, 1 lost, 1 changed**");
    }));

  test("nothing has changed since the commit of today", () =>
    onHistory(before, after, async (harness) => {
      expect(await listChanges(harness, "HEAD")).toEqual([]);
      const { stdout } = await harness.run(`access map ${source} --since HEAD`, path);
      expect(stdout).toContain("\nAccess           no change\n");
      expect(stdout).not.toContain("Commits since then");
    }));

  const manage = (...actions: readonly string[]) =>
    `allowed_actions: [${actions.map((one) => `"indices:admin/${one}"`).join(", ")}]`;
  const exclude = (patterns: string) =>
    `roles: { r: { index_permissions: [${grant("'a-*'")}], exclude_index_permissions: [{ index_patterns: [${patterns}], actions: ["*"] }] } }\nrole_mappings: { r: { users: [ana] } }\n`;

  test.each<[string, string, string, RegExp]>([
    [
      "where a narrower pattern keeps its query",
      role(`${grant("'l*'", dls("x"))}, ${grant("'la*'", dls("x"))}`),
      role(`${grant("'l*'")}, ${grant("'la*'", dls("x"))}`),
      /^user ana,(gained|changed),.*l\*/,
    ],
    [
      "of another request of the same kind",
      role(grant("'a-*'", manage("create"))),
      role(grant("'a-*'", manage("create", "delete"))),
      /^user ana,gained,.*a-\*/,
    ],
    ["that an exclusion takes away", exclude("a-1"), exclude("a-1, a-2"), /^user ana,lost,.*a-2/],
  ])("finds a change %s", (_, was, now, expected) =>
    onHistory({ "access/state.yml": was }, { "access/state.yml": now }, async (harness) => {
      expect(await listChanges(harness, "reviewed")).toContainEqual(expect.stringMatching(expected));
    }),
  );

  test("reads the files of then as gate-sync.yaml of then says: its variables, and where they were", () => {
    const config = (state: string, team: string) =>
      `targets: { prod: { product: gate, release: 7.x-43.0.0, state: [${state}], vars_files: [${team}.yaml] } }\n`;
    const text = role(grant("'${var:TEAM}-*'"));
    return onHistory(
      { "gate-sync.yaml": config("old/", "hr"), "old/state.yml": text, "hr.yaml": "TEAM: hr\n" },
      { "gate-sync.yaml": config("new/", "pay"), "new/state.yml": text, "pay.yaml": "TEAM: pay\n" },
      async (harness) => {
        const lines = await listChanges(harness, "reviewed", "");
        expect(lines.map((line) => line.split(",").slice(0, 3).join(" "))).toEqual([
          expect.stringMatching(/^"?user ana lost .*hr-\*/),
          expect.stringMatching(/^"?user ana gained .*pay-\*/),
        ]);
      },
    );
  });

  const withVars = (path: string, folder = "") => ({
    "gate-sync.yaml": `defaults: { product: gate, release: 7.x-43.0.0, state: ["\${var:STATE:-access}/"], vars_files: ["${folder}${path}"] }\n`,
    "access/state.yml": role(grant("'${var:TEAM}-*'")),
  });

  test("follows a link to a file of variables, and finds one by its whole path", () =>
    onHistory({ ...withVars("vars.yaml"), "hr.yaml": "TEAM: hr\n" }, {}, async (harness) => {
      const { folder } = harness;
      symlinkSync("hr.yaml", join(folder, "vars.yaml"));
      write(folder, { ...withVars("vars.yaml", `${folder}/`), "hr.yaml": "TEAM: hr\n" });
      git(folder, "add", "-A");
      git(folder, "commit", "-q", "-m", "linked");
      write(folder, { "hr.yaml": "TEAM: pay\n" });
      const lines = await listChanges(harness, "HEAD", "");
      expect(lines.map((line) => line.split(",").slice(0, 3).join(" "))).toEqual([
        expect.stringMatching(/^"?user ana lost .*hr-\*/),
        expect.stringMatching(/^"?user ana gained .*pay-\*/),
      ]);
    }));

  test("says of what commit a file of variables has errors", () =>
    onHistory(
      { ...withVars("vars.yaml"), "vars.yaml": "TEAM: [\n" },
      { ...withVars("vars.yaml"), "vars.yaml": "TEAM: hr\n" },
      async ({ run }) => {
        const { code, stdout } = await run("access map --since reviewed --format json", path);
        const { error, diagnostics } = JSON.parse(stdout);
        expect([code, error.what, diagnostics[0].path]).toEqual([
          3,
          expect.stringMatching(/^gate-sync\.yaml or a file of its variables has errors at commit reviewed/),
          "vars.yaml",
        ]);
      },
    ));

  test.each([
    ["nowhere", 'no commit "nowhere"'],
    ["reviewed", "hold no files"],
    ["live.json", "is a file, and files are compared with those of a commit"],
  ])("refuses %s where it is no such state", (name, expected) =>
    onHistory({ "other.txt": "x" }, { ...after, "live.json": "{}" }, async ({ run }) => {
      const { code, stdout, stderr } = await run(`access map ${source} --since ${name}`, path);
      expect([code, stdout]).toEqual([64, ""]);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(expected);
    }),
  );
});

test("since a snapshot of the server; a commit says nothing of one", () =>
  onHarness({ files: before }, async (harness) => {
    const { run, folder } = harness;
    const ofServer = "--server --url URL";
    await run("apply --yes --url URL access");
    await run("export --url URL --snapshot then.json");
    expect(await listChanges(harness, "then.json", ofServer)).toEqual([]);
    write(folder, after);
    expect((await run("apply --yes --url URL access --allow changes --allow order")).code).toBe(0);
    const lines = await listChanges(harness, "then.json", ofServer);
    expect(lines.map((line) => line.split(",")[1]).sort()).toEqual(["changed", "gained", "lost"]);
    const { code, stderr } = await run(`access map ${ofServer} --since HEAD`);
    expect([code, stderr]).toEqual([64, expect.stringContaining("There is no snapshot and no backup HEAD.")]);
  }));
