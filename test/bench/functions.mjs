// How much code a small plan runs: the functions of the modules of src that `gate-sync plan` calls for a one-field change of
// examples/quickstart, by V8's precise coverage. Prints functions and files; --list prints each.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("../..", import.meta.url));
// Inside of the repository, where #validators and the dependencies are found.
const built = join(root, ".generated/functions");
rmSync(built, { recursive: true, force: true });
mkdirSync(built, { recursive: true });
const bundle = join(built, "main.mjs");
await build({
  cwd: root,
  input: "src/main.ts",
  platform: "node",
  external: Object.keys(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).dependencies),
  treeshake: { moduleSideEffects: false },
  transform: { define: { GATE_SYNC_VERSION: '"0.0.0"' } },
  output: {
    dir: built,
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
    format: "esm",
    sourcemap: true,
  },
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
  const plan = run("plan", "--url", url, "access/");
  // What runs as modules are loaded is no part of a plan: another process loads the same ones, and does nothing.
  writeFileSync(
    join(built, "load.mjs"),
    chunksOf("plan")
      .map(({ url }) => (url.endsWith("/main.mjs") ? "" : `import ${JSON.stringify(url)};\n`))
      .join(""),
  );
  runWith(["--import", join(built, "load.mjs")], "--version");
  if (!plan.includes("1 to change, in 1 request.")) throw new Error(`Not a plan of one change:\n${plan}`);
} finally {
  emulator.kill();
}

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
  return runWith([], ...args);
}

/** @param flags of Node */
function runWith(flags, ...args) {
  return execFileSync(process.execPath, [...flags, bundle, ...args], {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, NODE_V8_COVERAGE: join(coverage, args[0]) },
  });
}

/** What V8 reports of each chunk of ours that a command loaded. */
function chunksOf(command) {
  const [name] = readdirSync(join(coverage, command));
  const { result } = JSON.parse(readFileSync(join(coverage, command, name), "utf8"));
  return result.filter(
    ({ url }) => url.startsWith(pathToFileURL(built).href) && existsSync(`${fileURLToPath(url)}.map`),
  );
}

/** How often each function was called by one command, by its name and place in the bundle. */
function callsOf(command) {
  const found = chunksOf(command).flatMap(({ url, functions }) => {
    const file = fileURLToPath(url);
    const source = readFileSync(file, "utf8");
    const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8")));
    return functions.flatMap(({ functionName, ranges: [{ startOffset: start, count: calls }] }) => {
      // Functions of a module: those inside of others are part of these.
      if (source[start - 1] !== "\n" || functionName === "") return [];
      const { originalSource = "" } = map.findEntry(source.slice(0, start).split("\n").length - 1, 0);
      const [module] = /src\/.+\.ts$/.exec(originalSource) ?? [];
      return module ? [[`${functionName}@${url}:${start}`, { file: module, calls }]] : [];
    });
  });
  return new Map(found);
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The emulator said nothing.");
}
