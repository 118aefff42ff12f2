import { setTimeout } from "node:timers/promises";
import { RunError } from "../../diagnostics/failure.ts";
import { deepest, isTooDeep } from "../../json/depth.ts";
import { reveal } from "../../json/value.ts";
import type { Operation } from "../../model/operation.ts";
import type { HttpAnswer, LostAnswer } from "../../model/ports.ts";
import type { Target } from "../../model/target.ts";
import { isLate, isSilence, type ServerResponse } from "./connection.ts";
import { formatLogin } from "./login.ts";
import { countTries, getReadTimeout, getWriteTimeout } from "./patience.ts";
import { mayPass, pauseAsked, pauseBefore } from "./retry.ts";
import { createTransportMessage, describeLoss } from "./transport.ts";
import type { Wire } from "./wire.ts";

/**
 * Reads, trying again where that may help.
 *
 * @param wait milliseconds; handed in only by tests, which do not
 * @throws RunError where no answer comes, or only that the server is not initialised, or one nested beyond measure
 */
export function createReader(
  wire: Wire,
  target: Target,
  wait: (milliseconds: number) => Promise<unknown> = setTimeout,
): (path: string) => Promise<HttpAnswer> {
  /** A server that was given its time once, and was still not well, is not given it again for each further path. */
  let isPatient = true;
  return async (path) => {
    for (let tries = 1; ; tries++) {
      const started = performance.now();
      const heard = await wire.request({ method: "GET", path, timeout: getReadTimeout(target, path) });
      if (isLate(heard) && tries < countTries(target, path)) continue;
      const pause = pauseBefore(heard, tries, Math.random(), Date.now());
      if (pause !== undefined && isPatient) {
        await wait(pause);
        continue;
      }
      isPatient = !mayPass(heard);
      if (isSilence(heard)) throw await createTransportMessage(heard, `GET ${path}`, target.tls);
      const unready = createNotInitialisedMessage(heard, target.url ?? target.name);
      if (unready) throw unready;
      const login = heard.status === 401 ? formatLogin(target) : undefined;
      const answer = answerOf(heard, started);
      if (answer.body === undefined && isTooDeep(parsed(heard.text))) throw nestedTooDeep(path);
      return { ...answer, ...(login !== undefined && { login }) };
    }
  };
}

/** Sends once, whatever happens: whether to send again is decided by who reads what the server now holds. */
export async function sendOnce(
  wire: Wire,
  target: Target,
  { method, path, body }: Operation,
  timeout = getWriteTimeout(target),
): Promise<HttpAnswer | LostAnswer> {
  const started = performance.now();
  const lost = (cause: string, unsent: boolean) => ({ lost: cause, unsent, milliseconds: performance.now() - started });
  try {
    const text = body === undefined ? undefined : JSON.stringify(reveal(body));
    const heard = await wire.request({ method, path, timeout, ...(text !== undefined && { body: text }) });
    if (!isSilence(heard)) return answerOf(heard, started);
    if (!heard.unsent) return lost(describeLoss(heard.error), false);
    return lost((await createTransportMessage(heard, `${method} ${path}`, target.tls)).userMessage.what, true);
  } catch (error) {
    // The command that prints credentials has failed: nothing has been sent yet.
    if (error instanceof RunError) return lost(error.userMessage.what, true);
    throw error;
  }
}

function answerOf(heard: ServerResponse, started: number): HttpAnswer {
  const { status, text, explained } = heard;
  const retryAfter = pauseAsked(heard, Date.now());
  const milliseconds = performance.now() - started;
  const value = parsed(text);
  const body = isTooDeep(value) ? undefined : value;
  return { status, text, body, milliseconds, ...explained, ...(retryAfter !== undefined && { retryAfter }) };
}

/** A recursive function over it would run out of stack. */
function nestedTooDeep(path: string): RunError {
  return new RunError("failed", {
    what: `The answer to GET ${path} is nested more than ${deepest} levels deep.`,
    why: "No resource is: the server, or what lies between, is not well.",
    fix: "Look at what answers there; a resource that was written so has to be deleted by hand.",
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The message for a server whose security plugin has no configuration yet: it answers 503 to everybody, and 500 to an
 * admin certificate.
 */
function createNotInitialisedMessage({ status, text }: ServerResponse, url: string): RunError | undefined {
  if (status !== 503 && status !== 500) return undefined;
  if (!/(Search Guard|Security)( index)? not initialized/.test(text)) return undefined;
  return new RunError("failed", {
    what: `The security plugin of ${url} is not initialised.`,
    why: "As long as it has no configuration, it refuses every login.",
    fix: "Wait, if the cluster has just been started. A new one has to be initialised once: by sgadmin of Search Guard, by securityadmin of OpenSearch.",
  });
}
