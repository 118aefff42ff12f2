import type { JsonObject } from "../../json/value.ts";
import type { RenderedEntry, RenderedState } from "../../model/rendered-state.ts";
import { toSpan } from "../views/place.ts";
import { formatVersion, omitAbsent, renderOriginJson } from "./parts.ts";

/** As `schemas/render.schema.json` describes it. */
export function renderStateJson({ target, evaluatedFor, documents, leftOut }: RenderedState): JsonObject {
  return {
    format_version: formatVersion,
    kind: "render",
    target,
    evaluated_for: evaluatedFor,
    documents: documents.map(({ key, header, entries }) => ({
      key,
      ...omitAbsent({ header }),
      entries: entries.map(renderEntry),
    })),
    left_out: leftOut,
  };
}

function renderEntry({ name, value, origin, overrides }: RenderedEntry): JsonObject {
  return {
    ...omitAbsent({ name }),
    value,
    ...renderOriginJson(origin),
    overrides: overrides.map(({ path, does, place }) => ({ path, does, place: toSpan(place) })),
  };
}
