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
import { casesTable, verdictTable } from "./table.ts";

/** Exit code 0 where all was measured, whatever the verdicts; 1 where a run broke, 64 for a wrong command line. */
export async function main(root: string, server: string): Promise<number> {
  const asked = options();
  if (typeof asked === "string") {
    say(asked);
    return 64;
  }
  const { seed, size, runs, only, json } = asked;
  const chosen = cases.filter(({ name }) => only.length === 0 || only.includes(name));
  const work = mkdtempSync(join(tmpdir(), "gate-sync-bench-"));
  const live = await startLive(server);
  const results: CaseResult[] = [];
  try {
    for (const one of chosen) {
      say(`${one.title} …`);
      results.push(await compared(one, { seed, size, runs, root, work, live }));
    }
    const footprint = only.length === 0 ? footprintOf(root) : undefined;
    const judged = verdicts({ cases: new Map(results.map((result) => [result.name, result])), footprint });
    const about = { date: new Date().toISOString(), machine: machine(), versions: versions(root), seed, size, runs };
    const versionsLine = Object.entries(about.versions).map(([name, version]) => `${name} ${version}`);
    const lines = [`${about.date}  ${about.machine}`, versionsLine.join(", "), "", casesTable(results)];
    process.stdout.write(`${lines.join("\n")}\n\n${verdictTable(judged)}\n`);
    const file = json ?? join(tmpdir(), "gate-sync-bench.json");
    writeFileSync(file, `${JSON.stringify({ ...about, cases: results, goals: judged, footprint }, null, 2)}\n`);
    say(`All samples in ${file}`);
    return 0;
  } catch (problem) {
    say(problem instanceof Error ? problem.message : String(problem));
    return 1;
  } finally {
    await live.stop();
    rmSync(work, { recursive: true });
  }
}

function options() {
  const { values } = parseArgs({
    options: {
      size: { type: "string", default: "10000" },
      runs: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      only: { type: "string", multiple: true, default: [] },
      json: { type: "string" },
    },
  });
  const [size, runs, seed] = [values.size, values.runs, values.seed].map(Number) as [number, number, number];
  if (![size, runs, seed].every((number) => Number.isInteger(number) && number > 0)) {
    return "--size, --runs and --seed take a whole number from 1 on.";
  }
  const names = cases.map(({ name }) => name);
  const unknown = values.only.filter((name) => !names.includes(name));
  if (unknown.length > 0) return `There is no case ${unknown.join(", ")}. There are ${names.join(", ")}.`;
  return { size, runs, seed, only: values.only, json: values.json };
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
