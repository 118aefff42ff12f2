// Values of scalars as state files mean them, where `yaml` has others.
import type { ScalarNode } from "../model/node.ts";

/** A block text that the file ends in, without a last line break, has none either; yaml adds one. */
export function omitAddedBreak(text: string, end: number, value: ScalarNode["value"]): ScalarNode["value"] {
  const endsFile = end >= text.length && /[^ \t\r\n][^\n]*$/.test(text);
  return endsFile && typeof value === "string" ? value.replace(/\n$/, "") : value;
}

/** Infinity and not-a-number are no JSON: they stay the text that was written. */
export function readScalarValue(value: unknown, source: string): string | number | boolean | null {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : source;
}
