// The live side in a process of its own: told over IPC which world to hold, it makes that world itself.
import { startEmulator } from "../../src/emulator/index.ts";
import { type BenchWorld, benchWorld, type Families, liveOf } from "./world.ts";

export interface Hold {
  readonly seed: number;
  readonly size: number;
  readonly families: Families;
  readonly changes: number | "empty";
}

const emulator = await startEmulator({ product: "gate" });
const memory: { key?: string; world?: BenchWorld } = {};

process.on("message", (asked: Hold | "requests") => {
  if (asked === "requests") {
    process.send?.(emulator.requests);
    emulator.clearRequests();
    return;
  }
  emulator.replaceState(Object.fromEntries(liveOf(worldOf(asked), asked.changes)));
  emulator.clearRequests();
  process.send?.("held");
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url: emulator.url });

/** Kept: the next case mostly wants the same one with other changes. */
function worldOf({ seed, size, families }: Hold): BenchWorld {
  const key = `${seed} ${size} ${families}`;
  if (memory.key !== key || memory.world === undefined) {
    memory.key = key;
    memory.world = benchWorld({ seed, size, families });
  }
  return memory.world;
}
