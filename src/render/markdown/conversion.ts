import type { ConversionView } from "../views/conversion.ts";
import { renderAccessBlocks } from "./access-diff.ts";
import { foldBlock } from "./changes.ts";
import { formatCode } from "./code.ts";

/** As a comment or a summary of a job; names of users are in code only. No newline at its end. */
export function renderConversionMarkdown(view: ConversionView, full: boolean): string {
  const { summary, verdict, sections, access, closing } = view;
  return [
    `**${formatCode(summary)}**`,
    formatCode(verdict),
    ...sections.map(({ title, sign, items }) =>
      foldBlock(
        `${title}: ${items.length}`,
        items.map(({ names, text }) => `${sign} ${names.join(", ")}${text === "" ? "" : `: ${text}`}`),
      ),
    ),
    ...(access ? renderAccessBlocks(access, full) : []),
    ...(closing.length === 0 ? [] : [closing.map((note) => `* ${formatCode(note)}`).join("\n")]),
  ].join("\n\n");
}
