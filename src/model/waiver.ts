import type { SourceRange } from "../diagnostics/source.ts";
import type { Address } from "./names.ts";

/** What the repository agrees to, although a guard would refuse it. */
export interface Waiver {
  /** The guard's. */
  readonly rule: string;
  readonly addresses: readonly Address[];
  readonly reason: string;
  /** `YYYY-MM-DD` in UTC, the last day on which it counts; absent: until it is removed. */
  readonly until?: string;
  readonly origin: SourceRange;
}
