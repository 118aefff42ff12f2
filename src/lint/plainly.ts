// What two patterns show without computing what each of them matches: warnings rely on nothing less certain.

/**
 * Whether `pattern` certainly matches every name that `other` matches: it is the same text, or `*`, or ends in its only
 * `*` and `other` begins with what is before it. False where only computing could show it, as with regular
 * expressions.
 */
export function coversPlainly(pattern: string, other: string): boolean {
  if (pattern === other || pattern === "*") return true;
  const end = pattern.length - 1;
  if (pattern.indexOf("*") !== end || !other.startsWith(pattern.slice(0, end))) return false;
  return !/^[/<]|[?$]/.test(pattern) && !/^[/<]|\$/.test(other);
}

/** Whether a pattern of one list certainly matches everything that one of the other list matches, or the reverse. */
export function overlapPlainly(some: readonly string[], others: readonly string[]): boolean {
  return some.some((one) => others.some((other) => coversPlainly(one, other) || coversPlainly(other, one)));
}
