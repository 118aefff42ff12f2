import type { Operation } from "./operation.ts";

/** What a run has come to: one for each file and each request, none for a resource. */
export type WatchStep =
  | { readonly step: "files"; readonly read: number; readonly of: number }
  /** A GET was sent. */
  | { readonly step: "asked"; readonly path: string }
  /** It was answered, or (without a status) it was not. Bytes as they are once unpacked. */
  | {
      readonly step: "answered";
      readonly path: string;
      readonly status?: number;
      readonly bytes: number;
      readonly milliseconds: number;
    }
  | { readonly step: "comparing" }
  | { readonly step: "compared"; readonly resources: number }
  /** `index` counts from 0. */
  | { readonly step: "sending"; readonly operation: Operation; readonly index: number; readonly total: number }
  | { readonly step: "sent" };

/** Called at each step. It decides nothing and must not throw. */
export type Watch = (step: WatchStep) => void;

/**
 * Called when a request is sent, with its name (`roles`, `GET /_plugins/_security/api/roles`) and the milliseconds that it
 * may take; what it returns is called when it is answered or lost.
 */
export type WaitWatch = (request: string, limit: number) => () => void;

/** A wait for a server of which it is unknown whether it took an operation. */
export interface WaitState {
  /** What the last look found: the entry as it was before, nothing that can be read, no server. */
  readonly found: "as-before" | "unreadable" | "unreachable";
  /** Milliseconds since the operation was sent, and how many they may become. */
  readonly elapsed: number;
  readonly limit: number;
}
