import { setImmediate, setTimeout } from "node:timers/promises";
import type { Clock } from "../apply/ports.ts";

/** The time of the machine. It never goes back, whatever happens to the hour of the day. */
export const systemClock: Clock = {
  now: () => performance.now(),
  chance: Math.random,
  wait: (milliseconds) => setTimeout(milliseconds),
};

/** What was asked for leaves in turns of the loop, one to connect and one to send: before much is done without any. */
export async function requestsSent(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await setImmediate();
}

/** The day in UTC, `YYYY-MM-DD`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
