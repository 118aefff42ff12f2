import { listDistinct } from "../../../json/collections.ts";
import type { UnknownCondition } from "../../../model/access.ts";
import { verdicts } from "./codes.ts";
import type { Column } from "./table.ts";

/** Of verdicts on one permission, before and after. */
export type Codes = readonly [was: number | undefined, is: number | undefined];

/** What the unknown side depends on. */
export function listConditions(
  columns: readonly [Column, Column],
  codes: Codes,
  action: number,
  index?: number,
): readonly UnknownCondition[] {
  const permission = columns.flatMap((column, at) =>
    codes[at] === verdicts.unknown ? column.depends(action, index) : [],
  );
  const sight = index === undefined ? [] : columns.flatMap((column) => column.limits(index).unsure);
  return listDistinct([...permission, ...sight.map((role) => ({ kind: "role", role }) as const)]);
}
