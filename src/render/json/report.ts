import type { JsonObject } from "../../json/value.ts";
import type { Action } from "../../model/change.ts";
import type { ReportView } from "../views/report.ts";
import { renderDiagnosticJson } from "./diagnostics.ts";
import { formatVersion, omitAbsent, renderHeadJson, renderRequestJson, renderTargetJson } from "./parts.ts";

/** As `schemas/report.schema.json` describes it. */
export function renderReportJson({ outcomes, changes, counts, report }: ReportView): JsonObject {
  const done = (action: Action) =>
    changes.filter(({ change, kind }) => kind === "done" && change.action === action).length;
  return {
    format_version: formatVersion,
    kind: "report",
    target: renderTargetJson(report.plan.target),
    // The first three count what is done only: together the seven are all pending changes.
    summary: {
      created: done("create"),
      changed: done("update"),
      deleted: done("delete"),
      in_part: counts["in-part"],
      failed: counts.failed,
      unknown: counts.unknown,
      not_attempted: counts["not-attempted"],
    },
    changes: changes.map(({ change, kind }) => ({ ...renderHeadJson(change), outcome: kind })),
    operations: outcomes.map(outcomeJson),
    ...omitAbsent({ verified: report.verified }),
    differing: report.differing,
    notes: report.plan.notes,
    ...(report.backup && { backup: { ...report.backup } }),
  };
}

function outcomeJson({ outcome, request }: ReportView["outcomes"][number]): JsonObject {
  const { kind, status, milliseconds, detail, cause, diagnostics } = outcome;
  return {
    ...renderRequestJson(request),
    outcome: kind,
    ...omitAbsent({ status, milliseconds, detail, cause, diagnostics: diagnostics?.map(renderDiagnosticJson) }),
  };
}
