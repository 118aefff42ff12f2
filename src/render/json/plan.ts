import { renderAccessJson, renderAffectedJson } from "../../access/compare/to-json.ts";
import type { JsonObject } from "../../json/value.ts";
import type { Action } from "../../model/change.ts";
import type { Violation } from "../../model/plan.ts";
import type { Since } from "../../model/since.ts";
import { createChangeView } from "../views/change.ts";
import type { FamilyView } from "../views/family.ts";
import type { PlanView } from "../views/plan.ts";
import {
  formatVersion,
  omitAbsent,
  renderChangeJson,
  renderEntryJson,
  renderProtectionJson,
  renderRequestJson,
  renderTargetJson,
} from "./parts.ts";

/**
 * As `schemas/plan.schema.json` describes it. A secret is written as `(secret ${env:NAME})`; bodies of requests are
 * left out.
 *
 * @param unchanged also with entries of which nothing is shown but their names
 */
export function renderPlanJson(
  { families, requests, violations, waived, isRefused, isOfSnapshot, isFailing, unknownPasswords, plan }: PlanView,
  { unchanged = false } = {},
): JsonObject {
  const count = (action: Action) => families.reduce((sum, { actions }) => sum + actions[action], 0);
  return {
    format_version: formatVersion,
    kind: "plan",
    summary: {
      create: count("create"),
      update: count("update"),
      delete: count("delete"),
      leave: count("leave"),
      requests: requests.length,
      ...(unknownPasswords > 0 && { unknown_passwords: unknownPasswords }),
    },
    target: renderTargetJson(plan.target),
    fingerprint: plan.fingerprint,
    refused: isRefused,
    applicable: !isRefused && !isOfSnapshot && !isFailing,
    changes: families.flatMap((family) => (unchanged ? entriesJson(family) : family.changes.map(renderChangeJson))),
    operations: requests.map(renderRequestJson),
    ...(plan.access && { access: renderAccessJson(plan.access) }),
    ...(plan.orderExplanation && {
      order_explanation: plan.orderExplanation.map((access, at) => ({
        request: at + 1,
        access: renderAccessJson(access),
      })),
    }),
    violations: violations.map(({ violation }) => violationJson(violation)),
    waived: waived.map(({ violation }) => violationJson(violation)),
    notes: plan.notes,
    reference_only: plan.referenceOnly,
    ...(plan.since && {
      since: sinceJson(
        plan.since,
        [...violations, ...waived].map(({ violation }) => violation),
      ),
    }),
  };
}

/** An entry in sync or unmanaged is named only; all others have their edits and both values. */
function entriesJson({ entries, changes }: FamilyView): readonly JsonObject[] {
  const shown = new Map(changes.map((change) => [change.name, change]));
  return entries.map((entry) => {
    const change = shown.get(entry.name);
    return change ? renderChangeJson(change) : renderEntryJson(entry);
  });
}

function sinceJson(
  { ref, commit, turned, ceased, protection, marks }: Since,
  refused: readonly Violation[],
): JsonObject {
  const turnedToManage = turned.map(({ family, was }) => ({ family, was }));
  return {
    ref,
    commit,
    turned_to_manage: turnedToManage,
    no_longer_managed: ceased,
    // Absent where the files of then cannot be read.
    ...(protection && {
      protection: protection.map(renderProtectionJson),
      would_refuse: refused.filter(({ rule }) => rule === "protection").map(violationJson),
    }),
    ...(marks && {
      pending_before: marks.pendingBefore.map((change) => renderChangeJson(createChangeView(change))),
      taken_back: marks.takenBack.map((change) => renderChangeJson(createChangeView(change))),
    }),
  };
}

function violationJson({ rule, family, what, why, addresses, affected, remedies }: Violation): JsonObject {
  return {
    rule,
    ...omitAbsent({ family }),
    what,
    ...omitAbsent({ why }),
    addresses,
    ...(affected && { affected: affected.map(({ who, what }) => ({ ...renderAffectedJson(who), what })) }),
    remedies: remedies.map(({ text }) => text),
  };
}
