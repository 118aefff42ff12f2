import { wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { type ProtectionView, protectionTitle } from "../views/protection.ts";
import { paint } from "./ansi.ts";

/** What is weaker than at the commit of `--base`, with both sides; nothing where nothing is. */
export function formatProtectionLines(all: readonly ProtectionView[], style: Style): readonly string[] {
  if (all.length === 0) return [];
  const lines = all.flatMap(({ title, before, after, note }) => [
    ...wrap(`  ~ ${title}`, style.width, 4),
    ...wrap(`      was: ${before}`, style.width, 11).map((line) => paint(line, "removed", style)),
    ...wrap(`      is:  ${after}`, style.width, 11).map((line) => paint(line, "added", style)),
    ...(note === "" ? [] : wrap(`      ${note}`, style.width, 6)),
  ]);
  return [paint(protectionTitle, "strong", style), ...lines];
}
