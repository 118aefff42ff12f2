/** One request as it arrived; `path` is the raw request target with its query, header names are lower-case. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** The answer before this one, on the same connection, corrupted it. */
  readonly stale?: boolean;
}

/**
 * The segments of the path, each percent-decoded by itself, so that a name may hold `/` as `%2F` or be `..`. A slash at
 * the end means nothing. Undefined where an escape is malformed.
 */
export function splitSegments(path: string): readonly string[] | undefined {
  const [before = ""] = path.split("?", 1);
  const parts = before.replace(/^\//, "").replace(/\/$/, "").split("/");
  const decoded = parts.map(decodeSegment);
  return decoded.every((segment) => segment !== undefined) ? decoded : undefined;
}

/** `?pretty` and `?pretty=true`. */
export function wantsPretty(path: string): boolean {
  const query = new URLSearchParams(path.split("?").slice(1).join("?"));
  return query.has("pretty") && query.get("pretty") !== "false";
}

/** Bytes that are no UTF-8 become the replacement character, as on real servers; a plus stays a plus. */
function decodeSegment(segment: string): string | undefined {
  if (/%(?![0-9a-f]{2})/i.test(segment)) return undefined;
  const bytes = segment.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
  );
  return bytes;
}
