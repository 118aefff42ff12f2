// npm run bench -- [--size N] [--runs K] [--only CASE] [--seed S] [--json FILE] [--against securityadmin]
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { cases } from "./cases.ts";
import { type CaseResult, compared } from "./compare.ts";
import { footprintOf } from "./footprint.ts";
import { verdicts } from "./goals.ts";
import { startLive } from "./live.ts";
import { stopping } from "./measure.ts";
import { againstSecurityadmin, againstTable } from "./securityadmin.ts";
import { casesTable, verdictTable } from "./table.ts";

/** Exit code 0 where all was measured, whatever the verdicts; 1 where a run broke, 64 for a wrong command line. */
export async function main(root: string, server: string): Promise<number> {
  const asked = options();
  if (typeof asked === "string") {
    say(asked);
    return 64;
  }
  const work = mkdtempSync(join(tmpdir(), "gate-sync-bench-"));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stopping.abort());
  try {
    const { seed, size, runs } = asked;
    const head = { date: new Date().toISOString(), machine: machine(), versions: versions(root), seed, size, runs };
    const versionsLine = Object.entries(head.versions).map(([name, version]) => `${name} ${version}`);
    process.stdout.write(`${head.date}  ${head.machine}\n${versionsLine.join(", ")}\n\n`);
    const results = asked.against
      ? await besideVendor(asked, root, work)
      : await besideFloor(asked, root, work, server);
    writeFileSync(asked.json, `${JSON.stringify({ ...head, ...results }, null, 2)}\n`);
    say(`All samples are in ${asked.json}`);
    return 0;
  } catch (problem) {
    say(problem instanceof Error ? problem.message : String(problem));
    return 1;
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function besideFloor({ seed, size, runs, only }: Options, root: string, work: string, server: string) {
  const chosen = cases.filter(({ name }) => only.length === 0 || only.includes(name));
  const live = await startLive(server);
  const results: CaseResult[] = [];
  try {
    for (const one of chosen) {
      const result = await compared(one, { seed, size, runs, root, work, live });
      results.push(result);
      const { product, ratios } = result;
      say(`${one.title}: ${product.wall.toFixed(0)} ms, ${ratios.wall.toFixed(2)} × the floor`);
    }
  } finally {
    await live.stop();
  }
  const footprint = only.length === 0 ? footprintOf(root) : undefined;
  const goals = verdicts({ cases: new Map(results.map((result) => [result.name, result])), footprint });
  process.stdout.write(`${casesTable(results)}\n\n${verdictTable(goals)}\n`);
  return { cases: results, goals, footprint };
}

async function besideVendor({ seed, size, runs }: Options, root: string, work: string) {
  const against = await againstSecurityadmin({ seed, size, runs, root, work });
  process.stdout.write(`${againstTable(size, against)}\n`);
  return { against };
}

interface Options {
  readonly seed: number;
  readonly size: number;
  readonly runs: number;
  /** Names of cases; empty for all. */
  readonly only: readonly string[];
  /** Where the samples go. */
  readonly json: string;
  readonly against: boolean;
}

/** Or what is wrong with the command line. */
function options(): Options | string {
  const { values } = parseArgs({
    options: {
      size: { type: "string", default: "10000" },
      runs: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string", default: join(tmpdir(), "gate-sync-bench.json") },
      against: { type: "string" },
    },
  });
  const [size, runs, seed] = [values.size, values.runs, values.seed].map(Number) as [number, number, number];
  if (![size, runs, seed].every((number) => Number.isInteger(number) && number > 0)) {
    return "--size, --runs and --seed take a whole number from 1 on.";
  }
  const names = cases.map(({ name }) => name);
  const unknown = values.only.filter((name) => !names.includes(name));
  if (unknown.length > 0) return `There is no case ${unknown.join(", ")}. There are ${names.join(", ")}.`;
  if (values.against !== undefined && values.against !== "securityadmin") return "--against takes securityadmin.";
  return { size, runs, seed, only: values.only, json: values.json, against: values.against !== undefined };
}

function machine(): string {
  const [first] = cpus();
  return `${process.platform} ${process.arch}, ${cpus().length} × ${first?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
}

function versions(root: string): Record<string, string> {
  const packages = ["yaml", "js-yaml", "undici"].map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    return [name, String(version)] as const;
  });
  return { node: process.version, "gate-sync": commitOf(root), ...Object.fromEntries(packages) };
}

function commitOf(root: string): string {
  try {
    return execFileSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" }).trim();
  } catch {
    return "of no repository";
  }
}

/** On stderr: stdout is for the tables. */
function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
