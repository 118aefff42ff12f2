import { hasTests, type Operation, withoutTests } from "../model/operation.ts";
import type { Outcome } from "../model/outcome.ts";
import type { HttpAnswer, LostAnswer } from "../model/ports.ts";
import type { Clock, Progress, Server } from "./ports.ts";
import { lookPatiently, type SettledWrite, settle, sleep } from "./settle.ts";
import { classifyResponse, isNodeFailure, type ResponseVerdict } from "./verdict.ts";

/**
 * Pauses, in milliseconds, before an operation that took no effect is sent again; so many tries follow the first. Each
 * is lengthened at random, up to twice, so that runs that collided do not collide again.
 */
const pausesAfter: Readonly<Partial<Record<ResponseVerdict, readonly number[]>>> = {
  conflict: [250, 500, 1_000, 2_000, 4_000],
  // The server reported success, and the change is missing: a concurrent write undid it.
  taken: [250, 1_000, 4_000],
  failed: [200, 1_000],
  // A proxy that reloads, a node that hands over.
  unsent: [500, 1_500, 4_000],
  open: [1_000],
};

/** Milliseconds after an answer that says the server has finished: for the nodes to agree on what they hold. */
const settlingTime = 3_000;

/**
 * Milliseconds in which a write that read the family before this one may still take effect after it and undo it. On Search
 * Guard 6 the longest seen was 27.
 */
const lateLoss = 1_000;

interface Scene {
  readonly operation: Operation;
  readonly answer: HttpAnswer | LostAnswer;
  readonly verdict: ResponseVerdict;
  /** The server's message. */
  readonly what: string;
  /** How often it was sent, this time included. */
  readonly sent: number;
  /** Whether it was sent with its tests. */
  readonly tested: boolean;
  /** Why it was sent again, of several reasons the first. */
  readonly reason: string | undefined;
}

/**
 * One operation to its outcome. An answer that leaves open whether the server took it is never answered by sending
 * again blindly: what the server now holds decides whether it is done, sent again, or unknown.
 */
