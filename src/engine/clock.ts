import { setTimeout } from "node:timers/promises";
import type { Clock } from "../apply/ports.ts";

/** The time of the machine. It never goes back, whatever happens to the hour of the day. */
export const systemClock: Clock = {
  now: () => performance.now(),
  chance: Math.random,
  wait: (milliseconds) => setTimeout(milliseconds),
};

/** The day in UTC, `YYYY-MM-DD`. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
