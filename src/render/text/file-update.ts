import { joinLines, wrap, wrapIndented } from "../layout.ts";
import type { Style } from "../style.ts";
import type { FileUpdateView } from "../views/file-update.ts";
import { paint } from "./ansi.ts";

const signs = { changed: "~", added: "+", removed: "-" } as const;

/** No newline at its end. */
export function renderFileUpdateText({ taken, left, summary }: FileUpdateView, style: Style): string {
  return joinLines([
    ...taken.flatMap(({ address, kind, files }) =>
      wrap(`${signs[kind]} ${address}  ${files.join(", ")}`, style.width, 2),
    ),
    ...(taken.length > 0 ? [""] : []),
    ...left.flatMap(({ address, place, why, edit }) => [
      ...wrap(`? ${[address, place].filter((part) => part !== "").join("  ")}`, style.width, 2),
      ...wrapIndented(`Not written: ${why}.`, 4, style.width),
      ...(edit === "" ? [] : wrapIndented(edit, 4, style.width)),
    ]),
    ...(left.length > 0 ? [""] : []),
    ...wrap(summary, style.width).map((line) => paint(line, "strong", style)),
  ]);
}
