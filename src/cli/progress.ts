import type { Progress } from "../apply/ports.ts";
import type { WritePort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { WaitState, WaitWatch } from "../model/watch.ts";
import { formatName } from "../render/escape.ts";
import { formatOutcomeLine, formatStartingLine, formatWaitingLine } from "../render/text/outcome.ts";
import { formatRequestTarget } from "../render/views/request.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, chooseStyle } from "./options.ts";
import { pauseAfter } from "./waits.ts";

/** Milliseconds: shorter waits need no explanation. */
const worthReporting = 2_000;

/**
 * Outcomes as they come; what is waited for is for people only, and no part of the result.
 *
 * @param earlier how many requests of this run are done already
 */
export function createProgressReporter(io: Io, flags: CommonFlags, earlier: number): Progress {
  const isText = flags.format !== "json";
  const { target, output } = io.waitsOf ?? { target: undefined, output: io.stderr };
  const lead = target === undefined ? "" : `  ${formatName(target)}:`;
  const aside = (line: string | undefined) => {
    if (line !== undefined && !flags.quiet) output.write(`${lead}${lead === "" ? line : line.replace(/^ +/, " ")}\n`);
  };
  // What the last line about a wait said, and after how many milliseconds of it the next one is due.
  let found: WaitState["found"] | undefined;
  let due = 0;
  return {
    starting: (operation, index, total) => {
      [found, due] = [undefined, 0];
      aside(formatStartingLine(operation, earlier + index, earlier + total));
      io.watch?.({ step: "sending", operation, index: earlier + index, total: earlier + total });
    },
    waiting: (operation, state) => {
      if (state.elapsed < (state.found === found ? due : worthReporting)) return;
      [found, due] = [state.found, state.elapsed + pauseAfter(state.elapsed)];
      aside(formatWaitingLine(operation, state));
    },
    settled: (outcome, index, total) => {
      io.watch?.({ step: "sent" });
      const style = chooseStyle(io.stdout, io, flags);
      if (isText) io.stdout.write(`${formatOutcomeLine(outcome, earlier + index, earlier + total, style)}\n`);
    },
    stopped: () => io.stopped() !== undefined,
  };
}

/** The same connection, with each write reported while its answer is waited for. */
export function watchWrites(
  connect: (target: Target) => WritePort,
  waits: WaitWatch | undefined,
): (target: Target) => WritePort {
  if (!waits) return connect;
  return (target) => {
    const port = connect(target);
    return {
      ...port,
      async send(operation, options) {
        const limit = options?.timeout;
        const end = limit === undefined ? undefined : waits(formatRequestTarget(operation), limit);
        try {
          return await port.send(operation, options);
        } finally {
          end?.();
        }
      },
    };
  };
}
