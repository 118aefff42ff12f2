import { renderAccessJson } from "../access/compare/to-json.ts";
import { type Diagnostic, getDiagnosticPath, isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { RunError } from "../diagnostics/failure.ts";
import { withSortedKeys } from "../json/canonical.ts";
import type { Edit } from "../json/patch.ts";
import type { Json, JsonObject } from "../json/value.ts";
import { type Change, isPending } from "../model/change.ts";
import { createAddress } from "../model/names.ts";
import type { Operation } from "../model/operation.ts";
import type { ChangeOutcomeKind, Outcome, Report } from "../model/outcome.ts";
import type { Plan, TargetSummary, Violation } from "../model/plan.ts";
import type { Since } from "../model/since.ts";
import { redactChange, redactValue } from "../secrets/redact.ts";
import { countBodyBytes } from "./body.ts";
import { type ChangeOutcome, listChangeOutcomes } from "./change-outcomes.ts";
import { toSpan } from "./place.ts";
import { isOdd } from "./words.ts";

/** Rises when a program that reads the output would have to be changed; new fields alone do not raise it. */
export const formatVersion = 1;

/**
 * As `schemas/plan.schema.json` describes it. A secret is written as `(secret ${env:NAME})`; bodies of requests are
 * left out.
 */
export function renderPlanJson(plan: Plan): JsonObject {
  const count = (action: Change["action"]) => plan.changes.filter((change) => change.action === action).length;
  return {
    format_version: formatVersion,
    kind: "plan",
    target: renderTargetJson(plan.target),
    summary: {
      create: count("create"),
      update: count("update"),
      delete: count("delete"),
      leave: count("leave"),
      requests: plan.operations.length,
    },
    fingerprint: plan.fingerprint,
    refused: plan.violations.length > 0,
    applicable: plan.violations.length === 0 && !plan.target.snapshot,
    changes: plan.changes.map(renderChangeJson),
    operations: plan.operations.map(operationJson),
    ...(plan.access && { access: renderAccessJson(plan.access) }),
    ...(plan.orderExplanation && {
      order_explanation: plan.orderExplanation.map((access, at) => ({
        request: at + 1,
        access: renderAccessJson(access),
      })),
    }),
    violations: plan.violations.map(violationJson),
    notes: plan.notes,
    reference_only: plan.referenceOnly,
    ...(plan.since && { since: sinceJson(plan.since) }),
  };
}

/** As `schemas/report.schema.json` describes it. */
export function reportToJson(report: Report): JsonObject {
  const changeOutcomes = listChangeOutcomes(report);
  return {
    format_version: formatVersion,
    kind: "report",
    target: renderTargetJson(report.plan.target),
    summary: changeOutcomeCounts(changeOutcomes),
    changes: changeOutcomes.map(({ change, kind }) => ({ ...headJson(change), outcome: kind })),
    operations: report.outcomes.map(outcomeJson),
    ...omitAbsent({ verified: report.verified }),
    differing: report.differing,
    ...(report.backup && { backup: { ...report.backup } }),
  };
}

/** As `schemas/diagnostics.schema.json` describes it, sorted. */
export function renderDiagnosticsJson(diagnostics: readonly Diagnostic[]): JsonObject {
  const sorted = sortDiagnostics(diagnostics);
  const errors = sorted.filter(isError).length;
  return {
    format_version: formatVersion,
    kind: "diagnostics",
    errors,
    warnings: sorted.length - errors,
    diagnostics: sorted.map(diagnosticJson),
  };
}

/** The same with what ended the run: `schemas/diagnostics.schema.json` describes both. */
export function renderErrorJson(error: RunError): JsonObject {
  const { what, why, fix } = error.userMessage;
  return {
    ...renderDiagnosticsJson(error.diagnostics),
    kind: "error",
    error: { kind: error.kind, exit_code: error.exitCode, what, ...omitAbsent({ why, fix }) },
  };
}

/** Without credentials, and how the server is known. */
export function renderTargetJson({ name, url, snapshot, identity, server }: TargetSummary): JsonObject {
  const { product, release, how, engine, clusterName, clusterUuid } = server;
  const known = omitAbsent({ engine, cluster_name: clusterName, cluster_uuid: clusterUuid });
  return { name, url, snapshot, ...omitAbsent({ identity }), server: { product, release, how, ...known } };
}

function sinceJson({ ref, commit, turned, ceased }: Since): JsonObject {
  const turnedToManage = turned.map(({ family, was }) => ({ family, was }));
  return { ref, commit, turned_to_manage: turnedToManage, no_longer_managed: ceased };
}

/** What a plan and a report say of a change alike. */
function headJson({ family, name, action, reason }: Change): JsonObject {
  return { address: createAddress(family, name), family, name, action, reason };
}

/** An entry in sync or unmanaged is named only; all others have their edits and both values. */
export function renderChangeJson(change: Change): JsonObject {
  const { origin } = change;
  const head = { ...headJson(change), ...(origin === undefined ? {} : { origin: toSpan(origin) }) };
  if (!isPending(change) && !isOdd(change)) return head;
  const { edits, before, after, unknown } = redactChange(change);
  return {
    ...head,
    edits: edits.map(editJson),
    ...(unknown && { unknown_fields: unknown.map(({ path, value }) => ({ path, value: redactValue(value) })) }),
    // A config keeps the order in which its server lists things: no byte here depends on it.
    ...(before === undefined ? {} : { before: redactValue(withSortedKeys(before)) }),
    ...(after === undefined ? {} : { after: redactValue(withSortedKeys(after)) }),
  };
}

function editJson({ path, before, after }: Edit): JsonObject {
  return {
    path,
    ...(before === undefined ? {} : { before: redactValue(before) }),
    ...(after === undefined ? {} : { after: redactValue(after) }),
  };
}

/** Without the body: it may be large, and holds live values that the changes show already, secrets hidden. */
function operationJson(operation: Operation): JsonObject {
  const { family, method, path, names, bulk, reason, estimate } = operation;
  const explained = { bytes: countBodyBytes(operation), reason, estimated_milliseconds: estimate };
  return { family, method, path, names, bulk, ...omitAbsent(explained) };
}

function outcomeJson({ operation, kind, status, milliseconds, detail, cause, diagnostics }: Outcome): JsonObject {
  return {
    ...operationJson(operation),
    outcome: kind,
    ...omitAbsent({ status, milliseconds, detail, cause, diagnostics: diagnostics?.map(diagnosticJson) }),
  };
}

function violationJson({ rule, family, what, why, addresses, remedies }: Violation): JsonObject {
  return {
    rule,
    ...omitAbsent({ family }),
    what,
    ...omitAbsent({ why }),
    addresses,
    remedies: remedies.map(({ text }) => text),
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

function diagnosticJson(diagnostic: Diagnostic): JsonObject {
  const { code, severity, range, what, why, fix, related = [] } = diagnostic;
  return {
    code,
    severity,
    ...(range === undefined ? { path: getDiagnosticPath(diagnostic) } : toSpan(range)),
    what,
    ...omitAbsent({ why, fix }),
    related: related.map((other) => ({ ...toSpan(other.range), what: other.what })),
  };
}

/** The fields that have a value: JSON knows no undefined. */
export function omitAbsent(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
