// npm run bench -- [--world NAME] [--change NAME] [--size N] [--runs K] [--seed S] [--json FILE] [--against securityadmin] [--fleet]
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Case, cases } from "./cases.ts";
import { type CaseResult, compared } from "./compare.ts";
import { writeFiles } from "./files.ts";
import { clean, formatOf, makeContent } from "./fixture-kinds.ts";
import { measureFleet } from "./fleet.ts";
import { goalSize, verdicts } from "./goals.ts";
import { startLive } from "./live.ts";
import { stopping } from "./measure.ts";
import { comparedParsers, type Parser } from "./parsers.ts";
import { againstSecurityadmin, againstTable } from "./securityadmin.ts";
import { casesTable, stagesLine, verdictTable } from "./table.ts";

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
    process.stdout.write(`${headOf(root)}\n\n`);
    if (asked.fleet) {
      const counts = asked.isSizeAsked ? asked.sizes : [1, 30, 250, 1000];
      process.stdout.write(`${await measureFleet({ ...asked, root, work, server, counts, say })}\n`);
    } else if (asked.against) await besideVendor(asked, root, work);
    else await besideFloor(asked, root, work, server);
    return 0;
  } catch (problem) {
    say(problem instanceof Error ? problem.message : String(problem));
    return 1;
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function besideFloor(asked: Options, root: string, work: string, server: string): Promise<void> {
  const { seed, runs, sizes } = asked;
  const head = headOf(root);
  const parsers = await parsersFor(seed, root, work);
  process.stdout.write(`The floor's parser is the first of ${parsers.map(parserText).join(", ")}.\n`);
  const parser = join(root, "node_modules", parsers[0]?.name ?? "js-yaml");
  const live = await startLive(server);
  // Those of an earlier run of the same commit stay, and are in the tables.
  const earlier = asked.json && existsSync(asked.json) ? JSON.parse(readFileSync(asked.json, "utf8")) : {};
  const results = new Map<string, CaseResult>(earlier.commit === commitOf(root) ? Object.entries(earlier.results) : []);
  try {
    for (const size of sizes) {
      for (const one of asked.chosen.filter((each) => isMeasuredAt(each, size, asked))) {
        const result = await compared(one, {
          seed,
          size,
          runs: size === goalSize ? runs : 1,
          root,
          work,
          live,
          parser,
        });
        results.set(`${one.name} ${size}`, result);
        if (asked.json)
          writeFileSync(
            asked.json,
            JSON.stringify({ head, commit: commitOf(root), results: Object.fromEntries(results) }),
          );
        const { product, ratios } = result;
        say(`${one.title}, ${size}: CPU ${(product.cpu / 1000).toFixed(2)} s, ${ratios.cpu.toFixed(2)} × the floor's`);
      }
    }
  } finally {
    await live.stop();
  }
  const all = [...results.values()];
  const stages = all.find(({ name, size }) => name === clean.name && size === goalSize)?.stages;
  if (stages) process.stdout.write(`Its stages on the clean world, in ms: ${stagesLine(stages)}.\n`);
  process.stdout.write(`\n${casesTable(all)}\n\n${verdictTable(verdicts(all))}\n`);
}

/** A size that was not asked for is there to show growth. */
function isMeasuredAt({ slow, beside }: Case, size: number, { isSizeAsked }: Options): boolean {
  if (isSizeAsked || size === goalSize) return true;
  return beside !== "node" && !(slow && size > goalSize);
}

async function parsersFor(seed: number, root: string, work: string): Promise<Parser[]> {
  const folder = join(work, "parsers");
  writeFiles(makeContent(clean, seed, goalSize).resources, folder, formatOf(clean));
  return comparedParsers(root, folder, work);
}

function parserText({ name, cpu }: Parser): string {
  return `${name} (${cpu.toFixed(0)} ms of CPU)`;
}

async function besideVendor({ seed, runs }: Options, root: string, work: string): Promise<void> {
  const size = 1000;
  const against = await againstSecurityadmin({ seed, size, runs, root, work });
  process.stdout.write(`${againstTable(size, against)}\n`);
}

interface Options {
  readonly seed: number;
  readonly sizes: readonly number[];
  readonly isSizeAsked: boolean;
  /** Of the goals' size; of others there is one. */
  readonly runs: number;
  readonly chosen: readonly Case[];
  /** Where the samples go, and are added to. */
  readonly json: string | undefined;
  readonly against: boolean;
  /** Many targets; a size is then how many. */
  readonly fleet: boolean;
}

/** Flags that name cases. */
const tables: readonly Case["table"][] = ["world", "change"];

/** Or what is wrong with the command line. */
function options(): Options | string {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(tables.map((table) => [table, { type: "string", multiple: true }] as const)),
      size: { type: "string", multiple: true, default: [] },
      runs: { type: "string", default: "3" },
      seed: { type: "string", default: "1" },
      json: { type: "string" },
      against: { type: "string" },
      fleet: { type: "boolean", default: false },
    },
  });
  const isSizeAsked = values.size.length > 0;
  const sizes = isSizeAsked ? values.size.map(Number) : [1000, goalSize, 30_000];
  const [runs, seed] = [values.runs, values.seed].map(Number) as [number, number];
  if (![...sizes, runs, seed].every((number) => Number.isInteger(number) && number > 0)) {
    return "--size, --runs and --seed take a whole number from 1 on.";
  }
  const namesIn = (table: Case["table"]) => ((values as Record<string, unknown>)[table] ?? []) as string[];
  const count = tables.reduce((sum, table) => sum + namesIn(table).length, 0);
  const chosen = cases.filter(({ name, table }) => count === 0 || namesIn(table).includes(name));
  if (chosen.length < count) {
    const names = (table: Case["table"]) => cases.filter((one) => one.table === table).map(({ name }) => name);
    return `--world takes ${names("world").join(", ")};\n--change takes ${names("change").join(", ")}.`;
  }
  if (values.against !== undefined && values.against !== "securityadmin") return "--against takes securityadmin.";
  return {
    seed,
    sizes,
    isSizeAsked,
    runs,
    chosen,
    json: values.json,
    against: values.against !== undefined,
    fleet: values.fleet,
  };
}

function headOf(root: string): string {
  const [first] = cpus();
  const machine = `${process.platform} ${process.arch}, ${cpus().length} × ${first?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  const packages = ["yaml", "js-yaml", "undici"].map((name) => {
    const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    return `${name} ${version}`;
  });
  const versions = [`node ${process.version}`, `gate-sync ${commitOf(root)}`, ...packages];
  return `${new Date().toISOString()}  ${machine}\n${versions.join(", ")}`;
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
