import { escapeInvisible } from "../escape.ts";
import type { AccessMapView } from "../views/access-map.ts";

/** One line for each level of each cell that is not empty. */
export function renderAccessMapCsv({ cells }: AccessMapView): string {
  const rows = cells.map(({ who, column: { kind, name }, level, verdict, restricted, request, chain }) =>
    [who, kind, escapeInvisible(name), level, verdict, restricted, request, chain.join(" > ")]
      .map(quoteField)
      .join(","),
  );
  return ["principal,kind,on,level,verdict,restricted,request,granted_by", ...rows, ""].join("\r\n");
}

/** Spreadsheets evaluate what begins like a formula, some also with full-width signs: that gets an apostrophe before it. */
function quoteField(text: string): string {
  const safe = /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
