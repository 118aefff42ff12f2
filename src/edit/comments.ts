import { createSourceFile } from "../diagnostics/source.ts";
import { omitSpaceAtEnd } from "../load/between-nodes.ts";
import { parseDocuments } from "../load/yaml.ts";
import { findPlacesInStrings } from "../model/node.ts";
import { findLineEnd } from "./text-edits.ts";

/** From its sign to the end of its line. */
export interface CommentPlace {
  readonly start: number;
  readonly end: number;
}

/** Where the comments of a YAML file are, in their order. */
export function listCommentPlaces(text: string): readonly CommentPlace[] {
  const { documents } = parseDocuments(createSourceFile("", text));
  const signs = [...text.matchAll(/(?<![^ \t\r\n])#/g)].map(({ index }) => index);
  const inside = findPlacesInStrings(documents, signs);
  const places: CommentPlace[] = [];
  for (const start of signs)
    if (start >= (places.at(-1)?.end ?? 0) && !inside.has(start)) places.push({ start, end: findLineEnd(text, start) });
  return places;
}

/** The comments of a YAML file in their order, without spaces and tabs at their ends. */
export function listComments(text: string): readonly string[] {
  return listCommentPlaces(text).map(({ start, end }) => text.slice(start, omitSpaceAtEnd(text, start, end)));
}
