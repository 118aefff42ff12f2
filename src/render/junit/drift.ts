import { padSpaces } from "../layout.ts";
import { createChangeRows } from "../rows/change.ts";
import type { Style } from "../style.ts";
import type { DifferenceView, DriftFamilyView, DriftView } from "../views/drift.ts";
import { escapeContent, formatAttributes } from "./xml.ts";

const style: Style = { color: false, width: 100, full: false, verbose: false };

/**
 * Drift as JUnit XML, which CI servers show as tests: a suite for each family, and in it a case for each resource
 * that differs, or one where none does. A case fails where the server changed or the origin is unknown, passes where
 * only git changed, and is skipped where the family is only observed. No newline at its end.
 */
export function renderDriftJunit({ target, baseline, families }: DriftView): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${formatAttributes({ name: `gate-sync drift ${target.name}`, ...totals(families.flatMap(casesOf)) })}>`,
    ...families.flatMap((family) => {
      const cases = casesOf(family);
      return [
        `  <testsuite${formatAttributes({ name: family.family, ...totals(cases) })}>`,
        ...cases.flatMap(({ lines }) => lines),
        `    <system-out>${escapeContent(`${baseline} In sync: ${family.inSync}.`)}</system-out>`,
        "  </testsuite>",
      ];
    }),
    "</testsuites>",
  ].join("\n");
}

interface Case {
  readonly result: "passed" | "failed" | "skipped";
  readonly lines: readonly string[];
}

function casesOf({ family, differences }: DriftFamilyView): readonly Case[] {
  if (differences.length > 0) return differences.map(caseOf);
  const attributes = formatAttributes({ classname: `drift.${family}`, name: `${family} in sync` });
  return [{ result: "passed", lines: [`    <testcase${attributes}/>`] }];
}

function caseOf(view: DifferenceView): Case {
  const { family, address, declaredAt, whoMoved, difference, counts, moved, isDrift } = view;
  const attributes = formatAttributes({ classname: `drift.${family}`, name: address, ...declaredAt });
  const message = `${whoMoved}: ${difference}`;
  const text = escapeContent([message, ...detailsOf(view)].join("\n"));
  const lines = (tag: string, values: Readonly<Record<string, string>>) => [
    `    <testcase${attributes}>`,
    `      <${tag}${formatAttributes(values)}>${text}</${tag}>`,
    "    </testcase>",
  ];
  if (!counts) return { result: "skipped", lines: lines("skipped", { message }) };
  if (!isDrift) return { result: "passed", lines: lines("system-out", {}) };
  return { result: "failed", lines: lines("failure", { type: moved, message }) };
}

function detailsOf(view: DifferenceView): readonly string[] {
  const rows = createChangeRows(view, 2, style).map(({ indent, label, sign, text }) =>
    `${padSpaces(indent)}${label}${sign === undefined ? "" : `${sign} `}${text}`.trimEnd(),
  );
  return view.declaredBy === "" ? rows : [view.declaredBy, ...rows];
}

function totals(cases: readonly Case[]): Readonly<Record<string, number>> {
  const count = (result: Case["result"]) => cases.filter((one) => one.result === result).length;
  return { tests: cases.length, failures: count("failed"), errors: 0, skipped: count("skipped") };
}
