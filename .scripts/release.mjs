// Prepares a release on a clean main: the next version and CHANGELOG.md from the change notes in .changeset/, a commit, a tag.
// Pushing the tag publishes: see .github/workflows/release.yml.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });
const read = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: "utf8" }).trim();
const changesets = (...args) => run(process.execPath, "node_modules/@changesets/cli/bin.js", ...args);

refuseIf(read("git", "branch", "--show-current") !== "main", "Releases are made on main.");
refuseIf(read("git", "status", "--porcelain") !== "", "The work tree has changes: commit them first.");
const notes = readdirSync(new URL("../.changeset", import.meta.url)).filter((name) => /^(?!README).*\.md$/.test(name));
refuseIf(notes.length === 0, "There is no change note in .changeset/, so there is nothing to release.");

changesets("version");
run("npm", "install", "--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error");
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
run("git", "add", "--all");
run("git", "commit", "--quiet", "--message", `Release ${version}`);
changesets("tag");
console.log(`Read the commit, then: git push origin main v${version}`);

function refuseIf(isWrong, why) {
  if (!isWrong) return;
  console.error(why);
  process.exit(1);
}
