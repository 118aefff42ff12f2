import type { Places } from "../../access/questions/steps.ts";
import type { TestedAccess } from "../../access/questions/tested.ts";
import { type Diagnostic, diagnosticAt } from "../../diagnostics/diagnostic.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { accessTestsOf } from "../../normalise/access-tests.ts";
import { personasOf } from "../../normalise/personas.ts";
import { contradictionWords, placedSteps, reasonWords } from "../../render/access-test-words.ts";
import { stepWords } from "../../render/text/access-words.ts";
import type { Judged } from "../judge.ts";
import type { OpenRepository } from "../open.ts";
import { declaredModel } from "./declared-model.ts";
import { placesIn } from "./places.ts";
import { judgeTests } from "./tests.ts";

/** The access tests that the files do not hold, each at its place. */
export function failedTests(
  { whole }: Pick<OpenRepository, "whole">,
  { declared }: Pick<Judged, "declared">,
  dialect: Dialect,
): readonly Diagnostic[] {
  const { tests } = accessTestsOf(whole);
  if (tests.length === 0) return [];
  const places = placesIn(declared);
  const model = declaredModel(declared, whole, dialect);
  const { personas } = personasOf(whole);
  return judgeTests(tests, { model, release: dialect.release, personas, places })
    .filter(({ passes }) => !passes)
    .map((result) => letterTo(result, places));
}

function letterTo({ test, title, findings }: TestedAccess, places: Places): Diagnostic {
  const [first] = findings;
  const reason = first && reasonWords(first, places);
  const more = findings.length > 1 ? ` And ${findings.length - 1} more: gate-sync test tells all.` : "";
  return diagnosticAt(test.origin, "failed-access-test", {
    what: `The access test "${title}" fails${first ? `: ${contradictionWords(first)}` : ""}.`,
    ...(reason !== undefined && { why: `${reason}.${more}` }),
    fix: "Change what grants it, or the test, if that is what is meant.",
    related: (first ? placedSteps(first) : []).flatMap(({ place, ...step }) =>
      place ? [{ range: place, what: stepWords(step) }] : [],
    ),
  });
}
