// Most state files are written in a small part of YAML: block maps and lists, plain and quoted words, flow collections,
// `|` texts. That part is read here, straight to nodes, in a fraction of the time that a whole parser takes.
import type { SourceFile } from "../../diagnostics/source.ts";
import type { Node } from "../../model/node.ts";
import { readBlock } from "./block.ts";
import { readFlow } from "./flow.ts";
import { isFlowStart, type Reader, readLineEnd, skipToContent, uncommon } from "./reader.ts";

/**
 * The nodes of a file's only document, exactly as `yaml.ts` finds them; none for an empty file. Undefined where the
 * file has anything that is not surely in the common part, mistakes included: then `yaml.ts` reads it.
 */
export function parseCommon(file: SourceFile): readonly Node[] | undefined {
  if (uncommonCharacter.test(file.text)) return undefined;
  try {
    return documentOf({ file, text: file.text, at: 0, lineStart: 0, words: new Map() });
  } catch (error) {
    if (error === uncommon) return undefined;
    throw error;
  }
}

/** Tabs, carriage returns and other controls, and what some take for the end of a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const uncommonCharacter = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

function documentOf(reader: Reader): readonly Node[] {
  reader.at = startOfDocument(reader.text);
  const column = skipToContent(reader);
  if (column === -1) return [];
  const node = isFlowStart(reader, reader.at) ? topFlow(reader) : readBlock(reader, column, 0);
  if (skipToContent(reader) !== -1) throw uncommon;
  return [node];
}

/** The end of the line before it: behind `---`, or right at the beginning. */
function startOfDocument(text: string): number {
  const [marked] = /^(?:#.*\n|\n)*---(?=\n)/.exec(text) ?? [];
  return marked === undefined ? -1 : marked.length;
}

function topFlow(reader: Reader): Node {
  const node = readFlow(reader, -1, 0);
  readLineEnd(reader);
  return node;
}
