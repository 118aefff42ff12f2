import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Output } from "../../src/cli/io.ts";
import { runProgram } from "../../src/cli/program.ts";
import { hastyClock } from "./workspace.ts";

/** The built program, as it is installed: global-setup.ts builds it when a source is newer. */
export const bin = fileURLToPath(new URL("../../dist/main.cjs", import.meta.url));

/** Besides where programs are found: where Node keeps what it compiled, which it then need not compile for each process. */
const { PATH, NODE_COMPILE_CACHE } = process.env;
const inherited = { PATH, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };

export interface Place {
  readonly cwd: string;
  /** All of it but what is inherited: nothing else that the person who runs the tests has set gets in. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is on standard input. */
  readonly input?: string;
  /** What a person at a terminal answers once asked; only without a process. */
  readonly answer?: () => string;
  /** Who it runs as, where the tests may choose that: where they run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** What a run of the program left behind. */
export interface Run {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that goes on. */
export interface Running {
  readonly child: ChildProcess;
  /** Settles as soon as its output, of either stream, holds the text. Rejects where it ended without. */
  reported(text: string): Promise<void>;
  readonly ended: Promise<Run>;
}

/** gate-sync with these words, as a user starts it where there is no terminal to ask. */
export function startGateSync(args: readonly string[], place: Place): Running {
  return start(process.execPath, [bin, ...args], place);
}

export function gateSync(args: readonly string[], place: Place): Promise<Run> {
  return startGateSync(args, place).ended;
}

/**
 * The same program without a process of its own, and without its pauses: for the many runs whose start would cost more
 * than what they do.
 */
export async function gateSyncWithin(args: readonly string[], place: Place): Promise<Run> {
  const output = { stdout: "", stderr: "" };
  const code = await runWithin(args, place, (name, text) => {
    output[name] += text;
  });
  return { code, ...output };
}

function runWithin(
  args: readonly string[],
  place: Place,
  write: (name: "stdout" | "stderr", text: string) => void,
): Promise<number> {
  const { answer } = place;
  const isTTY = answer !== undefined;
  const to = (name: "stdout" | "stderr"): Output => ({ write: (text) => write(name, text), isTTY, columns: 80 });
  return runProgram(args, {
    cwd: place.cwd,
    env: place.env ?? {},
    stdout: to("stdout"),
    stderr: to("stderr"),
    interactive: isTTY,
    ask: async () => answer?.(),
    input: () => Readable.from([place.input ?? ""].map((text) => Buffer.from(text))),
    stopped: () => undefined,
    beginWriting: () => {},
    today: () => new Date(),
    untilStopped: () => new Promise(() => {}),
    clock: hastyClock(),
  });
}

export interface Screen {
  readonly code: number;
  /** Both streams, in the order in which a person would see them. */
  readonly text: string;
}

export async function onScreenWithin(args: readonly string[], place: Place): Promise<Screen> {
  let text = "";
  const code = await runWithin(args, place, (_, more) => {
    text += more;
  });
  return { code, text };
}

export async function onScreen(args: readonly string[], { cwd, env = {} }: Place): Promise<Screen> {
  return inFolder({}, async (folder) => {
    const path = join(folder, "screen.txt");
    const file = openSync(path, "a");
    const child = spawn(process.execPath, [bin, ...args], {
      cwd,
      env: { ...inherited, ...env },
      stdio: ["ignore", file, file],
    });
    const code = await new Promise<number | null>((resolve, reject) => child.on("error", reject).on("close", resolve));
    closeSync(file);
    return { code: code ?? -1, text: readFileSync(path, "utf8") };
  });
}

export function start(command: string, args: readonly string[], { cwd, env = {}, input, user }: Place): Running {
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, ...env },
    ...(process.getuid?.() === 0 && user),
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (input !== undefined) child.stdin?.end(input);
  const output = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      for (const look of waiting) look();
    });
  }
  const ended = new Promise<Run>((resolve, reject) => {
    child.on("error", reject).on("close", (code) => resolve({ code: code ?? undefined, ...output }));
  });
  const reported = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (!output.stdout.includes(text) && !output.stderr.includes(text)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      ended.then(
        () => reject(new Error(`It ended without saying “${text}”:\n${output.stdout}${output.stderr}`)),
        reject,
      );
    });
  return { child, reported, ended };
}

/** Where an emulator listens that was started with `--format json`. */
export async function readUrl(running: Running): Promise<string> {
  const line = await new Promise<string>((resolve, reject) => {
    running.child.stdout?.once("data", (text) => resolve(String(text)));
    running.ended.then(({ stderr }) => reject(new Error(`It ended before it listened: ${stderr}`)), reject);
  });
  return JSON.parse(line).url;
}

export type Files = Readonly<Record<string, string>>;

/** Does something in a folder with these files, which is gone afterwards. */
export async function inFolder<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "gate-sync-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
