import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";
import type { Io } from "./io.ts";

/** Loads the connection that reads a server when it is needed, with progress reported to the watcher. */
export async function createReadSource(io: Io): Promise<(target: Target) => ReadPort> {
  const { connectToRead } = await import("../live/client/http.ts");
  const { watchReads } = await import("../live/watched.ts");
  return watchReads((target) => connectToRead(target, undefined, io.echoed), io);
}
