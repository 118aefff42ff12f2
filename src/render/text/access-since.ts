import { joinLines, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { type AccessSinceView, commitsTitle } from "../views/access-since.ts";
import { formatAccessLines } from "./access-diff.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** No newline at its end. */
export function renderAccessSinceText({ title, access, commits, closing }: AccessSinceView, style: Style): string {
  return joinLines([
    paint(title, "strong", style),
    "",
    ...formatAccessLines(access, style),
    ...(commits.length === 0
      ? []
      : ["", `${commitsTitle}:`, ...commits.flatMap((commit) => wrapIndented(commit, 2, style.width, 2))]),
    ...formatClosing(closing, style),
  ]);
}
