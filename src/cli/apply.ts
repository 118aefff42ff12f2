import { exitCodes, RunError } from "../diagnostics/failure.ts";
import type { Planned, PlanRequest } from "../engine/plan.ts";
import { nounOf } from "../families/index.ts";
import type { ResourceFamily } from "../model/names.ts";
import type { Outcome, Report } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { planToText, reportToText } from "../render/text.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  allowedRule,
  type CommonFlags,
  requestFrom,
  styleFor,
  withOutputOptions,
  withServerOptions,
  withStateDirOption,
  withStateOptions,
} from "./options.ts";
import { progressTold } from "./progress.ts";
import { quoted } from "./quoted.ts";
import { asJson, sayAside } from "./say.ts";

export interface ApplyFlags extends CommonFlags {
  readonly yes?: boolean;
  readonly allow?: readonly string[];
  readonly live?: string;
  readonly expect?: string;
}

/** Where the plan comes from that is carried out; asked again where the first can no longer be. */
type Planner = (request: PlanRequest) => Promise<Planned & { readonly again?: string }>;

export function defineApply(
  program: Command,
  run: (action: (io: Io) => Promise<number>, flags: CommonFlags) => Promise<void>,
) {
  const command = program.command("apply").description("plan, show it, ask, and make exactly that change");
  withOutputOptions(withStateDirOption(withServerOptions(withStateOptions(command))), ["text", "json"])
    .option("--yes", "do not ask; needed where nobody can be asked")
    .addOption(
      new Option("--expect <fingerprint>", "go on only with that plan, as plan printed it; needs no --yes").argParser(
        fingerprint,
      ),
    )
    .option(
      "--allow <rule>",
      "lift a guard for this run, all of it or of one family or address: deletions, deletions=roles; may be repeated",
      allowedRule,
    )
    .option("--full", "show long values whole")
    // Not offered, but understood: whoever takes it from a plan's command line is told why it cannot be.
    .addOption(new Option("--live <snapshot>").hideHelp())
    .addHelpText("after", examples)
    .action((state: string[], flags: ApplyFlags) => run((io) => applyCommand(io, state, flags), flags));
}

async function applyCommand(io: Io, state: readonly string[], flags: ApplyFlags): Promise<number> {
  const reviewed = await reviewedPlan(io, state, flags);
  if (reviewed) return applyReviewed(io, flags, reviewed);
  const { plan } = await import("../engine/plan.ts");
  const { snapshotRefusal } = await import("../engine/apply.ts");
  const { connectToRead } = await import("../live/client/http.ts");
  if (flags.live !== undefined) throw snapshotRefusal();
  const request: PlanRequest = { ...requestFrom(io, state, flags), allowed: flags.allow ?? [] };
  return carryOut(io, flags, request, (again) => plan(again, { connect: connectToRead }));
}

/** Plans, shows, asks, keeps what is there and makes the change; once more where the server refuses PATCH. */
export async function carryOut(io: Io, flags: ApplyFlags, request: PlanRequest, plan: Planner): Promise<number> {
  const { refusedPatches } = await import("../engine/apply.ts");
  const withoutPatch = new Set<ResourceFamily>();
  // What earlier plans of this run did, each ended by a PATCH that the server refuses; told together with the last.
  const done: Outcome[] = [];
  let first: Plan | undefined;
  let backup: Report["backup"];
  const keep = async (planned: Planned) => {
    const { keepBackup } = await import("./keep-backup.ts");
    backup ??= await keepBackup(io, flags, planned);
  };
  try {
    for (;;) {
      const again = { ...request, withoutPatch };
      const planned = await plan(again);
      first ??= planned.plan;
      if (withoutPatch.size === 0) await refuseUnlessExpected(flags, again, planned);
      const ask = () => consent(io, again, planned, plan);
      const report = await applyPlanned(io, flags, planned, { earlier: done.length, ask, keep });
      if (report === "refused") return done.length > 0 ? exitCodes.partial : exitCodes.refused;
      const refused = refusedPatches(report);
      // Other requests than the reviewed ones are another plan.
      if (refused.length === 0 || flags.expect !== undefined) {
        const outcomes = [...done, ...report.outcomes];
        const whole = { ...report, plan: first, outcomes, ...(backup && { backup }) };
        const command = planned.again;
        return await finish(io, flags, planned, { ...whole, ...(command && { again: { command, reviewed: false } }) });
      }
      done.push(...report.outcomes.filter(({ kind }) => kind === "done"));
      for (const family of refused) withoutPatch.add(family);
      const several = refused.map((family) => nounOf(family, 2)).join(", ");
      io.stderr.write(`\nThe server refuses PATCH of ${several} (405).\nNothing of it was written. Planned again:\n\n`);
    }
  } catch (error) {
    if (!(error instanceof RunError) || done.length === 0) throw error;
    throw new RunError("partial", error.letter, error.diagnostics);
  }
}

