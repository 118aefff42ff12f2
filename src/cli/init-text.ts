// What init says on a terminal of what it did, and of what is left to do.
import type { Forge } from "../engine/init.ts";
import { wrap, wrapIndented } from "../render/layout.ts";
import type { InitAnswers } from "./init-answers.ts";
import { describeFirstRequest, describeMerge, type ProjectSetting, requestCommands } from "./init-project.ts";
import { layOutCommand, type NextStep } from "./init-step.ts";

/** What was written, with what it holds, and what was left as it was, with the reason. */
export interface Account {
  readonly written: { readonly path: string; readonly what?: string; readonly lines?: readonly string[] }[];
  /** A command is on a line of its own. */
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
    ...left.flatMap((whole) => {
      const [what, ...commands] = whole.split("\n");
      return [...wrap(`Left ${what}`, width, 2), ...commands.map((line) => `  ${line}`)];
    }),
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
  const ofProject = forge && project.length > 0 ? layOutProject(project, forge, { name, isInSync, width }) : [];
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

/** What the jobs need first, the request to merge the branch, and what its merge needs. */
function layOutProject(
  settings: readonly ProjectSetting[],
  forge: Forge,
  { name, isInSync, width }: { readonly name: string; readonly isInSync: boolean; readonly width: number },
): readonly string[] {
  const [title, program] = forge === "github" ? ["GitHub", "gh"] : ["GitLab", "glab"];
  const layOut = (some: readonly ProjectSetting[]) => some.flatMap((setting) => layOutSetting(setting, width));
  return [
    "",
    `In the project on ${title}, with ${program} or by these names in the settings`,
    ...layOut(settings.filter(({ isForMerge }) => !isForMerge)),
    ...wrap(describeFirstRequest(isInSync), width - 4).map((line) => `  # ${line}`),
    `  ${requestCommands[forge]}`,
    "",
    "There, for the merge",
    ...layOut(settings.filter(({ isForMerge }) => isForMerge)),
    "",
    ...wrap(describeMerge(forge, name), width),
  ];
}

function layOutSetting({ comment, commands }: ProjectSetting, width: number): readonly string[] {
  return [
    ...(comment === undefined ? [] : wrap(comment, width - 4).map((line) => `  # ${line}`)),
    ...commands.map((line) => `  ${line}`),
  ];
}
