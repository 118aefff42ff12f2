import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { runEach } from "../engine/fleet/each.ts";
import { isPending } from "../model/change.ts";
import {
  createFailedRow,
  createFleetView,
  createPlannedRow,
  type FleetResult,
  type FleetView,
} from "../render/views/fleet.ts";
import { createFailureItem, listPlanItems } from "../render/views/fleet-parts.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import { type ChosenFleet, chooseOneOf, listFleet, refuseForSeveral, usualParallel } from "./fleet.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./options.ts";
import { type PlanFlags, planOnce } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { type RenderReport, writeReports } from "./reports.ts";

/** Plans every target that is chosen: one that cannot be planned is a row like the others. */
export async function planFleet(io: Io, state: readonly string[], flags: PlanFlags): Promise<number> {
  if (flags.live !== undefined) throw refuseForSeveral("--live");
  if (flags.out !== undefined) throw refuseForSeveral("--out");
  refuseOtherFormats(flags);
  const fleet = await listFleet(io, flags);
  const results = await planEach(io, state, flags, fleet);
  const view = createFleetView("plan", results, fleet.shard);
  await writeReports(io, flags, createFleetReports(view, flags));
  return view.exitCode;
}

/** Nothing of a plan is kept but what is shown of it. */
export function planEach(
  io: Io,
  state: readonly string[],
  flags: PlanFlags,
  { names, shared }: Pick<ChosenFleet, "names" | "shared">,
  { onlyPlans } = { onlyPlans: true },
): Promise<readonly FleetResult[]> {
  const { watch: _, waits: __, ...quiet } = io;
  return runEach(names, flags.parallel ?? usualParallel, async (name) => {
    try {
      const source = { connect: await createReadSource(quiet) };
      const { view } = await planOnce(quiet, state, chooseOneOf(flags, name, shared), source, { onlyPlans });
      const pending = view.families.some(({ changes }) => changes.some(isPending));
      const code = view.isRefused
        ? exitCodes.refused
        : flags.detailedExitcode && pending
          ? exitCodes.pending
          : exitCodes.done;
      return { row: createPlannedRow(view, code), items: listPlanItems(view) };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const masked = maskRunError(error);
      return { row: createFailedRow(name, error), items: [createFailureItem(masked)] };
    }
  });
}

const fleetFormats = ["text", "json", "markdown", "junit"];

/** @throws RunError `usage` for a format that is about one target */
export function refuseOtherFormats({ format, reports = [], annotations }: CommonFlags): void {
  const asked = [format, ...reports.map((report) => report.format), ...(annotations ? ["github"] : [])];
  const other = asked.find((each) => !fleetFormats.includes(each));
  if (other === undefined) return;
  throw new RunError("usage", {
    what: `The format ${other} is about one target, and several are chosen.`,
    fix: `Of several targets the formats are ${fleetFormats.join(", ")}.`,
  });
}

export function createFleetReports(
  view: FleetView,
  { full = false }: CommonFlags,
): Readonly<Record<string, RenderReport>> {
  return {
    text: async (style) => (await import("../render/text/fleet.ts")).formatFleetBlocks(view, style),
    json: async () =>
      (await import("../render/json/encode.ts")).encodeJsonBlocks(
        (await import("../render/json/fleet.ts")).renderFleetJson(view),
      ),
    markdown: async () => [`${(await import("../render/markdown/fleet.ts")).renderFleetMarkdown(view, { full })}\n`],
    junit: async () => [`${(await import("../render/junit/fleet.ts")).renderFleetJunit(view)}\n`],
  };
}
