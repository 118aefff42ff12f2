import type { Places } from "../access/questions/steps.ts";
import type { TestedAccess } from "../access/questions/tested.ts";
import { positionOf } from "../diagnostics/source.ts";
import { contradictionWords, reasonWords } from "./access-test-words.ts";
import { visible } from "./escape.ts";
import { attributes, content } from "./xml.ts";

/** Access tests as JUnit XML: a suite for each file of them, a case for each test. No newline at its end. */
export function testsToJunit({
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
    `<testsuites${attributes({ name: "gate-sync test", ...totals(results) })}>`,
    ...files.flatMap((file) => {
      const ours = results.filter(({ test }) => test.origin.file.path === file);
      return [
        `  <testsuite${attributes({ name: visible(file), ...totals(ours) })}>`,
        ...ours.flatMap((result) => caseLines(result, places)),
        `    <system-out>${content(visible(basis))}</system-out>`,
        "  </testsuite>",
      ];
    }),
    "</testsuites>",
  ].join("\n");
}

function caseLines({ test, title, outcome, passes, findings }: TestedAccess, places: Places): readonly string[] {
  const { file, start } = test.origin;
  const place = { file: visible(file.path), line: positionOf(file, start).line };
  const opening = `    <testcase${attributes({ classname: "access", name: visible(title), ...place })}`;
  if (outcome === "passed") return [`${opening}/>`];
  const told = findings.map((finding) => visible(contradictionWords(finding)));
  const text = findings.flatMap((finding, at) => {
    const reason = reasonWords(finding, places);
    return [told[at] ?? "", ...(reason === undefined ? [] : [`  ${visible(reason)}`])];
  });
  const kind = passes ? "system-out" : "failure";
  const said = passes ? {} : { type: outcome, message: told[0] ?? "" };
  return [`${opening}>`, `      <${kind}${attributes(said)}>${content(text.join("\n"))}</${kind}>`, "    </testcase>"];
}

function totals(results: readonly TestedAccess[]): Readonly<Record<string, number>> {
  return { tests: results.length, failures: results.filter(({ passes }) => !passes).length, errors: 0, skipped: 0 };
}
