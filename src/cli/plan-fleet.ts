import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { runEach } from "../engine/fleet/each.ts";
import type { PlanRequest } from "../engine/pipeline/context.ts";
import type { RunRequest } from "../engine/request.ts";
import { quoteForShell } from "../json/quoted.ts";
import type { Artifact } from "../model/artifact.ts";
import { isPending } from "../model/change.ts";
import type { SavedPlan } from "../model/plan-file.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { formatName } from "../render/escape.ts";
import { createFailureView } from "../render/views/diagnostics.ts";
import { listDiagnosticFindings, listPlanFindings, type ReviewFinding } from "../render/views/findings.ts";
import {
  createFailedRow,
  createFleetView,
  createPlannedRow,
  type FleetResult,
  type FleetView,
  listFleetFindings,
} from "../render/views/fleet.ts";
import { createFailureItem, createFindingItem, listPlanItems } from "../render/views/fleet-parts.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import { createFailureFinding, createFindingReports, needsFindings } from "./finding-reports.ts";
import { type ChosenFleet, chooseOneOf, listFleet, refuseForSeveral, usualParallel } from "./fleet.ts";
import type { Io } from "./io.ts";
import { type CommonFlags, readRequestFlags } from "./options.ts";
import { createOutputReport, type RunOutputs } from "./outputs.ts";
import { readPageOptions } from "./page-options.ts";
import { type PlanFlags, planOnce } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { type RenderReport, writeReports } from "./reports.ts";
import { reportWaitsOf } from "./waits.ts";

/** Plans every target that is chosen: one that cannot be planned is a row like the others. */
export async function planFleet(io: Io, state: readonly string[], flags: PlanFlags): Promise<number> {
  if (flags.live !== undefined) throw refuseForSeveral("--live");
  const fleet = await listFleet(io, flags);
  const saved: Artifact<SavedPlan>[] = [];
  const keep = flags.out === undefined ? undefined : await createKeeper(saved, flags.out);
  const results = await planEach(io, state, flags, fleet, { onlyPlans: true, ...(keep && { keep }) });
  const view = createFleetView("plan", results, fleet.shard);
  const request = readRequestFlags(io, [], withoutTargets(flags));
  const outputs = summariseFleet(view);
  await writeReports(io, flags, {
    ...createFleetReports(view, request, flags),
    ...createFindingReports({ command: "plan", request, list: async () => listFleetFindings(view) }),
    ...createOutputReport(outputs),
  });
  if (flags.annotations) {
    const { renderFleetMarkdown } = await import("../render/markdown/fleet.ts");
    const { writeGithubFiles } = await import("./github-files.ts");
    await writeGithubFiles(io, { summary: renderFleetMarkdown(view, flags), outputs });
  }
  if (flags.out !== undefined) await saveAll(io, flags, fleet.names, saved);
  return view.exitCode;
}

/** Encoded at once: the plan itself is large. */
async function createKeeper(saved: Artifact<SavedPlan>[], out: string): Promise<KeepPlan> {
  const { createSavedPlan } = await import("../artifacts/saved-plan/save.ts");
  return (planned, request) => {
    saved.push(createSavedPlan(planned, request, out));
  };
}

async function saveAll(
  io: Io,
  { out = "", quiet, format, madeFor, ...flags }: PlanFlags,
  names: readonly string[],
  saved: readonly Artifact<SavedPlan>[],
): Promise<void> {
  if (saved.length === 0) {
    throw new RunError("failed", {
      what: `There is no plan to save in ${out}.`,
      why: "No target could be planned.",
      fix: "See above what ended each.",
    });
  }
  const { saveFleet } = await import("../artifacts/saved-plan/save.ts");
  // However many were planned at once.
  const ordered = names.flatMap((name) => saved.filter(({ target }) => target.name === name));
  const place = { cwd: io.cwd, env: io.env, ...(flags.config !== undefined && { configPath: flags.config }) };
  await saveFleet(ordered, { ...place, ...(madeFor && { madeFor }) }, out, new Date().toISOString());
  if (quiet || format === "json") return;
  const of = ordered.length < names.length ? `${ordered.length} of ${names.length}` : `${names.length}`;
  io.stderr.write(`Saved in ${formatName(out)}: plans of ${of} targets, for gate-sync apply ${quoteForShell(out)}.\n`);
}

/** What is said of files is the same for all of them. */
export function withoutTargets({ target: _, ...flags }: CommonFlags): CommonFlags {
  return flags;
}

