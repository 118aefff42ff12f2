// One case: product and floor in turn, on the same fixture.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { assumedRelease, createDialect } from "../../src/dialects/index.ts";
import type { RecordedRequest } from "../../src/emulator/index.ts";
import type { ResourceFamily } from "../../src/model/names.ts";
import type { Case } from "./cases.ts";
import { writeFiles } from "./files.ts";
import { benchFixture, type Families } from "./fixture.ts";
import type { Live } from "./live.ts";
import { measured, median, type Program, type Sample } from "./measure.ts";

export interface CaseResult {
  readonly name: string;
  readonly title: string;
  readonly beside: Case["beside"];
  /** Of each family; 0 without a fixture. */
  readonly size: number;
  /** Declared ones. */
  readonly families: number;
  readonly runs: number;
  /** Medians. */
  readonly product: Sample;
  readonly floor: Sample;
  /** Medians of the ratios of neighbours. */
  readonly ratios: { readonly wall: number; readonly cpu: number; readonly rss: number };
  /** Of one run of the product: `GET roles` and how often. */
  readonly requests: Readonly<Record<string, number>>;
  readonly writes: number;
  /** Bytes of the requests that write roles, by the JSON of the roles; where all are written. */
  readonly bodyShare?: number;
  readonly samples: readonly { readonly floor: Sample; readonly product: Sample }[];
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
}

/** Throws where a run ends with another exit code than 0. */
export async function compared(one: Case, bench: Bench): Promise<CaseResult> {
  const { live, runs: asked } = bench;
  const staged = stage(one, bench);
  const hold = async () => {
    if (staged.hold) await live.hold({ seed: bench.seed, ...staged.hold });
  };
  await hold();
  // Loading the hook would be felt where all is over within some 40 ms; there only the wall is of interest.
  const hook = one.beside === "node" ? undefined : join(bench.root, "test/bench/usage.cjs");
  const samples: { floor: Sample; product: Sample }[] = [];
  let requests: readonly RecordedRequest[] = [];
  const runs = one.runs?.(asked) ?? asked;
  // The first round only warms up the disk's cache and the server.
  for (let round = 0; round <= runs; round++) {
    const scratch = mkdtempSync(join(bench.work, "run-"));
    const floor = await measured(staged.floor(scratch), bench.work, hook);
    if (one.writes && round > 0) await hold();
    await live.requests();
    const product = await measured(staged.product(scratch), bench.work, hook);
    requests = await live.requests();
    rmSync(scratch, { recursive: true });
    if (round > 0) samples.push({ floor, product });
  }
  return { ...summary(one, staged, samples), ...explained(requests, staged) };
}

interface Staged {
  readonly size: number;
  readonly families: number;
  readonly hold?: { size: number; families: Families; changes: number | "empty" };
  /** Bytes of the roles, where all of them are to be written. */
  readonly rolesJson?: number;
  floor(scratch: string): Program;
  product(scratch: string): Program;
}

function stage(one: Case, { seed, size: asked, root, work, live }: Bench): Staged {
  const main = join(root, "dist/main.cjs");
  const quickstart = join(root, "examples/quickstart");
  if (one.fixture === undefined) {
    const at = (scratch: string) => ({ url: live.url, folder: quickstart, scratch });
    return {
      size: 0,
      families: 0,
      floor: () => ({ args: ["-e", "0"], cwd: quickstart }),
      product: (scratch) => ({ args: [main, ...one.args(at(scratch))], cwd: quickstart }),
    };
  }
  const { families, times = 1, changes: changesOf } = one.fixture;
  const size = asked * times;
  const changes = changesOf(size);
  const fixture = benchFixture({ seed, size, families });
  const folder = join(work, `${families}-${size}`);
  // One fixture of each size lies there for all cases.
  if (!writtenFolders.has(folder)) writeFiles(fixture, folder);
  writtenFolders.add(folder);
  const empty = join(work, "empty");
  mkdirSync(empty, { recursive: true });
  const segments = one.beside === "files" ? [] : floorFamilies([...fixture.resources.keys()]);
  const roles = fixture.resources.get("roles") ?? new Map();
  return {
    size,
    families: fixture.resources.size,
    hold: { size, families, changes },
    ...(changes === "empty" && { rolesJson: Buffer.byteLength(JSON.stringify(Object.fromEntries(roles))) }),
    floor: (scratch) => ({
      args: [join(root, "test/bench/floor.mjs"), one.beside === "live" ? empty : folder, live.url, ...segments],
      cwd: scratch,
    }),
    product: (scratch) => ({ args: [main, ...one.args({ url: live.url, folder, scratch })], cwd: scratch }),
  };
}

/** As floor.mjs takes them: the key in the files and the path on the server. */
export function floorFamilies(families: readonly ResourceFamily[]): string[] {
  const { prefix, collections } = createDialect("gate", assumedRelease.gate);
  return families.map((family) => `${family}=${prefix}/${collections[family]}`);
}

const writtenFolders = new Set<string>();

function summary(one: Case, staged: Staged, samples: CaseResult["samples"]) {
  const of = (side: "floor" | "product"): Sample => {
    const middle = (what: keyof Sample) => median(samples.map((pair) => pair[side][what]));
    return { wall: middle("wall"), cpu: middle("cpu"), rss: middle("rss"), printed: middle("printed") };
  };
  const ratio = (what: keyof Sample) => median(samples.map(({ floor, product }) => product[what] / floor[what]));
  const { name, title, beside } = one;
  const { size, families } = staged;
  const ratios = { wall: ratio("wall"), cpu: ratio("cpu"), rss: ratio("rss") };
  return {
    name,
    title,
    beside,
    size,
    families,
    runs: samples.length,
    floor: of("floor"),
    product: of("product"),
    ratios,
    samples,
  };
}

function explained(requests: readonly RecordedRequest[], { rolesJson }: Staged) {
  const counts = new Map<string, number>();
  for (const { method, path, family } of requests) {
    const key = `${method} ${family ?? path}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const writing = requests.filter(({ method }) => method !== "GET");
  const roles = writing.filter(({ family }) => family === "roles").reduce((sum, { bytes }) => sum + bytes, 0);
  return {
    requests: Object.fromEntries([...counts].sort()),
    writes: writing.length,
    ...(rolesJson !== undefined && { bodyShare: roles / rolesJson }),
  };
}
