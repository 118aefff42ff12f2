import { holdsMask } from "../families/mask.ts";
import type { Value } from "../json/value.ts";

/**
 * Why a document that was read cannot be written back as it was; undefined where it can. A server that shows asterisks
 * for its secrets would be given asterisks, and a number with more digits than a double holds would come back as another.
 */
export function explainUnfaithful(document: Value, source: string): string | undefined {
  if (holdsMask(document)) return "The server shows asterisks in place of its secrets, and they would be written back.";
  const number = lossyNumber(source);
  return number && `It holds the number ${number}, which has more digits than can be carried.`;
}

/** The first number of a JSON text that parsing changes; quoted strings are skipped. */
function lossyNumber(source: string): string | undefined {
  for (const [token] of source.matchAll(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g)) {
    const digits = token
      .replace(/[eE].*$/, "")
      .replace(/\D/g, "")
      .replace(/^0+|0+$/g, "");
    if (!token.startsWith('"') && digits.length > 15 && String(Number(token)) !== token) return token;
  }
  return undefined;
}
