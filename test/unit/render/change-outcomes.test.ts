import { expect, it } from "vitest";
import type { Operation } from "../../../src/model/operation.ts";
import type { ChangeOutcomeKind, Outcome, OutcomeKind } from "../../../src/model/outcome.ts";
import { listChangeOutcomes } from "../../../src/render/views/report.ts";
import { reportJson, reportText } from "../../support/rendered.ts";
import { hrScenario, reportOf } from "./plans.ts";

const [first] = hrScenario.operations;
if (!first) throw new Error("bug: the scenario has no operation");
const operation: Operation = first;

function reported(kinds: readonly OutcomeKind[]) {
  const outcomes = kinds.map((kind): Outcome => ({ operation, kind }));
  return reportOf({ ...hrScenario, operations: outcomes.map(() => operation) }, outcomes);
}

it.each<[readonly OutcomeKind[], ChangeOutcomeKind]>([
  [["done"], "done"],
  [["done", "done"], "done"],
  [["not-attempted", "not-attempted"], "not-attempted"],
  [["done", "not-attempted"], "in-part"],
  [["done", "done", "not-attempted", "not-attempted"], "in-part"],
  [["done", "failed", "not-attempted"], "failed"],
  [["failed", "not-attempted"], "failed"],
  [["done", "unknown", "not-attempted"], "unknown"],
])("a change whose requests are %j is %s", (kinds, changeOutcome) => {
  const report = reported(kinds);
  const own = listChangeOutcomes(report).filter(
    ({ change: { family, name } }) => family === operation.family && operation.names.includes(name),
  );
  expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set([changeOutcome]));
});

it("what is begun is counted as such, and not as not attempted", () => {
  const report = reported(["done", "not-attempted"]);
  const begun = listChangeOutcomes(report).filter(({ kind }) => kind === "in-part").length;
  expect(begun).toBeGreaterThan(0);
  expect(reportJson(report).summary).toMatchObject({ in_part: begun });
  const text = reportText(report, { color: false, width: 200, full: false, verbose: false });
  expect(text).toContain(`Done in part: ${begun}.`);
});
