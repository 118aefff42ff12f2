// The main job on an embedded server: plan, apply, count the requests at the server, plan again.
// Everything shown is the built program's own output; this file only starts it and holds it to its word.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));
const here = fileURLToPath(new URL(".", import.meta.url));
// A copy: what a run leaves behind, a backup and a journal, does not stay in examples/.
const folder = mkdtempSync(join(tmpdir(), "gate-sync-demo-"));
cpSync(fileURLToPath(new URL("../quickstart", import.meta.url)), folder, {
  recursive: true,
  filter: (path) => !path.endsWith(".gate-sync"),
});
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const color = process.stdout.isTTY && !process.env.NO_COLOR ? "always" : "never";

title("A cluster on loopback, with entries that are not in the files");
const emulator = spawn(
  process.execPath,
  [bin, "emulator", "live.yml", "--product", "gate", "--port", "0", "--format", "json", "--allow-config-modification"],
  {
    cwd: here,
    stdio: ["ignore", "pipe", "inherit"],
  },
);
process.on("exit", () => emulator.kill());
const { url } = JSON.parse(await firstLine(emulator.stdout));
console.log(`an administration API in memory, at ${url}`);

title("What would change?", "gate-sync plan");
const planned = await gateSync("plan", "--detailed-exitcode");
expect(planned.code === 2, `a plan with changes exits with 2, this one with ${planned.code}`);
expect(
  (await requests()).every(({ method }) => method === "GET"),
  "planning only reads",
);
await fetch(`${url}/_emulator/requests`, { method: "DELETE" });

title("Make exactly that change", "gate-sync apply --yes");
const applied = await gateSync("apply", "--yes", "--quiet");
expect(applied.code === 0, `applying exits with 0, this one with ${applied.code}`);

title("What reached the server");
const changes = countChanges(planned.json);
const writes = (await requests()).filter(({ method }) => method !== "GET");
const counts = new Map();
for (const { method, family } of writes) {
  const count = counts.get(family) ?? { writes: 0, methods: [] };
  counts.set(family, { writes: count.writes + 1, methods: [...count.methods, method] });
}
console.log("type            changes  writes");
for (const [family, count] of Object.entries(changes)) {
  const made = counts.get(family) ?? { writes: 0, methods: [] };
  console.log(
    `${family.padEnd(16)}${String(count).padStart(7)}  ${String(made.writes).padStart(6)}   ${made.methods.join(" ")}`,
  );
  expect(made.writes === 1, `one write for ${family}`);
}
const total = Object.values(changes).reduce((sum, count) => sum + count, 0);
console.log(`${"".padEnd(16)}${String(total).padStart(7)}  ${String(writes.length).padStart(6)}`);
expect(writes.length === Object.keys(changes).length, "one write per changed resource type, and no other");

title("And again?", "gate-sync plan");
const again = await gateSync("plan", "--detailed-exitcode");
expect(again.code === 0, `nothing is left to do: exit code 0, this one ${again.code}`);

console.log("\nEntries of another team (ops_*) and built-in ones stayed as they were, and the plan only read.");
console.log("The files are in examples/quickstart, the cluster's state before in examples/demo/live.yml.");
emulator.kill();

/** Runs the built program in the quickstart as a user would, and once more for the facts when it only plans. */
async function gateSync(command, ...args) {
  const code = await run([command, "--url", url, "access/", ...args, "--color", color], "inherit");
  if (command !== "plan") return { code };
  const output = [];
  await run([command, "--url", url, "access/", "--format", "json"], "pipe", output);
  return { code, json: JSON.parse(output.join("")) };
}

function run(args, stdout, output) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd: folder, stdio: ["ignore", stdout, "inherit"] });
    child.stdout?.setEncoding("utf8").on("data", (text) => output.push(text));
    child.on("error", reject).on("close", resolve);
  });
}

function countChanges(plan) {
  const counts = {};
  for (const { family, action } of plan.changes) {
    if (action !== "leave") counts[family] = (counts[family] ?? 0) + 1;
  }
  return counts;
}

async function requests() {
  return (await fetch(`${url}/_emulator/requests`)).json();
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line;
  throw new Error("The emulator ended before it said where it listens.");
}

function title(text, command) {
  console.log(`\n── ${text} ${"─".repeat(Math.max(2, 75 - text.length))}`);
  if (command) console.log(`$ ${command}`);
}

function expect(condition, promise) {
  if (condition) return;
  console.error(`\nThe demo does not hold: ${promise}.`);
  emulator.kill();
  process.exit(1);
}
