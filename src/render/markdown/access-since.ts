import { type AccessSinceView, commitsTitle } from "../views/access-since.ts";
import { renderAccessBlocks } from "./access-diff.ts";
import { fenceCode, formatCode } from "./code.ts";

export function renderAccessSinceMarkdown({ title, access, commits, closing }: AccessSinceView, full: boolean): string {
  return [
    `# ${formatCode(title)}`,
    ...renderAccessBlocks(access, full),
    ...(commits.length === 0 ? [] : [`## ${commitsTitle}`, fenceCode("", commits)]),
    "## Notes",
    closing.map((note) => `* ${formatCode(note)}`).join("\n"),
  ].join("\n\n");
}
