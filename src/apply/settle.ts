import { UnreachableError } from "../diagnostics/failure.ts";
import type { Operation } from "../model/operation.ts";
import type { Clock, HeldEntry, Progress, Server } from "./ports.ts";

/**
 * `unreadable`: not even reading works. `unreachable`: no request reaches the server. `stopped`: the user did not want
 * to wait for it.
 */
export type SettledWrite = HeldEntry | Unread | "stopped";

type Unread = "unreadable" | "unreachable";

/** Milliseconds between two looks at a family: the first, and the most. */
const looks = { first: 500, most: 30_000 } as const;

/**
 * Milliseconds for which a server that cannot be reached is waited for: a proxy is restarted in less. What has ended is
 * not at work on the request any more, and when it comes back is unknown.
 */
const longestAbsence = 30_000;

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

/**
 * Reads until what the server holds is no longer what it held before, the limit has passed, or the server was not reached
 * for too long.
 */
export async function settle(
  operation: Operation,
  { since, limit, long }: WaitNotice,
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<SettledWrite> {
  let goneSince: number | undefined;
  for (let pause: number = looks.first; ; pause = Math.min(2 * pause, looks.most)) {
    const held = await lookSafely(operation, server);
    if (held !== "as-before" && !isUnread(held)) return held;
    const elapsed = clock.now() - since;
    goneSince = held === "unreachable" ? (goneSince ?? elapsed) : undefined;
    const most = Math.min(limit, goneSince === undefined ? limit : goneSince + longestAbsence);
    if (elapsed >= most) return held;
    if (long && progress.stopped()) return "stopped";
    if (long) progress.waiting?.(operation, { found: held, elapsed, limit: most });
    await sleep(Math.min(pause, most - elapsed), long ? progress : undefined, clock);
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
): Promise<HeldEntry | Unread> {
  let held = await lookSafely(operation, server);
  for (const pause of patience) {
    if (!isUnread(held) || progress.stopped()) return held;
    await sleep(pause, progress, clock);
    held = await lookSafely(operation, server);
  }
  return held;
}

async function lookSafely(operation: Operation, server: Server): Promise<HeldEntry | Unread> {
  try {
    return await server.look(operation);
  } catch (error) {
    return error instanceof UnreachableError ? "unreachable" : "unreadable";
  }
}

function isUnread(held: HeldEntry | Unread): held is Unread {
  return held === "unreadable" || held === "unreachable";
}

/** Ends early when the user asks to stop. */
export async function sleep(milliseconds: number, progress: Progress | undefined, clock: Clock): Promise<void> {
  const end = clock.now() + milliseconds;
  for (let left = milliseconds; left > 0 && !progress?.stopped(); left = end - clock.now()) {
    await clock.wait(Math.min(left, longestSleep));
  }
}
