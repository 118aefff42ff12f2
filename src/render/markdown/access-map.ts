import type { AccessMapView, MapGroup } from "../views/access-map.ts";
import { formatCode } from "./code.ts";

/** Forges and wikis show no more of one page. */
const mostCharacters = 60_000;

/** A section for each group of principals with equal access. */
export function renderAccessMapMarkdown({ summary, findings, groups, closing }: AccessMapView): string {
  const head = [
    "# Who may do what",

    summary,
    ...(findings.length > 0 ? [listOf(findings)] : []),
  ];
  const foot = ["## Notes", listOf(closing)];
  let left = mostCharacters - [...head, ...foot].join("\n\n").length;
  const shown: string[] = [];
  for (const group of groups) {
    const section = renderGroup(group);
    left -= section.length + 2;
    if (left < 0) break;
    shown.push(section);
  }
  const rest = groups.length - shown.length;
  const more = rest > 0 ? [`${rest} more groups of principals: \`gate-sync access map --format csv\``] : [];
  return [...head, ...shown, ...more, ...foot].join("\n\n");
}

function renderGroup({ who, access }: MapGroup): string {
  const lines = access.map(({ label, columns }) => `* ${label}: ${columns.map(formatCode).join(", ")}`);
  return [`## ${who.map(formatCode).join(", ")}`, lines.join("\n")].join("\n\n");
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `* ${formatCode(text)}`).join("\n");
}
