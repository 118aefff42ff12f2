// One case: product and floor in turn, on the same fixture.
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { assumedRelease, createDialect, prefixOf } from "../../src/dialects/index.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Case } from "./cases.ts";
import { writeFiles } from "./files.ts";
import { encodeForSix, formatOf, makeContent, six } from "./fixture-kinds.ts";
import type { Live } from "./live.ts";
import { measured, median, type Program, type Sample } from "./measure.ts";

export type Stages = Readonly<Record<"read" | "parse" | "wait" | "json" | "compare", number>>;

export interface Figures {
  /** Milliseconds. */
  readonly wall: number;
  readonly cpu: number;
  /** MB. */
  readonly rss: number;
}

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  /** Of roles, and of mappings; 0 without a fixture. */
  readonly size: number;
  /** Medians. */
  readonly product: Figures;
  readonly floor: Figures;
  /** Medians of the ratios of neighbours. */
  readonly ratios: Figures;
  /** Milliseconds of the floor's last run; none beside `node -e 0`. */
  readonly stages?: Stages;
  /** Bytes of a saved plan, by those of the requests that it makes. */
  readonly planShare?: number;
  readonly samples: readonly { readonly floor: Figures; readonly product: Figures }[];
}

export interface Bench {
  readonly seed: number;
  readonly size: number;
  readonly runs: number;
  /** The repository: where the built program, the floor and the examples are. */
  readonly root: string;
  /** A temporary folder of this run. */
  readonly work: string;
  readonly live: Live;
  /** The floor's parser, as `require` takes it. */
  readonly parser: string;
}

/** Throws where a run fails, or where the floor finds a difference in what is in sync. */
export async function compared(one: Case, bench: Bench): Promise<CaseResult> {
  const { live, work, seed, size } = bench;
  const hold = () => live.hold({ seed, size, name: one.name });
  await hold();
  const { folder, product, floor } = await staged(one, bench);
  // Loading the hook would be felt where all is over within some 40 ms; there only the wall is of interest.
  const hook = one.beside === "node" ? undefined : join(bench.root, "test/bench/usage.cjs");
  const samples: { floor: Sample; product: Sample }[] = [];
  let planShare: number | undefined;
  const runs = one.slow ? 1 : one.beside === "node" ? bench.runs * 5 : bench.runs;
  // The first pair only warms up the disk's cache and the server; of a run that takes minutes that is not felt.
  for (let round = one.slow ? 1 : 0; round <= runs; round++) {
    const scratch = mkdtempSync(join(work, "run-"));
    if (one.writes && round > 0) await hold();
    const floored = await measured(floor, work, hook);
    if (one.before) await measured(product(scratch, one.before), work, hook);
    await live.requests();
    const ran = await measured(product(scratch, one.args), work, hook);
    planShare = await shareOfPlan(join(scratch, "plan.json"), live);
    rmSync(scratch, { recursive: true });
    if (round > 0) samples.push({ floor: floored, product: ran });
  }
  rmSync(folder, { recursive: true, force: true });
  return summary(one, bench, samples, planShare);
}

interface Staged {
  /** Of the files. */
  readonly folder: string;
  readonly floor: Program;
  readonly product: (scratch: string, args: Case["args"]) => Program;
}

const codes = [2]; // access can-i: no

async function staged(one: Case, { seed, size, root, work, live, parser }: Bench): Promise<Staged> {
  const main = join(root, "dist/main.cjs");
  const { url } = live;
  const folder = join(work, "files");
  if (one.beside === "node") {
    const cwd = join(root, "examples/quickstart");
    const at = (scratch: string) => ({ url, folder: cwd, scratch, product: [] });
    return {
      folder,
      floor: { args: ["-e", "0"], cwd },
      product: (scratch, args) => ({ args: [main, ...args(at(scratch))], cwd }),
    };
  }
  const { kind, change } = one;
  const isSix = kind.source === "search-guard-6";
  const product = isSix ? ["--product", "search-guard", "--release", "6"] : [];
  const content = makeContent(kind, seed, size);
  const declared = change.declare?.(content) ?? content.resources;
  const segments = floorFamilies([...declared.keys()], isSix);
  if (kind.source === "export") {
    await measured({ args: [main, "export", "--url", url, "--out", folder], cwd: work }, work, undefined);
  } else {
    writeFiles(isSix ? encodeForSix(declared) : declared, folder, formatOf(kind));
  }
  const asked = one.beside === "floor" ? segments : [];
  return {
    folder,
    floor: { args: [join(root, "test/bench/floor.cjs"), parser, folder, url, ...asked], cwd: work },
    product: (scratch, args) => ({ args: [main, ...args({ url, product, folder, scratch })], cwd: scratch, codes }),
  };
}

/** As floor.cjs takes them: the key in the files and the path on the server. */
export function floorFamilies(families: readonly ResourceFamily[], isSix: boolean): string[] {
  const dialect = isSix ? six : createDialect("gate", assumedRelease.gate);
  const prefix = prefixOf[isSix ? "search-guard" : "gate"];
  return families.flatMap((family) => {
    const segment = dialect.collections[family];
    return segment === undefined ? [] : [`${family}=${prefix}/${segment}`];
  });
}

async function shareOfPlan(plan: string, live: Live): Promise<number | undefined> {
  const sent = (await live.requests()).filter(({ method }) => method !== "GET");
  if (!existsSync(plan) || sent.length === 0) return undefined;
  return statSync(plan).size / sent.reduce((sum, { bytes }) => sum + bytes, 0);
}

function summary(
  { name, title, beside, change }: Case,
  { size }: Bench,
  samples: readonly { readonly floor: Sample; readonly product: Sample }[],
  planShare: number | undefined,
): CaseResult {
  const figures = (of: (sample: (typeof samples)[number], what: keyof Figures) => number): Figures => {
    const middle = (what: keyof Figures) => median(samples.map((sample) => of(sample, what)));
    return { wall: middle("wall"), cpu: middle("cpu"), rss: middle("rss") };
  };
  const printed = samples.at(-1)?.floor.printed ?? "";
  const floored = printed.startsWith("{")
    ? (JSON.parse(printed) as { differences: number; stages: Stages })
    : undefined;
  if (beside === "floor" && change.name === "0" && floored?.differences !== 0)
    throw new Error(`${title}: the floor finds ${floored?.differences} differences.`);
  const kept = ({ wall, cpu, rss }: Sample): Figures => ({ wall, cpu, rss });
  return {
    name,
    title,
    size: beside === "node" ? 0 : size,
    product: figures(({ product }, what) => product[what]),
    floor: figures(({ floor }, what) => floor[what]),
    ratios: figures(({ product, floor }, what) => product[what] / floor[what]),
    ...(floored && { stages: floored.stages }),
    ...(planShare !== undefined && { planShare }),
    samples: samples.map(({ floor, product }) => ({ floor: kept(floor), product: kept(product) })),
  };
}
