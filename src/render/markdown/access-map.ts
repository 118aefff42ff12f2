import type { AccessMapView, MapGroup } from "../views/access-map.ts";
import type { MapChangesView } from "../views/map-changes.ts";
import { fenceCode, formatCode } from "./code.ts";

/** Forges and wikis show no more of one page. */
const mostCharacters = 60_000;

/** A section for each group of principals with equal access. */
export function renderAccessMapMarkdown({ summary, findings, groups, closing, changes }: AccessMapView): string {
  const changed = changes ? ["## Changes", formatCode(changes.summary), ...changes.groups.map(renderChanges)] : [];
  const head = [
    "# Who may do what",
    ...cutTo(changed, mostCharacters / 2),
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

function renderChanges({ who, lines }: MapChangesView["groups"][number]): string {
  const title = `### ${who.map(formatCode).join(", ")}`;
  return [
    title,
    fenceCode(
      "diff",
      lines.map(({ sign, sentence, author }) => `${sign} ${sentence}${author ? ` (${author})` : ""}`),
    ),
  ].join("\n\n");
}

function cutTo(blocks: readonly string[], most: number): readonly string[] {
  let taken = 0;
  const shown = blocks.filter((block) => {
    taken += block.length + 2;
    return taken <= most;
  });
  const left = blocks.length - shown.length;
  return left > 0
    ? [...shown, `${left} more groups of changes: \`gate-sync access map --since … --format csv\``]
    : shown;
}

function renderGroup({ who, access }: MapGroup): string {
  const lines = access.map(({ label, columns }) => `* ${label}: ${columns.map(formatCode).join(", ")}`);
  return [`## ${who.map(formatCode).join(", ")}`, lines.join("\n")].join("\n\n");
}

function listOf(texts: readonly string[]): string {
  return texts.map((text) => `* ${formatCode(text)}`).join("\n");
}
