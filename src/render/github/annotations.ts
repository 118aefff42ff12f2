import { type FindingPlace, type ForgePlaces, placeFinding } from "../views/finding-place.ts";
import type { FindingLevel, ReviewFinding } from "../views/findings.ts";

/** Of each level GitHub shows no more in a step; it drops the rest without a word. */
const mostOfLevel = 10;

const commands: Readonly<Record<FindingLevel, string>> = { error: "error", warning: "warning", note: "notice" };

/**
 * Workflow commands that make GitHub Actions show findings beside their lines: at most ten of each level, the last of
 * which counts the rest. Each on a line of its own, with a newline at its end.
 */
export function renderAnnotations(findings: readonly ReviewFinding[], places: ForgePlaces): string {
  return (["error", "warning", "note"] as const)
    .flatMap((level) => {
      const some = findings.filter((finding) => finding.level === level);
      const shown = some.length > mostOfLevel ? some.slice(0, mostOfLevel - 1) : some;
      const left = some.length - shown.length;
      const lines = shown.map((finding) => formatAnnotation(finding, placeFinding(finding, places)));
      return left === 0 ? lines : [...lines, formatRest(level, left)];
    })
    .map((line) => `${line}\n`)
    .join("");
}

function formatAnnotation({ rule, level, sentences }: ReviewFinding, place: FindingPlace | undefined): string {
  const { path, line, column, endColumn } = place ?? {};
  const properties = {
    ...(path !== undefined && { file: path }),
    ...(line !== undefined && { line, endLine: line }),
    ...(column !== undefined && { col: column }),
    ...(endColumn !== undefined && { endColumn }),
    title: rule,
  };
  const listed = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${commands[level]} ${listed.join(",")}::${escapeData(sentences.join("\n"))}`;
}

function formatRest(level: FindingLevel, count: number): string {
  const noun = { error: "errors", warning: "warnings", note: "notes" }[level];
  return `::${commands[level]} title=gate-sync::${count} more ${noun} are in the log, and in the reports.`;
}

/** As `@actions/core` has it. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
