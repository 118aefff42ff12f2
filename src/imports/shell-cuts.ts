// What shells cut off a value: `${NAME%%:*}` is what comes before the first colon.
import { holdsPlaceholder } from "./placeholders.ts";

/** A name and a password are far shorter; each part of a value is compared with the pattern. */
const longestCut = 200;
const mostStars = 2;

/**
 * @param operator `#` and `%` cut the shortest beginning and end that the pattern matches, `##` and `%%` the longest
 * @returns undefined where the value is not known as a whole, or the pattern is a rare one
 */
export function cutValue(value: string, operator: string, pattern: string): string | undefined {
  const isRare = value.length > longestCut || pattern.split("*").length - 1 > mostStars;
  if (isRare || pattern === "" || holdsPlaceholder(value)) return undefined;
  const matched = createMatcher(pattern);
  const isEnd = operator.startsWith("%");
  const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
  const cut = (operator.length === 2 ? lengths.reverse() : lengths).find((length) =>
    matched.test(isEnd ? value.slice(value.length - length) : value.slice(0, length)),
  );
  if (cut === undefined) return value;
  return isEnd ? value.slice(0, value.length - cut) : value.slice(cut);
}

function createMatcher(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^|()]/g, "\\$&")
    .replace(/\*/g, "[^]*")
    .replace(/\?/g, "[^]");
  return new RegExp(`^${source}$`);
}
