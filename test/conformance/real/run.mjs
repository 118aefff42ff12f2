// npm run test:real [-- opensearch | search-guard-7 | search-guard-6 | …]: the suite against real servers, one after the
// other. The last line of stdout has the totals.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inPath, javaBetween } from "./java.mjs";
import { products, usual } from "./products.mjs";
import { say } from "./say.mjs";
import { startServer } from "./server.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const suite = join(root, "test/conformance/suite");
/** Cases that spoil their server, or want one whose config cannot be written. */
const throwAway = "throw-away.test.ts";
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(products, name));
if (unknown.length > 0) {
  say(`There is no server ${unknown.join(", ")}. There are ${Object.keys(products).join(", ")}.`);
  process.exit(64);
}

const totals = { passed: 0, failed: 0, skipped: 0 };
const work = mkdtempSync(join(tmpdir(), "gate-sync-real-"));
let running;
let interrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (interrupted) return;
    interrupted = true;
    say("stopping …");
    running?.kill("SIGTERM");
  });
}
try {
  for (const name of asked.length > 0 ? asked : usual) {
    if (!interrupted) await tested(name);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped\n`);
process.exit(totals.failed > 0 || interrupted ? 1 : 0);

/** One product, set up in each way that it has. */
async function tested(name) {
  const product = products[name];
  const missing = ["mvn", "openssl"].filter((tool) => inPath(tool).length === 0);
  const java = await javaBetween(product.java);
  if (java === undefined) missing.push(`Java ${product.java.join(" to ")}`);
  if (missing.length > 0) {
    say(`${name} is skipped: ${missing.join(" and ")} not found.`);
    totals.skipped += 1;
    return;
  }
  for (const [index, configWritable] of product.writable.entries()) {
    if (interrupted) return;
    try {
      const server = await startServer(product, java, { configWritable }, () => interrupted);
      try {
        await evaluated(product, server, configWritable, index === 0 ? "usual" : "throw-away");
      } finally {
        await server.stop();
      }
    } catch (problem) {
      // The one who stopped it knows why it did not start.
      if (!interrupted) say(`${name}: ${problem.message}`);
      totals.failed += 1;
    }
  }
}

async function evaluated({ name, product, release, title }, { url, certificates }, configWritable, kind) {
  const handed = join(work, "server.json");
  const report = join(work, "report.json");
  writeFileSync(handed, JSON.stringify({ name, product, release, configWritable, url, certificates }), { mode: 0o600 });
  const files = readdirSync(suite).filter(
    (file) => file.endsWith(".test.ts") && (file === throwAway) === (kind !== "usual"),
  );
  const code = await vitest([...files.map((file) => join(suite, file)), `--outputFile.json=${report}`], handed);
  const { passed, failed, skipped } = totalsOf(report);
  say(`${title}, ${kind} cases: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  totals.passed += passed;
  totals.failed += failed > 0 ? failed : code === 0 ? 0 : 1;
  totals.skipped += skipped;
}

function vitest(args, handed) {
  const config = join(root, "test/conformance/real/vitest.config.ts");
  const bin = join(root, "node_modules/vitest/vitest.mjs");
  const all = [bin, "run", "--config", config, "--reporter=default", "--reporter=json", ...args];
  return new Promise((resolve, reject) => {
    // Its lines go where ours go: stdout is for the totals alone.
    running = spawn(process.execPath, all, {
      cwd: root,
      env: { ...process.env, GATE_SYNC_REAL_SERVER: handed },
      stdio: ["ignore", process.stderr, process.stderr],
    });
    running.on("error", reject).on("close", (code) => resolve(code ?? 1));
  });
}

function totalsOf(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
    // A file that does not even load has no test to fail.
    const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
    return { passed: numPassedTests, failed: numFailedTests + broken.length, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
