/**
 * Whether a document-level query is a JSON object once its variables are replaced. A server inserts `${user.name}`
 * into a JSON string unchanged, and `${user.roles}` in place of a list or value; both are tried, depending on where
 * the variable is.
 */
export function isJsonQuery(query: string): boolean {
  try {
    const parsed: unknown = JSON.parse(withoutVariables(query));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/** Each `${…}` becomes a character inside a JSON string, and a JSON string outside of one. */
function withoutVariables(query: string): string {
  let inString = false;
  return query.replace(/\$\{[^}]*\}|\\.|"/g, (token) => {
    if (token === '"') inString = !inString;
    if (!token.startsWith("$")) return token;
    return inString ? "x" : '"x"';
  });
}
