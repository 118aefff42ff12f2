import { RunError } from "../diagnostics/failure.ts";
import type { PlanRequest } from "../engine/plan.ts";
import type { ArtifactKind } from "../model/artifact.ts";
import { parseAllowedRule, parseMadeFor, parseRotated } from "./allowed-rule.ts";
import type { ApplyFlags } from "./apply-plan.ts";
import { applyReviewed } from "./apply-reviewed.ts";
import { carryOutPlan } from "./carry-out.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import { isAboutFleet } from "./fleet.ts";
import type { Io } from "./io.ts";
import {
  collect,
  deletedFlag,
  parseCount,
  type RunCommand,
  readBaselineFlags,
  readRequestFlags,
  withAccessOption,
  withBaselineOptions,
  withFailOnOption,
  withServerOptions,
  withStateDirOption,
  withStateOptions,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";
import { withReportOptions } from "./reports.ts";

export function defineApply(program: Command, run: RunCommand) {
  const command = program.command("apply").description("plan, show it, ask, and make exactly that change");
  withReportOptions(
    withBaselineOptions(
      withFailOnOption(withAccessOption(withStateDirOption(withServerOptions(withStateOptions(command))))),
      deletedFlag,
    ),
    ["text", "json", "github"],
    { takesFiles: false },
  )
    .option("--yes", "do not ask; needed without a terminal")
    .addOption(
      new Option("--expect <fingerprint>", "go on only with that plan, as plan printed it; needs no --yes").argParser(
        fingerprint,
      ),
    )
    .option(
      "--made-for <key=value>",
      "go on only with a saved plan that was made for it, as in pull_request=7; may be repeated",
      parseMadeFor,
    )
    .option("--only <address>", "only this entry, as in roles/hr_reader; may be repeated", collect)
    .option(
      "--allow <rule>",
      "waive a guard for this run, all of it or of one resource type or address: deletions, deletions=roles; may be repeated",
      parseAllowedRule,
    )
    .option(
      "--rotate <address>",
      "write the password or hash of this internal user again: internal_users/ana; may be repeated",
      parseRotated,
    )
    .option(
      "--max-failures <number>",
      "of several targets, how many may fail before no further wave is applied, or before any is (default: 0)",
      parseCount(0),
    )
    .option("--full", "show every change of a long plan, and long values whole")
    // Hidden, but understood: a user who copies it from a plan's command line gets the reason why it is refused.
    .addOption(new Option("--live <snapshot>").hideHelp())
    .addHelpText("after", examples)
    .action((state: string[], flags: ApplyFlags) => run((io, flags) => applyCommand(io, state, flags), flags));
}

async function applyCommand(io: Io, state: readonly string[], flags: ApplyFlags): Promise<number> {
  if (flags.live !== undefined) throw (await import("../engine/apply.ts")).refuseSnapshot();
  const reviewed = await reviewedPlan(io, state, flags);
  if (reviewed?.kind === "fleet-plan")
    return (await import("./apply-reviewed-fleet.ts")).applyReviewedFleet(io, flags, reviewed);
  if (reviewed) return applyReviewed(io, flags, reviewed);
  if (flags.madeFor)
    throw new RunError("usage", {
      what: "--made-for is about a saved plan, and none is named.",
      fix: "Name the file that gate-sync plan --out wrote.",
    });
  if (flags.only && isAboutFleet(flags)) throw (await import("./plan-once.ts")).refuseOnlyOfSeveral();
  if (isAboutFleet(flags)) return (await import("./apply-fleet.ts")).applyFleet(io, state, flags);
  const { plan } = await import("../engine/plan.ts");
  const connectToRead = await createReadSource(io);
  const { openTarget } = await import("../engine/open.ts");
  const { reportUnfinished } = await import("./keep-journal.ts");
  const { getStateDir } = await import("../artifacts/state-dir.ts");
  const request: PlanRequest = {
    ...readRequestFlags(io, state, flags),
    allowed: flags.allow ?? [],
    ...(flags.only && { only: flags.only }),
    ...readBaselineFlags(flags),
    ...(flags.rotate && { rotated: flags.rotate }),
    withoutAccess: flags.access === false,
    stateDir: getStateDir(io.cwd, flags.stateDir, flags.config),
  };
  await reportUnfinished(io, flags, await openTarget(request));
  return carryOutPlan(io, flags, request, (again) => plan(again, { connect: connectToRead }), "apply");
}

/** A saved plan among what was named, known by what it holds. */
async function reviewedPlan(io: Io, state: readonly string[], flags: ApplyFlags) {
  const { refuseUnlessState } = await import("../load/no-plan.ts");
  for (const path of state) {
    const [kind, text] = await readPlanText(io.cwd, path);
    if (text === undefined) {
      await refuseUnlessState(io.cwd, path);
      continue;
    }
    if (state.length > 1) throw alone(path, "it is applied by itself, without state files");
    if (flags.only) throw alone(path, "it is applied whole: no --only");
    if (flags.allow) throw alone(path, "what it may do was decided when it was made: no --allow");
    if (flags.rotate) throw alone(path, "what it may do was decided when it was made: no --rotate");
    if (flags.appliedRef !== undefined || flags.baseline !== undefined)
      throw alone(path, "what it deletes was compared when it was made: no --applied-ref or --baseline");
    if (flags.family) throw alone(path, "it is applied whole: no --family");
    // Whose plans it is is in the file.
    if (isAboutFleet(flags) || (kind === "fleet-plan" && flags.target))
      throw alone(path, "its targets are in it: none are chosen");
    return { kind, path, text };
  }
  return undefined;
}

async function readPlanText(cwd: string, path: string): Promise<readonly [ArtifactKind, string | undefined]> {
  const { readArtifactText } = await import("../artifacts/artifact-file.ts");
  const single = await readArtifactText("plan-file", cwd, path);
  return single === undefined ? ["fleet-plan", await readArtifactText("fleet-plan", cwd, path)] : ["plan-file", single];
}

function alone(path: string, why: string): RunError {
  return new RunError("usage", { what: `${path} is a reviewed plan; ${why}.`, fix: `gate-sync apply ${path}` });
}

function fingerprint(value: string): string {
  if (/^[0-9a-f]{32}$/.test(value)) return value;
  throw new InvalidArgumentError("A fingerprint is the 32 hexadecimal digits that gate-sync plan prints.");
}

const examples = `
Examples:
  $ gate-sync apply                        show the plan, ask, apply
  $ gate-sync apply --yes --target prod    in a pipeline
  $ gate-sync apply plan.json              exactly what plan --out saved
  $ gate-sync apply --allow deletions=roles
  $ gate-sync apply --expect 6ad7a2e06b5ed5be4a4a64f1c4c9a3a5
`;
