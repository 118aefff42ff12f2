import type { Watch, WatchStep } from "../model/watch.ts";
import { cutTo } from "../render/layout.ts";
import { formatStage, formatStepLine, getStageAfter, type Stage } from "../render/text/watch.ts";
import { erasers } from "./erasers.ts";
import type { Io, Output } from "./io.ts";
import type { CommonFlags } from "./options.ts";

/** A run that can be followed: `io` is what the command gets. */
export interface RunWatch {
  readonly io: Io;
  /** Leaves nothing of it on the screen. */
  readonly end: () => void;
}

/** Milliseconds: shorter work shows no line; how often the line is written again. */
const worthReporting = 1_000;
const beat = 200;

/**
 * How a run is followed: by a line for each step where they are asked for; by one line that is written over and over
 * where a person looks on; else not at all.
 */
export function createWatch(io: Io, flags: CommonFlags): RunWatch {
  if (flags.quiet) return { io, end: () => {} };
  if (flags.verbose) return { io: { ...io, watch: lines(io.stderr) }, end: () => {} };
  return isWatched(io) ? liveLine(io) : { io, end: () => {} };
}

/** Where the cursor does not go back, or a log keeps every line, it would fill the screen. */
function isWatched({ stderr, env }: Io): boolean {
  return stderr.isTTY && env.TERM !== "dumb" && (env.CI ?? "") === "";
}

/** Answers come in any order, and are shown in the order of their requests. */
function lines(stderr: Output): Watch {
  let since = performance.now();
  const awaited: { readonly path: string; line?: string | undefined }[] = [];
  const write = (line: string | undefined) => {
    if (line !== undefined) stderr.write(`${line}\n`);
  };
  return (step) => {
    const line = formatStepLine(step, performance.now() - since);
    if (step.step === "asked") awaited.push({ path: step.path });
    else if (step.step === "answered") {
      const entry = awaited.find(({ path, line: explained }) => path === step.path && explained === undefined);
      if (entry) entry.line = line;
      while (awaited[0]?.line !== undefined) write(awaited.shift()?.line);
    } else write(line);
    if (isBeginning(step)) since = performance.now();
  };
}

function isBeginning(step: WatchStep): boolean {
  return step.step === "comparing" || (step.step === "files" && step.read === 0);
}

function liveLine(io: Io): RunWatch {
  const began = performance.now();
  let stage: Stage | undefined;
  let since = began;
  let drawn: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const erase = () => {
    if (drawn !== undefined) io.stderr.write("\r\u001b[K");
    drawn = undefined;
  };
  const draw = () => {
    const now = performance.now();
    if (!stage || now - began < worthReporting || (drawn !== undefined && now - drawn < beat)) return;
    // A line that is as wide as the terminal would break, and its first half stay.
    io.stderr.write(`\r${cutTo(formatStage(stage, now - since), io.stderr.columns - 1)}\u001b[K`);
    drawn = now;
  };
  const rest = () => {
    erase();
    stage = undefined;
    clearInterval(timer);
    timer = undefined;
  };
  const watch: Watch = (step) => {
    const next = getStageAfter(stage, step);
    if (!next) return rest();
    if (next.kind !== stage?.kind) since = performance.now();
    stage = next;
    timer ??= setInterval(draw, beat).unref();
    // A computation leaves no time for timers.
    draw();
  };
  const before = (output: Output, prepare: () => void): Output => ({
    ...output,
    write: (text) => {
      prepare();
      return output.write(text);
    },
  });
  erasers.add(erase);
  return {
    io: {
      ...io,
      watch,
      // A result is printed once a stage is over, a remark at once.
      stdout: before(io.stdout, rest),
      stderr: before(io.stderr, erase),
      ask: (question) => {
        rest();
        return io.ask(question);
      },
    },
    end: () => {
      rest();
      erasers.delete(erase);
    },
  };
}
