import { getPosition } from "../../diagnostics/source.ts";
import { type DriftDifference, type DriftReport, isDrift } from "../../model/drift.ts";
import type { Family } from "../../model/names.ts";
import { createAddress } from "../../model/names.ts";
import { escapeInvisible } from "../escape.ts";
import { padSpaces } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import { countInSync, formatAuthor, formatBaseline, formatDifference, formatMoved } from "../views/drift.ts";
import { groupByFamily } from "../views/words.ts";
import { escapeContent, formatAttributes } from "./xml.ts";

const style: Style = { color: false, width: 100, full: false, verbose: false };

/**
 * Drift as JUnit XML, which CI servers show as tests: a suite for each family, and in it a case for each resource
 * that differs, or one where none does. A case fails where the server changed or the origin is unknown, passes where
 * only git changed, and is skipped where the family is only observed. No newline at its end.
 */
export function renderDriftJunit(report: DriftReport): string {
  const suites = groupByFamily(report).map(({ family, changes }) => ({
    family,
    inSync: countInSync(changes),
    differences: report.differences.filter(({ change }) => change.family === family),
  }));
  const all = suites.flatMap(casesOf);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name: `gate-sync drift ${escapeInvisible(report.target.name)}`, ...totals(all) })}>`,
    ...suites.flatMap((suite) => {
      const cases = casesOf(suite);
      return [
        `  <testsuite${formatAttributes({ name: suite.family, ...totals(cases) })}>`,
        ...cases.flatMap(({ lines }) => lines),
        `    <system-out>${escapeContent(`${formatBaseline(report)} In sync: ${suite.inSync}.`)}</system-out>`,
        "  </testsuite>",
      ];
    }),
    "</testsuites>",
  ].join("\n");
}

interface Suite {
  readonly family: Family;
  readonly inSync: number;
  readonly differences: readonly DriftDifference[];
}

interface Case {
  readonly result: "passed" | "failed" | "skipped";
  readonly lines: readonly string[];
}

function casesOf({ family, differences }: Suite): readonly Case[] {
  const classname = `drift.${family}`;
  if (differences.length > 0) return differences.map((difference) => caseOf(difference, classname));
  return [
    { result: "passed", lines: [`    <testcase${formatAttributes({ classname, name: `${family} in sync` })}/>`] },
  ];
}

function caseOf(difference: DriftDifference, classname: string): Case {
  const { change, counts, moved } = difference;
  const { origin } = change;
  const place = origin && {
    file: escapeInvisible(origin.file.path),
    line: getPosition(origin.file, origin.start).line,
  };
  const opening = `    <testcase${formatAttributes({ classname, name: escapeInvisible(createAddress(change.family, change.name)), ...place })}>`;
  const message = `${formatMoved(difference)}: ${formatDifference(change)}`;
  const text = escapeContent([message, ...detailsOf(difference)].join("\n"));
  const close = "    </testcase>";
  if (!counts) {
    return {
      result: "skipped",
      lines: [opening, `      <skipped${formatAttributes({ message })}>${text}</skipped>`, close],
    };
  }
  if (!isDrift(difference)) {
    return { result: "passed", lines: [opening, `      <system-out>${text}</system-out>`, close] };
  }
  const failure = `      <failure${formatAttributes({ type: moved, message })}>${text}</failure>`;
  return { result: "failed", lines: [opening, failure, close] };
}

function detailsOf(difference: DriftDifference): readonly string[] {
  const who = formatAuthor(difference);
  const rows = createChangeRows(difference.change, 2, style).map(({ indent, label, sign, text }) =>
    `${padSpaces(indent)}${label}${sign === undefined ? "" : `${sign} `}${text}`.trimEnd(),
  );
  return [...(who === undefined ? [] : [who]), ...rows];
}

function totals(cases: readonly Case[]): Readonly<Record<string, number>> {
  const count = (result: Case["result"]) => cases.filter((one) => one.result === result).length;
  return { tests: cases.length, failures: count("failed"), errors: 0, skipped: count("skipped") };
}
