import type { Places } from "../../access/explain/grant-path.ts";
import type { TestedAccess } from "../../access/questions/tested.ts";
import { getPosition } from "../../diagnostics/source.ts";
import { escapeInvisible } from "../escape.ts";
import { formatContradiction, formatContradictionReason } from "../views/access-tests.ts";
import { escapeContent, formatAttributes } from "./xml.ts";

/** Access tests as JUnit XML: a suite for each file of them, a case for each test. No newline at its end. */
export function renderTestsJunit({
  results,
  places,
  basis,
}: {
  readonly results: readonly TestedAccess[];
  readonly places: Places;
  readonly basis: string;
}): string {
  const files = [...new Set(results.map(({ test }) => test.origin.file.path))];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name: "gate-sync test", ...totals(results) })}>`,
    ...files.flatMap((file) => {
      const relevant = results.filter(({ test }) => test.origin.file.path === file);
      return [
        `  <testsuite${formatAttributes({ name: escapeInvisible(file), ...totals(relevant) })}>`,
        ...relevant.flatMap((result) => caseLines(result, places)),
        `    <system-out>${escapeContent(escapeInvisible(basis))}</system-out>`,
        "  </testsuite>",
      ];
    }),
    "</testsuites>",
  ].join("\n");
}

function caseLines({ test, title, outcome, passes, findings }: TestedAccess, places: Places): readonly string[] {
  const { file, start } = test.origin;
  const place = { file: escapeInvisible(file.path), line: getPosition(file, start).line };
  const opening = `    <testcase${formatAttributes({ classname: "access", name: escapeInvisible(title), ...place })}`;
  if (outcome === "passed") return [`${opening}/>`];
  const explained = findings.map((finding) => escapeInvisible(formatContradiction(finding)));
  const text = findings.flatMap((finding, at) => {
    const reason = formatContradictionReason(finding, places);
    return [explained[at] ?? "", ...(reason === undefined ? [] : [`  ${escapeInvisible(reason)}`])];
  });
  const kind = passes ? "system-out" : "failure";
  const reported = passes ? {} : { type: outcome, message: explained[0] ?? "" };
  return [
    `${opening}>`,
    `      <${kind}${formatAttributes(reported)}>${escapeContent(text.join("\n"))}</${kind}>`,
    "    </testcase>",
  ];
}

function totals(results: readonly TestedAccess[]): Readonly<Record<string, number>> {
  return { tests: results.length, failures: results.filter(({ passes }) => !passes).length, errors: 0, skipped: 0 };
}