function summariseFleet({ rows }: FleetView): RunOutputs {
  const cells = rows.flatMap(({ families }) => [...families.values()]);
  const changes = cells.reduce((sum, cell) => sum + cell.create + cell.update + cell.delete, 0);
  const failed = rows.find(({ state }) => state !== "in sync" && state !== "changes" && state !== "refused");
  const isRefused = rows.some(({ state }) => state === "refused");
  return { changes, result: failed ? "failed" : isRefused ? "refused" : changes > 0 ? "pending" : "done" };
}

type KeepPlan = (planned: DecidedPlan, request: PlanRequest) => void;

interface PlanningOptions {
  readonly onlyPlans: boolean;
  /** Gets each plan before it is forgotten. */
  readonly keep?: KeepPlan;
}

/** Nothing of a plan is kept but what is shown of it. */
export function planEach(
  io: Io,
  state: readonly string[],
  flags: PlanFlags,
  { names, shared }: Pick<ChosenFleet, "names" | "shared">,
  { onlyPlans, keep }: PlanningOptions = { onlyPlans: true },
): Promise<readonly FleetResult[]> {
  const { watch: _, waits: __, ...others } = io;
  return runEach(names, flags.parallel ?? usualParallel, async (name) => {
    const quiet = { ...others, ...reportWaitsOf(name, io) };
    try {
      const source = { connect: await createReadSource(quiet) };
      const own = chooseOneOf(flags, name, shared);
      const { planned, request, view } = await planOnce(quiet, state, own, source, { onlyPlans });
      const { failing } = planned;
      const unsaved = failing ?? (keep && findObstacle(() => keep(planned, request)));
      const pending = view.families.some(({ changes }) => changes.some(isPending));
      const code = failing
        ? exitCodes.invalid
        : view.isRefused
          ? exitCodes.refused
          : flags.detailedExitcode && pending
            ? exitCodes.pending
            : exitCodes.done;
      const findings = needsFindings(flags) ? listPlanFindings(view) : [];
      return {
        row: createPlannedRow(view, unsaved && code === exitCodes.done ? unsaved.exitCode : code),
        items: [
          ...listPlanItems(view),
          ...(unsaved ? [createFailureItem(maskRunError(unsaved))] : []),
          ...findings.map(createFindingItem),
        ],
      };
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      const masked = maskRunError(error);
      const findings = needsFindings(flags) ? listFailureFindings(masked) : [];
      return {
        row: createFailedRow(name, error),
        items: [createFailureItem(masked), ...findings.map(createFindingItem)],
      };
    }
  });
}

/** Why a plan cannot be saved: it is shown all the same. */
function findObstacle(save: () => void): RunError | undefined {
  try {
    save();
    return undefined;
  } catch (error) {
    if (error instanceof RunError) return error;
    throw error;
  }
}

function listFailureFindings(error: RunError): readonly ReviewFinding[] {
  const { what, why, fix } = error.userMessage;
  if (error.diagnostics.length > 0) return listDiagnosticFindings(createFailureView(error));
  return [createFailureFinding([what, why, fix].filter((sentence) => sentence !== undefined))];
}

/** Formats of whatever is about several targets. */
export const fleetFormats = ["text", "json", "markdown", "junit", "html"];

/** @throws RunError `usage` for a format in which this command is about one target only */
export function refuseOtherFormats({ format, reports = [], annotations }: CommonFlags): void {
  const asked = [format, ...reports.map((report) => report.format), ...(annotations ? ["github"] : [])];
  const other = asked.find((each) => !fleetFormats.includes(each));
  if (other === undefined) return;
  throw new RunError("usage", {
    what: `The format ${other} is about one target here, and several are chosen.`,
    fix: `Of several targets the formats of this command are ${fleetFormats.join(", ")}; plan has all of them.`,
  });
}

export function createFleetReports(
  view: FleetView,
  request: RunRequest,
  flags: CommonFlags,
): Readonly<Record<string, RenderReport>> {
  return {
    text: async (style) => (await import("../render/text/fleet.ts")).formatFleetBlocks(view, style),
    json: async () =>
      (await import("../render/json/encode.ts")).encodeJsonBlocks(
        (await import("../render/json/fleet.ts")).renderFleetJson(view),
      ),
    markdown: async () => [`${(await import("../render/markdown/fleet.ts")).renderFleetMarkdown(view, flags)}\n`],
    junit: async () => [`${(await import("../render/junit/fleet.ts")).renderFleetJunit(view)}\n`],
    html: async () =>
      (await import("../render/html/fleet.ts")).renderFleetHtml(view, await readPageOptions(request, flags)),
  };
}
