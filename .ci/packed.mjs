// Runs the installed package once, as a user would: npx gate-sync plan in a folder that has nothing else.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = process.argv[2];
const bin = join(folder, "node_modules/.bin/gate-sync");
mkdirSync(join(folder, "access"));
writeFileSync(join(folder, "access/tenants.yml"), "tenants:\n  hr: { description: Human resources }\n");

const emulator = spawn(bin, ["emulator", "--port", "0", "--format", "json"], {
  cwd: folder,
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const { url } = JSON.parse(await firstLine(emulator.stdout));
  const run = (...args) =>
    execFileSync("npx", ["--no-install", "gate-sync", ...args], { cwd: folder, encoding: "utf8" });
  const plan = run("plan", "--url", url, "access/");
  process.stdout.write(plan);
  if (!plan.includes("1 to create")) throw new Error("The installed package did not plan the tenant.");
  run("apply", "--yes", "--url", url, "access/");
  if (!run("plan", "--url", url, "access/").includes("in sync")) throw new Error("Applied, and yet not in sync.");
  if (!run("schema").includes("gate-sync")) throw new Error("The installed package has no schemas.");
} finally {
  emulator.kill();
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The emulator ended before it said where it listens.");
}
