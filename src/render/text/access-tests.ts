import type { Places } from "../../access/explain/grant-path.ts";
import type { Contradiction, TestedAccess } from "../../access/questions/tested.ts";
import { escapeInvisible } from "../escape.ts";
import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatContradiction, formatLessening, formatTestCounts, formatTestPlace } from "../views/access-tests.ts";
import { pluralise } from "../views/words.ts";
import { formatIndices, formatShareLines } from "./access-shares.ts";
import { paint, type Tone } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

interface Explained {
  readonly results: readonly TestedAccess[];
  readonly places: Places;
  readonly basis: string;
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

/** Of one test, at most so many contradictions are shown. */
const mostFindings = 5;

/**
 * The failing tests with their reasons, then the count. Passing tests are listed with --verbose. No newline at its
 * end.
 */
export function renderTestsText({ results, places, basis, assumptions, notes }: Explained, style: Style): string {
  if (results.length === 0) return joinLines([...wrap(noTests, style.width), ...formatClosing(basis, [], style)]);
  const shown = results.filter(({ passes }) => !passes || style.verbose);
  const all = results.every(({ passes }) => passes);
  return joinLines([
    ...shown.flatMap((result) => [...resultLines(result, places, style), ...(result.passes ? [] : [""])]),
    ...(shown.length > 0 && all ? [""] : []),
    ...wrap(formatTestCounts(results), style.width).map((line) => paint(line, all ? "added" : "refused", style)),
    ...formatClosing(basis, [...assumptions, ...notes], style),
    ...(all ? [] : ["More: gate-sync explain failed-access-test"]),
  ]);
}

const noTests =
  "There are no access tests: nothing was held to anything. Write some under access_tests: in a state file, or in a file named *.access-test.yaml.";

const marks: Readonly<Record<TestedAccess["outcome"], readonly [string, Tone]>> = {
  passed: ["pass", "added"],
  failed: ["FAIL", "refused"],
  unknown: ["unknown", "changed"],
};

function resultLines(result: TestedAccess, places: Places, style: Style): readonly string[] {
  const { title, outcome, passes, findings } = result;
  const [mark, tone] = marks[outcome];
  const allowed = outcome === "unknown" && passes ? ", which it allows" : "";
  const head = `${paint(`${mark}${allowed}`, tone, style)}  ${escapeInvisible(title)}  ${formatTestPlace(result)}`;
  const most = style.full || findings.length <= mostFindings ? findings.length : mostFindings - 1;
  const more = findings.length - most;
  return [
    ...wrap(head, style.width, 2),
    ...(passes ? [] : findings.slice(0, most).flatMap((finding) => findingLines(finding, places, style))),
    ...(more > 0 && !passes ? [`  and ${pluralise(more, "other")} (--full)`] : []),
  ];
}

function findingLines(finding: Contradiction, places: Places, style: Style): readonly string[] {
  const { shares, less = [] } = finding;
  const many = shares.length > 1;
  return [
    ...wrap(escapeInvisible(formatContradiction(finding)), style.width - 2, 2).map((line) => `  ${line}`),
    ...shares.flatMap((share) => [
      ...(many && share.indices
        ? wrap(formatIndices(share.indices), style.width - 4, 2).map((line) => `    ${line}`)
        : []),
      ...formatShareLines(share, places, many ? 6 : 4, style),
    ]),
    ...less.flatMap((one) => wrap(formatLessening(one), style.width - 4, 2).map((line) => `    ${line}`)),
  ];
}
