import { joinSections, padEnd, padSpaces, spreadLine, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import type { ListedTargetView, SettingView } from "../views/targets.ts";
import { paint } from "./ansi.ts";

/** Names of settings that are longer have their value on the next line. */
const widestName = 32;

/** A block for each target: a line for each setting, with where it comes from at the right. No newline at the end. */
export function renderTargetsText(targets: readonly ListedTargetView[], style: Style): string {
  if (targets.length === 0) return "gate-sync.yaml has no targets.";
  const names = targets.flatMap(({ settings }) => settings.map(({ name }) => name.length));
  const column = Math.min(widestName, Math.max(0, ...names)) + 2;
  return joinSections(
    targets.map(({ title, settings }) => [
      paint(title, "strong", style),
      ...(settings.length === 0 ? ["  no settings"] : settings.flatMap((one) => layOutSetting(one, column, style))),
    ]),
  );
}

function layOutSetting({ name, value, from }: SettingView, column: number, style: Style): readonly string[] {
  const indent = 2 + column;
  const lines = wrap(value, style.width - indent);
  const isLong = name.length > column - 2;
  const label = padSpaces(2) + padEnd(name, column);
  const all = isLong
    ? [padSpaces(2) + name, ...lines.map((line) => padSpaces(indent) + line)]
    : lines.map((line, at) => (at === 0 ? label : padSpaces(indent)) + line);
  return [...all.slice(0, -1), ...spreadLine(all.at(-1) ?? "", paint(from, "faint", style), style.width)];
}
