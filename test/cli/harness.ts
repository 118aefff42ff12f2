import { expect } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../src/emulator/index.ts";
import {
  type Files,
  gateSync,
  gateSyncWithin,
  inFolder,
  type Run,
  type Running,
  startGateSync,
} from "../support/command.ts";
import { isDrawn } from "../support/extent.ts";

/** A folder with files, a server, and the program to run there. */
export interface Harness {
  readonly folder: string;
  readonly emulator: Emulator;
  readonly url: string;
  /** Runs the words of a command line; `URL` represents the server's. */
  run(line: string, env?: Env): Promise<Run>;
  start(line: string, env?: Env): Running;
  /** What reached the server and was no GET, as `METHOD path`. */
  writes(): readonly string[];
}

export type Env = Readonly<Record<string, string>>;

interface HarnessOptions extends Partial<EmulatorOptions> {
  readonly files?: Files;
  /** In place of the emulator's, for what is between the program and it. */
  readonly url?: (emulator: Emulator) => string;
  /** As a process of its own everywhere, and not in CI alone; or nowhere: for tables of what is decided, of many runs. */
  readonly spawned?: boolean;
}

export async function onHarness(
  { files = {}, url, spawned, ...options }: HarnessOptions,
  work: (harness: Harness) => Promise<void>,
): Promise<void> {
  const emulator = await startEmulator({ product: "gate", ...options });
  const shown = url?.(emulator) ?? emulator.url;
  const runner = (spawned ?? isDrawnHere()) ? gateSync : inProcess;
  try {
    await inFolder(files, async (folder) => {
      const words = (line: string) =>
        line
          .split(" ")
          .filter(Boolean)
          .map((word) => (word === "URL" ? shown : word));
      await work({
        folder,
        emulator,
        url: shown,
        run: (line, env = {}) => runner(words(line), { cwd: folder, env }),
        start: (line, env = {}) => startGateSync(words(line), { cwd: folder, env }),
        writes: () =>
          emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`),
      });
    });
  } finally {
    await emulator.close();
  }
}

/** The built program where its file is one of those drawn; elsewhere the same without a process of its own, which takes a tenth of the time. */
export const gateSyncAnyhow: typeof gateSync = (args, place) => (isDrawnHere() ? gateSync : inProcess)(args, place);

const isDrawnHere = (): boolean => isDrawn(expect.getState().testPath ?? "");

const inProcess: typeof gateSync = (args, place) => gateSyncWithin(args, { ...place, env: { ...path, ...place.env } });

const path = process.env.PATH === undefined ? {} : { PATH: process.env.PATH };

/** One tenant to create. */
export const oneTenant = { "access/tenants.yml": "tenants:\n  support: { description: First line }\n" };

/** Two families, so that there is a request after the first. */
export const twoFamilies = {
  ...oneTenant,
  "access/blocks.yml": "blocks:\n  lab: { type: ip, value: 192.0.2.7, verdict: disallow }\n",
};
