import type { Limits } from "../../model/access.ts";
import { findCoveringElements } from "../evaluate/limits.ts";
import type { Share } from "../evaluate/question.ts";
import type { AccessModel } from "../model/access-model.ts";
import type { Subject } from "../model/subject.ts";
import type { Verdict } from "../verdict.ts";
import { type ChainStep, listChainSteps, type Places } from "./grant-path.ts";

/** One element of a role that restricts what a subject sees, with the grant path of the role. */
export interface Lessening {
  readonly takes: readonly ("documents" | "fields" | "masked")[];
  readonly chain: readonly ChainStep[];
}

/** Whether less than everything is seen; `unknown` where it is not known which restrictions apply. */
export function isLess({ documents, fields, unsure }: Limits): Verdict {
  if (unsure.length > 0) return "unknown";
  return documents !== undefined || fields.only !== undefined || fields.not.length + fields.masks.length > 0
    ? "yes"
    : "no";
}

/** The restrictions of indices that evaluate alike; a restriction that another element removes is left out. */
export function findLessenings(
  model: AccessModel,
  subject: Subject,
  { part, limits }: Share,
  places: Places,
): readonly Lessening[] {
  if (!part || !limits) return [];
  const { documents, fields } = limits;
  return findCoveringElements(model, subject, part.index).flatMap(({ holding, rule: { restricts }, by: [pattern] }) => {
    const takes: Lessening["takes"] = [
      ...(documents && restricts.dls ? (["documents"] as const) : []),
      ...((fields.only || fields.not.length > 0) && restricts.fls.length > 0 ? (["fields"] as const) : []),
      ...(fields.masks.length > 0 && restricts.masks.length > 0 ? (["masked"] as const) : []),
    ];
    if (takes.length === 0 || pattern === undefined) return [];
    return [{ takes, chain: listChainSteps({ holding, pattern }, places) }];
  });
}
