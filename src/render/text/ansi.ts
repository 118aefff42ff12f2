import type { Style } from "../style.ts";

/** What a stretch of text is, never how it looks: colour only repeats what a symbol says already. */
export type Tone = "added" | "removed" | "changed" | "refused" | "faint" | "strong";

// The sixteen colours every terminal has, so that its owner's palette decides what is readable.
const codes: Readonly<Record<Tone, readonly [on: number, off: number]>> = {
  added: [32, 39],
  removed: [31, 39],
  changed: [33, 39],
  refused: [31, 39],
  faint: [2, 22],
  strong: [1, 22],
};

export function paint(text: string, tone: Tone | undefined, style: Pick<Style, "color">): string {
  if (!style.color || tone === undefined || text === "") return text;
  const [on, off] = codes[tone];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is our own codes that are looked for
const paintCode = /\u001b\[\d+m/g;

/** The text without colours. Only gate-sync's own can be in it: names and values were escaped before. */
export function withoutPaint(text: string): string {
  return text.replace(paintCode, "");
}
