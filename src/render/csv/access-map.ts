import { escapeInvisible } from "../escape.ts";
import type { AccessMapView } from "../views/access-map.ts";
import { quoteField } from "./field.ts";

/** One line for each level of each cell that is not empty. */
export function renderAccessMapCsv({ cells }: AccessMapView): string {
  const rows = cells.map(({ who, column: { kind, name }, level, verdict, restricted, request, chain }) =>
    [who, kind, escapeInvisible(name), level, verdict, restricted, request, chain.join(" > ")]
      .map(quoteField)
      .join(","),
  );
  return ["principal,kind,on,level,verdict,restricted,request,granted_by", ...rows, ""].join("\r\n");
}
