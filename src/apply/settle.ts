import type { Operation } from "../model/operation.ts";
import type { Clock, HeldEntry, Progress, Server } from "./ports.ts";

/** `unreadable`: not even reading works. `stopped`: the user did not want to wait for it. */
export type SettledWrite = HeldEntry | "unreadable" | "stopped";

/** Milliseconds between two looks at a family: the first, and the most. */
const looks = { first: 500, most: 30_000 } as const;

/** Milliseconds of one wait; an interrupt by the user is noticed after each. */
const longestSleep = 1_000;

export interface WaitNotice {
  /** By the clock. */
  readonly since: number;
  /** Milliseconds. */
  readonly limit: number;
  /** Whether the wait is reported, and may be interrupted. */
  readonly long: boolean;
}

/** Reads until what the server holds is no longer what it held before, or the limit has passed. */
export async function settle(
  operation: Operation,
  { since, limit, long }: WaitNotice,
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<SettledWrite> {
  for (let pause: number = looks.first; ; pause = Math.min(2 * pause, looks.most)) {
    const held = await lookSafely(operation, server);
    if (held !== "as-before" && held !== "unreadable") return held;
    const elapsed = clock.now() - since;
    if (elapsed >= limit) return held;
    if (long && progress.stopped()) return "stopped";
    if (long) progress.waiting?.(operation, elapsed, limit);
    await sleep(Math.min(pause, limit - elapsed), long ? progress : undefined, clock);
  }
}

/** Pauses, in milliseconds, between looks that fail. */
const patience = [500, 1_000, 1_500];

/** One successful read: a failed read is tried again for a short time, as one lost answer shows nothing about a write. */
export async function lookPatiently(
  operation: Operation,
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<HeldEntry | "unreadable"> {
  let held = await lookSafely(operation, server);
  for (const pause of patience) {
    if (held !== "unreadable" || progress.stopped()) return held;
    await sleep(pause, progress, clock);
    held = await lookSafely(operation, server);
  }
  return held;
}

async function lookSafely(operation: Operation, server: Server): Promise<HeldEntry | "unreadable"> {
  try {
    return await server.look(operation);
  } catch {
    return "unreadable";
  }
}

/** Ends early when the user asks to stop. */
export async function sleep(milliseconds: number, progress: Progress | undefined, clock: Clock): Promise<void> {
  const end = clock.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !progress?.stopped(); left = end - clock.now()) {
    await clock.wait(Math.min(left, longestSleep));
  }
}
