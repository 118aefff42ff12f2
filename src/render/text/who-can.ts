import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import type { FoundPrincipalView, WhoCanView } from "../views/access-answer.ts";
import type { ShareView } from "../views/access-share.ts";
import { formatChainLines, formatLimitLines, formatShareLines } from "./access-shares.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** Principals of one verdict; more are too many to read at once. */
const mostPrincipals = 50;

/** Who may, then who may in part, then for whom it is unknown. No newline at its end. */
export function renderWhoCanText({ summary, groups, closing }: WhoCanView, style: Style): string {
  return joinLines([
    ...wrap(paint(summary, "strong", style), style.width),
    ...groups.flatMap(({ title, principals }) => [
      ...(title === "" ? [] : ["", paint(title, "strong", style)]),
      ...manyLines(principals, style),
    ]),
    ...formatClosing(closing, style),
  ]);
}

function manyLines(found: readonly FoundPrincipalView[], style: Style): readonly string[] {
  const shown = style.full ? found : found.slice(0, mostPrincipals);
  const left = found.length - shown.length;
  return [
    ...shown.flatMap((one) => ["", `  ${one.who}`, ...foundLines(one, style)]),
    ...(left > 0 ? ["", `  ... ${left} more (--full)`] : []),
  ];
}

function foundLines({ shares, shows }: FoundPrincipalView, style: Style): readonly string[] {
  return shares.flatMap((share) => shareLines(share, shows, style));
}

function shareLines(share: ShareView, shows: FoundPrincipalView["shows"], style: Style): readonly string[] {
  switch (shows) {
    case "chain":
      return [
        ...formatChainLines(share.permissions[0]?.chain ?? [], "", 4, style),
        ...formatLimitLines(share.limits, 4, style),
      ];
    case "one":
      return formatShareLines(share, 4, style);
    case "several":
      return [`    ${share.verdict}  ${share.title}`, ...formatShareLines(share, 6, style)];
  }
}
