import { findMaskEffect } from "../../access/evaluate/mask-effect.ts";
import { joinNames } from "../escape.ts";

/** Masks as they are written, with what they leave to be read. */
export function formatMasks(masks: readonly string[]): string {
  const having = (effect: ReturnType<typeof findMaskEffect>) => masks.filter((mask) => findMaskEffect(mask) === effect);
  const [masked, unsure, shown] = [having("masked"), having("unknown"), having("shown")];
  return [
    ...(masked.length > 0 ? [joinNames(masked)] : []),
    ...(unsure.length > 0 ? [`${joinNames(unsure)} (readable is what the expression leaves)`] : []),
    ...(shown.length > 0 ? [`${joinNames(shown)} (readable: the expression gives back what it finds)`] : []),
  ].join("; ");
}
