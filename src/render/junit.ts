import { positionOf } from "../diagnostics/source.ts";
import { type Difference, type DriftReport, isDrift } from "../model/drift.ts";
import type { Family } from "../model/names.ts";
import { addressOf } from "../model/names.ts";
import { authorLine, baselineLine, differenceWords, inSyncCount, movedLine } from "./drift-words.ts";
import { visible } from "./escape.ts";
import { blanks } from "./layout.ts";
import { changeRows } from "./rows/change.ts";
import type { Style } from "./style.ts";
import { byFamily } from "./words.ts";
import { attributes, content } from "./xml.ts";

const style: Style = { color: false, width: 100, full: false, verbose: false };

/**
 * Drift as JUnit XML, which CI servers show as tests: a suite for each family, and in it a case for each resource that
 * differs, or one where none does. What moved on the server, or nobody knows where, fails; what only git moved passes;
 * what is only observed is skipped. No newline at its end.
 */
export function driftToJunit(report: DriftReport): string {
  const suites = byFamily(report).map(({ family, changes }) => ({
    family,
    inSync: inSyncCount(changes),
    differences: report.differences.filter(({ change }) => change.family === family),
  }));
  const all = suites.flatMap(casesOf);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: `gate-sync drift ${visible(report.target.name)}`, ...totals(all) })}>`,
    ...suites.flatMap((suite) => {
      const cases = casesOf(suite);
      return [
        `  <testsuite${attributes({ name: suite.family, ...totals(cases) })}>`,
        ...cases.flatMap(({ lines }) => lines),
        `    <system-out>${content(`${baselineLine(report)} In sync: ${suite.inSync}.`)}</system-out>`,
        "  </testsuite>",
      ];
    }),
    "</testsuites>",
  ].join("\n");
}

interface Suite {
  readonly family: Family;
  readonly inSync: number;
  readonly differences: readonly Difference[];
}

interface Case {
  readonly result: "passed" | "failed" | "skipped";
  readonly lines: readonly string[];
}

function casesOf({ family, differences }: Suite): readonly Case[] {
  const classname = `drift.${family}`;
  if (differences.length > 0) return differences.map((difference) => caseOf(difference, classname));
  return [{ result: "passed", lines: [`    <testcase${attributes({ classname, name: `${family} in sync` })}/>`] }];
}

function caseOf(difference: Difference, classname: string): Case {
  const { change, counts, moved } = difference;
  const { origin } = change;
  const place = origin && { file: visible(origin.file.path), line: positionOf(origin.file, origin.start).line };
  const opening = `    <testcase${attributes({ classname, name: visible(addressOf(change.family, change.name)), ...place })}>`;
  const message = `${movedLine(difference)}: ${differenceWords(change)}`;
  const text = content([message, ...detailsOf(difference)].join("\n"));
  const close = "    </testcase>";
  if (!counts) {
    return { result: "skipped", lines: [opening, `      <skipped${attributes({ message })}>${text}</skipped>`, close] };
  }
  if (!isDrift(difference)) {
    return { result: "passed", lines: [opening, `      <system-out>${text}</system-out>`, close] };
  }
  const failure = `      <failure${attributes({ type: moved, message })}>${text}</failure>`;
  return { result: "failed", lines: [opening, failure, close] };
}

function detailsOf(difference: Difference): readonly string[] {
  const who = authorLine(difference);
  const rows = changeRows(difference.change, 2, style).map(({ indent, label, sign, text }) =>
    `${blanks(indent)}${label}${sign === undefined ? "" : `${sign} `}${text}`.trimEnd(),
  );
  return [...(who === undefined ? [] : [who]), ...rows];
}

function totals(cases: readonly Case[]): Readonly<Record<string, number>> {
  const count = (result: Case["result"]) => cases.filter((one) => one.result === result).length;
  return { tests: cases.length, failures: count("failed"), errors: 0, skipped: count("skipped") };
}
