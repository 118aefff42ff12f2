// Texts that hold JSON, such as document-level queries, compared as they are written: parsed values are not the same
// where numbers have more digits than a double, or an object has a key twice.

import { compareByCodeUnit } from "./canonical.ts";

const token = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Its tokens, punctuation among them; undefined where the text is no JSON. */
export function splitJson(text: string): readonly string[] | undefined {
  try {
    JSON.parse(text);
    return text.match(token) ?? [];
  } catch {
    return undefined;
  }
}

interface Opened {
  readonly parts: string[];
  /** Of an object: the names so far. */
  readonly names?: Set<string>;
}

/**
 * The same for texts that differ in spaces, escapes and the order of keys only; undefined where the text is no JSON, or
 * has a key twice in one object, of which programs take this one or that, or none. By a stack: it may be nested deeply.
 */
export function canonicaliseJson(text: string): string | undefined {
  const stack: Opened[] = [{ parts: [] }];
  let name = "";
  for (const part of splitJson(text) ?? []) {
    const { parts, names } = stack.at(-1) as Opened;
    if (part === "{" || part === "[") {
      stack.push({ parts: [], ...(part === "{" && { names: new Set<string>() }) });
      parts.push(name);
      name = "";
    } else if (part === "}" || part === "]") {
      stack.pop();
      const outer = (stack.at(-1) as Opened).parts;
      const inner = names ? `{${parts.sort(compareByCodeUnit).join(",")}}` : `[${parts.join(",")}]`;
      outer.push(`${outer.pop()}${inner}`);
    } else if (part === ":") {
      const key = parts.pop() as string;
      if (names?.size === names?.add(JSON.parse(key)).size) return undefined;
      name = `${key}:`;
    } else if (part !== ",") {
      parts.push(name + canonicaliseScalar(part));
      name = "";
    }
  }
  return stack[0]?.parts[0];
}

/** Servers look for variables before they read escapes. */
function canonicaliseScalar(written: string): string {
  if (!written.includes("\\")) return written;
  const plain = JSON.stringify(JSON.parse(written));
  return plain.includes("$") ? written : plain;
}
