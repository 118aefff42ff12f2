// Lists of permissions in the words of the other product.
import { isLiteral } from "../access/patterns/syntax.ts";
import type { Converting, NoteWriter } from "./writing.ts";

/** Groups under their new names; built-in ones that the other product has no equal of as what they hold. */
export function convertActions(texts: readonly string[], context: Converting, note: NoteWriter): readonly string[] {
  return [...new Set(texts.flatMap((text) => convertAction(text, context, note)))];
}

function convertAction(text: string, context: Converting, note: NoteWriter): readonly string[] {
  const { names, from, to, groups, here, there } = context;
  if (groups.has(text)) {
    const found = names.find("action_groups", text);
    if (found.kind !== "written-out") return [found.name];
    const actions = from.expand([text]).flatMap(({ pattern }) => (groups.has(pattern) ? [] : [pattern]));
    note("changed", `${text} is written out as what it holds: ${there} has no group that grants all of it.`);
    return actions;
  }
  if (isLiteral(text) && !text.includes(":") && to.builtin.action_groups.has(text)) {
    note("changed", `${text} names nothing in ${here}, and is left out: ${there} has a group of that name.`);
    return [];
  }
  if (text.trim() === "" && to.dialect.refusesSpaces) {
    note("changed", `A blank permission grants nothing, and is left out: ${there} refuses it.`);
    return [];
  }
  return [text];
}
