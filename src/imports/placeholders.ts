// What a template or a shell would fill in is kept in strings between two characters of Unicode's private use, so that all else can be
// parsed.

const opening = "\ue000";
const closing = "\ue001";
/** Fills a placeholder up to the length of what it is for: places in the text stay the same. */
const filler = "\ue002";

const placeholder = /\ue000([^\ue001]*)\ue001/g;

/** @param length of what it replaces */
export function createPlaceholder(name: string, length = 0, fallback?: string): string {
  const inner = fallback === undefined ? name : `${name}:-${fallback}`;
  return opening + inner.padEnd(length - 2, filler) + closing;
}

export function expandPlaceholders(
  text: string,
  replace: (name: string, fallback: string | undefined) => string,
): string {
  if (!text.includes(opening)) return text;
  return text.replace(placeholder, (_, inner: string) => {
    const [, name = "", fallback] = /^(.*?)(?::-(.*))?$/s.exec(inner.replaceAll(filler, "")) ?? [];
    return replace(name, fallback);
  });
}

/** Characters of its own would be taken for placeholders. */
export function holdsPlaceholderCharacter(text: string): boolean {
  return /[\ue000-\ue002]/.test(text);
}

/** A text with placeholders, as people write it: `$NAME`. */
export function describePlaceholders(text: string): string {
  return expandPlaceholders(text, (name) => `$${name}`);
}

export function holdsPlaceholder(text: string): boolean {
  return expandPlaceholders(text, () => "") !== text;
}
