import type { ReferencesThen } from "../access/compare/login-settings.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { RunError } from "../diagnostics/failure.ts";
import type { DetectedServer } from "../dialects/detected.ts";
import type { Expectations } from "../model/access-test.ts";
import type { DesiredState } from "../model/desired.ts";
import type { LiveState } from "../model/live.ts";
import type { Address } from "../model/names.ts";
import type { Plan } from "../model/plan.ts";
import type { Policies } from "../model/policy.ts";
import type { Target } from "../model/target.ts";
import type { Waiver } from "../model/waiver.ts";

/** A plan and what it was made from: `apply`, backups, journals and saved plans need the rest of it. */
export interface DecidedPlan {
  readonly plan: Plan;
  readonly target: Target;
  readonly detected: DetectedServer;
  /** When the plan file was made that it is restored from. */
  readonly planned?: string;
  /** Of the families that the run is about. */
  readonly desired: DesiredState;
  readonly live: LiveState;
  /** Which mode each family has in this run; `target.families` is what gate-sync.yaml says. */
  readonly policies: Policies;
  /** Decided for these addresses only; absent: for every entry of the declared families. */
  readonly only?: ReadonlySet<Address>;
  /** Those that `--only` named: what else differs was left out. */
  readonly named?: readonly Address[];
  /** Live entries that hold as plain text what the repository keeps secret. */
  readonly secret: ReadonlySet<Address>;
  /** Of `secret`, only the addresses are known: what such an entry holds is hidden as a whole. */
  readonly isSecretByAddress: boolean;
  /** Of the repository; absent where there is no file that could hold one. */
  readonly waivers?: readonly Waiver[];
  /** The access tests and personas of the repository; absent where there is no repository. */
  readonly expected?: Expectations;
  /** How the secrets of the config were declared that was applied before; absent where this is unknown. */
  readonly referencesThen?: ReferencesThen;
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing of it is saved or sent, where its warnings are to end the run. */
  readonly failing?: RunError;
  /** One note for each family that is not managed any more; they are among the notes of the plan, too. */
  readonly ceased?: readonly string[];
  readonly notices: readonly string[];
  readonly fileCount: number;
}
