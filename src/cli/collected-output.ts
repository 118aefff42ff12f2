import type { Io, Output } from "./io.ts";
import { reportWaitsOf } from "./waits.ts";

/** The same with what is written kept for later: of several runs at once each would be mixed with the others. What is waited for is said at once. */
export function collectOutput(
  io: Io,
  target: string,
): {
  readonly io: Io;
  /** All of it, in its order. */
  readonly read: () => string;
  /** Of one output only. */
  readonly readOf: (name: "stdout" | "stderr") => string;
} {
  const written: { readonly name: "stdout" | "stderr"; readonly text: string }[] = [];
  const createOutput = (name: "stdout" | "stderr"): Output => ({
    write: (text) => {
      written.push({ name, text });
    },
    isTTY: false,
    columns: 80,
  });
  const join = (some: typeof written) => some.map(({ text }) => text).join("");
  const { watch: _, waits: __, ...rest } = io;
  const others = { ...rest, ...reportWaitsOf(target, io) };
  return {
    io: { ...others, stdout: createOutput("stdout"), stderr: createOutput("stderr"), interactive: false },
    read: () => join(written),
    readOf: (name) => join(written.filter((one) => one.name === name)),
  };
}
