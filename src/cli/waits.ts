import type { WaitWatch } from "../model/watch.ts";
import type { Io, Output } from "./io.ts";

/** Milliseconds before the first line, and the most between two. */
const worthReporting = 10_000;
const longestSilence = 60_000;

/** Milliseconds between a line and the next one: the longer the wait, the fewer lines, but one each minute. */
export function pauseAfter(elapsed: number): number {
  return Math.min(elapsed, longestSilence);
}

/** For the run about one of several targets: which of them answer is not seen while the run about each is collected. */
export function reportWaitsOf(
  target: string,
  { waits, stderr: output }: Pick<Io, "waits" | "stderr">,
): Pick<Io, "waits" | "waitsOf"> {
  return waits ? { waits: createWaitReporter(output, `${target}: `), waitsOf: { target, output } } : {};
}

/** Prints which answer is waited for, of several the one that was asked for first. */
export function createWaitReporter(stderr: Output, lead = ""): WaitWatch {
  const awaited = new Set<object>();
  return (request, limit) => {
    const since = performance.now();
    const own = {};
    awaited.add(own);
    let timer: NodeJS.Timeout | undefined;
    const reportIn = (milliseconds: number) => {
      timer = setTimeout(report, milliseconds);
      timer.unref();
    };
    const report = async () => {
      const elapsed = performance.now() - since;
      reportIn(pauseAfter(elapsed));
      const { formatUnansweredLine } = await import("../render/text/outcome.ts");
      if (awaited.values().next().value !== own) return;
      stderr.write(`${formatUnansweredLine(lead + request, elapsed, limit)}\n`);
    };
    reportIn(worthReporting);
    return () => {
      clearTimeout(timer);
      awaited.delete(own);
    };
  };
}
