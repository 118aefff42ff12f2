import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { Target } from "../model/target.ts";

/** Why a run whose target has `fail_on: warning` ends with 3, where a warning is about its files, shown or not. */
export function findFailingWarnings(
  { failOn }: Pick<Target, "failOn">,
  diagnostics: readonly Diagnostic[],
): RunError | undefined {
  if (failOn !== "warning") return undefined;
  const count = diagnostics.filter(({ severity }) => severity === "warning").length;
  if (count === 0) return undefined;
  return new RunError("invalid", {
    what: `The files have ${count === 1 ? "1 warning" : `${count} warnings`}, and warnings fail this run (fail_on).`,
    why: "No plan is saved, and nothing was sent.",
    fix: "gate-sync validate and gate-sync plan --full list them. Mend them, or silence one where it is meant: # gate-sync-ignore CODE REASON.",
  });
}
