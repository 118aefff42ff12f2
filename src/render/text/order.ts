import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import { padSpaces, padStart, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { formatOrderSummary } from "../views/order-summary.ts";
import { formatOperationTarget } from "../views/words.ts";
import { formatAccessDiffLines } from "./access-diff.ts";
import { paint } from "./ansi.ts";

/** The access diff after each request. Empty without --explain-order. */
export function formatOrderLines(plan: Plan, style: Style): readonly string[] {
  const { operations, orderExplanation } = plan;
  if (!orderExplanation || operations.length === 0) return [];
  const digits = String(operations.length).length;
  const indent = digits + 2;
  const steps = operations.flatMap((operation, at) => {
    const access = orderExplanation[at] ?? { blockedDiff: [], statements: [], unchanged: [], untold: [] };
    const accessDiff = formatAccessDiffLines(access, plan, { ...style, width: style.width - indent });
    const title = `  ${padStart(String(at + 1), digits)}  ${operation.method} ${escapeInvisible(formatOperationTarget(operation))}`;
    const lines = accessDiff.length > 0 ? accessDiff : ["  no change"];
    return [title, ...lines.map((line) => padSpaces(indent) + line)];
  });
  const end = formatOrderSummary(plan);
  return [
    paint("Who may do what, request by request", "strong", style),
    ...steps,
    ...(end ? wrap(`  ${end}`, style.width, 2) : []),
  ];
}
