import { groupItems } from "../../json/collections.ts";
import type { TestsView, TestView } from "../views/access-tests.ts";
import { escapeContent, formatAttributes } from "./xml.ts";

/** Access tests as JUnit XML: a suite for each file of them, a case for each test. No newline at its end. */
export function renderTestsJunit({ tests, basis }: TestsView): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name: "gate-sync test", ...totals(tests) })}>`,
    ...groupItems(tests, ({ file }) => file).flatMap((some) => [
      `  <testsuite${formatAttributes({ name: some[0].file, ...totals(some) })}>`,
      ...some.flatMap(caseLines),
      `    <system-out>${escapeContent(basis)}</system-out>`,
      "  </testsuite>",
    ]),
    "</testsuites>",
  ].join("\n");
}

function caseLines({ title, file, line, outcome, passes, findings }: TestView): readonly string[] {
  const opening = `    <testcase${formatAttributes({ classname: "access", name: title, file, line })}`;
  if (outcome === "passed") return [`${opening}/>`];
  const text = findings.flatMap(({ what, why }) => (why === "" ? [what] : [what, `  ${why}`]));
  const tag = passes ? "system-out" : "failure";
  const reported = passes ? {} : { type: outcome, message: findings[0]?.what ?? "" };
  return [
    `${opening}>`,
    `      <${tag}${formatAttributes(reported)}>${escapeContent(text.join("\n"))}</${tag}>`,
    "    </testcase>",
  ];
}

function totals(tests: readonly TestView[]): Readonly<Record<string, number>> {
  return { tests: tests.length, failures: tests.filter(({ passes }) => !passes).length, errors: 0, skipped: 0 };
}
