import { nowhere } from "../access/explain/grant-path.ts";
import { getStateDir } from "../artifacts/state-dir.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { PlanRequest } from "../engine/pipeline/context.ts";
import { plan } from "../engine/plan.ts";
import type { Source } from "../engine/source.ts";
import type { MadeFor } from "../model/plan-file.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { findAnswerPlaces } from "../questions/places.ts";
import { createPlanView, type PlanView } from "../render/views/plan.ts";
import { createPlanWarningsView } from "../render/views/plan-warnings.ts";
import { needsFindings } from "./finding-reports.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, readBaselineFlags, readRequestFlags } from "./options.ts";

export interface PlanFlags extends CommonFlags {
  readonly detailedExitcode?: boolean;
  readonly live?: string;
  readonly allow?: readonly string[];
  readonly rotate?: readonly string[];
  readonly out?: string;
  readonly madeFor?: MadeFor;
  readonly only?: readonly string[];
  readonly base?: string;
  readonly explainOrder?: boolean;
  readonly unchanged?: boolean;
}

/** The plan of one target, and what is shown of it. */
export async function planOnce(
  io: Io,
  state: readonly string[],
  flags: PlanFlags,
  source: Source,
  { onlyPlans } = { onlyPlans: true },
): Promise<{ readonly planned: DecidedPlan; readonly request: PlanRequest; readonly view: PlanView }> {
  const saves = onlyPlans && flags.out !== undefined;
  const request = { ...createPlanRequest(io, state, flags, { onlyPlans }), ...(saves && { saves }) };
  const planned = await plan(request, source);
  const warnings = createPlanWarningsView(planned.diagnostics, planned.fileCount, planned.plan.changes);
  const places = needsFindings(flags) ? findAnswerPlaces(planned.desired) : nowhere;
  return { planned, request, view: createPlanView(planned.plan, warnings, places, planned.failing) };
}

/** @throws RunError `usage` for flags that contradict each other */
export function createPlanRequest(
  io: Io,
  state: readonly string[],
  flags: PlanFlags,
  { onlyPlans }: { readonly onlyPlans: boolean },
): PlanRequest {
  if (flags.explainOrder && flags.access === false) throw contradiction();
  const { allow = [], rotate, base, only } = flags;
  return {
    ...readRequestFlags(io, state, flags),
    allowed: allow,
    ...(rotate && { rotated: rotate }),
    ...(only && { only }),
    ...(onlyPlans && { onlyPlans }),
    withoutAccess: flags.access === false,
    explainsOrder: flags.explainOrder ?? false,
    ...(base !== undefined && { base }),
    ...readBaselineFlags(flags),
    stateDir: getStateDir(io.cwd, flags.stateDir, flags.config),
  };
}

export function refuseMadeForWithoutFile(): RunError {
  return new RunError("usage", {
    what: "--made-for is written into a saved plan, and none is saved.",
    fix: "Add --out FILE.",
  });
}

export function refuseOnlyOfSeveral(): RunError {
  return new RunError("usage", {
    what: "--only is about the entries of one target.",
    why: "An entry of that name may be another thing in each.",
    fix: "Name one target with --target.",
  });
}

function contradiction(): RunError {
  return new RunError("usage", {
    what: "--explain-order shows who gains and who loses by each request, and --no-access is not to work that out.",
    fix: "Leave one of them out.",
  });
}
