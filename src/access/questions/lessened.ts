import type { Limits } from "../../model/access.ts";
import { coveringElements } from "../limits.ts";
import type { AccessModel } from "../model.ts";
import type { Subject } from "../subject.ts";
import type { Verdict } from "../verdict.ts";
import type { Share } from "./can.ts";
import { type Places, type Step, stepsOf } from "./steps.ts";

/** One element of a role that takes something away from what somebody sees, by how they come by it. */
export interface Lessening {
  readonly takes: readonly ("documents" | "fields" | "masked")[];
  readonly chain: readonly Step[];
}

/** Whether less than everything is seen; `unknown` where it is not known which restrictions apply. */
export function isLess({ documents, fields, unsure }: Limits): Verdict {
  if (unsure.length > 0) return "unknown";
  return documents !== undefined || fields.only !== undefined || fields.not.length + fields.masks.length > 0
    ? "yes"
    : "no";
}

/** What takes something away of indices that are judged alike: of what is lifted, nothing. */
export function lesseningsOf(
  model: AccessModel,
  subject: Subject,
  { part, limits }: Share,
  places: Places,
): readonly Lessening[] {
  if (!part || !limits) return [];
  const { documents, fields } = limits;
  return coveringElements(model, subject, part.index).flatMap(({ holding, rule: { restricts }, by: [pattern] }) => {
    const takes: Lessening["takes"] = [
      ...(documents && restricts.dls ? (["documents"] as const) : []),
      ...((fields.only || fields.not.length > 0) && restricts.fls.length > 0 ? (["fields"] as const) : []),
      ...(fields.masks.length > 0 && restricts.masks.length > 0 ? (["masked"] as const) : []),
    ];
    if (takes.length === 0 || pattern === undefined) return [];
    return [{ takes, chain: stepsOf({ holding, pattern }, places) }];
  });
}
