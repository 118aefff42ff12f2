import { spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";

/** A Node program: its file and arguments, as `node` takes them. */
export interface Program {
  readonly args: readonly string[];
  readonly cwd: string;
  /** Exit codes that are no failure, besides 0. */
  readonly codes?: readonly number[];
  /** Besides PATH. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Aborted when the bench is stopped: what runs is ended then, and all that was started is cleaned up. */
export const stopping = new AbortController();

/** One run of a whole process. */
export interface Sample {
  /** Milliseconds from its start to its end, as seen from outside. */
  readonly wall: number;
  /** Milliseconds, user and system; 0 where usage was not asked for. */
  readonly cpu: number;
  /** Peak, in MB; 0 where usage was not asked for. */
  readonly rss: number;
  /** What is on stdout. */
  readonly printed: string;
}

/**
 * Runs it to its end, with its output in files: no reader of ours slows it down. Throws where it fails, with its last words.
 * @param hook usage.cjs, or undefined: loading it is felt in a program of some 30 ms
 */
export async function measured(program: Program, scratch: string, hook: string | undefined): Promise<Sample> {
  const [out, err, usage] = ["stdout", "stderr", "usage"].map((name) => join(scratch, `run.${name}`)) as [
    string,
    string,
    string,
  ];
  rmSync(usage, { force: true });
  const handles = [openSync(out, "w"), openSync(err, "w")];
  const args = [...(hook === undefined ? [] : ["--require", hook]), ...program.args];
  const began = performance.now();
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: program.cwd,
      // Nothing of the user's own settings, tokens or proxies takes part.
      env: { PATH: process.env.PATH, BENCH_USAGE: usage, ...program.env },
      signal: stopping.signal,
      stdio: ["ignore", ...handles] as ["ignore", number, number],
    });
    child.on("error", reject).on("exit", resolve);
  });
  const wall = performance.now() - began;
  for (const handle of handles) closeSync(handle);
  if (code !== 0 && !(program.codes ?? []).includes(code ?? -1)) {
    const words = [out, err].map((file) => readFileSync(file, "utf8").slice(-2000)).join("\n");
    throw new Error(`node ${program.args.join(" ")} ended with ${code}:\n${words}`);
  }
  const printed = readFileSync(out, "utf8");
  if (hook === undefined) return { wall, cpu: 0, rss: 0, printed };
  const { user, system, rss } = JSON.parse(readFileSync(usage, "utf8"));
  return { wall, cpu: user + system, rss, printed };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return (low + high) / 2;
}
