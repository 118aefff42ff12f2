import type { Plan } from "../../model/plan.ts";
import { paint } from "../ansi.ts";
import { visible } from "../escape.ts";
import { blanks, padStart, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { operationWhat } from "../words.ts";
import { gainLines } from "./gains.ts";

/** What access exists after each request: who gained and who lost by it. Nothing where nobody asked. */
export function storyLines(plan: Plan, style: Style): readonly string[] {
  const { operations, story, violations, lifted } = plan;
  if (!story || operations.length === 0) return [];
  const digits = String(operations.length).length;
  const indent = digits + 2;
  const steps = operations.flatMap((operation, at) => {
    const access = story[at] ?? { entering: [], statements: [], untold: [] };
    const gains = gainLines(access, plan, { ...style, width: style.width - indent });
    const title = `  ${padStart(String(at + 1), digits)}  ${operation.method} ${visible(operationWhat(operation))}`;
    const lines = gains.length > 0 ? gains : ["  nobody gains or loses any"];
    return [title, ...lines.map((line) => blanks(indent) + line)];
  });
  // What somebody agreed to is wrong all the same.
  const isClean = [...violations, ...lifted].every(({ rule }) => rule !== "order");
  return [
    paint("Who may do what, request by request", "strong", style),
    ...steps,
    ...(isClean && operations.length > 1 ? wrap(`  ${cleanWords}`, style.width, 2) : []),
  ];
}

const cleanWords =
  "In between, of those who were judged, nobody holds what neither the state before nor the one after grants, or misses what both grant.";
