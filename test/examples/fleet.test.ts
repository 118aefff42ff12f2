// examples/fleet on 30 servers: planned, applied in waves past a dead cluster and one that refuses, gone on with, and drifted.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Emulator, startEmulator } from "../../src/emulator/index.ts";
import { gateSyncWithin, inFolder } from "../support/command.ts";
import { isFull } from "../support/extent.ts";

const example = fileURLToPath(new URL("../../examples/fleet/", import.meta.url));

const env = { FLEET_PASSWORD: "s3cret" };
const users = [{ name: "gate-sync", password: env.FLEET_PASSWORD, rights: "all" } as const];

type Inventory = Readonly<Record<string, { url: string }>>;

/** Some of every wave; all of them in CI. */
const few = ["dev-01", "stage-01", "stage-02", "prod-01", "prod-03", "prod-07"];

function startCluster(port?: number): Promise<Emulator> {
  return startEmulator({ product: "opensearch", release: "2.19.1", users, ...(port !== undefined && { port }) });
}

test("its YAML is short", () => {
  const files = readdirSync(example, { recursive: true, encoding: "utf8" }).filter((name) => /\.ya?ml$/.test(name));
  const lines = files.flatMap((name) => readFileSync(join(example, name), "utf8").trimEnd().split("\n"));
  expect(files.length).toBeGreaterThan(4);
  expect(lines.length).toBeLessThan(200);
});

test("plans, applies in waves, goes on where it was stopped, and drifts", { timeout: 120_000 }, () =>
  inFolder({}, async (folder) => {
    cpSync(example, folder, { recursive: true });
    const all = Object.entries(JSON.parse(readFileSync(join(folder, "clusters.json"), "utf8")) as Inventory);
    expect(all.length).toBe(30);
    const listed = Object.fromEntries(isFull ? all : all.filter(([name]) => few.includes(name)));
    const names = Object.keys(listed);
    const of = `${names.length} targets:`;
    const dev = names.filter((name) => name.startsWith("dev-")).length;
    const clusters = new Map<string, Emulator>();
    for (const name of names) clusters.set(name, await startCluster());
    const cluster = (name: string) => clusters.get(name) as Emulator;
    const run = (line: string) => gateSyncWithin(line.split(" "), { cwd: folder, env });
    try {
      for (const [name, target] of Object.entries(listed)) target.url = cluster(name).url;
      writeFileSync(join(folder, "clusters.json"), JSON.stringify(listed));
      const config = readFileSync(join(folder, "gate-sync.yaml"), "utf8");
      writeFileSync(join(folder, "gate-sync.yaml"), config.replace('"*.search.example"', '"127.0.0.1"'));
      const planned = await run("plan --all-targets --detailed-exitcode");
      expect([planned.code, planned.stdout.split("\n")[0]]).toEqual([2, `${of} ${names.length} with changes.`]);
      // What all have in common is shown once, what an environment has to itself beside it.
      expect(planned.stdout.match(/^On all /gm)).toHaveLength(1);
      expect(planned.stdout.match(/\+ 20 tenants alike/g)).toHaveLength(1);
      expect(planned.stdout.replace(/\s+/g, " ")).toContain(
        "access/base/teams.yml:9, generated for access/base/teams.csv:12, overridden in access/prod/restricted.yml:4",
      );

      // One that is dead in the second wave stops all later ones.
      const { port } = new URL(cluster("stage-01").url);
      await cluster("stage-01").close();
      const first = await run("apply --all-targets --yes --quiet");
      expect([first.code, first.stdout.split("\n")[0]]).toEqual([
        1,
        `${of} ${dev} applied, 1 unreachable, ${names.length - dev - 1} not attempted.`,
      ]);

      // It is back; one of the last wave refuses what it is sent.
      clusters.set("stage-01", await startCluster(Number(port)));
      cluster("prod-07").fault = ({ method }) =>
        method === "GET" ? undefined : { at: "before", answer: { status: 403, body: "{}" } };
      const second = await run("apply --all-targets --yes --quiet");
      expect([second.code, second.stdout.split("\n")[0]]).toEqual([
        1,
        `${of} ${dev} in sync, ${names.length - dev - 1} applied, 1 failed.`,
      ]);
      expect(second.stdout).toContain("On prod-07");

      cluster("prod-07").fault = () => undefined;
      const third = await run("apply --all-targets --yes --quiet");
      expect([third.code, third.stdout.split("\n")[0]]).toEqual([0, `${of} ${names.length - 1} in sync, 1 applied.`]);
      expect((await run("drift --all-targets")).code).toBe(0);

      const held = cluster("prod-03").state();
      const mappings = { ...held.role_mappings, finance_reader: { backend_roles: ["finance", "guests"] } };
      cluster("prod-03").replaceState({ ...held, role_mappings: mappings });
      const drifted = await run("drift --all-targets");
      expect([drifted.code, drifted.stdout.split("\n")[0]]).toEqual([
        2,
        `${of} ${names.length - 1} in sync, 1 with drift.`,
      ]);
      expect(drifted.stdout).toContain("guests");
    } finally {
      await Promise.all([...clusters.values()].map((one) => one.close()));
    }
  }),
);
