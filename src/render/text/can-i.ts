import { joinLines, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import type { CanIView } from "../views/access-answer.ts";
import type { ShareView } from "../views/access-share.ts";
import { formatShareLines, verdictTones } from "./access-shares.ts";
import { paint } from "./ansi.ts";

/** The answer, its reason, and what it goes by. No newline at its end. */
export function renderCanIText({ verdict, question, shares, remarks, closing }: CanIView, style: Style): string {
  const [only] = shares;
  const explained =
    only && shares.length === 1
      ? formatShareLines(only, 2, style)
      : shares.flatMap((share, at) => manyLines(share, at, style));
  return joinLines([
    ...wrap(`${paint(verdict, verdictTones[verdict], style)}  ${question}`, style.width, 2),
    "",
    ...explained,
    ...remarks.flatMap((remark) => ["", ...wrap(remark, style.width)]),
    ...formatClosing(closing, style),
  ]);
}

function manyLines(share: ShareView, at: number, style: Style): readonly string[] {
  const { verdict, title } = share;
  return [
    ...(at > 0 ? [""] : []),
    ...wrap(`${verdict}  ${title}`, style.width - 2, 4).map((line) => `  ${paint(line, verdictTones[verdict], style)}`),
    ...formatShareLines(share, 4, style),
  ];
}

/** What an answer goes by, and what is not known. */
export function formatClosing(texts: readonly string[], style: Style): readonly string[] {
  return ["", ...texts.flatMap((text) => wrap(text, style.width)).map((line) => paint(line, "faint", style))];
}
