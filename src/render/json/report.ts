import type { JsonObject } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { ChangeOutcomeKind, Outcome, Report } from "../../model/outcome.ts";
import { type ChangeOutcome, listChangeOutcomes } from "../views/change-outcomes.ts";
import { renderDiagnosticJson } from "./diagnostics.ts";
import { formatVersion, omitAbsent, renderHeadJson, renderOperationJson, renderTargetJson } from "./parts.ts";

/** As `schemas/report.schema.json` describes it. */
export function reportToJson(report: Report): JsonObject {
  const changeOutcomes = listChangeOutcomes(report);
  return {
    format_version: formatVersion,
    kind: "report",
    target: renderTargetJson(report.plan.target),
    summary: changeOutcomeCounts(changeOutcomes),
    changes: changeOutcomes.map(({ change, kind }) => ({ ...renderHeadJson(change), outcome: kind })),
    operations: report.outcomes.map(outcomeJson),
    ...omitAbsent({ verified: report.verified }),
    differing: report.differing,
    ...(report.backup && { backup: { ...report.backup } }),
  };
}

function outcomeJson({ operation, kind, status, milliseconds, detail, cause, diagnostics }: Outcome): JsonObject {
  return {
    ...renderOperationJson(operation),
    outcome: kind,
    ...omitAbsent({ status, milliseconds, detail, cause, diagnostics: diagnostics?.map(renderDiagnosticJson) }),
  };
}

/** The first three count what is done only: together the seven are all pending changes. */
function changeOutcomeCounts(changeOutcomes: readonly ChangeOutcome[]): JsonObject {
  const count = (kind: ChangeOutcomeKind) =>
    changeOutcomes.filter((changeOutcome) => changeOutcome.kind === kind).length;
  const done = (action: Change["action"]) =>
    changeOutcomes.filter(({ change, kind }) => kind === "done" && change.action === action).length;
  return {
    created: done("create"),
    changed: done("update"),
    deleted: done("delete"),
    in_part: count("in-part"),
    failed: count("failed"),
    unknown: count("unknown"),
    not_attempted: count("not-attempted"),
  };
}
