import { computeTextDigest } from "../../json/canonical.ts";
import type { JsonObject } from "../../json/value.ts";
import { type ForgePlaces, placeFinding } from "../views/finding-place.ts";
import type { FindingLevel, ReviewFinding } from "../views/findings.ts";

const severities: Readonly<Record<FindingLevel, string>> = { error: "critical", warning: "minor", note: "info" };

/** In a message, where something is: `roles.yml:12:3`. */
const lineNumbers = /(?<=\.\w+):\d+(?::\d+)?/g;

/**
 * The Code Quality report of GitLab: a list of findings with a fingerprint that stays when lines move. Those that no file
 * of the repository can be named for are left out, as GitLab shows files only.
 */
export function renderCodeQuality(findings: readonly ReviewFinding[], places: ForgePlaces): readonly JsonObject[] {
  const seen = new Map<string, number>();
  return findings.flatMap((finding): readonly JsonObject[] => {
    const place = placeFinding(finding, places);
    if (!place) return [];
    const { rule, level, sentences } = finding;
    const description = sentences.join(" ");
    const subject = JSON.stringify([rule, place.path, description.replace(lineNumbers, "")]);
    // Of equal fingerprints GitLab keeps the first.
    const occurrence = (seen.get(subject) ?? 0) + 1;
    seen.set(subject, occurrence);
    return [
      {
        description,
        check_name: rule,
        fingerprint: computeTextDigest(`${occurrence} ${subject}`),
        severity: severities[level],
        location: { path: place.path, lines: { begin: place.line ?? 1 } },
      },
    ];
  });
}
