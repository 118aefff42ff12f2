// What has changed since a commit, a snapshot or the backup of a run, first in the map.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Harness, onHarness } from "./harness.ts";

const hasGit = spawnSync("git", ["--version"]).status === 0;
if (!hasGit) console.warn("git is not installed: access map --since of a commit is not tested.");

const mappings = `role_mappings:
  hr_reader: { backend_roles: [hr, staff] }
  shop: { users: [bot] }
`;
const roles = (dept: string, patterns: string) => `roles:
  hr_reader:
    index_permissions:
      - { index_patterns: ["hr-*"], allowed_actions: ["indices:data/read/*"], dls: '{"term": {"dept": "${dept}"}}' }
  shop: { index_permissions: [{ index_patterns: [${patterns}], allowed_actions: ["indices:data/read/*"] }] }
`;
const before = { "access/roles.yml": roles("hr", "shop-*, orders-*"), "access/mappings.yml": mappings };
const source = "--state access --product gate --release 7.x-43.0.0";

function git(folder: string, name: string, ...words: readonly string[]): string {
  const author = ["-c", `user.name=${name}`, "-c", "user.email=a@b.example", "-c", "commit.gpgsign=false"];
  const env = { PATH: process.env.PATH, HOME: "/nonexistent" };
  return execFileSync("git", [...author, ...words], { cwd: folder, encoding: "utf8", env, stdio: "pipe" }).trim();
}

/** Another query, another pattern, one principal less and one more. */
function change(folder: string): void {
  writeFileSync(join(folder, "access/roles.yml"), roles("people", "shop-*, billing-*"));
  writeFileSync(join(folder, "access/mappings.yml"), mappings.replace("staff", "interns"));
}

type Row = readonly [principal: string, on: string, change: string, before: string, after: string, author: string];

async function listChanges({ run }: Harness, since: string, state = source): Promise<readonly Row[]> {
  const env = { PATH: process.env.PATH ?? "" };
  const { code, stdout, stderr } = await run(`access map ${state} --since ${since} --format csv`, env);
  expect([code, stderr]).toEqual([0, ""]);
  const [head, ...lines] = stdout.trimEnd().split("\r\n");
  expect(head).toBe("principal,kind,on,change,before,after,last_changed_by,commit");
  return lines.map((line) => {
    const [who = "", , on = "", kind = "", was = "", is = "", author = ""] = line.split(",");
    return [who, on, kind, was, is, author] as const;
  });
}

/** Of principals with two names only the first is looked at: the commit has both lines. */
const expected = (author: string): readonly Row[] => [
  ["user bot", "billing-*", "gained", "", "read", author],
  ["user bot", "orders-*", "lost", "read", "", ""],
  ["backend role hr", "hr-*", "other", "restricted read", "restricted read", author],
  ["backend role interns", "hr-*", "gained", "", "restricted read", author],
  ["backend role staff", "hr-*", "lost", "restricted read", "", ""],
];

describe.skipIf(!hasGit)("since a commit", () => {
  const onRepository = (work: (harness: Harness) => Promise<void>) =>
    onHarness({ files: before }, async (harness) => {
      const { folder } = harness;
      git(folder, "Ann", "init", "-q", "-b", "main");
      git(folder, "Ann", "add", "-A");
      git(folder, "Ann", "commit", "-q", "-m", "x", "--date=2026-01-01T00:00:00Z");
      git(folder, "Ann", "tag", "reviewed");
      await work(harness);
    });

  test("each cell that differs is listed once, with who changed its lines last", () =>
    onRepository(async (harness) => {
      change(harness.folder);
      git(harness.folder, "Bob", "commit", "-qam", "y");
      expect(await listChanges(harness, "reviewed")).toEqual(expected("Bob"));
      const { stdout } = await harness.run(`access map ${source} --since reviewed`, { PATH: process.env.PATH ?? "" });
      expect(stdout).toMatch(/^4 principals differ since commit reviewed \([0-9a-f]{7}\)\.\n/);
      expect(stdout).toContain("  ~ hr-*: restricted read, of other documents or fields\n");
      expect(stdout).toMatch(/ {2}- orders-\*: read -> nothing\n {6}was by mapping shop/);
    }));

  test("nothing differs since the commit of today, and lines that are not committed have no author", () =>
    onRepository(async (harness) => {
      expect(await listChanges(harness, "HEAD")).toEqual([]);
      change(harness.folder);
      expect(await listChanges(harness, "reviewed")).toEqual(expected(""));
    }));

  test("what names no commit is refused, and says what the flag takes", () =>
    onRepository(async ({ run }) => {
      const { code, stdout, stderr } = await run(`access map ${source} --since nowhere`, {
        PATH: process.env.PATH ?? "",
      });
      expect([code, stdout]).toEqual([64, ""]);
      expect(stderr).toContain('no commit "nowhere"');
      expect(stderr).toContain("--since");
    }));
});

const ofServer = "--server --url URL";

test("since a snapshot of the server", () =>
  onHarness({ files: before }, async (harness) => {
    const { run, folder } = harness;
    await run("apply --yes --url URL access");
    await run("export --url URL --snapshot then.json");
    expect(await listChanges(harness, "then.json", ofServer)).toEqual([]);
    change(folder);
    expect(await run("apply --yes --url URL access --allow changes --allow order")).toMatchObject({ code: 0 });
    expect(await listChanges(harness, "then.json", ofServer)).toEqual(expected(""));
    const { stdout } = await run(`access map ${ofServer} --since then.json --format html=map.html --format json`);
    expect(JSON.parse(stdout).changes.differences).toHaveLength(5);
    expect(readFileSync(join(folder, "map.html"), "utf8")).toContain(
      "4 principals differ since the snapshot then.json.",
    );
  }));

test("since the backup of a run, where it has roles and mappings; else it is refused", () =>
  onHarness({ files: before }, async (harness) => {
    const { run, folder } = harness;
    await run("apply --yes --url URL access");
    change(folder);
    await run("apply --yes --url URL access --allow changes --allow order");
    const backups = () =>
      readdirSync(join(folder, ".gate-sync/backups"))
        .filter((name) => !name.startsWith("."))
        .sort();
    const changes = await listChanges(harness, backups().at(-1) ?? "", ofServer);
    expect(changes.filter(([who]) => !/admin|kibana|readall|snapshot/.test(who))).toEqual(expected(""));
    writeFileSync(join(folder, "access/roles.yml"), roles("people", "shop-*"));
    await run("apply --yes --url URL access");
    const { code, stderr } = await run(`access map ${ofServer} --since ${backups().at(-1)}`);
    expect([code, stderr.split("\n")[0]]).toEqual([64, expect.stringMatching(/has no role_mappings\./)]);
  }));
