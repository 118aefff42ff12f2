import type { Remedy, Violation } from "../../model/plan.ts";
import { escapeInvisible, joinNames } from "../escape.ts";
import { flowItems, spreadLine, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint } from "./ansi.ts";

const mostNames = 20;
const mostLines = 12;

/** What speaks against a plan, whom it is about, and what waives it, ready to be copied. */
export function formatViolationLines(violation: Violation, style: Style): readonly string[] {
  const { what, why, rule, remedies } = violation;
  const [first = "", ...more] = wrap(escapeInvisible(what), style.width - 2, 2);
  const title = [`${paint("!", "refused", style)} ${first}`, ...more];
  return [
    ...title.slice(0, -1),
    ...spreadLine(title.at(-1) ?? "", paint(`guard ${escapeInvisible(rule)}`, "faint", style), style.width),
    ...(why === undefined ? [] : wrap(escapeInvisible(why), style.width - 4).map((line) => `    ${line}`)),
    ...nameLines(violation, style),
    ...remedies.flatMap((remedy, index) => remedyLines(remedy, index === 0, style)),
  ];
}

/** To be copied whole: never wrapped; only a list that is too long to copy by hand is cut. */
function remedyLines({ how, text }: Remedy, isFirst: boolean, style: Style): readonly string[] {
  const lines = text.split("\n");
  const shown =
    style.full || lines.length <= mostLines
      ? lines
      : [
          ...lines.slice(0, mostLines - 2),
          `# ... ${lines.length - mostLines + 1} more lines (--full)`,
          ...lines.slice(-1),
        ];
  return [`  ${isFirst ? "If this is meant," : "or"} ${how}:`, ...shown.map((line) => `    ${escapeInvisible(line)}`)];
}

function nameLines({ addresses, family }: Violation, style: Style): readonly string[] {
  const prefix = `${family}/`;
  const names = addresses.map((name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name));
  const most = style.full || names.length <= mostNames ? names.length : mostNames - 1;
  const items = names.slice(0, most).map((name) => joinNames([name]));
  const left = names.length - most;
  const all = left === 0 ? items : [...items, `... ${left} more (--full)`];
  return flowItems(all, ", ", style.width - 4).map((line) => `    ${line}`);
}
