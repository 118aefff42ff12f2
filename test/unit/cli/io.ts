import { Readable } from "node:stream";
import type { Io, Output } from "../../../src/cli/io.ts";
import { systemClock } from "../../../src/engine/clock.ts";

/** A run without a terminal and without a signal. */
export function ioOf({ env = {}, ...streams }: { stdout: Output; stderr: Output; env?: Io["env"] }): Io {
  return {
    ...streams,
    cwd: "/",
    env,
    interactive: false,
    ask: async () => undefined,
    input: () => Readable.from([]),
    stopped: () => undefined,
    beginWriting: () => {},
    today: () => new Date(),
    untilStopped: async () => {},
    hide: (text) => text,
    command: () => {},
    clock: systemClock,
  };
}
