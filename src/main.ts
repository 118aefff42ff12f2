#!/usr/bin/env node
// What is imported here is loaded before `--version` is answered; all else comes with the program.
import { formatCrash } from "./cli/crash.ts";
import { eraseProgress } from "./cli/erasers.ts";
import type { Output, ProcessIo } from "./cli/io.ts";
import { exitCodes } from "./diagnostics/failure.ts";
import { systemClock } from "./engine/clock.ts";
import { version } from "./model/version.ts";

let outputFailed = false;
/** Streams that take no more. */
const closed = new Set<NodeJS.WriteStream>();
let writing = false;
let serving = false;
/** The exit code of the signal that asked to stop while writing. */
let stoppedBy: number | undefined;
/** Says how a run ends that does not wait for its request; returns the exit code. */
let printStopped = (): number => exitCodes.interrupted;
let settleStopped = (): void => {};
const stopped = new Promise<void>((resolve) => {
  settleStopped = resolve;
});

// A reader that has seen enough (`| head`) is no failure, and no reason to stop half-way through a change. A disk that
// is full is one: what was asked for did not get out.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    closed.add(stream);
    if (error.code === "EPIPE" || outputFailed) return;
    outputFailed = true;
    process.exitCode ||= exitCodes.failed;
    if (stream === process.stdout) process.stderr.write(`! The output cannot be written: ${error.message}.\n`);
  });
}

// Before the first write an interrupt ends the process; after it, the request in flight is finished first. A user who
// interrupts a second time does not want to wait for that either.
for (const [signal, code] of [
  ["SIGINT", exitCodes.interrupted],
  ["SIGTERM", exitCodes.terminated],
] as const) {
  process.on(signal, () => {
    settleStopped();
    if (serving) return;
    if (!writing) process.exit(code);
    if (stoppedBy !== undefined) process.exit(printStopped());
    stoppedBy = code;
    eraseProgress();
    process.stderr.write("Finishing the request in flight, then stopping. Interrupt again not to wait.\n");
  });
}

process.on("exit", eraseProgress);

const io: ProcessIo = {
  cwd: process.cwd(),
  env: process.env,
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  // In this order: to look at stdin is to open it.
  interactive: process.stdout.isTTY === true && process.stdin.isTTY === true,
  ask,
  input: () => process.stdin,
  stopped: () => stoppedBy,
  clock: systemClock,
  today: () => new Date(),
  beginWriting: () => {
    writing = true;
  },
  untilStopped: () => {
    serving = true;
    return stopped;
  },
};

// An error that no caller catches: Node would print all of it, and the line of code.
process.on("uncaughtException", (error) => {
  process.stderr.write(formatCrash(error));
  process.exit(writing ? exitCodes.partial : exitCodes.failed);
});

void run(process.argv.slice(2));

async function run(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    io.stdout.write(`${version}\n`);
    return;
  }
  try {
    const program = await import("./cli/program.ts");
    const { stopStartedPrograms } = await import("./live/client/credential-command.ts");
    printStopped = () => program.printStopped(argv, io);
    // Whatever ends the run, nothing that it started goes on without it.
    process.on("exit", stopStartedPrograms);
    const code = await program.runProgram(argv, io);
    process.exitCode = code || (outputFailed ? exitCodes.failed : exitCodes.done);
  } catch (error) {
    process.stderr.write(formatCrash(error));
    process.exitCode = writing ? exitCodes.partial : exitCodes.failed;
  }
}

function output(stream: NodeJS.WriteStream): Output {
  return {
    write: (text) => {
      stream.write(text);
    },
    space: () =>
      new Promise((resolve) => {
        const settle = () => {
          stream.off("drain", settle).off("error", settle);
          resolve(!closed.has(stream));
        };
        stream.on("drain", settle).on("error", settle);
        if (!stream.writableNeedDrain || closed.has(stream)) settle();
      }),
    isTTY: stream.isTTY === true,
    // A terminal that does not know its size says 0.
    columns: stream.columns || 80,
  };
}

/** Lines that came with the one that was asked for: pasted, or written by a program. */
const typedAhead: string[] = [];
let inputEnded = false;

async function ask(question: string): Promise<string | undefined> {
  const typed = typedAhead.shift();
  if (typed !== undefined || inputEnded || process.stdin.readableEnded) {
    process.stderr.write(`${question}${typed ?? ""}\n`);
    return typed;
  }
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // A terminal in line mode turns Ctrl-C into this event; to the process it is an interrupt like any other.
  lines.on("SIGINT", () => {
    process.emit("SIGINT", "SIGINT");
    lines.close();
  });
  lines.on("line", (line) => typedAhead.push(line));
  const markEnded = (): void => {
    inputEnded = true;
  };
  lines.once("close", markEnded);
  const closed = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  try {
    return await Promise.race([lines.question(question), closed]);
  } finally {
    lines.off("close", markEnded).close();
  }
}
