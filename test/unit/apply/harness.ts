// A server that misbehaves as asked, a plan against it, and a clock that runs ahead instead of waiting.

import type { Fault } from "../../../src/emulator/fault.ts";
import { type Emulator, type EmulatorOptions, type FaultCase, startEmulator } from "../../../src/emulator/index.ts";
import { apply, connectToWrite, type DecidedPlan, type Report } from "../../../src/index.ts";
import type { WaitState } from "../../../src/model/watch.ts";
import type { Files } from "../../support/command.ts";
import { hastyClock, openWorkspace } from "../../support/workspace.ts";

export interface Scene {
  readonly server: EmulatorOptions;
  /** Below `access/`. */
  readonly files: Files;
  /** What becomes of the nth write, from 1 on; and of every read once something was written. */
  readonly write?: (count: number, request: FaultCase, emulator: Emulator) => Fault | undefined;
  readonly read?: (request: FaultCase, writes: number) => Fault | undefined;
  /** Called at each wait, with the milliseconds that have passed. */
  readonly waits?: (elapsed: number, emulator: Emulator) => void;
  /** True once the user asked to stop. */
  readonly stopped?: (elapsed: number) => boolean;
  /** What every throw of the dice gives; 0 unless set. */
  readonly chance?: number;
}

export interface Played {
  readonly planned: DecidedPlan;
  readonly report: Report;
  /** `METHOD path`, and `look` for every read, from the first write on. */
  readonly requests: readonly string[];
  /** Milliseconds that a user would have waited. */
  readonly waited: number;
  /** How far a wait was shown: `elapsed of limit`, in milliseconds. */
  readonly explained: readonly string[];
  readonly state: ReturnType<Emulator["state"]>;
}

export async function play(scene: Scene): Promise<Played> {
  const { server, files, write, read, waits, stopped = () => false, chance } = scene;
  const emulator = await startEmulator(server);
  const workspace = openWorkspace();
  try {
    workspace.write(Object.entries(files));
    const { product, release } = server;
    const planned = await workspace.plan(emulator.url, { product, ...(release !== undefined && { release }) });
    emulator.clearRequests();
    let writes = 0;
    emulator.fault = (request) => {
      if (request.method === "GET") return writes === 0 ? undefined : read?.(request, writes);
      writes += 1;
      return write?.(writes, request, emulator);
    };
    const clock = hastyClock(chance);
    const explained: string[] = [];
    const wait = async (milliseconds: number) => {
      await clock.wait(milliseconds);
      waits?.(clock.now(), emulator);
    };
    const progress = {
      settled: () => {},
      waiting: (_: unknown, { elapsed, limit }: WaitState) => void explained.push(`${elapsed} of ${limit}`),
      stopped: () => stopped(clock.now()),
    };
    const report = await apply(planned, connectToWrite, progress, { ...clock, wait });
    const requests = emulator.requests.map(({ method, path }) => (method === "GET" ? "look" : `${method} ${path}`));
    return { planned, report, requests, waited: clock.now(), explained, state: emulator.state() };
  } finally {
    workspace.close();
    await emulator.close();
  }
}

/** Of every operation: what became of it, and why. */
export function outcomesOf({ report }: Played): readonly string[] {
  return report.outcomes.map(({ kind, cause }) => (cause === undefined ? kind : `${kind}, ${cause}`));
}
