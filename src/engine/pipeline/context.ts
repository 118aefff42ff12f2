import type { ReferencesThen } from "../../access/compare/login-settings.ts";
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DetectedServer } from "../../dialects/detected.ts";
import type { Expectations } from "../../model/access-test.ts";
import type { Change } from "../../model/change.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import type { Address, ResourceFamily } from "../../model/names.ts";
import type { TargetSummary } from "../../model/plan.ts";
import type { Policies } from "../../model/policy.ts";
import type { ReadPort } from "../../model/ports.ts";
import type { Since } from "../../model/since.ts";
import type { Target } from "../../model/target.ts";
import type { Waiver } from "../../model/waiver.ts";
import type { ForeignEntries, GuardFinding } from "../../plan/guards/guard.ts";
import type { ComparedHashes } from "../compared-hashes.ts";
import type { RunRequest } from "../request.ts";
import type { CheckedFiles } from "./checked-files.ts";

export interface PlanRequest extends RunRequest {
  /** Guards waived for this run: `RULE`, `RULE=TYPE` or `RULE=ADDRESS`. */
  readonly allowed: readonly string[];
  /** Addresses of internal users whose password or hash is written again. */
  readonly rotated?: readonly Address[];
  /** `YYYY-MM-DD` in UTC, by which waivers expire; absent: by the machine's clock. */
  readonly today?: string;
  /** Addresses: what else differs is left as it is. */
  readonly only?: readonly string[];
  /** A commit: the plan then says which families became managed since. */
  readonly base?: string;
  /** The commit that was applied last: the plan then says which families are not managed any more since. */
  readonly appliedRef?: string;
  /** The reviewed plan that was applied last, instead of a commit. */
  readonly baseline?: string;
  /** Absolute: its journals say what was applied, where neither is named; absent: no journal is read. */
  readonly stateDir?: string;
  /** Another run sends the requests, often as another identity: lock-out is checked for the one in gate-sync.yaml. */
  readonly onlyPlans?: boolean;
  /** Whether what is deleted is ours is not asked. */
  readonly withoutForeign?: boolean;
  /** The plan is written to a file that apply takes. */
  readonly saves?: boolean;
  /** No access diff is made. */
  readonly withoutAccess?: boolean;
  /** An access diff is made of each request, too. */
  readonly explainsOrder?: boolean;
  /** Families whose PATCH the server refused in this run. */
  readonly withoutPatch?: ReadonlySet<ResourceFamily>;
}

/** Of the entries that a plan deletes, those that are not ours; or, in sentences, why that is unknown. */
export type FoundForeign = (ForeignEntries | { readonly entries?: undefined }) & { readonly notes: readonly string[] };

/**
 * All that a plan is decided from. `plan`, `apply`, `drift`, `rollback` and a saved plan each make one, and
 * `decidePlan` does the rest; no stage of it changes a context or reads a file.
 */
export interface PlanContext {
  readonly request: PlanRequest;
  readonly target: Target;
  readonly summary: Omit<TargetSummary, "server">;
  readonly detected: DetectedServer;
  /** Reads what no stage before has read: the config, internal users, who the caller is. It cannot write. */
  readonly reader: ReadPort;
  /** Of the families that the run is about. */
  readonly desired: DesiredState;
  /** All that is declared, whichever families the run is about. */
  readonly declared: DesiredState;
  readonly live: LiveState;
  /** Which mode each family has in this run; `target.families` is what gate-sync.yaml says. */
  readonly policies: Policies;
  /** Decide for these addresses only; absent: for every entry of the declared families. */
  readonly only?: ReadonlySet<Address>;
  /** Others that differ are in the plan, as left out. */
  readonly showsLeftOut?: boolean;
  /** What is deleted was made by the run that is reverted. */
  readonly isRollback?: boolean;
  /** Of that, what nobody changed since. */
  readonly undone?: ReadonlySet<Address>;
  /** Of a saved plan: what it takes from a login, and was waived where that login made it. */
  readonly foundByPlan?: readonly GuardFinding[];
  /** How many entries a rollback cannot restore. */
  readonly unrestored?: number;
  /** What references and lint rules are checked in; absent where the plan was checked when it was made. */
  readonly files?: CheckedFiles;
  /**
   * Live entries that hold as plain text what a repository keeps secret, where only their addresses are known (a saved
   * plan, a backup); absent: found by the secrets in `files`.
   */
  readonly secretEntries?: ReadonlySet<Address>;
  /** Of the repository; absent where there is no file that could hold one. */
  readonly waivers?: readonly Waiver[];
  /** The access tests and personas of the repository; absent where there is no repository. */
  readonly expected?: Expectations;
  /** How the secrets of the config were declared that was applied before; absent where this is unknown. */
  readonly referencesThen?: ReferencesThen;
  /** Internal users whose password or hash in the files may be another one than the server has, and how that is known. */
  readonly changedCredentials?: ReadonlyMap<string, string>;
  /** Internal users whose hash was compared with the one that the server has. */
  readonly hashes?: Pick<ComparedHashes, "same" | "other">;
  /** Which of the entries that are deleted are not ours; absent where this is not asked. */
  readonly findForeign?: (deleted: readonly Change[]) => Promise<FoundForeign>;
  /** Found before the pipeline was entered. */
  readonly diagnostics: readonly Diagnostic[];
  readonly notes: readonly string[];
  /** One note for each family that is not managed any more; they are among `notes`, too. */
  readonly ceased?: readonly string[];
  readonly since?: Since | undefined;
  readonly referenceOnly: readonly ResourceFamily[];
  readonly notices: readonly string[];
  readonly fileCount: number;
  /** Paths of files that were skipped as another program's, safe to print. */
  readonly foreignFiles?: readonly string[];
}
