// The map of a whole state: of files, a server and a snapshot, in each format, and held against can-i.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onHarness } from "./harness.ts";

const state = `roles:
  hr_reader:
    index_permissions:
      - { index_patterns: ["hr-*"], allowed_actions: ["indices:data/read/*"], dls: '{"term": {"dept": "hr"}}' }
      - { index_patterns: ["shop", "@team-*", "other:logs-*"], allowed_actions: ["*"] }
  idle: { index_permissions: [{ index_patterns: ["never-*"], allowed_actions: ["*"] }] }
role_mappings:
  hr_reader: { users: ["=cmd"], backend_roles: [hr, staff] }
blocks: {}
tenants: { board: { description: d } }
`;
const files = { "access/state.yml": state };
const source = "--state access --product gate --release 7.x-43.0.0";

test("principals with equal access are one, and what is read is marked as restricted", () =>
  onHarness({ files }, async ({ run }) => {
    const { code, stdout, stderr } = await run(`access map ${source}`);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("\nuser =cmd, backend role hr, backend role staff\n");
    expect(stdout).toContain("\n  restricted read: hr-*\n");
    expect(stdout).toContain("\n  manage without write: @team-*, shop\n");
    expect(stdout).toContain("other:logs-*");
    expect(stdout).toMatch(/Roles that no principal has: \d+ \([^)]*idle/);
    expect(stdout).not.toContain("never-*");
  }));

test("CSV has a line for each level, and no cell that a spreadsheet would evaluate", () =>
  onHarness({ files }, async ({ run }) => {
    const { stdout } = await run(`access map ${source} --format csv`);
    const [head, ...lines] = stdout.trimEnd().split("\r\n");
    expect(head).toBe("principal,kind,on,level,verdict,restricted,request,granted_by");
    expect(lines).toContainEqual(expect.stringMatching(/^backend role hr,index,hr-\*,read,yes,yes,search,.*hr_reader/));
    expect(lines).toContainEqual(expect.stringMatching(/^backend role hr,index,'@team-\*,manage,yes,/));
    expect(lines.filter((line) => /(^|,)"?[=+@]/.test(line))).toEqual([]);
  }));

test("names read as what they are: a pattern with a comma is one, and nothing invisible is in a cell", () => {
  const hostile = `roles:
  "r, all_access": { index_permissions: [{ index_patterns: ["a-*, pay-*", "x\\e[1m\\ny", "＝cmd"], allowed_actions: ["*"] }] }
role_mappings: { "r, all_access": { users: [ana] } }
`;
  return onHarness({ files: { "access/state.yml": hostile } }, async ({ run }) => {
    const text = (await run(`access map ${source}`)).stdout;
    expect(text).toMatch(/"a-\*, pay-\*"/);
    const csv = (await run(`access map ${source} --format csv`)).stdout;
    expect(csv).toContain("user ana,index,x\\u001b[1m\\ny,manage,");
    expect(csv).toContain("user ana,index,'＝cmd,manage,");
  });
});

test("several formats are of one reading; Markdown has names as code, and built-in roles are counted alone", () =>
  onHarness({ files }, async ({ run, folder }) => {
    const { code, stdout } = await run(
      `access map ${source} --format markdown --format html=map.html --format csv=map.csv`,
    );
    expect(code).toBe(0);
    expect(stdout).toContain("\n## `user =cmd`, `backend role hr`, `backend role staff`\n\n");
    expect(stdout).toContain("\n* restricted read: `hr-*`\n");
    expect(stdout).toContain("Roles that no principal has: 1 (idle).");
    expect(readFileSync(join(folder, "map.html"), "utf8")).toContain("restricted read");
    expect(readFileSync(join(folder, "map.csv"), "utf8")).toMatch(/^principal,kind,on,/);
    expect((await run(`access map ${source} --format csv=access/state.yml`)).code).toBe(64);
  }));

test("each cell of an index says what can-i says", () =>
  onHarness({ files }, async ({ run }) => {
    const map = JSON.parse((await run(`access map ${source} --format json`)).stdout);
    expect(map.of_other_clusters).toContain("other:logs-*");
    const hr = map.principals.find(({ entry }: { entry?: { entries: string[] } }) => entry?.entries[0] === "hr");
    const cells = hr.cells.filter(({ column }: { column: { kind: string } }) => column.kind === "index");
    expect(cells.length).toBeGreaterThan(1);
    for (const { column, levels } of cells)
      for (const { request, verdict } of levels) {
        const { stdout } = await run(
          `access can-i --backend-role hr ${request} ${column.name} ${source} --format json`,
        );
        expect([column.name, request, JSON.parse(stdout).verdict]).toEqual([column.name, request, verdict]);
      }
  }));

test("a server and a snapshot of it have the same map", () =>
  onHarness({ files }, async ({ run }) => {
    await run("apply --yes --url URL access");
    await run("export --url URL --snapshot live.json");
    const rows = async (from: string) => JSON.parse((await run(`access map ${from} --format json`)).stdout).principals;
    const ofServer = await rows("--server --url URL");
    expect(ofServer.length).toBeGreaterThan(2);
    expect(await rows("--live live.json")).toEqual(ofServer);
  }));

const ingest = `roles:
  ingest:
    cluster_permissions: ["cluster:admin/ingest/*"]
    index_permissions: [{ index_patterns: ["logs-*"], allowed_actions: ["indices:admin/rollover/*"] }]
role_mappings: { ingest: { users: [ana] } }
`;

test("granted actions that no request is known for are named, in the map and by what-can", () =>
  onHarness({ files: { "access/state.yml": ingest } }, async ({ run }) => {
    const { stdout } = await run(`access map ${source}`);
    const words = stdout.replace(/\s+/g, " ");
    expect(words).toContain("Granted, and in no column: cluster:admin/ingest/* (role ingest).");
    expect(words).toContain("Granted, and in no column: indices:admin/rollover/* on logs-* (role ingest).");
    const map = JSON.parse((await run(`access map ${source} --format json`)).stdout);
    expect(map.unknown_grants).toContainEqual({ role: "ingest", actions: ["cluster:admin/ingest/*"] });
    const what = (await run(`access what-can --user ana ${source}`)).stdout.replace(/\s+/g, " ");
    expect(what).toContain("indices:admin/rollover/* on logs-* (role ingest): gate-sync knows no request for it");
    expect(what).toContain("whatever cluster:admin/ingest/* grants");
    const json = JSON.parse((await run(`access what-can --user ana ${source} --format json`)).stdout);
    const grant = { role: "ingest", indices: ["logs-*"], actions: ["indices:admin/rollover/*"] };
    expect(json.unknown_grants).toEqual([grant]);
  }));

test("an index pattern has a colon where it is of another cluster, and in variables", () => {
  const patterns = ["other:logs-${user.name}", "of-${x:-y}", "${attr.internal.dept:-none}-*"];
  const access = {
    roles: { hr: { index_permissions: [{ index_patterns: patterns, allowed_actions: ["indices:data/read/*"] }] } },
    role_mappings: { hr: { users: ["ann"] } },
  };
  return onHarness({ files: { "a.json": JSON.stringify(access) } }, async ({ run }) => {
    const { stdout } = await run("access map --state a.json --product opensearch --release 3.8 --format json");
    const { columns, of_other_clusters } = JSON.parse(stdout);
    expect(columns.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(patterns.slice(1)));
    expect(of_other_clusters).toEqual(patterns.slice(0, 1));
  });
});
