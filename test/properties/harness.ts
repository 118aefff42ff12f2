import { afterAll, beforeAll } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { startEmulator } from "../../src/index.ts";
import type { Mode } from "../../src/model/policy.ts";
import { openWorkspace } from "../support/workspace.ts";
import type { Harness } from "./cycle.ts";

export interface Setting extends Pick<Harness, "withoutPatch" | "stated"> {
  readonly server?: Partial<EmulatorOptions>;
  /** Of every family. */
  readonly mode?: Mode;
}

/** The server and the folder of a group of tests, opened before them and closed after them. */
export function useHarness(setting: Setting = {}): () => Harness {
  const grounds = useGrounds(1, setting);
  return () => {
    const [harness] = grounds();
    if (!harness) throw new Error("bug: the ground is not open yet");
    return harness;
  };
}

/** Several of them: while one waits for its server, another one plays. */
export function useGrounds(count: number, { server, mode, ...rest }: Setting = {}): () => readonly Harness[] {
  let grounds: readonly Harness[] = [];
  const open = async (): Promise<Harness> => {
    const emulator = await startEmulator({ product: "gate", allowConfigModification: true, ...server });
    return { emulator, workspace: openWorkspace({ exclude: ["other_team_*"], ...(mode && { mode }) }), ...rest };
  };
  beforeAll(async () => {
    grounds = await Promise.all(Array.from({ length: count }, open));
  });
  afterAll(async () => {
    for (const { emulator, workspace } of grounds) {
      workspace.close();
      await emulator.close();
    }
  });
  return () => grounds;
}

/** Plays every fixture on whichever ground is free; how many there were. */
export async function onEvery<T>(
  grounds: readonly Harness[],
  fixtures: Iterable<T>,
  play: (fixture: T, harness: Harness) => Promise<void>,
): Promise<number> {
  const open = fixtures[Symbol.iterator]();
  const counts = grounds.map(async (harness) => {
    let count = 0;
    for (let next = open.next(); !next.done; next = open.next(), count++) await play(next.value, harness);
    return count;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
