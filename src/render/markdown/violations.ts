import type { RemedyView, ViolationView } from "../views/violation.ts";
import { fenceCode } from "./code.ts";

/** How much is shown of each violation. */
export interface Extent {
  readonly names: number;
  /** Lines of what is to be pasted; what has more of them is read in a terminal. */
  readonly lines: number;
  /** Characters of a line. */
  readonly width: number;
}

const endless = Number.POSITIVE_INFINITY;
export const whole: Extent = { names: endless, lines: endless, width: endless };
export const ample: Extent = { names: 50, lines: 24, width: endless };
/** For a comment without room: the reason of the refusal is shown all the same. */
export const scarce: Extent = { names: 10, lines: 8, width: 400 };
/** A violation of the scarce kind has a few thousand characters at most. */
const spaceWhenScarce = 30_000;

/** What speaks against a plan and what waives it, each in a block of its own. */
export function renderViolationBlocks(violations: readonly ViolationView[], extent: Extent): readonly string[] {
  return violations.map((violation) => fenceCode("diff", violationLines(violation, extent)));
}

/** The same where there is little room: short, and the last ones only counted. */
export function renderScarceViolationBlocks(violations: readonly ViolationView[]): readonly string[] {
  let space = spaceWhenScarce;
  const blocks = renderViolationBlocks(violations, scarce);
  const most = blocks.filter((block) => {
    space -= block.length;
    return space >= 0;
  });
  const left = blocks.length - most.length;
  return left === 0 ? most : [...most, `Refused for ${left} more: gate-sync plan shows them.`];
}

function violationLines({ rule, what, why, addresses, remedies }: ViolationView, extent: Extent): readonly string[] {
  const most = addresses.slice(0, extent.names);
  const left = addresses.length - most.length;
  const names = cut(most.join(", "), extent.width);
  return [
    `! ${cut(what, extent.width)} (guard ${rule})`,
    ...(why === undefined ? [] : [`    ${cut(why, extent.width)}`]),
    ...(addresses.length === 0 ? [] : [`    ${names}${left === 0 ? "" : ` and ${left} more`}`]),
    ...remedies.flatMap((remedy) => remedyLines(remedy, extent)),
  ];
}

/** Never shown in part: a part of what is to be pasted waives nothing. */
function remedyLines({ title, lines }: RemedyView, extent: Extent): readonly string[] {
  const isShown = lines.length <= extent.lines && lines.every((line) => line.length <= extent.width);
  const shown = isShown ? lines : [`... ${lines.length} lines to paste: gate-sync plan --full`];
  return [`  ${title}`, ...shown.map((line) => `    ${line}`)];
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width)}...`;
}
