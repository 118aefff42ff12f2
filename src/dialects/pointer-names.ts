// Which names a JSON pointer of a server reaches. A name that it does not reach is written by PUT and DELETE.

/** All real servers unescape the last token twice, so a name that itself contains `~0` or `~1` hits another entry. */
export function withoutEscapes(name: string): boolean {
  return !/~[01]/.test(name);
}

/**
 * OpenSearch compares before and after of a bulk PATCH, and takes a number for a place in a list: a deletion and a
 * creation of the same content with such a name between them are answered 500, "Object operation on array target".
 */
export function withoutEscapesAndNumbers(name: string): boolean {
  return withoutEscapes(name) && !/^(0|[1-9]\d*)$/.test(name);
}

/** Search Guard's patch library besides writes names with quotes, backslashes and control characters wrongly. */
export function withoutQuotesAndControls(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return withoutEscapes(name) && !/["\\\u0000-\u001f\u007f-\u009f]/.test(name);
}

/** `gate` documents brackets as list indices, so a name with brackets may be taken for one. */
export function withoutBrackets(name: string): boolean {
  return withoutQuotesAndControls(name) && !/[[\]]/.test(name);
}
