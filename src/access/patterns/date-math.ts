/** An index pattern `<…>`, in which `{…}` is a date. */
export interface DateMath {
  /** A pattern that matches everything that the given one may resolve to; the given one where it has no date. */
  readonly widest: string;
  readonly hasDate: boolean;
}

/**
 * As OpenSearch and Elasticsearch read it: `\` before what is plain text. Undefined where they refuse it; a date that
 * they do not understand is found out when it is resolved.
 */
export function readDateMath(pattern: string): DateMath | undefined {
  const [, inside = ""] = /^<(.*)>$/s.exec(pattern) ?? [];
  const batches = [...inside.matchAll(batch)];
  if (inside === "" || batches.map(([text]) => text).join("") !== inside) return undefined;
  const hasDate = batches.some(({ groups }) => groups?.date !== undefined);
  const plain = batches.map(({ groups: { escaped, text } = {} }) => escaped ?? text ?? "");
  if (!hasDate) return { widest: plain.join(""), hasDate };
  const parts = batches.map(({ groups: { date, format } = {} }, at) => {
    if (date === undefined) return plain[at];
    // After a star, products read `?` in different ways.
    return format === undefined && plain[at - 1] !== "*" ? byDefault : "*";
  });
  return { widest: parts.join(""), hasDate };
}

/** The day, as `2026.11.22`. */
const byDefault = "????.??.??";

const batch = /\{(?<date>[^{}\\]+(?:\{(?<format>[^{}\\]*)\})?)\}|\\(?<escaped>.)|(?<text>[^{}\\])/gsu;

export function isDateMath(pattern: string): boolean {
  return pattern.startsWith("<") && pattern.endsWith(">");
}
