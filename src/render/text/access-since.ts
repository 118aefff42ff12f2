import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import { type AccessSinceView, commitsTitle } from "../views/access-since.ts";
import { formatAccessLines } from "./access-diff.ts";
import { paint } from "./ansi.ts";
import { formatClosing } from "./can-i.ts";

/** No newline at its end. */
export function renderAccessSinceText(
  { title, asNow, access, commits, closing }: AccessSinceView,
  style: Style,
): string {
  return joinLines([
    ...wrap(title, style.width, 2).map((line) => paint(line, "strong", style)),
    ...asNow.flatMap((note) => wrap(note, style.width, 2)),
    "",
    ...formatAccessLines(access, style),
    ...(commits.length === 0
      ? []
      : ["", `${commitsTitle}:`, ...commits.flatMap((commit) => wrapIndented(commit, 2, style.width, 2))]),
    ...formatClosing(closing, style),
  ]);
}
