// What is printed while a write is under way, and how an end that is none is reported.
import { describe, expect, it } from "vitest";
import { createAddress } from "../../../src/model/names.ts";
import type { Operation } from "../../../src/model/operation.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import {
  formatOutcomeLine,
  formatStartingLine,
  formatUnansweredLine,
  formatWaitingLine,
} from "../../../src/render/text/outcome.ts";
import { listChangeOutcomes } from "../../../src/render/views/report.ts";
import { planText, reportText } from "../../support/rendered.ts";
import { hrScenario, reportOf } from "./plans.ts";

const style = { color: false, width: 80, full: false, verbose: false };
const [operation] = hrScenario.operations;
if (!operation) throw new Error("bug: the scenario has no operation");
const slow: Operation = { ...operation, estimate: 245_000 };

describe("a request that takes long", () => {
  it("is announced with its estimate", () =>
    expect(formatStartingLine(slow, 1, 5)).toMatch(/^ {2}2\/5 {2}.*: the server will need about 4 min for it$/));
  it("needs no announcement without one", () => expect(formatStartingLine(operation, 1, 5)).toBeUndefined());
  it("says in the plan how long about", () =>
    expect(planText({ ...hrScenario, operations: [slow] }, style)).toContain("about 4 min on the server"));
});

it("waiting says what for, how long already, and how long at most", () =>
  expect(formatWaitingLine(operation, { found: "as-before", elapsed: 45_200, limit: 600_000 })).toMatch(
    /: not there yet; reading again what the server holds \.\.\. 45 s of at most 10 min$/,
  ));

it("an answer that is waited for says what of, how long already, and how long at most", () =>
  expect(formatUnansweredLine("roles", 45_200, 600_000)).toBe("  roles: no answer yet ... 45 s of at most 10 min"));

describe("the end of a run", () => {
  const outcomes = (cause: Outcome["cause"], kind: Outcome["kind"]): Outcome[] =>
    hrScenario.operations.map(
      (each, index) =>
        (index === 0 ? { operation: each, kind, cause } : { operation: each, kind: "not-attempted" }) as Outcome,
    );

  it("that is stored and not in effect is not called done", () => {
    const report = reportOf(hrScenario, outcomes("not-in-effect", "done"));
    expect(formatOutcomeLine(report.outcomes[0] as Outcome, 0, 2, style)).toContain("stored");
    const text = reportText(report, style);
    expect(text).toContain("Stopped. Stored: ");
    expect(text).not.toContain("Done");
    expect(text).toContain("What is stored takes effect");
  });

  it("that is stored as a whole is not called done either", () => {
    const [only] = outcomes("not-in-effect", "done");
    const text = reportText(reportOf({ ...hrScenario, operations: [operation] }, [only as Outcome]), style);
    expect(text).toContain("Stopped. Stored: ");
    expect(text).not.toContain("could not be read");
  });

  it("that was called done and is not there is not counted as done", () => {
    const done: Outcome[] = hrScenario.operations.map((each) => ({ operation: each, kind: "done" }));
    const [address] = operation.names.map((name) => createAddress(operation.family, name));
    const report = reportOf(hrScenario, done, { verified: false, differing: [address as string] });
    const count = listChangeOutcomes(report).length;
    expect(reportText(report, style)).toContain(`Done: ${count - 1} of ${count} changes. Not there when read back: 1.`);
    expect(listChangeOutcomes(report).filter(({ kind }) => kind === "unknown")).toHaveLength(1);
  });

  it("that is stale sends the reader to the plan", () =>
    expect(reportText(reportOf(hrScenario, outcomes("stale", "failed")), style)).toContain("look at what changed"));
});
