import { renderAccessJson } from "../../access/compare/to-json.ts";
import type { JsonObject } from "../../json/value.ts";
import type { ComparedTarget } from "../../model/target-difference.ts";
import type { ComparedEntryView, TargetDiffView } from "../views/target-diff.ts";
import { formatVersion, renderChangeJson, renderOriginJson } from "./parts.ts";

/** As `schemas/target-diff.schema.json` describes it. A secret is written as `(secret ${env:NAME})`. */
export function renderTargetDiffJson({ families, isEqual, difference }: TargetDiffView): JsonObject {
  const { from, to, emptied, access, notes } = difference;
  return {
    format_version: formatVersion,
    kind: "target-diff",
    from: renderComparedTarget(from),
    to: renderComparedTarget(to),
    equal: isEqual,
    differences: families.flatMap(({ entries }) => entries).map(renderDifference),
    emptied: emptied.map((one) => ({ ...one })),
    ...(access && { access: renderAccessJson(access) }),
    notes,
  };
}

function renderDifference({ fromOrigin, origin, ...view }: ComparedEntryView): JsonObject {
  const { action, reason: _, ...shown } = renderChangeJson(view);
  return {
    ...shown,
    only_in: action === "create" ? "to" : action === "delete" ? "from" : null,
    ...(fromOrigin && { from: renderOriginJson(fromOrigin) }),
    ...(origin && { to: renderOriginJson(origin) }),
  };
}

function renderComparedTarget({ name, evaluatedFor }: ComparedTarget): JsonObject {
  return { name, evaluated_for: evaluatedFor };
}
