// Runs the installed package as a user would, npx --no -- gate-sync plan in a folder that has nothing else, and holds it to an
// empty stderr: whatever Node it runs on, nothing may complain there.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const installed = process.argv[2];
const bin = join(installed, "node_modules/.bin/gate-sync");
const folder = mkdtempSync(join(installed, "run-"));
mkdirSync(join(folder, "access"));
writeFileSync(join(folder, "access/tenants.yml"), "tenants:\n  hr: { description: Human resources }\n");

const emulator = spawn(bin, ["emulator", "--port", "0", "--format", "json"], {
  cwd: folder,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const { url } = JSON.parse(await firstLine(emulator.stdout));
  const plan = await run("plan", "--url", url, "access/");
  process.stdout.write(plan);
  if (!plan.includes("1 to create")) throw new Error("The installed package did not plan the tenant.");
  await run("apply", "--yes", "--url", url, "access/");
  if (!(await run("plan", "--url", url, "access/")).includes("in sync"))
    throw new Error("Applied, and yet not in sync.");
  if (!(await run("schema")).includes("gate-sync")) throw new Error("The installed package has no schemas.");
  for (const file of [
    ".github/actions/gate-sync/action.yml",
    "examples/ci/github-drift.yml",
    "templates/gate-sync/template.yml",
  ])
    if (!existsSync(join(installed, "node_modules/gate-sync", file)))
      throw new Error(`The installed package has no ${file}.`);
  if (!(await run("explain", "drift")).includes("--applied-ref"))
    throw new Error("The installed package has no guides.");
} finally {
  emulator.kill();
}

async function run(...args) {
  const child = spawn(bin, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  const command = `gate-sync ${args.join(" ")}`;
  if (code !== 0) throw new Error(`${command} ended with ${code}.\n${stdout}${stderr}`);
  if (stderr !== "") throw new Error(`${command} wrote to stderr on Node ${process.version}:\n${stderr}`);
  return stdout;
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The emulator ended before it said where it listens.");
}
