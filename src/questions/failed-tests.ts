import type { Places } from "../access/explain/grant-path.ts";
import type { TestedAccess } from "../access/questions/tested.ts";
import { createDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { Expectations } from "../model/access-test.ts";
import type { DesiredState } from "../model/desired.ts";
import type { Policies } from "../model/policy.ts";
import { formatStep } from "../render/views/access-reasons.ts";
import { formatContradiction, formatContradictionReason, listPlacedSteps } from "../render/views/access-tests.ts";
import { buildDeclaredModel } from "./declared-model.ts";
import { findPartlyDeclared } from "./partly-declared.ts";
import { findAnswerPlaces } from "./places.ts";
import { evaluateTests } from "./tests.ts";

interface TestedFiles extends Expectations {
  readonly declared: DesiredState;
  readonly dialect: Dialect;
}

/** The access tests that the files do not hold, each at its place, and how many the files do not decide. */
export function runDeclaredTests(
  { declared, tests, personas, dialect }: TestedFiles,
  policies: Policies,
): { readonly failed: readonly Diagnostic[]; readonly leftToPlan: number } {
  if (tests.length === 0) return { failed: [], leftToPlan: 0 };
  const places = findAnswerPlaces(declared);
  const model = buildDeclaredModel(declared, dialect);
  const partly = findPartlyDeclared(policies, declared);
  const harness = { model, release: dialect.release, personas, places, ...(partly && { partly }) };
  const results = evaluateTests(tests, harness);
  return {
    failed: results.filter(({ passes }) => !passes).map((result) => userMessageTo(result, places)),
    leftToPlan: results.filter(({ isLeftToPlan }) => isLeftToPlan).length,
  };
}

function userMessageTo({ test, title, findings }: TestedAccess, places: Places): Diagnostic {
  const [first] = findings;
  const reason = first && formatContradictionReason(first, places);
  const more = findings.length > 1 ? ` And ${findings.length - 1} more: gate-sync test shows all.` : "";
  return createDiagnostic(test.origin, "failed-access-test", {
    what: `The access test "${title}" fails${first ? `: ${formatContradiction(first)}` : ""}.`,
    ...(reason !== undefined && { why: `${reason}.${more}` }),
    fix: "Change what grants it, or the test, if that is what is meant.",
    related: (first ? listPlacedSteps(first) : []).flatMap(({ place, ...step }) =>
      place ? [{ range: place, what: formatStep(step) }] : [],
    ),
  });
}
