// What users and servers named, in Markdown: as code, which can neither become markup nor mention anybody.
import { escapeInvisible } from "../escape.ts";

/** Longer than any run of backticks inside, so that nothing can close it. Lines hold no line breaks: they were escaped. */
export function fenceCode(language: string, lines: readonly string[]): string {
  const fence = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [fence + language, ...lines, fence].join("\n");
}

/** A code span that its content cannot close. */
export function formatCode(text: string): string {
  const safe = escapeInvisible(text);
  const fence = "`".repeat(longestRun(safe) + 1);
  // Markdown removes a space at both ends, and a space keeps a backtick there apart from the fence.
  const pad = /^`|`$|^ .* $/.test(safe) || safe === "" ? " " : "";
  return fence + pad + safe + pad + fence;
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
