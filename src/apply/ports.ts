import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Operation } from "../model/operation.ts";
import type { Degradation, Outcome } from "../model/outcome.ts";
import type { HttpAnswer, LostAnswer } from "../model/ports.ts";
import type { WaitState } from "../model/watch.ts";

/**
 * What the server holds of an operation's changes, found by reading; `unknown` for what no server shows; `moved`: the
 * addresses that hold something else.
 */
export type HeldEntry = "as-desired" | "as-before" | "unknown" | { readonly moved: readonly string[] };

export interface Server {
  /** Sends the operation once. */
  readonly send: (operation: Operation) => Promise<HttpAnswer | LostAnswer>;
  /** Reads the family again and says what became of the operation's changes. */
  readonly look: (operation: Operation) => Promise<HeldEntry>;
  /** The server's message in one line, safe to show. */
  readonly reported: (answer: HttpAnswer, operation: Operation) => string;
  /** What the server objects to, where the files ask for it. */
  readonly placed: (answer: HttpAnswer, operation: Operation) => readonly Diagnostic[];
  /** Reads whether something that is stored keeps the nodes from loading anything; undefined where nothing does. */
  readonly degradation: (operation: Operation) => Promise<Degradation | undefined>;
  /** Milliseconds from sending, after which an answer is no longer expected. */
  readonly patience: (operation: Operation) => number;
  /** Of concurrent writes some are lost, and the server reports success for all. */
  readonly losesWrites: boolean;
}

export interface Progress {
  /** An operation is about to be sent. */
  readonly starting?: (operation: Operation, index: number, total: number) => void;
  /** It is unknown whether the server took an operation, and it is read again and again. */
  readonly waiting?: (operation: Operation, state: WaitState) => void;
  /** An operation has its outcome; the next one is not begun before this has settled. */
  readonly settled: (outcome: Outcome, index: number, total: number) => void | Promise<void>;
  /** True once the user asked to stop: the request in flight is finished, no other is begun. */
  readonly stopped: () => boolean;
}

/** Handed in, so that tests need not wait. */
export interface Clock {
  /** Milliseconds. */
  readonly now: () => number;
  /** From 0 to less than 1, at random. */
  readonly chance: () => number;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}
