import { type AccessSinceView, commitsTitle } from "../views/access-since.ts";
import { renderAccessBlocks } from "./access-diff.ts";
import { fenceCode, formatCode } from "./code.ts";

export function renderAccessSinceMarkdown(
  { title, asNow, access, commits, closing }: AccessSinceView,
  full: boolean,
): string {
  return [
    `# ${formatCode(title)}`,
    ...(asNow.length === 0 ? [] : [listNotes(asNow)]),
    ...renderAccessBlocks(access, full),
    ...(commits.length === 0 ? [] : [`## ${commitsTitle}`, fenceCode("", commits)]),
    "## Notes",
    listNotes(closing),
  ].join("\n\n");
}

function listNotes(notes: readonly string[]): string {
  return notes.map((note) => `* ${formatCode(note)}`).join("\n");
}
