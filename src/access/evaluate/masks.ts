import type { Semantics } from "../../dialects/semantics.ts";
import type { Limits } from "../../model/access.ts";
import type { Restriction } from "../model/roles.ts";
import { overlaps } from "../patterns/includes.ts";
import { isOpaque } from "../patterns/syntax.ts";
import { getMaskedFieldPattern } from "./fields.ts";

/** A role that covers an index, or may, with what it restricts. */
interface Masking {
  readonly role: string;
  readonly restricts: Restriction;
}

/** Roles of which it is unknown which fields they hide or mask, or how. */
export function findUnknownMasks(covering: readonly Masking[], { fieldPatterns }: Semantics): readonly string[] {
  const isUnread = ({ fls, masks }: Restriction): boolean =>
    masks.some((mask) => isOpaque(getMaskedFieldPattern(mask))) ||
    (fieldPatterns && fls.some((field) => isOpaque(field.replace(/^[~!]/, ""))));
  return [
    ...listDifferingMasks(covering),
    ...covering.filter(({ restricts }) => isUnread(restricts)).map(({ role }) => role),
  ];
}

/** What a server does where two masks of one field differ. */
export function findMaskFaults(
  covering: readonly Masking[],
  { failsOnTwoMasks }: Semantics,
): Pick<Limits, "masksDiffer" | "mayFail"> {
  const differing = listDifferingMasks(covering);
  const fails = failsOnTwoMasks && listRivalMasks(covering, (fields, others) => fields === others).length > 0;
  return { ...(differing.length > 0 && { masksDiffer: differing }), ...(fails && { mayFail: true }) };
}

function listDifferingMasks(covering: readonly Masking[]): readonly string[] {
  return listRivalMasks(covering, (fields, others) => overlaps(fields, others) !== "no");
}

/** Roles with masks of the same fields that do not say the same: servers apply one of them, or fail. */
function listRivalMasks(
  covering: readonly Masking[],
  areSame: (fields: string, others: string) => boolean,
): readonly string[] {
  const masks = [...new Set(covering.flatMap(({ restricts }) => restricts.masks))];
  if (masks.length < 2) return [];
  const howOf = (mask: string): string => mask.slice(getMaskedFieldPattern(mask).length);
  const isRival = (mask: string, other: string): boolean =>
    howOf(other) !== howOf(mask) && areSame(getMaskedFieldPattern(mask), getMaskedFieldPattern(other));
  const rival = new Set(masks.filter((mask) => masks.some((other) => isRival(mask, other))));
  const roles = covering.filter(({ restricts }) => restricts.masks.some((mask) => rival.has(mask)));
  return [...new Set(roles.map(({ role }) => role))].sort();
}
