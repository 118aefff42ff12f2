// What the machine that runs us cannot know by itself.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * A run lasts a second or two. Optimising its functions again and again, with ever more of others inside them, takes a
 * seventh of its work and pays too late: later and smaller is less. `test/bench` shows by how much.
 */
export function expectShortRun(): void {
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=200");
  setFlagsFromString("--interrupt-budget=264000");
  // What is read stays to the end: marking it from beside, again and again, frees nothing.
  setFlagsFromString("--no-concurrent-marking");
}

/** Characters of garbage. */
const worthCollecting = 50_000_000;

/** Beside a gigabyte that is needed, hundreds of megabytes that are not would stay to the end of the run. */
export function freeUp(garbage: number): void {
  if (garbage < worthCollecting) return;
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
