import { measureWidth, padEnd, padSpaces, padStart, wrap } from "../layout.ts";
import type { Style } from "../style.ts";
import type { PlanView } from "../views/plan.ts";
import type { RequestView } from "../views/request.ts";
import { paint } from "./ansi.ts";

/** Where a server takes one entry at a time, there may be thousands. */
const mostRequests = 50;

/** The requests in the order in which they are sent: what each is for and how much it carries. */
export function formatRequestLines(
  { requests, requestsTitle }: Pick<PlanView, "requests" | "requestsTitle">,
  style: Style,
): readonly string[] {
  if (requests.length === 0) return [];
  const shown = style.full || requests.length <= mostRequests ? requests : requests.slice(0, mostRequests - 1);
  const digits = String(shown.length).length;
  const widest = (name: "what" | "changes" | "size") =>
    shown.reduce((most, request) => Math.max(most, measureWidth(request[name])), 0);
  const [changes, size] = [widest("changes"), widest("size")];
  const lead = 2 + digits + 2 + "DELETE".length + 2;
  const rest = (changes > 0 ? changes + 2 : 0) + size + 2;
  const column = Math.min(widest("what"), style.width - lead - rest);
  const rows = shown.flatMap((request, at) => {
    const { method, what } = request;
    const first = `  ${padStart(String(at + 1), digits)}  ${padEnd(method, 6)}  ${padEnd(what, column)}`;
    const tail = (changes > 0 ? `  ${padStart(request.changes, changes)}` : "") + `  ${padStart(request.size, size)}`;
    // A name that is too long keeps its line to itself.
    const fits = measureWidth(what) <= column;
    return [
      ...(fits ? [first + tail] : [first, padSpaces(lead + column) + tail]),
      ...reasonLines(request, shown[at - 1]?.why === request.why ? at : undefined, lead, style),
    ];
  });
  const left = requests.length - shown.length;
  return [paint(requestsTitle, "strong", style), ...rows, ...(left === 0 ? [] : [`  ... ${left} more (--full)`])];
}

/** @param sameAs the number of the request before, where that has the same reason: a long one is shown once */
function reasonLines(
  { why, duration }: RequestView,
  sameAs: number | undefined,
  indent: number,
  style: Style,
): readonly string[] {
  const wrapped = (reason: string) => {
    const remarks = [reason, duration].filter((remark) => remark !== "");
    return remarks.length === 0 ? [] : wrap(remarks.join("; "), style.width - indent);
  };
  const whole = wrapped(why);
  const isRepeated = sameAs !== undefined && why !== "" && whole.length > 1;
  const lines = isRepeated ? wrapped(`for the same reason as request ${sameAs}`) : whole;
  return lines.map((line) => padSpaces(indent) + paint(line, "faint", style));
}
