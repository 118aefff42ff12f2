// What a template or a shell would fill in is kept in strings between two characters of Unicode's private use, so that all else can be
// parsed.

const opening = "\ue000";
const closing = "\ue001";
/** Fills a placeholder up to the length of what it is for: places in the text stay the same. */
const filler = "\ue002";
/** Between the name and the source. */
const separator = "\ue003";

const placeholder = /\ue000([^\ue001]*)\ue001/g;

/** A value that is not known here. Two with one name and one source are the same value; all others may differ. */
export interface UnknownValue {
  readonly name: string;
  /** Whose name it is (empty: a variable of a template), or a number, which no other value has. */
  readonly source: string;
  readonly fallback: string | undefined;
  /** The placeholder itself. */
  readonly written: string;
}

/** @param length of what it replaces */
export function createPlaceholder(name: string, source: string, fallback?: string, length = 0): string {
  const named = source === "" ? name : name + separator + source;
  const inner = fallback === undefined ? named : `${named}:-${fallback}`;
  return opening + inner.padEnd(length - 2, filler) + closing;
}

export function expandPlaceholders(text: string, replace: (value: UnknownValue) => string): string {
  if (!text.includes(opening)) return text;
  return text.replace(placeholder, (written, inner: string) => {
    const [, name = "", source = "", fallback] =
      /^(.*?)(?:\ue003(.*?))?(?::-(.*))?$/s.exec(inner.replaceAll(filler, "")) ?? [];
    return replace({ name, source, fallback, written });
  });
}

/** The value that is the whole of a text. */
export function findOnlyPlaceholder(text: string): UnknownValue | undefined {
  let only: UnknownValue | undefined;
  const rest = expandPlaceholders(text, (value) => {
    only = value;
    return "";
  });
  return rest === "" ? only : undefined;
}

/** What a command prints and its like: the name says only of which kind it is. */
export function isNameless({ name, source }: UnknownValue): boolean {
  return /^\d/.test(source) && /^(?:command|encoded|value|number|argument(?:_\d)?|file)$/.test(name);
}

/** Where characters of its own would be taken for placeholders; -1 where there are none. */
export function findPlaceholderCharacter(text: string): number {
  return text.search(/[\ue000-\ue003\ue100-\ue17f]/);
}

/** An expression that nothing here can fill in, in characters that keep YAML from taking its braces for its own. */
export function encodeExpression(expression: string): string {
  return expression.replace(/[^\w\u0080-\uffff]/g, (char) => String.fromCharCode(0xe100 + char.charCodeAt(0)));
}

/** How such an expression begins. */
export const encodedOpening = encodeExpression("{{");

/** A text with placeholders, as people write it: `$NAME`, and expressions as they are. */
export function describePlaceholders(text: string): string {
  return expandPlaceholders(text, ({ name }) => `$${name}`).replace(/[\ue100-\ue17f]/g, (char) =>
    String.fromCharCode(char.charCodeAt(0) - 0xe100),
  );
}

export function holdsPlaceholder(text: string): boolean {
  return expandPlaceholders(text, () => "") !== text;
}
