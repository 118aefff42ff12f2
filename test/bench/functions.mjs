// How much code a small plan runs: the functions of the modules of src that `gate-sync plan` calls for a one-field change of
// examples/quickstart, by V8's precise coverage. Prints functions and files; --list prints each.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Inside of the repository, where #validators and the dependencies are found.
const built = join(root, ".generated/functions");
mkdirSync(built, { recursive: true });
const bundle = join(built, "main.mjs");
// One file, in which the path of each module is written before its code.
await build({
  cwd: root,
  input: "src/main.ts",
  platform: "node",
  external: Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies),
  treeshake: { moduleSideEffects: false },
  transform: { define: { GATE_SYNC_VERSION: '"0.0.0"' } },
  output: { file: bundle, format: "esm", codeSplitting: false },
});

const folder = mkdtempSync(join(tmpdir(), "gate-sync-functions-"));
cpSync(join(root, "examples/quickstart"), folder, { recursive: true });
const coverage = join(folder, "coverage");
const emulator = spawn(process.execPath, [bundle, "emulator", "--port", "0", "--format", "json", "access/"], {
  cwd: folder,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const { url } = JSON.parse(await firstLine(emulator.stdout));
  const roles = join(folder, "access/roles.yml");
  const before = readFileSync(roles, "utf8");
  const after = before.replace("roles:\n", "roles:\n  unused:\n    cluster_permissions: [cluster:monitor/main]\n");
  if (after === before) throw new Error("The quickstart has no roles to change.");
  writeFileSync(roles, after);
  run("apply", "--yes", "--url", url, "access/");
  writeFileSync(roles, after.replace("[cluster:monitor/main]", "[cluster:monitor/health]"));
  run("--version");
  const plan = run("plan", "--url", url, "access/");
  if (!plan.includes("1 to change, in 1 request.")) throw new Error(`Not a plan of one change:\n${plan}`);
} finally {
  emulator.kill();
}

// What runs as modules are loaded is no part of a plan: --version loads them all, and does nothing.
const [loaded, called] = [callsOf("--version"), callsOf("plan")];
const files = new Map();
for (const [name, { file, calls }] of called) {
  if (calls <= (loaded.get(name)?.calls ?? 0)) continue;
  files.set(file, (files.get(file) ?? new Set()).add(name.replace(/@.*/, "")));
}
const total = [...files.values()].reduce((sum, names) => sum + names.size, 0);
if (process.argv.includes("--list"))
  for (const [file, names] of [...files].sort()) console.log(`${file}: ${[...names].sort().join(", ")}`);
console.log(`plan of a one-field change: ${total} functions in ${files.size} files`);
rmSync(folder, { recursive: true, force: true });
rmSync(built, { recursive: true, force: true });

function run(...args) {
  return execFileSync(process.execPath, [bundle, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NODE_V8_COVERAGE: join(coverage, args[0]) },
  });
}

/** How often each function was called by one command, by its name and place in the bundle. */
function callsOf(command) {
  const [name] = readdirSync(join(coverage, command));
  const { result } = JSON.parse(readFileSync(join(coverage, command, name), "utf8"));
  const { functions } = result.find((script) => script.url.endsWith("/functions/main.mjs"));
  const source = readFileSync(bundle, "utf8");
  const starts = [...source.matchAll(/^\/\/ (src\/\S+\.ts)$/gm)].map((match) => ({ at: match.index, file: match[1] }));
  const found = functions.flatMap(({ functionName, ranges: [range] }) => {
    // Functions of a module: those inside of others are part of these.
    const isTopLevel = source[range.startOffset - 1] === "\n" && functionName !== "";
    const place = isTopLevel ? starts.findLast(({ at }) => at <= range.startOffset) : undefined;
    return place ? [[`${functionName}@${range.startOffset}`, { file: place.file, calls: range.count }]] : [];
  });
  return new Map(found);
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The emulator said nothing.");
}
