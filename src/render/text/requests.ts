import type { Operation } from "../../model/operation.ts";
import type { Plan } from "../../model/plan.ts";
import { escapeInvisible } from "../escape.ts";
import { measureWidth, padEnd, padSpaces, padStart, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import { countBodyBytes } from "../views/body.ts";
import { formatBytes, formatDuration, formatOperationTarget, pluralise } from "../views/words.ts";
import { paint } from "./ansi.ts";

/** Where a server takes one entry at a time, there may be thousands. */
const mostRequests = 50;

interface Cells {
  readonly what: string;
  readonly changes: string;
  readonly size: string;
}

/** The requests in the order in which they are sent: what each is for and how much it carries. */
export function formatRequestLines(plan: Plan, style: Style): readonly string[] {
  if (plan.operations.length === 0) return [];
  const sent = plan.violations.length === 0 && !plan.target.snapshot;
  const total = plan.operations.length;
  const operations = style.full || total <= mostRequests ? plan.operations : plan.operations.slice(0, mostRequests - 1);
  const cells = operations.map(cellsOf);
  const digits = String(operations.length).length;
  const [changes, size] = [widest(cells, "changes"), widest(cells, "size")];
  const lead = 2 + digits + 2 + "DELETE".length + 2;
  const rest = (changes > 0 ? changes + 2 : 0) + size + 2;
  const what = Math.min(widest(cells, "what"), style.width - lead - rest);
  const rows = operations.flatMap((operation, index) => {
    const { what: name, ...cell } = cells[index] ?? cellsOf(operation);
    const first = `  ${padStart(String(index + 1), digits)}  ${padEnd(operation.method, 6)}  ${padEnd(name, what)}`;
    const tail = (changes > 0 ? `  ${padStart(cell.changes, changes)}` : "") + `  ${padStart(cell.size, size)}`;
    // A name that is too long keeps its line to itself.
    const fits = measureWidth(name) <= what;
    return [
      ...(fits ? [first + tail] : [first, padSpaces(lead + what) + tail]),
      ...reasonLines(operation, operations[index - 1]?.reason === operation.reason ? index : undefined, lead, style),
    ];
  });
  const left = total - operations.length;
  const more = left === 0 ? [] : [`  ... ${left} more (--full)`];
  return [
    paint(sent ? "Requests, in this order" : "Requests it would take, in this order", "strong", style),
    ...rows,
    ...more,
  ];
}

/** A request to one resource says so by its name, and needs no count. */
function cellsOf(operation: Operation): Cells {
  const bytes = countBodyBytes(operation);
  return {
    what: formatOperationTarget(operation),
    changes: operation.bulk ? pluralise(operation.names.length, "change") : "",
    size: bytes === undefined ? "" : formatBytes(bytes),
  };
}

/** @param sameAs the number of the request before, where that has the same reason: a long one is shown once */
function reasonLines(
  { reason, estimate }: Operation,
  sameAs: number | undefined,
  indent: number,
  style: Style,
): readonly string[] {
  const duration = estimate === undefined ? [] : [`about ${formatDuration(estimate)} on the server`];
  const remarks = [...(reason === undefined ? [] : [reason]), ...duration];
  if (remarks.length === 0) return [];
  const wrapped = (text: string) => wrap(escapeInvisible(text), style.width - indent);
  const whole = wrapped(remarks.join("; "));
  const isRepeated = sameAs !== undefined && reason !== undefined && whole.length > 1;
  const lines = isRepeated ? wrapped([`for the same reason as request ${sameAs}`, ...duration].join("; ")) : whole;
  return lines.map((line) => padSpaces(indent) + paint(line, "faint", style));
}

function widest(cells: readonly Cells[], name: keyof Cells): number {
  return cells.reduce((most, cell) => Math.max(most, measureWidth(cell[name])), 0);
}
