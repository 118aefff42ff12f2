import { expect, it } from "vitest";
import type { Operation } from "../../../src/model/operation.ts";
import type { FateKind, Outcome, OutcomeKind } from "../../../src/model/outcome.ts";
import { fatesOf } from "../../../src/render/fate.ts";
import { reportToJson } from "../../../src/render/json.ts";
import { reportToText } from "../../../src/render/text.ts";
import { hrStory, reportOf } from "./plans.ts";

const [first] = hrStory.operations;
if (!first) throw new Error("bug: the story has no operation");
const operation: Operation = first;

function reported(kinds: readonly OutcomeKind[]) {
  const outcomes = kinds.map((kind): Outcome => ({ operation, kind }));
  return reportOf({ ...hrStory, operations: outcomes.map(() => operation) }, outcomes);
}

it.each<[readonly OutcomeKind[], FateKind]>([
  [["done"], "done"],
  [["done", "done"], "done"],
  [["not-attempted", "not-attempted"], "not-attempted"],
  [["done", "not-attempted"], "in-part"],
  [["done", "done", "not-attempted", "not-attempted"], "in-part"],
  [["done", "failed", "not-attempted"], "failed"],
  [["failed", "not-attempted"], "failed"],
  [["done", "unknown", "not-attempted"], "unknown"],
])("a change whose requests are %j is %s", (kinds, fate) => {
  const report = reported(kinds);
  const own = fatesOf(report).filter(
    ({ change: { family, name } }) => family === operation.family && operation.names.includes(name),
  );
  expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set([fate]));
});

it("what is begun is counted as such, and not as not attempted", () => {
  const report = reported(["done", "not-attempted"]);
  const begun = fatesOf(report).filter(({ kind }) => kind === "in-part").length;
  expect(begun).toBeGreaterThan(0);
  expect(reportToJson(report).summary).toMatchObject({ in_part: begun });
  const text = reportToText(report, { color: false, width: 200, full: false, verbose: false });
  expect(text).toContain(`Done in part: ${begun}.`);
});
