import type { Limits } from "../../access/limits.ts";
import { listed, visible } from "../escape.ts";
import { cutTo, wrap } from "../layout.ts";
import type { Style } from "../style.ts";

/** What is left to be seen: nothing where that is everything. */
export function limitLines({ documents, fields }: Limits, indent: number, style: Style): readonly string[] {
  const margin = " ".repeat(indent);
  const row = (label: string, text: string): readonly string[] =>
    wrap(text, style.width - indent - column).map((line, at) => margin + (at === 0 ? label : "").padEnd(column) + line);
  const shown = (query: string) => (style.full ? visible(query) : cut(visible(query), style.width - indent - column));
  return [
    ...(documents ?? []).flatMap(({ shown: query }, at) => row(at === 0 ? "documents" : "or", shown(query))),
    ...(fields.only ? row("fields", `only ${listed(fields.only)}`) : []),
    ...(fields.not.length > 0 ? row("fields", `all but ${listed(fields.not)}`) : []),
    ...(fields.masks.length > 0 ? row("masked", listed(fields.masks)) : []),
  ];
}

const column = 11;

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${cutTo(text, width - 2)} …`;
}
