import type { Json } from "../json/value.ts";

export type ParsedBody = { readonly value: Json } | { readonly problem: string };

/** JSON without duplicate keys, as the server's own parser takes it; the problem is worded for its answer. */
export function parseBody(body: string): ParsedBody {
  if (body.trim() === "") return { problem: "No content to map due to end-of-input" };
  try {
    const value = JSON.parse(body) as Json;
    const twice = duplicateKey(body);
    return twice === undefined ? { value } : { problem: `JsonParseException: Duplicate field '${twice}'` };
  } catch (problem) {
    return { problem: `JsonParseException: ${problem instanceof Error ? problem.message : String(problem)}` };
  }
}

/** The first key that occurs twice in one object of a text that is valid JSON. */
function duplicateKey(body: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, quoted, colon] of body.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (quoted !== undefined && colon !== undefined) {
      const key = JSON.parse(quoted) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}
