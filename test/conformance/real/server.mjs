// One real server: unpacked into a folder of its own, started, waited for, stopped.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificates } from "./certificates.mjs";
import { done, fetched, unpacked } from "./fetch.mjs";
import { say } from "./say.mjs";

/** Milliseconds until a server must answer. */
const patience = 240_000;

/**
 * Starts a server with its first configuration and the fixtures. `stop` ends it and removes its folder.
 * @param javaHome of a Java that it runs on
 * @param isStopped whether it is no longer waited for
 */
export async function startServer(product, javaHome, { configWritable }, isStopped = () => false) {
  const files = { engine: await fetched(product.archives.engine), plugin: await fetched(product.archives.plugin) };
  const library = product.library === undefined ? undefined : await fetched(product.library);
  const run = mkdtempSync(join(tmpdir(), `gate-sync-${product.name}-`));
  const server = { child: undefined };
  const stop = async () => {
    await ended(server.child);
    rmSync(run, { recursive: true, force: true });
  };
  try {
    say(`starting ${product.title}${configWritable ? "" : ", config not writable"} …`);
    const began = Date.now();
    const home = await installed(product, files, library, run);
    const certificates = join(home, "config/certs");
    await makeCertificates(certificates);
    const [port, transport] = await freePorts(2);
    configure(product, home, { port, transport, configWritable });
    const runner = await unprivileged(run);
    server.child = launched(product, home, javaHome, runner);
    const url = `https://127.0.0.1:${port}`;
    const pem = (name) => readFileSync(join(certificates, name), "utf8");
    await answering(`${url}${product.api}/roles`, pem("ca.pem"), server.child, join(run, "console.log"), isStopped);
    say(`  ready after ${Math.round((Date.now() - began) / 1000)} s at ${url}`);
    return { url, home, certificates: { ca: pem("ca.pem"), cert: pem("admin.pem"), key: pem("admin-key.pem") }, stop };
  } catch (problem) {
    await stop();
    throw problem;
  }
}

async function installed({ pluginFolder, companions, seeds, name }, files, library, run) {
  await unpacked(files.engine, run);
  const [folder] = readdirSync(run);
  const home = join(run, folder);
  const plugin = join(home, pluginFolder);
  await unpacked(files.plugin, plugin);
  if (library !== undefined) cpSync(library, join(plugin, "commons-collections4.jar"));
  if (companions === "none") {
    const descriptor = join(plugin, "plugin-descriptor.properties");
    writeFileSync(descriptor, readFileSync(descriptor, "utf8").replace(/^extended\.plugins=.*$/m, "extended.plugins="));
  }
  if (seeds.to !== seeds.from) cpSync(join(home, seeds.from), join(home, seeds.to), { recursive: true });
  addFixtures(join(home, seeds.to), seeds.prefix, name);
  for (const file of readdirSync(join(home, "bin"))) chmodSync(join(home, "bin", file), 0o755);
  return home;
}

/** Reserved and hidden entries, which no call of the API can make; a JSON value is YAML too. */
function addFixtures(folder, prefix, name) {
  const all = JSON.parse(readFileSync(new URL("fixtures.json", import.meta.url), "utf8"));
  const own = all[Object.keys(all).find((key) => name.startsWith(key))];
  for (const [family, entries] of Object.entries(own)) {
    const lines = Object.entries(entries).map(([entry, fields]) => `${entry}: ${JSON.stringify(fields)}\n`);
    appendFileSync(join(folder, `${prefix}${family}.yml`), `\n${lines.join("")}`);
  }
}

function configure({ program, jvmOptions, settings }, home, { port, transport, configWritable }) {
  const own = [
    "cluster.name: gate-sync-suite",
    "node.name: suite-1",
    "discovery.type: single-node",
    "network.host: 127.0.0.1",
    `http.port: ${port}`,
    // 6.x knows this one under its old name only, and every later one of these under both.
    `transport.tcp.port: ${transport}`,
    `path.data: ${join(home, "data")}`,
    `path.logs: ${join(home, "logs")}`,
    "cluster.routing.allocation.disk.threshold_enabled: false",
    ...settings({ configWritable }),
  ];
  const yaml = program === "opensearch" ? own.map((line) => line.replace("transport.tcp.port", "transport.port")) : own;
  writeFileSync(join(home, `config/${program}.yml`), `${yaml.join("\n")}\n`);
  for (const folder of ["data", "logs", "tmp"]) mkdirSync(join(home, folder), { recursive: true });
  const options = join(home, "config/jvm.options");
  const lines = jvmOptions ?? readFileSync(options, "utf8").split("\n");
  // Not every runtime has the incubator module, and a server that asks for one in vain does not start.
  const kept = lines.filter((line) => !/^-Xm[sx]|jdk\.incubator\.vector/.test(line));
  // A server lives for minutes: what is compiled better takes longer to compile than it saves.
  const added = ["-Xms768m", "-Xmx768m", "-XX:TieredStopAtLevel=1"];
  writeFileSync(options, `${[...added, ...kept].join("\n")}\n`);
}

/** These servers refuse to run as root: then they run as `nobody`, to whom their folder is given. */
async function unprivileged(run) {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = (await Promise.all([done("id", ["-u", "nobody"]), done("id", ["-g", "nobody"])])).map(Number);
  await done("chown", ["-R", `${uid}:${gid}`, run]);
  return { uid, gid };
}

function launched({ program }, home, javaHome, runner) {
  const console = openSync(join(home, "../console.log"), "a");
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: home,
    JAVA_HOME: javaHome,
    ES_TMPDIR: join(home, "tmp"),
    OPENSEARCH_TMPDIR: join(home, "tmp"),
  };
  return spawn(join(home, "bin", program), [], { cwd: home, env, stdio: ["ignore", console, console], ...runner });
}

/** Resolves when the administrator can read the roles: the plugin is then initialised too. */
async function answering(url, ca, child, log, isStopped) {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    if (child.exitCode !== null || child.signalCode !== null || isStopped()) break;
    if ((await statusOf(url, ca)) === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n").slice(-30) : [];
  throw new Error(`The server ended, or was not ready in time. Its last lines:\n${lines.join("\n")}`);
}

function statusOf(url, ca) {
  return new Promise((resolve) => {
    const outgoing = request(url, { ca, auth: "admin:admin", timeout: 10_000 }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode));
    });
    outgoing.on("error", () => resolve(0)).on("timeout", () => outgoing.destroy());
    outgoing.end();
  });
}

async function ended(child) {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await gone;
  clearTimeout(timer);
}

/** Held all at once, so that no two are the same. */
async function freePorts(count) {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
      return server;
    }),
  );
  const ports = listeners.map((server) => server.address().port);
  await Promise.all(listeners.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
