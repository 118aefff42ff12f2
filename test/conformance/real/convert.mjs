// node test/conformance/real/convert.mjs: what convert makes of random states of Search Guard 7, held to what users are answered
// by a real Search Guard 7 and, once it is applied there, by a real OpenSearch. GATE_SYNC_SEED repeats a run, whose seed is printed.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inPath, javaBetween } from "./java.mjs";
import { products } from "./products.mjs";
import { say } from "./say.mjs";
import { startServer } from "./server.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pair = [products["search-guard-7"], products.opensearch];
const missing = ["mvn", "openssl"].filter((tool) => inPath(tool).length === 0);
for (const { java } of pair) if ((await javaBetween(java)) === undefined) missing.push(`Java ${java.join(" to ")}`);
if (missing.length > 0) {
  say(`Skipped: ${missing.join(" and ")} not found.`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), "gate-sync-convert-"));
const running = [];
let child;
let code = 1;
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    isInterrupted = true;
    child?.kill("SIGTERM");
  });
}
try {
  const handed = [];
  for (const product of pair) {
    const java = await javaBetween(product.java);
    const server = await startServer(product, java, { configWritable: true }, () => isInterrupted);
    running.push(server);
    const { name, product: vendor, release } = product;
    const { url, certificates } = server;
    handed.push({ name, product: vendor, release, configWritable: true, url, certificates });
  }
  const file = join(work, "servers.json");
  writeFileSync(file, JSON.stringify(handed), { mode: 0o600 });
  code = await vitest({ GATE_SYNC_REAL_SERVERS: file });
} finally {
  for (const server of running) await server.stop();
  rmSync(work, { recursive: true, force: true });
}
process.exit(code);

function vitest(env) {
  const config = join(root, "test/conformance/real/vitest.config.ts");
  const test = join(root, "test/conformance/real/convert.test.ts");
  return new Promise((resolve, reject) => {
    child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", config, test], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", process.stderr, process.stderr],
    });
    child.on("error", reject).on("close", (status) => resolve(status ?? 1));
  });
}
