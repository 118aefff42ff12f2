import type { JsonObject } from "../../json/value.ts";
import type { FindingView, TestsView } from "../views/access-tests.ts";
import { toSpan } from "../views/place.ts";
import { renderShareJson, renderStepJson } from "./access.ts";
import { formatVersion, omitAbsent } from "./parts.ts";

/** As `schemas/access.schema.json` describes it. */
export function renderTestsJson({ tests, run }: TestsView): JsonObject {
  const count = (isMeant: (one: TestsView["tests"][number]) => boolean) => tests.filter(isMeant).length;
  return {
    format_version: formatVersion,
    kind: "access-tests",
    passed: count(({ passes, isLeftToPlan }) => passes && !isLeftToPlan),
    failed: count(({ passes }) => !passes),
    left_to_plan: count(({ isLeftToPlan }) => isLeftToPlan === true),
    tests: tests.map(({ tested, outcome, passes, isLeftToPlan = false, findings }) => ({
      title: tested.title,
      at: toSpan(tested.test.origin),
      outcome,
      passes,
      left_to_plan: isLeftToPlan,
      findings: findings.map(findingJson),
    })),
    basis: run.basis,
    assumptions: run.assumptions,
    notes: run.notes,
  };
}

function findingJson({ finding, what, why }: FindingView): JsonObject {
  const { who, asked, verdict, shares, less } = finding;
  return {
    who,
    asked,
    verdict,
    what,
    ...omitAbsent({ why: why === "" ? undefined : why }),
    shares: shares.map(renderShareJson),
    ...(less && {
      restricted_by: less.map(({ takes, chain }) => ({ takes, chain: chain.map(renderStepJson) })),
    }),
  };
}
