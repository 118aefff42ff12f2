import { createSourceFile } from "../diagnostics/source.ts";
import { parseDocuments } from "../load/yaml.ts";
import { findPlacesInStrings } from "../model/node.ts";
import { findLineEnd } from "./text-edits.ts";

/** The comments of a YAML file in their order, each from its sign to the end of its line. */
export function listComments(text: string): readonly string[] {
  const { documents } = parseDocuments(createSourceFile("", text));
  const signs = [...text.matchAll(/(?<![^ \t\r\n])#/g)].map(({ index }) => index);
  const inside = findPlacesInStrings(documents, signs);
  const comments: string[] = [];
  let end = -1;
  for (const sign of signs) {
    if (sign < end || inside.has(sign)) continue;
    end = findLineEnd(text, sign);
    comments.push(text.slice(sign, end).trimEnd());
  }
  return comments;
}
