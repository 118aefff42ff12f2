import { findBlindFields } from "../../access/explain/blind-fields.ts";
import type { Limits } from "../../model/access.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { cutTo, padSpaces, wrapLabelled } from "../layout.ts";
import type { Style } from "../style.ts";

/** What is left to be seen: nothing where that is everything. */
export function formatLimitLines(limits: Limits, indent: number, style: Style): readonly string[] {
  const { documents, fields, unsure } = limits;
  const blind = findBlindFields(limits);
  const row = (label: string, text: string) =>
    wrapLabelled(padSpaces(indent) + label, text, indent + column, style.width);
  const shown = (query: string) =>
    style.full ? escapeInvisible(query) : cut(escapeInvisible(query), style.width - indent - column);
  const isRestricted =
    documents !== undefined || fields.only !== undefined || fields.not.length + fields.masks.length > 0;
  return [
    ...(unsure.length > 0 && isRestricted ? row("perhaps", "some of these apply and others do not:") : []),
    ...(documents ?? []).flatMap(({ shown: query }, at) => row(at === 0 ? "documents" : "or", shown(query))),
    ...(fields.only ? row("fields", `only ${joinNames(fields.only)}`) : []),
    ...(fields.not.length > 0 ? row("fields", `all but ${joinNames(fields.not)}`) : []),
    ...(fields.masks.length > 0 ? row("masked", joinNames(fields.masks)) : []),
    ...(blind.length > 0
      ? row("!", `what is asked of ${joinNames(blind)} finds no document, as that is hidden or masked`)
      : []),
  ];
}

const column = 11;

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${cutTo(text, width - 2)} …`;
}
