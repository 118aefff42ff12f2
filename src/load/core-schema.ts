// Plain scalars by the core schema of YAML 1.2.

/** What is no JSON, as infinity, stays the text that was written. */
export function parsePlain(source: string): string | number | boolean | null {
  const first = source.charCodeAt(0);
  // `+`, `-`, `.` and digits; no number begins with anything else.
  if (first < 0x3a) {
    const value = numeric.test(source) ? Number(source) : Number.NaN;
    return Number.isFinite(value) ? value : source;
  }
  if (source.length > longestWord) return source;
  const known = words.get(source);
  return known === undefined ? source : known;
}

const numeric = /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+)$/;
const longestWord = 5;
const words: ReadonlyMap<string, boolean | null> = new Map([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);
