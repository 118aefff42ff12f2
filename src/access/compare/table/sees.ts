import type { FieldRules, Limits } from "../../../model/access.ts";
import { getMaskedFieldPattern, showField } from "../../evaluate/fields.ts";
import { listPossibleLimits } from "../../evaluate/limits.ts";
import { type Condition, type ConditionChange, listOutcomes } from "../../verdict.ts";
import type { Sight } from "./evaluator.ts";
import type { PartFinder } from "./parts.ts";

export type SightChange = "same" | "more" | "less" | "other" | Exclude<ConditionChange, "same">;

/** What an action shows of an index: a mapping the fields that may be seen, and no documents. */
export type Looks = "documents" | "fields";

/**
 * Whether the second limits show more or less of an index than the first; `other` where neither holds, or it is
 * unknown.
 */
export function compareLimits(before: Limits, after: Limits, part: PartFinder): Comparison {
  const documents = compareDocuments(before.documents, after.documents);
  return combineComparisons(documents, compareFields(before.fields, after.fields, part));
}

type Comparison = "same" | "more" | "less" | "other";

/** The same for limits by which the same is seen, as they are written. */
export function getLimitsKey({ documents, fields, unsure }: Limits): string {
  return JSON.stringify([documents?.map(({ key }) => key) ?? null, fields, unsure]);
}

/**
 * The same where it is not known who reads it, or what restricts them: certain only where it is so whatever holds of
 * what is unknown, and whichever restrictions the server takes.
 *
 * @param granted whether it is read, before and after
 */
export function compareSeen(
  granted: readonly [Condition, Condition],
  sights: readonly [Sight, Sight],
  looks: Looks,
  part: PartFinder,
): SightChange {
  const compared = new Map<string, Comparison>();
  const compare = (before: Limits, after: Limits): Comparison => {
    const key = `${getLimitsKey(before)} ${getLimitsKey(after)}`;
    const found = compared.get(key) ?? compareLimits(before, after, part);
    compared.set(key, found);
    return found;
  };
  const found = listOutcomes<SightChange>([...granted, ...sights.flatMap(listLimitConditions)], (holds) => {
    const [had, has] = [holds(granted[0]), holds(granted[1])];
    if (!had || !has) return [had === has ? "same" : has ? "gained" : "lost"];
    if (looks === "documents" && sights.some(({ masksAreUnsure }) => masksAreUnsure)) return ["same", "other"];
    const [before, after] = [resolveLimits(sights[0], holds, looks), resolveLimits(sights[1], holds, looks)];
    return before.flatMap((one) => after.map((other) => compare(one, other)));
  });
  return found ? combineSightChanges(found) : "may-change";
}

/** The conditions that `resolveLimits` asks about. */
export function listLimitConditions({ coverings }: Sight): readonly Condition[] {
  return coverings.flatMap(({ by }) => by.map(({ when }) => when));
}

/** What is seen once each condition is known to hold or not: several limits where something else is still unknown. */
export function resolveLimits(
  { coverings, model }: Sight,
  holds: (condition: Condition) => boolean,
  looks: Looks,
): readonly Limits[] {
  const limits = listPossibleLimits(coverings, model, holds);
  return looks === "fields" ? limits.map(limitMapping) : limits;
}

/**
 * Of limits those of a mapping. It shows no values: recorded servers (OpenSearch 2.19, Search Guard 6.5 and 7.5) list a
 * masked field in it like any other, and leave out what FLS hides.
 */
export function limitMapping({ documents: _, fields, ...rest }: Limits): Limits {
  return { ...rest, fields: { ...fields, masks: [] } };
}

/** Of changes that may be. */
function combineSightChanges(found: ReadonlySet<SightChange>): SightChange {
  const [only = "same"] = found;
  if (found.size <= 1) return only;
  const all = [...found].filter((one) => one !== "same");
  // Who may read it in any case sees it otherwise, or not: no permission is gained or lost by that.
  if (!found.has("gained") && !found.has("lost")) return "may-change";
  if (all.every((one) => one === "gained" || one === "more")) return "may-gain";
  return all.every((one) => one === "lost" || one === "less") ? "may-lose" : "may-change";
}

/** Queries are compared by what they say: whether one finds more than another is not for us to know. */
function compareDocuments(before: Limits["documents"], after: Limits["documents"]): Comparison {
  if (!before || !after) return before === after ? "same" : before ? "more" : "less";
  const [had, has] = [new Set(before.map(({ key }) => key)), new Set(after.map(({ key }) => key))];
  // A document is seen that matches any of the queries: one more query shows more; with some exchanged, it is
  // unknown.
  return combineDirections(
    [...has].some((key) => !had.has(key)),
    [...had].some((key) => !has.has(key)),
  );
}

function compareFields(before: FieldRules, after: FieldRules, part: PartFinder): Comparison {
  if (JSON.stringify(before) === JSON.stringify(after)) return "same";
  const seen = pickSampleFields([before, after], part).map(
    (field) => [showField(before, field), showField(after, field)] as const,
  );
  const isOther = seen.some(
    ([was, is]) => typeof was === "object" && typeof is === "object" && was.masked !== is.masked,
  );
  if (isOther) return "other";
  return combineDirections(
    seen.some(([was, is]) => compareClarity(is) > compareClarity(was)),
    seen.some(([was, is]) => compareClarity(is) < compareClarity(was)),
  );
}

export function compareClarity(seen: ReturnType<typeof showField>): number {
  if (seen === "hidden") return 0;
  return seen === "shown" ? 2 : 1;
}

/** One field name for each combination of rules that may match a field. */
export function pickSampleFields(rules: readonly FieldRules[], part: PartFinder): readonly string[] {
  // Where FLS has no such patterns, expressions and question marks are plain text, which no field has in its name.
  const listed = rules.flatMap(({ only = [], not, arePatterns }) =>
    [...only, ...not].filter((name) => name !== "" && (arePatterns || !/\?|^\/.*\/$/.test(name))),
  );
  const masked = rules.flatMap(({ masks }) => masks.map(getMaskedFieldPattern)).filter((name) => name !== "");
  const names = new Set([...listed, ...masked]);
  const below = [...names].filter((name) => !/^\/.*\/$/.test(name)).map((name) => `${name}.*`);
  const { cells } = part(new Set([...names, ...below]), "text");
  return cells.map(({ example }) => example);
}

function combineDirections(more: boolean, less: boolean): Comparison {
  if (more) return less ? "other" : "more";
  return less ? "less" : "same";
}

function combineComparisons(a: Comparison, b: Comparison): Comparison {
  if (a === "same" || a === b) return b;
  return b === "same" ? a : "other";
}
