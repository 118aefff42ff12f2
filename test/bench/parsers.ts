// Which parser the floor has: the fastest build of js-yaml on the Node at hand. What else was tried is in RESULTS.md.
import { join } from "node:path";
import { measured, median } from "./measure.ts";

export interface Parser {
  /** Its file, below node_modules. */
  readonly name: string;
  /** Milliseconds of CPU of the floor that reads the files with it, and asks no server. */
  readonly cpu: number;
}

const builds = ["js-yaml.cjs.js", "js-yaml.mjs", "browser/js-yaml.umd.min.js", "browser/js-yaml.esm.min.mjs"];

/** The fastest first; medians of three runs. */
export async function comparedParsers(root: string, folder: string, work: string): Promise<Parser[]> {
  const parsers: Parser[] = [];
  for (const build of builds) {
    const name = `js-yaml/dist/${build}`;
    const args = [join(root, "test/bench/floor.cjs"), join(root, "node_modules", name), folder, ""];
    const cpus: number[] = [];
    for (let run = 0; run < 3; run++) {
      cpus.push((await measured({ args, cwd: work }, work, join(root, "test/bench/usage.cjs"))).cpu);
    }
    parsers.push({ name, cpu: median(cpus) });
  }
  return parsers.sort((a, b) => a.cpu - b.cpu);
}
