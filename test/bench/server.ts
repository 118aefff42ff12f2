// The live side in a process of its own: IPC says which fixture to hold, and it makes that fixture itself.
import { startEmulator } from "../../src/emulator/index.ts";
import { type BenchFixture, benchFixture, type Families, liveOf } from "./fixture.ts";

export interface Hold {
  readonly seed: number;
  readonly size: number;
  readonly families: Families;
  readonly changes: number | "empty";
}

const emulator = await startEmulator({ product: "gate" });
const memory: { key?: string; fixture?: BenchFixture } = {};

process.on("message", (asked: Hold | "requests") => {
  if (asked === "requests") {
    process.send?.(emulator.requests);
    emulator.clearRequests();
    return;
  }
  emulator.replaceState(Object.fromEntries(liveOf(fixtureOf(asked), asked.changes)));
  emulator.clearRequests();
  process.send?.("held");
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url: emulator.url });

/** Kept: the next case mostly wants the same one with other changes. */
function fixtureOf({ seed, size, families }: Hold): BenchFixture {
  const key = `${seed} ${size} ${families}`;
  if (memory.key !== key || memory.fixture === undefined) {
    memory.key = key;
    memory.fixture = benchFixture({ seed, size, families });
  }
  return memory.fixture;
}
