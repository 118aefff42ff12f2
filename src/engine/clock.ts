import type { Clock } from "../apply/ports.ts";

/** The time of the machine. It never goes back, whatever happens to the hour of the day. */
export const systemClock: Clock = {
  now: () => performance.now(),
  chance: Math.random,
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};

/**
 * Waits until requests have left: one turn of the event loop to connect and one to send, before long synchronous
 * work.
 */
export async function waitForRequestsSent(): Promise<void> {
  for (let tick = 0; tick < 2; tick++) await new Promise((resolve) => setImmediate(resolve));
}

/** The day in UTC, `YYYY-MM-DD`. */
export function getToday(): string {
  return new Date().toISOString().slice(0, 10);
}