export async function perform(
  operation: Operation,
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<Outcome> {
  const tries: ResponseVerdict[] = [];
  let tested = hasTests(operation);
  let reason: string | undefined;
  for (let sent = 1; ; sent++) {
    const since = clock.now();
    const answer = await server.send(tested ? operation : withoutTests(operation));
    const verdict = classifyResponse(answer);
    const what = describe(answer, operation, server);
    const scene: Scene = { operation, answer, verdict, sent, tested, what, reason };
    const seen = await see(scene, since, server, progress, clock);
    const outcome = await conclude(scene, seen, server);
    if (outcome !== "again") return outcome;
    if (isOverTests(scene)) {
      if (progress.stopped()) return inVain(scene);
      tested = false;
      reason ??= `at first ${what}, though nothing of it had changed; then without its tests`;
      continue;
    }
    reason ??= verdict === "taken" ? lossOfWrites : `at first ${what}`;
    const pause = pausesAfter[verdict]?.[tries.filter((before) => before === verdict).length];
    tries.push(verdict);
    if (pause === undefined || progress.stopped()) return inVain(scene);
    const asked = "status" in answer ? answer.retryAfter : undefined;
    await sleep(Math.max(pause * (1 + clock.chance()), asked ?? 0), progress, clock);
    if (progress.stopped()) return inVain(scene);
  }
}

/** What must be read from the server before the outcome is known; undefined where the answer is enough. */
async function see(
  { operation, answer, verdict, sent, tested }: Scene,
  since: number,
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<SettledWrite | undefined> {
  switch (verdict) {
    case "unsent":
      return undefined;
    case "taken":
      return server.losesWrites ? lookTwice(operation, server, progress, clock) : undefined;
    case "refused":
      // Sent before, by us or twice by a proxy, it may have arrived: then the refusal only means that it is done.
      return sent > 1 || isNotFound(answer) || (tested && mayBeTests(answer))
        ? lookPatiently(operation, server, progress, clock)
        : undefined;
    case "conflict":
    case "outdated":
      return lookPatiently(operation, server, progress, clock);
    case "rejected":
    case "failed":
      // The API itself has answered, so no work is left to do: a short wait is enough.
      return settle(operation, { since: clock.now(), limit: settlingTime, long: false }, server, progress, clock);
    case "open":
      // A proxy that gives up after a minute while the server works on for ten is the rule.
      return settle(operation, { since, limit: server.patience(operation), long: true }, server, progress, clock);
  }
}

/** A write that is there may be lost yet: whether it stays is seen only after a while. */
async function lookTwice(
  operation: Operation,
  server: Server,
  progress: Progress,
  clock: Clock,
): Promise<SettledWrite> {
  const first = await lookPatiently(operation, server, progress, clock);
  if (first !== "as-desired") return first;
  await sleep(lateLoss, progress, clock);
  return lookPatiently(operation, server, progress, clock);
}

async function conclude(scene: Scene, seen: SettledWrite | undefined, server: Server): Promise<Outcome | "again"> {
  const { verdict, what } = scene;
  switch (seen) {
    case undefined:
      if (verdict === "unsent") return "again";
      return verdict === "taken" ? taken(scene) : refused(scene, server);
    case "as-desired":
      return verdict === "taken" ? taken(scene) : heldAfterAll(scene, server);
    case "as-before":
      if (isOverTests(scene)) return "again";
      if (verdict === "refused" || verdict === "outdated" || verdict === "rejected") return refused(scene, server);
      return "again";
    case "unreadable":
      return ended(scene, "unknown", `${what}; what the server now holds cannot be read`);
    case "unreachable":
      return ended(scene, "unknown", `${what}; the server cannot be reached any more: it may or may not have taken it`);
    case "unknown":
      return ended(scene, "unknown", `${what}; whether it took effect is unknown, and reading does not show it`);
    case "stopped":
      return ended(scene, "unknown", `${what}; stopped before it could be seen whether the server takes it`);
    default: {
      const moved = seen.moved.join(", ");
      if (verdict === "conflict" || verdict === "outdated" || verdict === "refused") {
        const detail = `${what}; nothing of it was written. Read again: ${moved} changed on the server since the plan was made`;
        return { ...ended(scene, "failed", detail), cause: "stale" };
      }
      const reported = verdict === "taken" ? `the server stores it otherwise, or ${lossOfWrites}` : what;
      return ended(scene, "unknown", `${reported}; read again: ${moved} holds something else now`);
    }
  }
}

const lossOfWrites = "another client wrote at the same time, and this server loses writes";

function taken(scene: Scene): Outcome {
  const { sent, reason } = scene;
  return reason === undefined ? ended(scene, "done") : ended(scene, "done", `sent ${sent} times: ${reason}`);
}

/**
 * If nothing has moved, a patch that the server calls conflicting or too large is so because of its tests: they state what a
 * server will find, and an unknown release may store it differently. Called only after that was read.
 */
function isOverTests({ tested, verdict, answer }: Scene): boolean {
  return tested && (verdict === "outdated" || ("status" in answer && answer.status === 413));
}

/** An unknown release may report a refused test in other words, and a proxy may find the body too long. */
function mayBeTests(answer: HttpAnswer | LostAnswer): boolean {
  return "status" in answer && [400, 413, 422].includes(answer.status);
}

function isNotFound(answer: HttpAnswer | LostAnswer): boolean {
  return "status" in answer && answer.status === 404;
}

/** The answer was no success, and yet all of it is there. */
async function heldAfterAll(scene: Scene, server: Server): Promise<Outcome> {
  const detail = `${scene.what}; read again: the server holds all of it`;
  if (!isNodeFailure(scene.answer)) return ended(scene, "done", detail);
  const degradation = await findDegradationSafely(scene.operation, server);
  if (!degradation) return ended(scene, "done", `${detail}. A node did not confirm that it loaded it: look at its log`);
  const done = ended(scene, "done", `${detail}, and it is not in effect: ${degradation.why}`);
  return degradation.repairedLater ? done : { ...done, cause: "not-in-effect" };
}

async function findDegradationSafely(operation: Operation, server: Server) {
  try {
    return await server.degradation(operation);
  } catch {
    return undefined;
  }
}

function refused(scene: Scene, server: Server): Outcome {
  const diagnostics = "status" in scene.answer ? server.placed(scene.answer, scene.operation) : [];
  return { ...ended(scene, "failed", scene.what), ...(diagnostics.length > 0 && { diagnostics }) };
}

function inVain(scene: Scene): Outcome {
  const { verdict, what, sent } = scene;
  const reported = verdict === "taken" ? "success was said, and yet a write at the same time undid it" : what;
  const times = sent === 1 ? "once" : `${sent} times`;
  if (verdict === "unsent") return ended(scene, "failed", `${reported} Tried ${times}`);
  return ended(scene, "failed", `${reported}; sent ${times} without effect`);
}

function ended({ operation, answer }: Scene, kind: Outcome["kind"], detail?: string): Outcome {
  return { operation, kind, ...(detail !== undefined && { detail }), ...measured(answer) };
}

function measured(answer: HttpAnswer | LostAnswer): Pick<Outcome, "status" | "milliseconds"> {
  return { milliseconds: answer.milliseconds, ...("status" in answer && { status: answer.status }) };
}

function describe(answer: HttpAnswer | LostAnswer, operation: Operation, server: Server): string {
  if ("lost" in answer) return answer.lost;
  const text = server.reported(answer, operation);
  return text === "" ? `answered ${answer.status}` : `answered ${answer.status}: ${text}`;
}
