import type { Message } from "../diagnostics/failure.ts";
import type { Family, ResourceFamily } from "./names.ts";
import type { TargetSummary } from "./plan.ts";

export type Answered = "yes" | "no" | "unknown";

/** What a look at a server found out, without anything being written. A check that failed says why in its own place. */
export interface Diagnosis {
  readonly target: TargetSummary;
  readonly caller: Caller;
  /** All families that were asked for, config and license among them. */
  readonly families: readonly FamilyFinding[];
  /** Where we may read all of them and write none: endpoints where we may write something all the same. */
  readonly writableBesides: readonly WritableEndpoint[];
  readonly patch: {
    /** Families whose PATCH works; the rest is written entry by entry. */
    readonly families: readonly ResourceFamily[];
    /** Whether a `test` in a PATCH makes the server refuse the whole of it. */
    readonly test: boolean;
  };
  /** Whether the nodes let the config be changed by the API; absent where the config was not asked for. */
  readonly configWrites?: { readonly on: Answered; readonly why: string };
  readonly license?: LicenseFinding;
  /** Entries that make a server fail at every write. */
  readonly unloadable: readonly { readonly address: string; readonly why: string }[];
  readonly usable: { readonly plan: boolean; readonly apply: boolean };
  /** What keeps it from being usable for both. */
  readonly problems: readonly Message[];
  /** For people: what was assumed, what is worth knowing. */
  readonly notes: readonly string[];
}

/** As the node settings name it; and the family that is written there, if it is one. */
export interface WritableEndpoint {
  readonly name: string;
  readonly family?: Family;
}

/** Who we are to the server. */
export interface Caller {
  /** As the server has it, else as it was configured. */
  readonly name?: string;
  /** `password`, `token`, `client certificate` … */
  readonly how: string;
  readonly roles: readonly string[];
  /** As the server itself names us; absent where it does not. */
  readonly identity?: { readonly user: string; readonly backendRoles: readonly string[] };
  /** Whether it is an administrator's certificate, which may do everything. */
  readonly adminCertificate: Answered;
  /** Why the server did not say who we are, or what we may do. */
  readonly unanswered?: string;
}

export interface FamilyFinding {
  readonly family: Family;
  /** `absent`: this server has no such family. `unreadable`: it answered otherwise than it should; `why` has it. */
  readonly state: "readable" | "absent" | "unreadable";
  /** Entries, where they were read. */
  readonly count?: number;
  readonly why?: string;
  /** What we may do with it, as far as the server says. */
  readonly read: Answered;
  readonly write: Answered;
}

export interface LicenseFinding {
  readonly installed: boolean;
  readonly type?: string;
  readonly daysLeft?: number;
  /** Whether the server takes it for valid; absent where it does not say. */
  readonly valid?: boolean;
  /** Why it could not be read. */
  readonly why?: string;
}
