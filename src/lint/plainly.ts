// What two patterns show without computing what each of them matches: warnings rely on nothing less certain.

/**
 * Whether one pattern certainly matches everything that the other matches: the same text, or a text with one star at
 * its end.
 */
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
