import { renderAccessJson } from "../../access/compare/to-json.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Change } from "../../model/change.ts";
import type { Plan, Violation } from "../../model/plan.ts";
import type { Since } from "../../model/since.ts";
import { formatVersion, omitAbsent, renderChangeJson, renderOperationJson, renderTargetJson } from "./parts.ts";

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
    operations: plan.operations.map(renderOperationJson),
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

function sinceJson({ ref, commit, turned, ceased }: Since): JsonObject {
  const turnedToManage = turned.map(({ family, was }) => ({ family, was }));
  return { ref, commit, turned_to_manage: turnedToManage, no_longer_managed: ceased };
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
