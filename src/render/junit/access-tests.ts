import { groupItems } from "../../json/collections.ts";
import { leftToPlan, type TestsView, type TestView } from "../views/access-tests.ts";
import { renderSuites, type SuiteCase } from "./suites.ts";

/** Access tests as JUnit XML: a suite for each file of them, a case for each test. No newline at its end. */
export function renderTestsJunit({ tests, basis }: TestsView): string {
  return renderSuites(
    "gate-sync test",
    groupItems(tests, ({ file }) => file).map((some) => ({ name: some[0].file, cases: some.map(toCase), note: basis })),
  );
}

function toCase({ title, file, line, outcome, passes, isLeftToPlan, findings }: TestView): SuiteCase {
  const attributes = { classname: "access", name: title, file, line };
  if (outcome === "passed") return { result: "passed", attributes };
  const text = findings.flatMap(({ what, why }) => (why === "" ? [what] : [what, `  ${why}`])).join("\n");
  if (isLeftToPlan) return { result: "skipped", attributes, detail: { message: leftToPlan, text } };
  if (passes) return { result: "passed", attributes, detail: { text } };
  return { result: "failed", attributes, detail: { type: outcome, message: findings[0]?.what ?? "", text } };
}
