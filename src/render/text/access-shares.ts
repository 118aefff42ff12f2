import { cutTo, padSpaces, wrapIndented, wrapLabelled, wrapParts } from "../layout.ts";
import type { Style } from "../style.ts";
import type { LimitRow, PermissionView, ShareView } from "../views/access-share.ts";
import { paint } from "./ansi.ts";

export const verdictTones = { yes: "added", no: "removed", partly: "changed", unknown: "changed" } as const;

/** Each permission with its chain or with why it is not held, then what is seen. */
export function formatShareLines(
  { permissions, remarks, limits, doubts }: ShareView,
  indent: number,
  style: Style,
): readonly string[] {
  const say = (text: string) => wrapIndented(text, indent, style.width, 2);
  return [
    ...permissions.flatMap((permission) => permissionLines(permission, indent, style)),
    ...remarks.flatMap(say),
    ...formatLimitLines(limits, indent, style),
    ...doubts.flatMap(say),
  ];
}

function permissionLines(
  { what, chain, otherPaths, reasons }: PermissionView,
  indent: number,
  style: Style,
): readonly string[] {
  return [
    ...wrapIndented(what, indent, style.width, 2).map((line) => paint(line, "strong", style)),
    ...(chain.length > 0 ? formatChainLines(chain, otherPaths, indent + 2, style) : []),
    ...reasons.flatMap((reason) => wrapIndented(reason, indent + 2, style.width, 2)),
  ];
}

/** `mapping hr_reader (mappings.yml:8) > role hr_reader on hr-* (roles/hr.yml:12) > READ`. */
export function formatChainLines(
  chain: readonly string[],
  more: string,
  indent: number,
  style: Style,
): readonly string[] {
  const last = chain.length - 1;
  const steps = chain.map((step, at) => `${step}${at === last ? more : " >"}`);
  return wrapParts(steps, style.width - indent, 2).map((line) => padSpaces(indent) + line);
}

const labelColumn = 11;

/** What is left to be seen: nothing where that is everything. */
export function formatLimitLines(rows: readonly LimitRow[], indent: number, style: Style): readonly string[] {
  const column = indent + labelColumn;
  return rows.flatMap(({ label, text, isQuery }) =>
    wrapLabelled(
      padSpaces(indent) + label,
      isQuery ? cutQuery(text, style.width - column, style) : text,
      column,
      style.width,
    ),
  );
}

function cutQuery(query: string, width: number, { full }: Style): string {
  return full || query.length <= width ? query : `${cutTo(query, width - 2)} …`;
}
