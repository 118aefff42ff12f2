import type { Places } from "../../access/questions/steps.ts";
import type { Contradiction, TestedAccess } from "../../access/questions/tested.ts";
import { contradictionWords, countWords, lesseningWords, testPlace } from "../access-test-words.ts";
import { paint, type Tone } from "../ansi.ts";
import { visible } from "../escape.ts";
import { joined, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { plural } from "../words.ts";
import { closing } from "./access.ts";
import { indicesWords, shareLines } from "./access-shares.ts";

interface Told {
  readonly results: readonly TestedAccess[];
  readonly places: Places;
  readonly basis: string;
  readonly assumptions: readonly string[];
  readonly notes: readonly string[];
}

/** Of one test, so many of those who break it are told. */
const mostFindings = 5;

/** What fails and by what, then the count. Those that pass are told with --verbose. No newline at its end. */
export function testsToText({ results, places, basis, assumptions, notes }: Told, style: Style): string {
  if (results.length === 0) return joined([...wrap(noTests, style.width), ...closing(basis, [], style)]);
  const told = results.filter(({ passes }) => !passes || style.verbose);
  const all = results.every(({ passes }) => passes);
  return joined([
    ...told.flatMap((result) => [...resultLines(result, places, style), ...(result.passes ? [] : [""])]),
    ...(told.length > 0 && all ? [""] : []),
    ...wrap(countWords(results), style.width).map((line) => paint(line, all ? "added" : "refused", style)),
    ...closing(basis, [...assumptions, ...notes], style),
  ]);
}

const noTests =
  "There are no access tests: nothing was held to anything. Write some under access_tests: in a state file, or in a file named *.access-test.yaml.";

const marks: Readonly<Record<TestedAccess["outcome"], readonly [string, Tone]>> = {
  passed: ["pass", "added"],
  failed: ["FAIL", "refused"],
  "cannot-tell": ["cannot tell", "changed"],
};

function resultLines(result: TestedAccess, places: Places, style: Style): readonly string[] {
  const { title, outcome, passes, findings } = result;
  const [mark, tone] = marks[outcome];
  const allowed = outcome === "cannot-tell" && passes ? ", which it allows" : "";
  const head = `${paint(`${mark}${allowed}`, tone, style)}  ${visible(title)}  ${testPlace(result)}`;
  const most = style.full || findings.length <= mostFindings ? findings.length : mostFindings - 1;
  const more = findings.length - most;
  return [
    ...wrap(head, style.width, 2),
    ...(passes ? [] : findings.slice(0, most).flatMap((finding) => findingLines(finding, places, style))),
    ...(more > 0 && !passes ? [`  and ${plural(more, "other")} (--full)`] : []),
  ];
}

function findingLines(finding: Contradiction, places: Places, style: Style): readonly string[] {
  const { shares, less = [] } = finding;
  const many = shares.length > 1;
  return [
    ...wrap(visible(contradictionWords(finding)), style.width - 2, 2).map((line) => `  ${line}`),
    ...shares.flatMap((share) => [
      ...(many && share.indices
        ? wrap(indicesWords(share.indices), style.width - 4, 2).map((line) => `    ${line}`)
        : []),
      ...shareLines(share, places, many ? 6 : 4, style),
    ]),
    ...less.flatMap((one) => wrap(lesseningWords(one), style.width - 4, 2).map((line) => `    ${line}`)),
  ];
}
