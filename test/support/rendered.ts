// Plans, drift, reports, diagnostics and looks at a server in each format, by way of the view that the formats share.
import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import type { JsonObject } from "../../src/json/value.ts";
import type { Diagnosis } from "../../src/model/doctor.ts";
import type { DriftReport } from "../../src/model/drift.ts";
import type { Report } from "../../src/model/outcome.ts";
import type { Plan } from "../../src/model/plan.ts";
import { renderDriftHtml } from "../../src/render/html/drift.ts";
import { renderPlanHtml } from "../../src/render/html/plan.ts";
import { renderDiagnosticsJson } from "../../src/render/json/diagnostics.ts";
import { renderDriftJson } from "../../src/render/json/drift.ts";
import { renderPlanJson } from "../../src/render/json/plan.ts";
import { renderReportJson } from "../../src/render/json/report.ts";
import { renderDriftJunit } from "../../src/render/junit/drift.ts";
import { renderAccessBlocks } from "../../src/render/markdown/access-diff.ts";
import { renderDriftMarkdown } from "../../src/render/markdown/drift.ts";
import { type CommentOptions, renderPlanMarkdown } from "../../src/render/markdown/plan.ts";
import type { Style } from "../../src/render/style.ts";
import { formatAccessLines } from "../../src/render/text/access-diff.ts";
import { renderDiagnosticsText } from "../../src/render/text/diagnostics.ts";
import { renderDoctorText } from "../../src/render/text/doctor.ts";
import { renderDriftText } from "../../src/render/text/drift.ts";
import { renderPlanText } from "../../src/render/text/plan.ts";
import { renderReportText } from "../../src/render/text/report.ts";
import {
  createDiagnosticsView,
  type DiagnosticScope,
  type DiagnosticsView,
} from "../../src/render/views/diagnostics.ts";
import { createDoctorView } from "../../src/render/views/doctor.ts";
import { createDriftView } from "../../src/render/views/drift.ts";
import { createPlanView } from "../../src/render/views/plan.ts";
import { createReportView } from "../../src/render/views/report.ts";

export function diagnosticsText(diagnostics: readonly Diagnostic[], scope: DiagnosticScope, style: Style): string {
  return renderDiagnosticsText(createDiagnosticsView(diagnostics, scope), style);
}

export function diagnosticsJson(diagnostics: readonly Diagnostic[]): JsonObject {
  return renderDiagnosticsJson(createDiagnosticsView(diagnostics, { files: 1 }));
}

export function doctorText(diagnosis: Diagnosis, style: Style): string {
  return renderDoctorText(createDoctorView(diagnosis), style);
}

export function planText(plan: Plan, style: Style): string {
  return renderPlanText(createPlanView(plan), style);
}

export function planJson(plan: Plan, options?: { readonly unchanged?: boolean }): JsonObject {
  return renderPlanJson(createPlanView(plan), options);
}

export function planMarkdown(plan: Plan, options?: CommentOptions, warnings?: DiagnosticsView): string {
  return renderPlanMarkdown(createPlanView(plan, warnings), options);
}

/** Without links to a forge. */
export function planHtml(plan: Plan): string {
  return [...renderPlanHtml(createPlanView(plan), { link: () => undefined })].join("");
}

export function driftHtml(report: DriftReport): string {
  return [...renderDriftHtml(createDriftView(report), { link: () => undefined })].join("");
}

export function accessText(plan: Plan, style: Style): readonly string[] {
  const { access } = createPlanView(plan);
  return access ? formatAccessLines(access, style) : [];
}

export function accessMarkdown(plan: Plan, full: boolean): readonly string[] {
  const { access } = createPlanView(plan);
  return access ? renderAccessBlocks(access, full) : [];
}

export function driftText(report: DriftReport, style: Style): string {
  return renderDriftText(createDriftView(report), style);
}

export function driftJson(report: DriftReport): JsonObject {
  return renderDriftJson(createDriftView(report));
}

export function driftMarkdown(report: DriftReport): string {
  return renderDriftMarkdown(createDriftView(report));
}

export function driftJunit(report: DriftReport): string {
  return renderDriftJunit(createDriftView(report));
}

export function reportText(report: Report, style: Style): string {
  return renderReportText(createReportView(report), style);
}

export function reportJson(report: Report): JsonObject {
  return renderReportJson(createReportView(report));
}
