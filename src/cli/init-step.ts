import { quoteForShell } from "../json/quoted.ts";
import { flowItems } from "../render/layout.ts";

/** A command, and what it is for where its words do not show it. */
export interface NextStep {
  readonly words: readonly string[];
  readonly what?: string;
  /** The same words on lines of which the reader may delete some. */
  readonly lines?: readonly (readonly string[])[];
}

/** As one line of a shell. */
export function formatCommand({ words }: NextStep): string {
  return words.map(quoteForShell).join(" ");
}

/** On as many lines as it takes, to be copied. */
export function layOutCommand({ words, lines: given }: NextStep, width: number): readonly string[] {
  const quoted = words.map(quoteForShell);
  const lines =
    given?.map((line, at) => `${at === 0 ? "" : "  "}${line.map(quoteForShell).join(" ")}`) ??
    flowItems(quoted, " ", width - 2, 2);
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}
