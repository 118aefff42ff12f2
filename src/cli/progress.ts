import type { Progress } from "../apply/ports.ts";
import type { Operation } from "../model/operation.ts";
import {
  formatOutcomeLine,
  formatStartingLine,
  formatUnansweredLine,
  formatWaitingLine,
} from "../render/text/outcome.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, chooseStyle } from "./options.ts";

/**
 * Milliseconds that need no explanation: before progress of reading is shown, and between two lines about a waiting
 * write.
 */
const worthReporting = { reading: 2_000, answer: 20_000 } as const;

/**
 * Outcomes as they come; what is waited for is for people only, and no part of the result.
 *
 * @param earlier how many requests of this run are done already
 */
export function createProgressReporter(io: Io, flags: CommonFlags, earlier: number): Progress {
  const isText = flags.format !== "json";
  const aside = (line: string | undefined) => {
    if (line !== undefined && !flags.quiet) io.stderr.write(`${line}\n`);
  };
  const answer = awaiting((operation, elapsed) => aside(formatUnansweredLine(operation, elapsed)));
  return {
    starting: (operation, index, total) => {
      aside(formatStartingLine(operation, earlier + index, earlier + total));
      io.watch?.({ step: "sending", operation, index: earlier + index, total: earlier + total });
      answer.begin(operation);
    },
    waiting: (operation, elapsed, limit) => {
      answer.end();
      if (elapsed >= worthReporting.reading) aside(formatWaitingLine(operation, elapsed, limit));
    },
    settled: (outcome, index, total) => {
      answer.end();
      io.watch?.({ step: "sent" });
      const style = chooseStyle(io.stdout, io, flags);
      if (isText) io.stdout.write(`${formatOutcomeLine(outcome, earlier + index, earlier + total, style)}\n`);
    },
    stopped: io.stopped,
  };
}

/** Reports again and again that an answer is awaited: a write may take ten minutes. */
function awaiting(report: (operation: Operation, elapsed: number) => void) {
  let timer: NodeJS.Timeout | undefined;
  const end = () => clearInterval(timer);
  const begin = (operation: Operation) => {
    end();
    const since = performance.now();
    timer = setInterval(() => report(operation, performance.now() - since), worthReporting.answer);
    timer.unref();
  };
  return { begin, end };
}
