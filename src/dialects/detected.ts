import type { ServerIdentity } from "../model/plan.ts";
import type { Dialect } from "./dialect.ts";

/** A server that was found out about, and how to speak with it. */
export interface DetectedServer {
  readonly server: ServerIdentity;
  readonly dialect: Dialect;
  readonly notes: readonly string[];
}
