import type { ReferencesThen } from "../../access/compare/login-settings.ts";
import type { AccessModel } from "../../access/model/access-model.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { Change } from "../../model/change.ts";
import type { ApplyingIdentity, PlanningLogin } from "../../model/identity.ts";
import type { LiveState } from "../../model/live.ts";
import type { Address, ResourceFamily } from "../../model/names.ts";
import type { Operation } from "../../model/operation.ts";
import type { Violation } from "../../model/plan.ts";
import type { Policies } from "../../model/policy.ts";
import type { OrderFindings } from "../order/order.ts";

/** What guards look at: nothing else decides whether a plan may run. */
export interface GuardInput {
  readonly changes: readonly Change[];
  /** Those of the changes that would be made. */
  readonly pending: readonly Change[];
  readonly live: LiveState;
  readonly policies: Policies;
  /** Patterns (`*`, `?`) of addresses that no plan may change without a waiver. */
  readonly protect: readonly string[];
  /** How this run logs in, where that is known. */
  readonly login?: LoginFacts | undefined;
  /** Who makes the requests; absent where none of them could shut anybody out. */
  readonly applyingIdentity?: ApplyingIdentity | undefined;
  /** Who made the plan, where another makes the requests. */
  readonly planningLogin?: PlanningLogin | undefined;
  /** Of a saved plan: what lock-out found where it was made, by a login that this run does not know. */
  readonly foundByPlan?: readonly GuardFinding[] | undefined;
  /** In the order in which they are sent. */
  readonly operations: readonly Operation[];
  /** What is wrong in between, whatever the order. */
  readonly order: OrderFindings;
  readonly dialect: Dialect;
  /** Bytes that a body may have. */
  readonly bodyLimit: number;
  /** Whether the server lets its config be changed; undefined where only trying would show it. */
  readonly configWritable?: boolean | undefined;
  readonly loadability: Loadability;
  /** How the secrets of the config were declared that was applied before; absent where this is unknown. */
  readonly referencesThen?: ReferencesThen | undefined;
  /** Absent where nothing changes that says who may do what. */
  readonly access?: AccessStates | undefined;
  /** Absent where the repository has no access tests. */
  readonly tested?: EvaluatedTests | undefined;
  /** Roles that the administration API lets in, as the target names them, or the usual ones. */
  readonly adminRoles?: readonly string[];
  /** What the files of the commit named by `--base` would refuse, and these do not. */
  readonly refusedByBase?: readonly GuardFinding[];
  /** Absent where it is unknown, or nothing is deleted. */
  readonly foreign?: ForeignEntries | undefined;
}

/** Entries that would be deleted, and that nothing declared before. */
export interface ForeignEntries {
  readonly entries: readonly Pick<Change, "family" | "name">[];
  /** `declared neither in applied/prod nor in HEAD`: what was asked. */
  readonly asked: string;
}

/**
 * Who may do what before the plan and after all of it; or the families that are needed to know it and could not be
 * read.
 */
export type AccessStates = KnownAccess | { readonly unread: readonly ResourceFamily[] };

export interface KnownAccess {
  readonly before: AccessModel;
  readonly after: AccessModel;
}

/** What became of the access tests of the repository once all of the plan is done. */
export interface EvaluatedTests {
  readonly count: number;
  readonly findings: readonly BrokenTest[];
  /** The tests are of the files of today, and the plan leads back to what was there before them: none refuses it. */
  readonly isRollback?: boolean;
}

export interface BrokenTest extends GuardFinding {
  /** All that it found, of which `what` says the first. */
  readonly contradictions: readonly string[];
}

export type LoginFacts = "password" | "token" | "certificate";

/** A rule that may refuse a plan, and what a person has to know of it. */
export interface Guard {
  readonly rule: string;
  /** One sentence. */
  readonly refuses: string;
  readonly why: string;
  /** What to do about a plan that it refuses, other than waiving the guard. */
  readonly fix: string;
  readonly byDefault: string;
  /** Where it is set, or why there is nothing to set. */
  readonly setBy: string;
  /** What a person waives it for, by `--allow` or by a waiver in the repository: what the guard usually finds. */
  readonly waivedFor: "nothing" | "plan" | "family" | "address" | "config";
  /**
   * It counts entries against all that a family has, so that none of those that it names is dangerous by itself: long
   * lists do not show them before others. A saved plan, which has only its own entries, keeps what was found when it was
   * made.
   */
  readonly countsEntries?: true;
  /** What it finds depends on how it is run, as by which login: it is no part of the fingerprint, and each run checks it again. */
  readonly dependsOnRun?: true;
  readonly evaluate: (evaluated: GuardInput) => readonly GuardFinding[];
  /** What this guard could not check, and why; for people. */
  readonly remarks?: (evaluated: GuardInput) => readonly string[];
}

/** What speaks against a plan; how it is waived depends on its rule alone. */
export type Finding = Omit<Violation, "remedies">;

/** The same as the guard itself reports it: whose it is, is known. */
export type GuardFinding = Omit<Finding, "rule">;

/** Whether the server can load what it holds and would hold, and what the plan does about it. */
export interface Loadability {
  readonly findings: readonly GuardFinding[];
  readonly notes: readonly string[];
  /** The changes that let it load its configuration again: they go first. */
  readonly repairs: ReadonlySet<Address>;
}
