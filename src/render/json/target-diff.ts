import { renderAccessJson } from "../../access/compare/to-json.ts";
import type { JsonObject } from "../../json/value.ts";
import type { ComparedTarget } from "../../model/target-difference.ts";
import { toSpan } from "../views/place.ts";
import type { TargetDiffView } from "../views/target-diff.ts";
import { formatVersion, omitAbsent, renderChangeJson } from "./parts.ts";

/** As `schemas/target-diff.schema.json` describes it. A secret is written as `(secret ${env:NAME})`. */
export function renderTargetDiffJson({ families, isEqual, difference }: TargetDiffView): JsonObject {
  const { from, to, changes, emptied, access, notes } = difference;
  const views = families.flatMap(({ entries }) => entries);
  return {
    format_version: formatVersion,
    kind: "target-diff",
    from: renderComparedTarget(from),
    to: renderComparedTarget(to),
    equal: isEqual,
    differences: changes.map(({ fromOrigin }, at) => {
      const {
        reason: _,
        action,
        origin,
        overridden_in: overriddenIn,
        ...shown
      } = renderChangeJson(views[at] as (typeof views)[number]);
      return {
        ...shown,
        only_in: action === "create" ? "to" : action === "delete" ? "from" : null,
        ...(fromOrigin && {
          from: { origin: toSpan(fromOrigin), ...omitAbsent({ overridden_in: fromOrigin.overriddenAt?.map(toSpan) }) },
        }),
        ...(origin !== undefined && { to: { origin, ...omitAbsent({ overridden_in: overriddenIn }) } }),
      };
    }),
    emptied: emptied.map((one) => ({ ...one })),
    ...(access && { access: renderAccessJson(access) }),
    notes,
  };
}

function renderComparedTarget({ name, evaluatedFor }: ComparedTarget): JsonObject {
  return { name, evaluated_for: evaluatedFor };
}
