import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Io } from "./io.ts";

/** The way to read a server, as loaded when it is needed; told of to whoever follows the run. */
export async function createReadSource({ watch, echoed }: Io): Promise<(target: Target) => ReadPort> {
  const { connectToRead } = await import("../live/client/http.ts");
  const { watchReads } = await import("../live/watched.ts");
  return watchReads((target) => connectToRead(target, undefined, echoed), watch);
}
