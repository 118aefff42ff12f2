// The server process as seen from the bench.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { RecordedRequest } from "../../src/emulator/index.ts";
import type { Hold } from "./server.ts";

export interface Live {
  readonly url: string;
  /** Resolves when it holds that fixture; no request is counted yet then. */
  hold(fixture: Hold): Promise<void>;
  /** What reached the emulator since the last time; GETs that were answered before do not. */
  requests(): Promise<readonly RecordedRequest[]>;
  stop(): Promise<void>;
}

/** @param program server.ts, built */
export async function startLive(program: string): Promise<Live> {
  const child = fork(program, [], { execArgv: ["--max-old-space-size=6144"] });
  const { url } = (await heard(child)) as { url: string };
  return {
    url,
    hold: async (fixture) => {
      child.send(fixture);
      await heard(child);
    },
    requests: async () => {
      child.send("requests");
      return (await heard(child)) as readonly RecordedRequest[];
    },
    stop: async () => {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

function heard(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`The server ended with ${code}.`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message);
    });
  });
}
