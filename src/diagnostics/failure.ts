import type { Diagnostic } from "./diagnostic.ts";

/** The reasons for which a run ends; only `main` turns them into exit codes. */
export const exitCodes = {
  done: 0,
  failed: 1,
  pending: 2,
  /** Of two states that were compared. */
  differing: 2,
  /** A question that was answered with no. A failure must never look like one. */
  denied: 2,
  invalid: 3,
  refused: 4,
  stale: 5,
  partial: 6,
  /** A question whose answer is unknown. */
  undecided: 7,
  usage: 64,
  interrupted: 130,
  terminated: 143,
} as const;

/** What a reader gets instead of a stack trace. */
export interface Message {
  /** One sentence: what happened. */
  readonly what: string;
  /** Why it matters, or what is known about the cause. */
  readonly why?: string;
  /** What to do next. */
  readonly fix?: string;
}

/** A run that cannot go on. Not a bug: it is worded for the user and carries its exit code. */
export class RunError extends Error {
  readonly kind: "failed" | "invalid" | "refused" | "stale" | "partial" | "usage";
  readonly userMessage: Message;
  readonly diagnostics: readonly Diagnostic[];

  constructor(
    kind: "failed" | "invalid" | "refused" | "stale" | "partial" | "usage",
    userMessage: Message,
    diagnostics: readonly Diagnostic[] = [],
  ) {
    super(userMessage.what);
    this.kind = kind;
    this.userMessage = userMessage;
    this.diagnostics = diagnostics;
    this.name = "RunError";
  }

  get exitCode(): number {
    return exitCodes[this.kind];
  }
}

/** No request reaches the server: it has ended, or what lies between lets nothing through. */
export class UnreachableError extends RunError {
  constructor(userMessage: Message) {
    super("failed", userMessage);
    this.name = "UnreachableError";
  }
}

/** A reviewed plan whose changes are all made already. */
export class AppliedAlreadyError extends RunError {
  constructor(userMessage: Message) {
    super("stale", userMessage);
    this.name = "AppliedAlreadyError";
  }
}

/** Says that our own code is wrong, never the user's input. */
export function assert(condition: unknown, what: string): asserts condition {
  if (!condition) throw new Error(`${what} This is a bug in gate-sync; please report it.`);
}
