/**
 * Whether a document-level query is a JSON object once its variables are replaced. A server puts `${user.name}` into
 * a JSON string as it is, and `${user.roles}` where a list or value stands; both are tried by where the variable is.
 */
export function isJsonQuery(query: string): boolean {
  try {
    const parsed: unknown = JSON.parse(withoutVariables(query));
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

/** Each `${…}` becomes a letter inside a JSON string, and a JSON string outside of one. */
function withoutVariables(query: string): string {
  let inString = false;
  return query.replace(/\$\{[^}]*\}|\\.|"/g, (token) => {
    if (token === '"') inString = !inString;
    if (!token.startsWith("$")) return token;
    return inString ? "x" : '"x"';
  });
}
