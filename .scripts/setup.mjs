// What `npm test`, `npm run demo` and `npm run check` do first: install from the lock file when it is missing or stale,
// build when a source is newer than what was built. Node's own modules only: nothing is installed yet when it starts.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (path) => join(root, path);

if (!isInstalled()) {
  say("Installing dependencies from the lock file …");
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
}
if (!isBuilt()) {
  say("Building …");
  execFileSync(process.execPath, [at(".scripts/build.mjs")], { cwd: root, stdio: "inherit" });
}

/** Whether what npm installed is what the lock file asks for; packages for other platforms may be missing. */
function isInstalled() {
  const installed = packagesIn("node_modules/.package-lock.json");
  if (installed === undefined) return false;
  return Object.entries(packagesIn("package-lock.json") ?? {}).every(([path, { version, optional }]) => {
    const found = installed[path];
    return path === "" || (found === undefined ? optional === true : found.version === version);
  });
}

function packagesIn(file) {
  return existsSync(at(file)) ? JSON.parse(readFileSync(at(file), "utf8")).packages : undefined;
}

function isBuilt() {
  const built = at("dist/main.cjs");
  if (!existsSync(built) || !existsSync(at(".generated/validators.mjs"))) return false;
  const builtAt = statSync(built).mtimeMs;
  const sources = ["src", "schemas", ".scripts"].flatMap((folder) => filesBelow(at(folder)));
  return [...sources, at("package.json"), at("package-lock.json")].every((file) => statSync(file).mtimeMs <= builtAt);
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** On stderr: stdout belongs to whatever runs next. */
function say(line) {
  process.stderr.write(`${line}\n`);
}
