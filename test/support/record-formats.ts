// node test/support/record-formats.ts FOLDER (Node 24 or later): what every command prints in every format, for each
// scenario of test/cases and two richer folders of examples, one file each. Of two versions of the program, diff -r says
// whether a change of the code is one that users see.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { type EmulatorRequest, emulate } from "../../src/engine/emulate.ts";
import { gateSyncWithin, type Place } from "./command.ts";

interface Folder {
  readonly name: string;
  readonly repo: string;
  readonly live?: string;
  readonly server: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string>>;
}

const text = ["text", "text --full", "text --verbose", "text --color always"];
const machines = ["json", "junit", "sarif", "code-quality", "github", "dotenv"];
/** Command lines, and the formats that each has beside text. */
const commands: Readonly<Record<string, readonly string[]>> = {
  validate: machines,
  plan: [...machines, "markdown", "html"],
  "plan --all-targets": ["json", "junit", "github", "markdown", "html"],
  "plan --live snapshot.json": ["json", "markdown", "html"],
  drift: [...machines, "markdown", "html"],
  "drift --all-targets": ["json", "junit", "github", "markdown", "html"],
  test: [...machines, "html"],
  "test --server": ["json", "junit", "html"],
  "access map": ["json", "csv", "markdown", "html"],
  "access map --server": ["json", "csv", "markdown", "html"],
  "access who-can search logs-2024": ["json"],
  "access who-can --server write logs-2024": ["json"],
  "access what-can --backend-role hr": ["json"],
  "access what-can --backend-role payments --server": ["json"],
  "access can-i search hr-2024 --backend-role hr": ["json"],
  "access can-i write payments-1 --backend-role payments --server": ["json"],
  "convert --to opensearch-2.19 --out OUT": ["json", "markdown"],
  "diff-targets dev prod": ["json", "markdown"],
  doctor: ["json"],
  targets: ["json"],
  guards: ["json"],
  "explain wildcard": ["json"],
  "export --out OUT": ["json"],
  "export --snapshot OUT.json": ["json"],
  "apply --yes": ["json", "github"],
  "apply --yes --all-targets": ["json", "github"],
  status: ["json"],
  "rollback --yes": ["json"],
};
const changing = new Set(["apply --yes", "apply --yes --all-targets", "rollback --yes", "status"]);

const root = fileURLToPath(new URL("../..", import.meta.url));
const out = resolve(process.argv[2] ?? "recorded-formats");
for (const folder of listFolders()) await record(folder);

function listFolders(): readonly Folder[] {
  const cases = join(root, "test/cases");
  const scenarios = readdirSync(cases, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }): Folder => {
      const { server = {}, env = {} } = parse(readFileSync(join(cases, name, "case.yaml"), "utf8"));
      return { name, repo: join(cases, name, "repo"), live: join(cases, name, "live.yml"), server, env };
    });
  const examples = join(root, "examples");
  return [
    ...scenarios,
    {
      name: "access-review",
      repo: join(examples, "access-review"),
      live: join(examples, "access-review/live.yml"),
      server: {},
      env: {},
    },
    {
      name: "fleet",
      repo: join(examples, "fleet"),
      server: { product: "opensearch", release: "2.19" },
      env: { FLEET_PASSWORD: "secret of the fleet" },
    },
    {
      name: "demo",
      repo: join(examples, "quickstart"),
      live: join(examples, "demo/live.yml"),
      server: {},
      env: {},
    },
  ];
}

/** Commands that change the server come last, each followed by `status`, which says what they did. */
async function record(folder: Folder): Promise<void> {
  for (const format of [...text, "json", "github"]) {
    const steps = Object.entries(commands).filter(([command]) => changing.has(command));
    await withServer(folder, async (place, show) => {
      for (const [command, formats] of steps)
        if (format.startsWith("text") || formats.includes(format)) await play(folder, command, format, place, show);
    });
  }
  await withServer(folder, async (place, show) => {
    await gateSyncWithin(["export", "--snapshot", "snapshot.json"], place);
    for (const [command, formats] of Object.entries(commands))
      if (!changing.has(command))
        for (const format of [...text, ...formats]) await play(folder, command, format, place, show);
  });
}

async function play(
  { name }: Folder,
  command: string,
  format: string,
  place: Place,
  show: (text: string) => string,
): Promise<void> {
  const file = `${command} ${format}`.replaceAll(/[^\w.-]+/g, "_");
  const args = [...command.replace("OUT", file).split(" "), "--format", ...format.split(" ")];
  const { code, stdout, stderr } = await gateSyncWithin(args, place);
  mkdirSync(join(out, name), { recursive: true });
  writeFileSync(join(out, name, file), show(`exit ${code}\n--- stdout\n${stdout}\n--- stderr\n${stderr}`));
}

async function withServer(
  { repo, live, server, env }: Folder,
  use: (place: Place, show: (text: string) => string) => Promise<void>,
): Promise<void> {
  const cwd = mkdtempSync(join(tmpdir(), "gate-sync-formats-"));
  const { product = "gate", release, ...options } = server;
  const statePaths = live !== undefined && existsSync(live) ? [live] : [];
  const request = { cwd, env, flags: { product, statePaths, ...(release !== undefined && { release }) } };
  const emulator = await emulate(request as Parameters<typeof emulate>[0], {
    port: 0,
    allowConfigModification: false,
    users: [],
    ...(options as Partial<EmulatorRequest>),
  });
  const { port } = new URL(emulator.url);
  const show = (written: string): string =>
    written
      .replaceAll(cwd, "FOLDER")
      .replaceAll(port, "19200")
      .replaceAll(/\d{8}T\d{6}\.\d{3}Z/g, "DATE")
      .replaceAll(/\b[\da-f]{12,16}:\d+|(?<=run"?:? "?)[\da-f]{8}\b/g, "HASH")
      .replaceAll(/"milliseconds": [\d.]+/g, '"milliseconds": 0')
      .replaceAll(/\d{4}-\d\d-\d\d([T ]\d\d[:-]\d\d([:-]\d\d(\.\d+)?)?Z?)?/g, "DATE")
      .replaceAll(/\b\d+(\.\d+)? m?s\b/g, "0 ms");
  try {
    cpSync(repo, cwd, { recursive: true });
    if (live !== undefined && existsSync(live)) cpSync(live, join(cwd, "live.yml"));
    replaceIn(join(cwd, "gate-sync.yaml"), (written) =>
      written
        .replaceAll(/127\.0\.0\.1:(19200|9200)/g, `127.0.0.1:${port}`)
        .replace(/^waves.*$/m, "")
        .replace(/^allowed_hosts.*$/m, "allowed_hosts: [127.0.0.1]"),
    );
    // Of the clusters of the fleet three are there, and one cannot be reached.
    replaceIn(join(cwd, "clusters.json"), () => JSON.stringify(listClusters(port)));
    await use({ cwd, env }, show);
  } finally {
    await emulator.close();
    rmSync(cwd, { recursive: true, force: true });
  }
}

function listClusters(port: string): Readonly<Record<string, { readonly url: string; readonly vars: object }>> {
  const at = (environment: string, reached = port) => ({
    url: `http://127.0.0.1:${reached}`,
    vars: { environment },
  });
  return { dev: at("dev"), stage: at("stage"), prod: at("prod"), lost: at("prod", "1") };
}

function replaceIn(file: string, change: (text: string) => string): void {
  if (existsSync(file)) writeFileSync(file, change(readFileSync(file, "utf8")));
}
