import type { FieldRules, Limits } from "../../../model/access.ts";
import { showField } from "../../evaluate/fields.ts";
import { type Condition, getConditionKey, getOnlyHarm, type Harm, listOutcomes } from "../../verdict.ts";
import type { Sight } from "../table/evaluator.ts";
import type { PartFinder } from "../table/parts.ts";
import {
  compareClarity,
  getLimitsKey,
  type Looks,
  listLimitConditions,
  pickSampleFields,
  resolveLimits,
} from "../table/sees.ts";
import type { Table } from "../table/table.ts";

type Triple<T> = readonly [before: T, between: T, after: T];

/**
 * Of an index that is read: whether more is seen of it between two states than before and after, or less than both
 * times. Actions that are granted alike are looked at once.
 */
export function createSightHarmFinder({ columns, part }: Table, index: number) {
  const [was, now, is] = columns.map((column) => column.sight(index));
  const known = new Map<string, Harm | undefined>();
  return (granted: Triple<Condition>, looks: Looks): Harm | undefined => {
    if (!was || !now || !is || granted[1] === "no") return undefined;
    const key = `${looks} ${granted.map(getConditionKey).join()}`;
    if (!known.has(key)) known.set(key, findSightHarm(granted, [was, now, is], looks, part));
    return known.get(key);
  };
}

function findSightHarm(
  granted: Triple<Condition>,
  sights: Triple<Sight>,
  looks: Looks,
  part: PartFinder,
): Harm | undefined {
  const [was, now, is] = sights;
  if ((granted[0] === "yes" && was.key === now.key) || (granted[2] === "yes" && is.key === now.key)) return undefined;
  const known = new Map<string, Harm | undefined>();
  const harm = (between: Limits, ends: readonly Limits[]): Harm | undefined => {
    const key = [between, ...ends].map(getLimitsKey).join();
    if (!known.has(key)) known.set(key, findFieldHarm(between, ends, part));
    return known.get(key);
  };
  const found = listOutcomes<Harm | undefined>([...granted, ...sights.flatMap(listLimitConditions)], (holds) => {
    if (!holds(granted[1])) return [undefined];
    const ends = [
      { sight: was, isGranted: holds(granted[0]) },
      { sight: is, isGranted: holds(granted[2]) },
    ].filter(({ isGranted }) => isGranted);
    // By the same restrictions the same is seen, whichever of them the server takes.
    if (ends.length === 0 || ends.some(({ sight }) => sight.key === now.key)) return [undefined];
    const areUnsure = [now, ...ends.map(({ sight }) => sight)].some(({ masksAreUnsure }) => masksAreUnsure);
    if (looks === "documents" && areUnsure) return ["unsure"];
    const combined = ends.reduce<readonly (readonly Limits[])[]>(
      (all, { sight }) => all.flatMap((some) => resolveLimits(sight, holds, looks).map((one) => [...some, one])),
      [[]],
    );
    return resolveLimits(now, holds, looks).flatMap((between) => combined.map((some) => harm(between, some)));
  });
  return found ? getOnlyHarm(found) : "unsure";
}

/**
 * Field by field, which documents are seen with it.
 *
 * @param ends what is seen before and after, or at one of these times if it is not read at the other
 */
function findFieldHarm(between: Limits, ends: readonly Limits[], part: PartFinder): Harm | undefined {
  if (ends.some((end) => getLimitsKey(end) === getLimitsKey(between))) return undefined;
  const documentsOf = ({ documents }: Limits) => documents?.map(({ key }) => key);
  for (const field of [
    "",
    ...pickSampleFields(
      [...ends, between].map(({ fields }) => fields),
      part,
    ),
  ]) {
    const clearness = (fields: FieldRules): number => (field === "" ? 1 : compareClarity(showField(fields, field)));
    const shown = clearness(between.fields);
    const as = ends.filter(({ fields }) => clearness(fields) >= shown).map(documentsOf);
    if (shown > 0 && !areDocumentsAmong(documentsOf(between), as)) return documentsOf(between) ? "unsure" : "leak";
    if (ends.length < 2) continue;
    const least = Math.min(...ends.map(({ fields }) => clearness(fields)));
    if (least > shown) return "outage";
    if (least > 0 && !ends.some((end) => areDocumentsAmong(documentsOf(end), [documentsOf(between)]))) return "outage";
  }
  return undefined;
}

type Documents = readonly string[] | undefined;

/** Whether all of some documents are among others: by the queries as they are written. */
function areDocumentsAmong(some: Documents, others: readonly Documents[]): boolean {
  if (others.some((other) => other === undefined)) return true;
  const all = new Set(others.flatMap((other) => other ?? []));
  return some?.every((key) => all.has(key)) ?? false;
}
