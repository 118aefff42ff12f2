// Archives from Maven's repositories by Maven's own client, kept outside the tree and fetched once.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { say } from "./say.mjs";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gate-sync", "servers");

/** The file of `group:artifact:version:type`, fetched where it is not there yet. */
export async function fetched(coordinates) {
  const [, artifact, version, type] = coordinates.split(":");
  const file = join(cache, `${artifact}-${version}.${type}`);
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const part = mkdtempSync(join(cache, "part-"));
  try {
    await withProgress(`fetching ${artifact} ${version}`, () =>
      done("mvn", ["-q", "-B", "dependency:copy", `-Dartifact=${coordinates}`, `-DoutputDirectory=${part}`]),
    );
    // Whole or not at all: an interrupted run leaves nothing that looks like an archive.
    renameSync(join(part, `${artifact}-${version}.${type}`), file);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  say(`  ${Math.round(statSync(file).size / 1e6)} MB kept in ${cache}`);
  return file;
}

export async function unpacked(archive, folder) {
  mkdirSync(folder, { recursive: true });
  try {
    await done("unzip", ["-q", "-o", archive, "-d", folder]);
  } catch (problem) {
    if (problem.code !== "ENOENT") throw problem;
    await done("jar", ["xf", archive], { cwd: folder });
  }
}

/** Runs a command to its end; rejects with what it printed where it fails. */
export function done(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.on("error", reject).on("close", (code) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${command} ${args.join(" ")} failed:\n${output}`));
    });
  });
}

async function withProgress(title, work) {
  const began = Date.now();
  const seconds = () => `${Math.round((Date.now() - began) / 1000)} s`;
  say(`${title} …`);
  const timer = setInterval(() => say(`  still ${title}, ${seconds()}`), 15_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
