/** A pattern of what two patterns match alike: an expression that looks ahead for the one and is the other. */
export function joinPatterns(a: string, b: string): string {
  return `/(?=(?:${toExpression(a)})$)(?:${toExpression(b)})/`;
}

function toExpression(pattern: string): string {
  const [, expression] = /^\/(.*)\/$/s.exec(pattern) ?? [];
  return (
    expression ??
    pattern
      .replace(/[\\^$.+()[\]{}|]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")
  );
}
