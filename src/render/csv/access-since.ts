import { listAccessBlocks } from "../views/access-matrix.ts";
import { formatStep } from "../views/access-reasons.ts";
import type { AccessSinceView } from "../views/access-since.ts";
import { quoteField } from "./field.ts";

const words = { "+": "gained", "-": "lost", "~": "changed", "?": "unknown" } as const;

/** One line for each thing that some principals gained or lost. */
export function renderAccessSinceCsv({ access }: AccessSinceView): string {
  const blocks = [...listAccessBlocks(access), { who: "", lines: access.blocked }, { who: "", lines: access.closing }];
  const rows = blocks.flatMap(({ who, lines }) =>
    lines.map(({ sign, sentence, details, chain }) =>
      [who, words[sign], [sentence, ...details].join("; "), chain.map((step) => formatStep(step)).join(" > ")]
        .map(quoteField)
        .join(","),
    ),
  );
  return ["principals,change,what,granted_by", ...rows, ""].join("\r\n");
}
