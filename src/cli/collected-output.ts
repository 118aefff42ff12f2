import type { Io, Output } from "./io.ts";

/** The same with what is written kept for later: of several runs at once each would be mixed with the others. */
export function collectOutput(io: Io): { readonly io: Io; readonly read: () => string } {
  const written: string[] = [];
  const output: Output = {
    write: (text) => {
      written.push(text);
    },
    isTTY: false,
    columns: 80,
  };
  const { watch: _, waits: __, ...others } = io;
  return { io: { ...others, stdout: output, stderr: output, interactive: false }, read: () => written.join("") };
}
