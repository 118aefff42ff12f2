// --against securityadmin: the vendor's uploader and gate-sync in turn, with the same files, on a real OpenSearch.
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { ResourceFamily } from "../../src/model/names.ts";
import { randomFrom } from "../fixtures/index.ts";
import { benchFixture } from "./fixture.ts";
import { measured, median, stopping } from "./measure.ts";
import { sectionText } from "./yaml.ts";

/** Wall in milliseconds, a number for each run. */
export interface Against {
  readonly title: string;
  readonly uploadAll: readonly number[];
  readonly uploadAgain: readonly number[];
  readonly apply: readonly number[];
  readonly planAgain: readonly number[];
}

interface Asked {
  readonly seed: number;
  readonly size: number;
  readonly runs: number;
  readonly root: string;
  readonly work: string;
}

/** Names of the families' files, as the vendor has them. */
const fileOf: Partial<Record<ResourceFamily, string>> = {
  action_groups: "action_groups.yml",
  tenants: "tenants.yml",
  roles: "roles.yml",
  role_mappings: "roles_mapping.yml",
};

/** Starts the server, measures, and stops it. Throws where there is no Java for it, or a run fails. */
export async function againstSecurityadmin(asked: Asked): Promise<Against> {
  const real = await realServers(asked.root);
  const product = real.products.opensearch;
  const java = await real.javaBetween(product.java);
  if (java === undefined) throw new Error(`${product.title} needs a Java from ${product.java.join(" to ")}.`);
  const server = await real.startServer(product, java, { configWritable: true }, () => stopping.signal.aborted);
  try {
    return { title: product.title, ...(await runInOrder(asked, server, java)) };
  } finally {
    await server.stop();
  }
}

async function runInOrder({ seed, size, runs, root, work }: Asked, { url, home }: Server, java: string) {
  const builtin = join(home, "config/opensearch-security");
  const folder = join(work, "vendor");
  cpSync(builtin, folder, { recursive: true });
  const fixture = benchFixture({ seed, size });
  for (const [family, entries] of fixture.resources) {
    const file = join(folder, fileOf[family] ?? `${family}.yml`);
    const [, ...lines] = sectionText([family, [...entries]], randomFrom(`vendor ${seed} ${family}`)).split("\n");
    // Beside what is built in, in the same map: without the family's own key, two columns further left.
    writeFileSync(file, `${readFileSync(file, "utf8")}\n${lines.map((line) => line.slice(2)).join("\n")}`);
  }
  const certs = join(home, "config/certs");
  const upload = (from: string) => uploaded({ home, java, certs, url, from, cwd: work });
  const gateSync = async (...words: string[]) => {
    const scratch = mkdtempSync(join(work, "run-"));
    const login = ["--url", url, "--ca", join(certs, "ca.pem"), "--username", "admin"];
    const args = [join(root, "dist/main.cjs"), ...words, ...login, folder];
    const { wall } = await measured({ args, cwd: scratch, env: { GATE_SYNC_PASSWORD: "admin" } }, work, undefined);
    rmSync(scratch, { recursive: true });
    return wall;
  };
  const kept = { uploadAll: [], uploadAgain: [], apply: [], planAgain: [] } as Record<
    keyof Omit<Against, "title">,
    number[]
  >;
  for (let round = 0; round <= runs; round++) {
    await upload(builtin);
    const uploadAll = await upload(folder);
    const uploadAgain = await upload(folder);
    // Ends otherwise than with 0 where the upload left anything different from the files.
    const planAgain = await gateSync("plan", "--detailed-exitcode");
    await upload(builtin);
    const apply = await gateSync("apply", "--yes");
    await gateSync("plan", "--detailed-exitcode");
    if (round === 0) continue;
    process.stderr.write(`run ${round} of ${runs} done\n`);
    const row = { uploadAll, uploadAgain, apply, planAgain };
    for (const key of Object.keys(row) as (keyof typeof row)[]) kept[key].push(row[key]);
  }
  return kept;
}

export function againstTable(size: number, { title, ...walls }: Against): string {
  const ms = (numbers: readonly number[]) => `${median(numbers).toFixed(0).padStart(7)} ms`;
  return [
    `${title}, ${size} roles and ${size} mappings, the same files; medians of ${walls.apply.length} runs, wall`,
    "",
    "                           securityadmin   gate-sync",
    `all of it, first time         ${ms(walls.uploadAll)}  ${ms(walls.apply)}   (upload · apply)`,
    `again, nothing changed        ${ms(walls.uploadAgain)}  ${ms(walls.planAgain)}   (upload · plan)`,
  ].join("\n");
}

interface Upload {
  readonly home: string;
  readonly java: string;
  readonly certs: string;
  readonly url: string;
  readonly from: string;
  readonly cwd: string;
}

/** Milliseconds. */
async function uploaded({ home, java, certs, url, from, cwd }: Upload): Promise<number> {
  const { hostname, port } = new URL(url);
  const tool = join(home, "plugins/opensearch-security/tools/securityadmin.sh");
  const pem = (option: string, name: string) => [option, join(certs, name)];
  const keys = [...pem("-cacert", "ca.pem"), ...pem("-cert", "admin.pem"), ...pem("-key", "admin-key.pem")];
  const args = [tool, "-cd", from, "-icl", "-nhnv", "-h", hostname, "-p", port, ...keys];
  const env = { PATH: process.env.PATH, JAVA_HOME: java, OPENSEARCH_JAVA_HOME: java };
  const began = performance.now();
  try {
    await promisify(execFile)("bash", args, { cwd, env, maxBuffer: 2 ** 26, signal: stopping.signal });
  } catch (problem) {
    // It reports what was wrong on stdout.
    if (stopping.signal.aborted) throw problem;
    throw new Error(`securityadmin.sh failed:\n${(problem as { stdout?: string }).stdout?.slice(-4000)}`);
  }
  return performance.now() - began;
}

interface Server {
  readonly url: string;
  /** Its folder. */
  readonly home: string;
  stop(): Promise<void>;
}

interface Product {
  readonly title: string;
  readonly java: readonly number[];
}

interface RealServers {
  readonly products: { readonly opensearch: Product };
  javaBetween(range: readonly number[]): Promise<string | undefined>;
  startServer(
    product: Product,
    java: string,
    options: { configWritable: boolean },
    isStopped: () => boolean,
  ): Promise<Server>;
}

/** Loaded from where they lie: they find their fixtures beside them, which a bundle would not have. */
async function realServers(root: string): Promise<RealServers> {
  const files = ["products", "java", "server"].map((name) => join(root, `test/conformance/real/${name}.mjs`));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href)));
  return Object.assign({}, ...modules) as RealServers;
}
