import type { ListedGuard } from "../../model/guard.ts";
import { wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { paint } from "./ansi.ts";

export function renderGuardsText(guards: readonly ListedGuard[], style: Style): string {
  return [...guards.map((guard) => guardBlock(guard, style)), howToWaive(style)].join("\n\n");
}

function guardBlock({ rule, refuses, default: byDefault, set_by: setBy, liftable }: ListedGuard, style: Style): string {
  const rows: readonly (readonly [string, string])[] = [
    ["default", byDefault],
    ["set by", setBy],
    ["waived", liftable ? "by a waiver, or --allow" : "by nothing"],
  ];
  return [
    paint(rule, "strong", style),
    ...wrap(refuses, style.width - 2).map((line) => `  ${line}`),
    ...rows.flatMap(([label, text]) =>
      wrap(text, style.width - 11).map((line, index) => `  ${(index === 0 ? label : "").padEnd(9)}${line}`),
    ),
  ].join("\n");
}

function howToWaive(style: Style): string {
  const text =
    "Waivers are in a state file, or in waivers.yaml beside gate-sync.yaml, and are reviewed like any change. --allow RULE, RULE=FAMILY or RULE=FAMILY/NAME counts for one run.";
  return wrap(text, style.width).join("\n");
}
