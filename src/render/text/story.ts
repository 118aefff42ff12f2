import type { Plan } from "../../model/plan.ts";
import { paint } from "../ansi.ts";
import { visible } from "../escape.ts";
import { blanks, padStart, wrap } from "../layout.ts";
import { storyEnd } from "../story-end.ts";
import type { Style } from "../style.ts";
import { operationWhat } from "../words.ts";
import { gainLines } from "./gains.ts";

/** What access exists after each request: who gained and who lost by it. Nothing where nobody asked. */
export function storyLines(plan: Plan, style: Style): readonly string[] {
  const { operations, story } = plan;
  if (!story || operations.length === 0) return [];
  const digits = String(operations.length).length;
  const indent = digits + 2;
  const steps = operations.flatMap((operation, at) => {
    const access = story[at] ?? { entering: [], statements: [], unchanged: [], untold: [] };
    const gains = gainLines(access, plan, { ...style, width: style.width - indent });
    const title = `  ${padStart(String(at + 1), digits)}  ${operation.method} ${visible(operationWhat(operation))}`;
    const lines = gains.length > 0 ? gains : ["  no change"];
    return [title, ...lines.map((line) => blanks(indent) + line)];
  });
  const end = storyEnd(plan);
  return [
    paint("Who may do what, request by request", "strong", style),
    ...steps,
    ...(end ? wrap(`  ${end}`, style.width, 2) : []),
  ];
}
