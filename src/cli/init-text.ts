// What init says on a terminal of what it did, and of what is left to do.
import { flowItems, measureWidth, wrap, wrapIndented, wrapLabelled } from "../render/layout.ts";
import type { InitAnswers } from "./init-answers.ts";
import type { NextStep } from "./init-next.ts";
import { describeFirstRequest, type ProjectSetting } from "./init-project.ts";
import { quoteForShell } from "./quoted.ts";

/** What was written, with what it holds, and what was left as it was, with the reason. */
export interface Account {
  readonly written: { readonly path: string; readonly what?: string; readonly lines?: readonly string[] }[];
  readonly left: string[];
}

export function layOutAccount({ written, left }: Account, width: number): readonly string[] {
  const isPlain = ({ what, lines }: Account["written"][number]) => what === undefined && lines === undefined;
  const plain = written.filter(isPlain).map(({ path }) => path);
  return [
    ...written
      .filter((one) => !isPlain(one))
      .flatMap(({ path, what, lines = [] }) => [
        ...wrap(`Wrote ${path}${what === undefined ? "" : `: ${what}`}`, width, 2),
        ...lines.flatMap((line) => wrapIndented(line, 2, width, 2)),
      ]),
    ...(plain.length === 0 ? [] : wrap(`Wrote ${plain.join(", ")}`, width, 2)),
    ...left.flatMap((what) => wrap(`Left ${what}`, width, 2)),
  ];
}

/** What there is still to do, and what the jobs would lack. */
export interface Rest {
  readonly steps: readonly NextStep[];
  /** To run after an edit. */
  readonly later: readonly NextStep[];
  readonly notes: readonly string[];
  readonly project: readonly ProjectSetting[];
}

export function layOutRest(
  { steps, later, notes, project }: Rest,
  { forge, name }: InitAnswers,
  { width, isInSync }: { readonly width: number; readonly isInSync: boolean },
): readonly string[] {
  const layOutStep = (step: NextStep) => [
    ...(step.what === undefined ? [] : wrap(step.what, width - 4).map((line) => `  # ${line}`)),
    ...layOutCommand(step, width - 2).map((line) => `  ${line}`),
  ];
  const ofProject =
    forge && project.length > 0
      ? [
          "",
          `In the project on ${forge === "github" ? "GitHub" : "GitLab"}`,
          ...project.flatMap((setting) => layOutSetting(setting, width)),
          "",
          ...wrap(describeFirstRequest(forge, name, isInSync), width),
        ]
      : [];
  return [
    ...notes.flatMap((note) => ["", ...wrap(note, width)]),
    "",
    "Next",
    ...steps.flatMap(layOutStep),
    ...ofProject,
    ...(forge && later.length > 0 ? [""] : []),
    ...later.flatMap(layOutStep),
  ];
}

/** Of the longest name that every project has. */
const settingColumn = 29;

/** A longer name, as a secret of the state files may have, has a line of its own. */
function layOutSetting({ name, what }: ProjectSetting, width: number): readonly string[] {
  const label = `  ${name}`;
  return measureWidth(label) > settingColumn - 2
    ? [label, ...wrapIndented(what, settingColumn, width)]
    : wrapLabelled(label, what, settingColumn, width);
}

/** A command on as many lines as it takes, to be copied. */
function layOutCommand({ words }: NextStep, width: number): readonly string[] {
  const lines = flowItems(words.map(quoteForShell), " ", width - 2, 2);
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}
