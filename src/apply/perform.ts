import type { Operation } from "../model/operation.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Answer, Lost } from "../model/ports.ts";

/** What the server holds of an operation's changes, found by reading. */
export type Held = "as-desired" | "as-before" | "otherwise";

export interface Server {
  /** Sends the operation once. */
  send(operation: Operation): Promise<Answer | Lost>;
  /** Reads the family again and says what became of the operation's changes. */
  look(operation: Operation): Promise<Held>;
  /** One line of what the server said, safe to show. */
  said(answer: Answer, operation: Operation): string;
  /** Waits so many milliseconds. */
  wait(milliseconds: number): Promise<void>;
}

/** Pauses, in milliseconds, before an operation that took no effect is sent again; so many tries follow the first. */
const pauses = [200, 1_000] as const;

/**
 * One operation to its outcome. An answer that leaves open whether the server took it (5xx, a conflict, none at all) is
 * never answered by sending again blindly: what the server now holds decides whether it is done, sent again, or unknown.
 */
export async function perform(operation: Operation, server: Server): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    const answer = await server.send(operation);
    const outcome = await judge(operation, answer, server, attempt > 0);
    const pause = pauses[attempt];
    if (outcome !== "again") return outcome;
    if (pause === undefined)
      return failed(
        operation,
        answer,
        `${describe(answer, operation, server)}; sent ${attempt + 1} times without effect`,
      );
    await server.wait(pause);
  }
}

/** @param repeated it was sent before, and took effect late if at all: then a refusal may only mean that it is done */
async function judge(
  operation: Operation,
  answer: Answer | Lost,
  server: Server,
  repeated: boolean,
): Promise<Outcome | "again"> {
  if ("status" in answer && answer.status >= 200 && answer.status < 300) return done(operation, answer);
  const what = describe(answer, operation, server);
  const isFinal = "lost" in answer ? answer.unsent : isRefusal(answer.status);
  if (isFinal && !repeated) return failed(operation, answer, what);
  switch (await lookSafely(operation, server)) {
    case "as-desired":
      return { ...done(operation, answer), detail: `${what}; read again: the server holds all of it` };
    case "as-before":
      return isFinal ? failed(operation, answer, what) : "again";
    case "otherwise":
      return { ...failed(operation, answer, `${what}; read again: it holds something else now`), kind: "unknown" };
    case "unreadable":
      return { ...failed(operation, answer, `${what}; what the server now holds cannot be read`), kind: "unknown" };
  }
}

/** The server understood and said no: nothing was written. A conflict (409, 412) or a wait (429) may pass. */
function isRefusal(status: number): boolean {
  return status < 500 && status !== 408 && status !== 409 && status !== 412 && status !== 429;
}

async function lookSafely(operation: Operation, server: Server): Promise<Held | "unreadable"> {
  try {
    return await server.look(operation);
  } catch {
    return "unreadable";
  }
}

function describe(answer: Answer | Lost, operation: Operation, server: Server): string {
  if ("lost" in answer) return answer.lost;
  const text = server.said(answer, operation);
  return text === "" ? `answered ${answer.status}` : `answered ${answer.status}: ${text}`;
}

function done(operation: Operation, answer: Answer | Lost): Outcome {
  return { operation, kind: "done", ...measured(answer) };
}

function failed(operation: Operation, answer: Answer | Lost, detail: string): Outcome {
  return { operation, kind: "failed", detail, ...measured(answer) };
}

function measured(answer: Answer | Lost): Pick<Outcome, "status" | "milliseconds"> {
  return { milliseconds: answer.milliseconds, ...("status" in answer && { status: answer.status }) };
}
