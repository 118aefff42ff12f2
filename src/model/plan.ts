import type { SourceRange } from "../diagnostics/source.ts";
import type { AccessDifferences, AffectedPrincipal } from "./access.ts";
import type { Change } from "./change.ts";
import type { Address, Family, ResourceFamily } from "./names.ts";
import type { Operation } from "./operation.ts";
import type { Since } from "./since.ts";

/** Who the server is, and how that is known. */
export interface ServerIdentity {
  readonly product: Product;
  readonly release: string;
  /** Of the search engine below it, such as 7.5.1; absent where the server does not say. */
  readonly engine?: string;
  readonly clusterName?: string;
  readonly clusterUuid?: string;
  /** How product and release are known, for people: `stated`, `GET /`, `GET /_gate/api/roles` … */
  readonly how: string;
}

export type Product = "gate" | "search-guard" | "opensearch";

/** A rule that refuses the plan. */
export interface Violation {
  readonly rule: string;
  /** It is about a number of entries, or about all of them: none that it names is dangerous by itself. */
  readonly countsEntries?: true;
  readonly family?: Family;
  readonly what: string;
  readonly why?: string;
  readonly addresses: readonly Address[];
  /** Whom it concerns, each by itself, where `what` names one of several as an example. */
  readonly affected?: readonly AffectedBetween[];
  /** Of an access test: of whom it fails, and of which indices. */
  readonly tested?: { readonly who: readonly string[]; readonly indices: readonly string[] };
  /** Where the files say what the plan violates; absent where it is about the entries alone. */
  readonly origin?: SourceRange;
  /** What waives it; empty where nothing does. */
  readonly remedies: readonly Remedy[];
}

/** What one principal would temporarily gain or lose, in a clause. */
export interface AffectedBetween {
  readonly who: AffectedPrincipal;
  readonly what: string;
}

export interface Remedy {
  /** `for this run`. */
  readonly how: string;
  /** A flag, or lines of a file: to be copied whole. */
  readonly text: string;
}

/** Changes, the operations that make them, and what speaks against it. */
export interface Plan {
  readonly target: TargetSummary;
  /** Every declared or live resource of the families that matter, sorted by family, then name. */
  readonly changes: readonly Change[];
  /** In the order in which they will be sent. */
  readonly operations: readonly Operation[];
  readonly violations: readonly Violation[];
  /** What spoke against it and was agreed to. */
  readonly waived: readonly Omit<Violation, "remedies">[];
  /** The access diff; absent where no change affects access, and with `--no-access`. */
  readonly access?: AccessDifferences;
  /** The access diff of each operation, against the state before it; only with `--explain-order`. */
  readonly orderExplanation?: readonly AccessDifferences[];
  /** For people: what was assumed, what is special. */
  readonly notes: readonly string[];
  /** Read for reference only: not declared, but mentioned by something that is. */
  readonly referenceOnly: readonly ResourceFamily[];
  /** The same for every plan of the same requests and violations on the same cluster, whenever and by whom it is made. */
  readonly fingerprint: string;
  /** Where an earlier commit was named to compare with; of no weight for the fingerprint. */
  readonly since?: Since;
  /** How many entries a rollback cannot restore; absent where it is none, or no rollback. */
  readonly unrestored?: number;
}

export interface TargetSummary {
  readonly name: string;
  /** Without credentials. `snapshot FILE` where no server was asked. */
  readonly url: string;
  readonly server: ServerIdentity;
  /** Who we are to the server, where known. */
  readonly identity?: string;
  /** A plan against a snapshot cannot be applied. */
  readonly snapshot: boolean;
}
