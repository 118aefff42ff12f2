import { escapeContent, formatAttributes } from "./xml.ts";

// What all reports in JUnit XML are made of. CI servers show suites of cases; there is no schema that all of them follow.

export interface Suite {
  readonly name: string;
  readonly cases: readonly SuiteCase[];
  /** Said of the suite as a whole. */
  readonly note?: string;
}

export interface SuiteCase {
  readonly result: "passed" | "failed" | "skipped" | "error";
  /** `classname`, `name` and whatever else is known of it. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Absent where it passes and there is nothing to say. */
  readonly detail?: { readonly text: string; readonly message?: string; readonly type?: string };
}

/** The document; no newline at its end. */
export function renderSuites(name: string, suites: readonly Suite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name, ...countResults(suites.flatMap(({ cases }) => cases)) })}>`,
    ...suites.flatMap((suite) => [
      `  <testsuite${formatAttributes({ name: suite.name, ...countResults(suite.cases) })}>`,
      ...suite.cases.flatMap(renderCase),
      ...(suite.note === undefined ? [] : [`    <system-out>${escapeContent(suite.note)}</system-out>`]),
      "  </testsuite>",
    ]),
    "</testsuites>",
  ].join("\n");
}

const tags = { passed: "system-out", failed: "failure", skipped: "skipped", error: "error" } as const;

function renderCase({ result, attributes, detail }: SuiteCase): readonly string[] {
  const opening = `    <testcase${formatAttributes(attributes)}`;
  if (!detail) return [`${opening}/>`];
  const { text, message, type } = detail;
  const facts = { ...(type !== undefined && { type }), ...(message !== undefined && { message }) };
  const tag = tags[result];
  return [`${opening}>`, `      <${tag}${formatAttributes(facts)}>${escapeContent(text)}</${tag}>`, "    </testcase>"];
}

function countResults(cases: readonly SuiteCase[]): Readonly<Record<string, number>> {
  const count = (result: SuiteCase["result"]) => cases.filter((one) => one.result === result).length;
  return { tests: cases.length, failures: count("failed"), errors: count("error"), skipped: count("skipped") };
}
