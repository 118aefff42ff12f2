import type { PlanView } from "../views/plan.ts";
import type { ViolationView } from "../views/violation.ts";
import { createFilesSuite } from "./diagnostics.ts";
import { renderSuites, type SuiteCase } from "./suites.ts";

/** A plan as JUnit XML: a case fails for each guard that refuses it. No newline at its end. */
export function renderPlanJunit({ target, summary, violations, warnings }: PlanView): string {
  const none: SuiteCase = { result: "passed", attributes: { classname: "guards", name: "no guard refuses the plan" } };
  return renderSuites(`gate-sync plan ${target.name}`, [
    { name: "guards", cases: violations.length > 0 ? violations.map(toCase) : [none], note: summary },
    createFilesSuite(warnings),
  ]);
}

function toCase({ rule, what, why, names, remedies }: ViolationView): SuiteCase {
  const waivers = remedies.flatMap(({ title, lines }) => [title, ...lines]);
  const text = [what, ...(why === undefined ? [] : [why]), ...names, ...waivers].join("\n");
  return {
    result: "failed",
    attributes: { classname: "guards", name: `${rule}: ${what}` },
    detail: { type: rule, message: what, text },
  };
}