/** A plan file among what was named, told by what it holds. */
async function reviewedPlan(io: Io, state: readonly string[], flags: ApplyFlags) {
  const { readPlanFile } = await import("../store/plan-file.ts");
  for (const path of state) {
    const text = await readPlanFile(io.cwd, path);
    if (text === undefined) continue;
    if (state.length > 1) throw alone(path, "it is applied by itself, without state files");
    if (flags.allow) throw alone(path, "what it may do was decided when it was made: no --allow");
    if (flags.family) throw alone(path, "it is applied whole: no --family");
    return { path, text };
  }
  return undefined;
}

function alone(path: string, why: string): RunError {
  return new RunError("usage", { what: `${path} is a reviewed plan; ${why}.`, fix: `gate-sync apply ${path}` });
}

/** What was reviewed needs no question. */
async function applyReviewed(
  io: Io,
  flags: ApplyFlags,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<number> {
  const { openPlanFile } = await import("../engine/open-plan-file.ts");
  const { planReviewed } = await import("../engine/reviewed.ts");
  const { refuseOtherFingerprint } = await import("../engine/expected.ts");
  const { planKey } = await import("../engine/plan-key.ts");
  const { connectToRead } = await import("../live/client/http.ts");
  const request: PlanRequest = { ...requestFrom(io, [], flags), allowed: [] };
  const { plan } = openPlanFile(path, text, planKey(request));
  if (flags.expect !== undefined) refuseOtherFingerprint(flags.expect, plan.fingerprint);
  const planned = await planReviewed(plan, path, request, connectToRead);
  const { keepBackup } = await import("./keep-backup.ts");
  let backup: Report["backup"];
  const keep = async () => {
    backup = await keepBackup(io, flags, planned);
  };
  const report = await applyPlanned(io, { ...flags, yes: true }, planned, { earlier: 0, ask: async () => {}, keep });
  if (report === "refused") return exitCodes.refused;
  const again = { command: `gate-sync apply ${quoted(path)}`, reviewed: true };
  return finish(io, flags, planned, { ...report, again, ...(backup && { backup }) });
}

interface Steps {
  /** How many requests of this run are done already. */
  readonly earlier: number;
  readonly ask: () => Promise<void>;
  /** Before anything is written. */
  readonly keep: (planned: Planned) => Promise<void>;
}

/** Shows the plan, asks, runs it. */
async function applyPlanned(
  io: Io,
  flags: ApplyFlags,
  planned: Planned,
  { earlier, ask, keep }: Steps,
): Promise<Report | "refused"> {
  const { plan: shown, diagnostics } = planned;
  const isText = flags.format !== "json";
  const asks = shown.operations.length > 0 && !flags.yes && flags.expect === undefined;
  const isRefused = shown.violations.length > 0;
  sayAside(io, flags, { notices: planned.notices, diagnostics, files: planned.fileCount });
  // Whoever is asked has seen what about, and whoever is refused sees why, whatever else is to be quiet.
  if (isText ? !flags.quiet || asks || isRefused : asks && io.interactive) {
    const output = isText ? io.stdout : io.stderr;
    const gap = shown.operations.length > 0 && !isRefused ? "\n" : "";
    output.write(`${planToText(shown, styleFor(output, io, flags))}\n${gap}`);
  }
  if (isRefused) {
    if (!isText) io.stdout.write(asJson((await import("../render/json.ts")).planToJson(shown), diagnostics));
    return "refused";
  }
  if (asks) await ask();
  await keep(planned);

  const { apply } = await import("../engine/apply.ts");
  const { connectToWrite } = await import("../live/client/http.ts");
  io.beginWriting();
  return apply(planned, connectToWrite, progressTold(io, flags, earlier), io.clock);
}

/** A refused plan is told as what it is, whatever was expected. */
async function refuseUnlessExpected({ expect }: ApplyFlags, request: PlanRequest, planned: Planned): Promise<void> {
  if (expect === undefined || planned.plan.violations.length > 0) return;
  const { refuseUnlessSame } = await import("../engine/expected.ts");
  refuseUnlessSame(expect, planned, request);
}

function fingerprint(value: string): string {
  if (/^[0-9a-f]{32}$/.test(value)) return value;
  throw new InvalidArgumentError("A fingerprint is the 32 hexadecimal digits that gate-sync plan prints.");
}

/** What was read before the question was asked may have moved since: what runs is what was shown, or nothing. */
async function consent(io: Io, request: PlanRequest, shown: Planned, plan: Planner): Promise<void> {
  if (!io.interactive) {
    throw new RunError("usage", {
      what: "Nobody can be asked whether this plan is to be applied.",
      why: "Nothing was sent.",
      fix: "On a terminal, answer the question; elsewhere, say it with --yes.",
    });
  }
  const answer = await io.ask("Apply this plan? Only “yes” goes on: ");
  if (answer?.trim() !== "yes") throw new RunError("failed", { what: "Not applied.", why: "Nothing was sent." });
  const { samePlan } = await import("../engine/apply.ts");
  const now = await plan(request);
  if (samePlan(shown.plan, now.plan)) return;
  throw new RunError("stale", {
    what: "The plan that was shown no longer holds: the server or the files changed meanwhile.",
    why: "Nothing was sent.",
    fix: "Run gate-sync apply again and look at the new plan.",
  });
}

async function finish(io: Io, flags: ApplyFlags, planned: Planned, report: Report): Promise<number> {
  if (flags.format === "json") {
    io.stdout.write(asJson((await import("../render/json.ts")).reportToJson(report), planned.diagnostics));
  } else if (report.outcomes.length > 0) {
    io.stdout.write(`${reportToText(report, styleFor(io.stdout, io, flags))}\n`);
  }
  return exitCodeOf(report);
}

/** 6 once anything was or may have been written and not all of it is done and in effect; 1 or 5 where nothing was. */
function exitCodeOf({ outcomes, verified }: Report): number {
  const kinds = outcomes.map(({ kind }) => kind);
  if (kinds.length === 0) return exitCodes.done;
  if (outcomes.some(({ cause }) => cause === "not-in-effect")) return exitCodes.partial;
  // Written is not enough: what could not be read back is not proven.
  if (kinds.every((kind) => kind === "done")) return verified ? exitCodes.done : exitCodes.failed;
  if (kinds.some((kind) => kind === "done" || kind === "unknown")) return exitCodes.partial;
  if (outcomes.some(({ cause }) => cause === "stale")) return exitCodes.stale;
  return kinds.includes("failed") ? exitCodes.failed : exitCodes.interrupted;
}

const examples = `
Examples:
  $ gate-sync apply                        show the plan, ask, apply
  $ gate-sync apply --yes --target prod    in a pipeline
  $ gate-sync apply plan.json              exactly the plan that gate-sync plan --out saved
  $ gate-sync apply --allow deletions=roles
  $ gate-sync apply --expect 6ad7a2e06b5ed5be4a4a64f1c4c9a3a5
`;
