import type { Style } from "../style.ts";
import { formatFleetPartLines } from "../text/fleet.ts";
import type { FleetView } from "../views/fleet.ts";
import { renderSuites, type SuiteCase } from "./suites.ts";

const style: Style = { color: false, width: 100, full: true, verbose: false };

/** A case for each target: it fails where the run about it alone would. No newline at its end. */
export function renderFleetJunit({ command, rows, parts, summary }: FleetView): string {
  const cases = rows.map(({ name, state, exitCode }): SuiteCase => {
    const attributes = { classname: `gate-sync ${command}`, name };
    if (exitCode === 0) return { result: "passed", attributes };
    const lines = parts
      .filter(({ targets }) => targets.includes(name))
      .flatMap((part) => formatFleetPartLines(part, style));
    const result = state === "not attempted" ? "skipped" : "failed";
    return { result, attributes, detail: { type: state, message: state, text: lines.join("\n") } };
  });
  return renderSuites(`gate-sync ${command}`, [{ name: "targets", cases, note: summary }]);
}
