import type { RunError } from "../../diagnostics/failure.ts";
import { escapeInvisible } from "../escape.ts";
import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint } from "./ansi.ts";

/** What ended a run: `! what`, then why and what to do, indented. No newline at its end. */
export function renderMessageText(error: RunError, style: Style): string {
  const { what, why, fix } = error.userMessage;
  const lines = wrap(escapeInvisible(what), style.width - 2, 2);
  return joinLines([
    ...lines.map((line, index) => (index === 0 ? `${paint("!", "refused", style)} ${line}` : line)),
    ...paragraph(why, style),
    ...paragraph(fix, style),
  ]);
}

/** A line that is indented already is something to copy: it is not wrapped. */
function paragraph(text: string | undefined, style: Style): readonly string[] {
  if (text === undefined) return [];
  return text.split("\n").flatMap((line) => {
    const safe = escapeInvisible(line);
    return (safe.startsWith(" ") ? [safe] : wrap(safe, style.width - 2)).map((part) => `  ${part}`);
  });
}
