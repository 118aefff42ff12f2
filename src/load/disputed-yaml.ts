// What makes js-yaml and yaml differ wherever it is in a file: yaml decides then.
import type { Node } from "../model/node.ts";

/**
 * Directives, text behind the end of a document, a mark of documents that is indented, byte order marks, and carriage
 * returns that end a line alone: `yaml` refuses some of these, and reads others otherwise.
 */
export function isDisputed(text: string): boolean {
  if (text.includes("\ufeff") || (text.includes("\r") && /\r(?!\n)/.test(text))) return true;
  return disputedStart.test(text) || disputedLine.test(text);
}

const disputedStart = /^(?:%|\.\.\.| +---(?!\S))/;
const disputedLine = /\n(?:%|\.\.\.(?!\r?\n|$)| +---(?!\S))/;

/** Tabs at the beginning of a line are surely no matter within brackets only. */
export function isTabDisputed(text: string, documents: readonly Node[]): boolean {
  if (!text.includes("\t") || !/^ *\t/m.test(text)) return false;
  const [root, ...others] = documents;
  return root === undefined || others.length > 0 || !/[[{]/.test(text.charAt(root.start));
}
