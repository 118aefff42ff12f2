import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { type FindingView, leftToPlan, type TestsView, type TestView } from "../views/access-tests.ts";
import { pluralise } from "../views/words.ts";
import { formatShareLines } from "./access-shares.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** Of one test, at most so many contradictions are shown. */
const mostFindings = 5;

/**
 * The failing tests with their reasons, then the count. Passing tests are listed with --verbose. No newline at its
 * end.
 */
export function renderTestsText({ tests, isPassed, counts, basis, closing }: TestsView, style: Style): string {
  if (tests.length === 0) return joinLines([...wrap(noTests, style.width), ...formatClosing([basis], style)]);
  const shown = tests.filter(({ passes, isLeftToPlan }) => !passes || isLeftToPlan || style.verbose);
  return joinLines([
    ...shown.flatMap((test) => [...testLines(test, style), ...(test.passes ? [] : [""])]),
    ...(shown.length > 0 && isPassed ? [""] : []),
    ...wrap(counts, style.width).map((line) => paint(line, isPassed ? "added" : "refused", style)),
    ...formatClosing(closing, style),
    ...(isPassed ? [] : ["More: gate-sync explain failed-access-test"]),
  ]);
}

const noTests =
  "There are no access tests: nothing was checked. Write some under access_tests: in a state file, or in a file named *.access-test.yaml.";

const marks: Readonly<Record<TestView["outcome"], readonly [string, Tone]>> = {
  passed: ["pass", "added"],
  failed: ["FAIL", "refused"],
  unknown: ["unknown", "changed"],
};

function testLines(test: TestView, style: Style): readonly string[] {
  const { title, file, line, outcome, passes, isLeftToPlan, findings } = test;
  const [mark, tone] = marks[outcome];
  const allowed = outcome === "unknown" && passes && !isLeftToPlan ? ", which it allows" : "";
  const head = `${paint(`${mark}${allowed}`, tone, style)}  ${title}  (${file}:${line})`;
  const most = style.full || findings.length <= mostFindings ? findings.length : mostFindings - 1;
  const more = findings.length - most;
  return [
    ...wrap(head, style.width, 2),
    ...(isLeftToPlan ? wrapIndented(leftToPlan, 2, style.width, 2) : []),
    ...(passes ? [] : findings.slice(0, most).flatMap((finding) => findingLines(finding, style))),
    ...(more > 0 && !passes ? [`  and ${pluralise(more, "other")} (--full)`] : []),
  ];
}

function findingLines({ what, shares, restrictions }: FindingView, style: Style): readonly string[] {
  const many = shares.length > 1;
  return [
    ...wrapIndented(what, 2, style.width, 2),
    ...shares.flatMap((share) => [
      ...(many && share.title !== "" ? wrapIndented(share.title, 4, style.width, 2) : []),
      ...formatShareLines(share, many ? 6 : 4, style),
    ]),
    ...restrictions.flatMap((one) => wrapIndented(one, 4, style.width, 2)),
  ];
}
