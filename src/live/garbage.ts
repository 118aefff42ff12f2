import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * The engine collects when the heap has grown by a share of itself: beside a gigabyte that is needed, hundreds of
 * megabytes that are not would stay to the end of the run.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
}
