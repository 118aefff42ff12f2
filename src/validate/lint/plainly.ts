// What is plain to see of two patterns without trying what each of them meets: warnings go by nothing less certain.

/** Whether whatever one pattern meets is met by the other: the same text, or one with a star at its end alone. */
export function coversPlainly(pattern: string, other: string): boolean {
  if (pattern === other || pattern === "*") return true;
  const end = pattern.length - 1;
  if (pattern.indexOf("*") !== end || !other.startsWith(pattern.slice(0, end))) return false;
  return !/^[/<]|[?$]/.test(pattern) && !/^[/<]|\$/.test(other);
}

/** Whether two lists of patterns are on some of the same. */
export function overlapPlainly(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => coversPlainly(one, other) || coversPlainly(other, one)));
}
