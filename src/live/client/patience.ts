import type { Target } from "../../model/target.ts";
import { programPatience } from "./credential-command.ts";
import { startsProgram } from "./login.ts";

/**
 * Milliseconds. A server that rewrites thousands of roles takes minutes; who it is, each one says at once, and proxies that log in
 * within seconds.
 */
const defaults = { connect: 10_000, first: 30_000, read: 300_000, write: 600_000 } as const;

/** Milliseconds: a server that does not connect is not there. */
export function getConnectTimeout({ timeouts }: Target): number {
  return timeouts?.connect ?? defaults.connect;
}

/** Milliseconds for one answer of one URL. `GET /` is what each server is asked first. */
export function getReadTimeout(target: Target, path: string): number {
  if (target.timeouts?.read !== undefined) return target.timeouts.read;
  if (path !== "/") return defaults.read;
  // It includes the time to connect: where a target allows more for that, the server still has as long to answer.
  return defaults.first + Math.max(0, getConnectTimeout(target) - defaults.connect);
}

export function getWriteTimeout({ timeouts }: Target): number {
  return timeouts?.write ?? defaults.write;
}

/** How often a server is asked that does not answer in time: a proxy may have logged in meanwhile, where more time was stated. */
export function countTries({ timeouts }: Target, path: string): number {
  return path === "/" && timeouts?.read !== undefined ? 2 : 1;
}

/** Milliseconds that a read may take where nothing answers. */
export function getLongestRead(target: Target, path: string): number {
  const each = getReadTimeout(target, path);
  if (path !== "/") return each;
  const urls = 1 + (target.otherUrls?.length ?? 0);
  return urls * countTries(target, path) * each + (startsProgram(target.auth) ? programPatience : 0);
}
