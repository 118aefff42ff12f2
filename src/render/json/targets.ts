import type { JsonObject } from "../../json/value.ts";
import type { ListedTarget } from "../../model/listed-target.ts";
import { redactValue } from "../../secrets/redact.ts";
import { toSpan } from "../views/place.ts";
import { formatVersion } from "./parts.ts";

/** As `schemas/targets.schema.json` describes it. */
export function renderTargetsJson(targets: readonly ListedTarget[]): JsonObject {
  return {
    format_version: formatVersion,
    kind: "targets",
    targets: targets.map(({ name, isUsual, settings }) => ({
      name,
      usual: isUsual,
      settings: settings.map(({ path, value, origin, isInherited }) => ({
        path,
        value: redactValue(value),
        inherited: isInherited,
        origin: toSpan(origin),
      })),
    })),
  };
}
