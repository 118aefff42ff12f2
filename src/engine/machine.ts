// What the machine that runs us cannot know by itself.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Characters of garbage. */
const worthCollecting = 50_000_000;

/** Beside a gigabyte that is needed, hundreds of megabytes that are not would stay to the end of the run. */
export function freeMemory(garbage: number): void {
  if (garbage < worthCollecting) return;
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
