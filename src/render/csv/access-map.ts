import type { MapChanges } from "../../access/questions/map-differences.ts";
import { escapeInvisible } from "../escape.ts";
import { formatPrincipal } from "../views/access-answer.ts";
import type { AccessMapView } from "../views/access-map.ts";
import { formatLevels } from "../views/map-words.ts";

/** One line for each level of each cell that is not empty; beside another state, for each cell that differs. */
export function renderAccessMapCsv({ cells, map }: AccessMapView): string {
  if (map.changes) return renderChanges(map.changes);
  const rows = cells.map(({ who, column: { kind, name }, level, verdict, restricted, request, chain }) =>
    [who, kind, escapeInvisible(name), level, verdict, restricted, request, chain.join(" > ")]
      .map(quoteField)
      .join(","),
  );
  return ["principal,kind,on,level,verdict,restricted,request,granted_by", ...rows, ""].join("\r\n");
}

function renderChanges({ differences }: MapChanges): string {
  const rows = differences.map(({ principal, column, kind, before, after, author }) =>
    [
      formatPrincipal(principal),
      column.kind,
      escapeInvisible(column.name),
      kind,
      formatLevels(before),
      formatLevels(after),
      escapeInvisible(author?.name ?? ""),
      author?.commit ?? "",
    ]
      .map(quoteField)
      .join(","),
  );
  return ["principal,kind,on,change,before,after,last_changed_by,commit", ...rows, ""].join("\r\n");
}

/** Spreadsheets evaluate what begins like a formula, some also with full-width signs: that gets an apostrophe before it. */
function quoteField(text: string): string {
  const safe = /^[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
