// A value in the place of another one.
import { isList, isObject, type Json } from "../json/value.ts";
import type { Layout, LayoutScalar } from "../model/layout.ts";
import { findQuotes, type Place, type Text } from "./edit-text.ts";
import { NotEditable } from "./not-editable.ts";
import { cutLines } from "./remove-items.ts";
import { findLineEnd, getColumn, startsItsLine } from "./text-edits.ts";
import { getQuotes, writeBlock, writeFlow, writeLiteral } from "./written.ts";

/** Another scalar, in the quotes of the one before. */
export function replaceScalar(text: Text, node: LayoutScalar, value: Json, place: Place | undefined): void {
  const isBlock = node.style === "literal" || node.style === "folded";
  const column = place ? getColumn(text.text, place.owner.start) + 2 : 0;
  const literal = isBlock && typeof value === "string" ? writeLiteral(value, column, text.lineBreak) : undefined;
  const inline = writeFlow(value, getQuotes(node), place?.owner.isFlow ?? false);
  text.edits.push({ start: node.start, end: node.end, text: literal ?? inline });
}

/** Another value of another kind; nothing of the old one stays. */
export function replaceNode(text: Text, node: Layout | undefined, value: Json, place: Place | undefined): void {
  const { text: source, edits, lineBreak } = text;
  if (!place) {
    if (!node) throw new NotEditable("there is nothing to change");
    edits.push({ start: node.start, end: node.end, text: writeBlock(value, 0, lineBreak) });
    return;
  }
  const { owner, at, hasProperties } = place;
  const isFilled = (isList(value) || isObject(value)) && Object.keys(value).length > 0;
  const isBlockNode = (node?.kind === "map" || node?.kind === "list") && !node.isFlow;
  if (hasProperties) {
    // Behind an anchor there is space for what is in one line; whether that may be anchored, reading it again shows.
    if (!node || isBlockNode) throw new NotEditable("it has an anchor (&) or a tag (!)");
    edits.push({ start: node.start, end: node.end, text: writeFlow(value, findQuotes(owner), owner.isFlow) });
    return;
  }
  const isFlowNode = (node?.kind === "map" || node?.kind === "list") && node.isFlow && node.items.length > 0;
  if (!isFilled || owner.isFlow || isFlowNode) {
    const inline = writeFlow(value, findQuotes(isFlowNode ? node : owner), owner.isFlow);
    if (!node) edits.push({ start: at, end: at, text: ` ${inline}` });
    else if (isBlockNode && startsItsLine(source, node.start)) {
      edits.push({ start: at, end: at, text: ` ${inline}` }, cutLines(source, node.start, node.end, false));
    } else edits.push({ start: node.start, end: node.end, text: inline });
    return;
  }
  if (node && isBlockNode) {
    edits.push({ start: node.start, end: node.end, text: writeBlock(value, getColumn(source, node.start), lineBreak) });
    return;
  }
  if (owner.kind === "list") {
    const column = node ? getColumn(source, node.start) : getColumn(source, owner.start) + 2;
    const block = writeBlock(value, column, lineBreak);
    edits.push(node ? { start: node.start, end: node.end, text: block } : { start: at, end: at, text: ` ${block}` });
    return;
  }
  if (node) edits.push({ start: at, end: node.end, text: "" });
  const end = findLineEnd(source, node?.end ?? at);
  const column = getColumn(source, owner.start) + 2;
  const block = `${lineBreak}${" ".repeat(column)}${writeBlock(value, column, lineBreak)}`;
  edits.push({ start: end, end, text: block });
}
