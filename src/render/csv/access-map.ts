import type { AccessMapView } from "../views/access-map.ts";

/** One line for each level of each cell that is not empty. */
export function renderAccessMapCsv({ cells }: AccessMapView): string {
  const rows = cells.map(({ who, column: { kind, name }, level, verdict, restricted, request, chain }) =>
    [who, kind, name, level, verdict, restricted, request, chain.join(" > ")].map(quoteField).join(","),
  );
  return ["principal,kind,on,level,verdict,restricted,request,granted_by", ...rows, ""].join("\r\n");
}

/** Spreadsheets evaluate what begins like a formula: they get an apostrophe, which they do not show. */
function quoteField(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
