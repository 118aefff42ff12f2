/** Undefined where there is no such variable; null: its value is unknown. */
export type GetValue = (variable: string) => string | undefined | null;

/**
 * A text with its variables replaced: in their names as well, in their values, and by what follows `:-` where there is
 * no such variable; `$${` is plain text. Undefined: that is unknown, or it never ends.
 */
export function replaceNestedVariables(text: string, getValue: GetValue, depth = 0): string | undefined {
  if (depth > deepest) return undefined;
  let found = "";
  let at = 0;
  for (let start = text.indexOf("${"); start !== -1; start = text.indexOf("${", at)) {
    const end = findEnd(text, start + 2);
    if (start > at && text[start - 1] === "$") {
      found += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    if (end === -1) break;
    const expression = replaceNestedVariables(text.slice(start + 2, end), getValue, depth + 1);
    if (expression === undefined) return undefined;
    const [name = "", ...others] = expression.split(":-");
    const value = getValue(name);
    if (value === null) return undefined;
    const meant = value ?? (others.length > 0 ? others.join(":-") : undefined);
    const replaced =
      meant === undefined ? text.slice(start, end + 1) : replaceNestedVariables(meant, getValue, depth + 1);
    if (replaced === undefined) return undefined;
    found += text.slice(at, start) + replaced;
    at = end + 1;
  }
  return found + text.slice(at);
}

/** Values that hold variables may hold each other. */
const deepest = 20;

/** The brace that ends a variable, those within it left out. */
function findEnd(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith("${", at)) depth += 1;
    else if (text[at] === "}") {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}
