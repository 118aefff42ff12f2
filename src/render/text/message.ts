import type { RunError } from "../../diagnostics/failure.ts";
import { escapeInvisible } from "../escape.ts";
import { joinLines, spreadLine, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint } from "./ansi.ts";

/** What ended a run: `! what` and its exit code, then why and what to do, indented. No newline at its end. */
export function renderMessageText(error: RunError, style: Style): string {
  const { what, why, fix } = error.userMessage;
  const [first = "", ...more] = wrap(escapeInvisible(what), style.width - 2, 2);
  const lines = [`${paint("!", "refused", style)} ${first}`, ...more];
  return joinLines([
    ...lines.slice(0, -1),
    ...spreadLine(lines.at(-1) ?? "", paint(`exit ${error.exitCode}`, "faint", style), style.width),
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
