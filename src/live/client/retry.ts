import { getErrorCode, isBroken, isSilence, type ServerResponse, type Silence } from "./connection.ts";

/** Statuses that may pass soon: a proxy between two servers, a server that starts or is overloaded. */
const busy: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const timedOut: ReadonlySet<string> = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/** Milliseconds: the first pause, each further one being twice as long, and the longest that a server may ask for. */
const firstPause = 250;
const longestPause = 30_000;

/**
 * How many milliseconds to wait before a read is sent again; undefined where it is not.
 *
 * @param tries how often it was sent
 * @param chance 0 to 1: clients that were cut off together shall not come back together
 * @param now milliseconds since 1970
 */
export function pauseBefore(
  result: ServerResponse | Silence,
  tries: number,
  chance: number,
  now: number,
): number | undefined {
  if (tries >= mostTries(result)) return undefined;
  const asked = isSilence(result) ? undefined : pauseAsked(result, now);
  if (asked !== undefined) return asked;
  return firstPause * 2 ** (tries - 1) * (0.5 + chance / 2);
}

/** Whether the same request may soon be answered differently. */
export function mayPass(result: ServerResponse | Silence): boolean {
  return mostTries(result) > 1;
}

/** A time-out has cost a minute already, and one in which no answer began all the time that the server was given. */
function mostTries(result: ServerResponse | Silence): number {
  if (!isSilence(result)) return busy.has(result.status) ? 4 : 1;
  const code = getErrorCode(result.error);
  if (timedOut.has(code)) return 2;
  return isBroken(code) ? 4 : 1;
}

/** The milliseconds that an answer asks us to wait, as far as we do. `Retry-After` is a number of seconds, or a date. */
export function pauseAsked({ retryAfter }: ServerResponse, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Math.max(0, Date.parse(retryAfter) - now);
  return Number.isNaN(asked) ? undefined : Math.min(asked, longestPause);
}
