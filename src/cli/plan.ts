import { exitCodes } from "../diagnostics/failure.ts";
import type { RunRequest } from "../engine/request.ts";
import { quoteForShell } from "../json/quoted.ts";
import { isPending } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";
import type { Target } from "../model/target.ts";
import { formatName } from "../render/escape.ts";
import type { PlanView } from "../render/views/plan.ts";
import { formatAppliedAs } from "../render/views/target.ts";
import { parseAllowedRule, parseMadeFor, parseRotated } from "./allowed-rule.ts";
import type { Command } from "./commander.ts";
import { createFindingReports, findingFormats } from "./finding-reports.ts";
import { isAboutFleet } from "./fleet.ts";
import type { Io } from "./io.ts";
import {
  collect,
  deletedFlag,
  type RunCommand,
  withAccessOption,
  withBaselineOptions,
  withFailOnOption,
  withServerOptions,
  withStateDirOption,
  withStateOptions,
} from "./options.ts";
import { createOutputReport, type RunOutputs } from "./outputs.ts";
import { readPageOptions } from "./page-options.ts";
import type { PlanFlags } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { type RenderReport, withReportOptions, writeReports } from "./reports.ts";
import { printAside, printFailing, writesJson } from "./say.ts";

export function definePlan(program: Command, run: RunCommand) {
  const command = program.command("plan").description("show what would change on the cluster; nothing is written");
  const withFlags = withFailOnOption(
    withAccessOption(withStateDirOption(withServerOptions(withStateOptions(command)))),
  );
  withReportOptions(withBaselineOptions(withFlags, deletedFlag), [
    "text",
    "json",
    "markdown",
    "junit",
    "html",
    ...findingFormats,
    "dotenv",
  ])
    .option("--detailed-exitcode", "exit 2 when changes are pending")
    .option("--live <snapshot>", "compare with a snapshot instead of a server; such a plan cannot be applied")
    .option("--only <address>", "only this entry, as in roles/hr_reader; may be repeated", collect)
    .option(
      "--base <ref>",
      "also say whose each change is, what is managed otherwise and what is protected less, since this commit",
    )
    .option("--out <file>", "also save the plan, for review and for gate-sync apply FILE")
    .option(
      "--made-for <key=value>",
      "with --out: for which change the plan is, as in pull_request=7; may be repeated",
      parseMadeFor,
    )
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
    .option("--explain-order", "also say, request by request, who then may do what")
    .option("--full", "show every change of a long plan, and long values whole")
    .option("--unchanged", "in JSON, list entries that are left as they are, too")
    .addHelpText("after", examples)
    .action((state: string[], flags: PlanFlags) => run((io, flags) => planCommand(io, state, flags), flags));
}

async function planCommand(io: Io, state: readonly string[], flags: PlanFlags): Promise<number> {
  if (flags.madeFor && flags.out === undefined) throw (await import("./plan-once.ts")).refuseMadeForWithoutFile();
  if (flags.only && isAboutFleet(flags)) throw (await import("./plan-once.ts")).refuseOnlyOfSeveral();
  if (isAboutFleet(flags)) return (await import("./plan-fleet.ts")).planFleet(io, state, flags);
  const { planOnce } = await import("./plan-once.ts");
  const connect = await createReadSource(io);
  const source = flags.live === undefined ? { connect } : { snapshot: flags.live };
  const { planned, request, view } = await planOnce(io, state, flags, source);
  const { failing } = planned;
  const save = async () => {
    if (flags.out === undefined || failing) return;
    const { savePlan } = await import("../artifacts/saved-plan/save.ts");
    await savePlan(
      planned,
      { ...request, ...(flags.madeFor && { madeFor: flags.madeFor }) },
      flags.out,
      new Date().toISOString(),
    );
    printSaved(io, flags, flags.out, planned.plan);
  };
  // JSON is one document, the plan or why there is none; people see a plan that cannot be saved, and then why.
  const isJson = flags.format === "json";
  if (isJson) await save();
  printAside(io, flags, planned.notices, view.warnings);
  const outputs = { ...summarisePlan(view), ...(failing && { result: "invalid" }) };
  await writeReports(io, flags, {
    ...createPlanReports(view, planned.target, request, flags),
    ...createOutputReport(outputs),
  });
  if (flags.annotations) await appendToGithub(io, flags, view, outputs);
  if (!isJson) await save();
  if (failing) {
    printFailing(io, flags, failing);
    return exitCodes.invalid;
  }
  if (planned.plan.violations.length > 0) return exitCodes.refused;
  const pending = planned.plan.changes.some(isPending);
  return flags.detailedExitcode && pending ? exitCodes.pending : exitCodes.done;
}

function printSaved(io: Io, { quiet, format }: PlanFlags, path: string, { violations }: Plan): void {
  if (quiet || format === "json") return;
  const use =
    violations.length > 0 ? "for its reviewers; it cannot be applied" : `for gate-sync apply ${quoteForShell(path)}`;
  io.stderr.write(`Saved in ${formatName(path)}, ${use}.\n`);
}

function createPlanReports(
  view: PlanView,
  target: Target,
  request: RunRequest,
  flags: PlanFlags,
): Readonly<Record<string, RenderReport>> {
  const list = async () => (await import("../render/views/findings.ts")).listPlanFindings(view);
  return {
    text: async (style) => (await import("../render/text/plan.ts")).planBlocks(view, style),
    json: async () => writesJson((await import("../render/json/plan.ts")).renderPlanJson(view, flags), view.warnings),
    markdown: async ({ full }) => [
      `${(await import("../render/markdown/plan.ts")).renderPlanMarkdown(view, { full })}\n`,
    ],
    junit: async () => [`${(await import("../render/junit/plan.ts")).renderPlanJunit(view)}\n`],
    html: async () =>
      (await import("../render/html/plan.ts")).renderPlanHtml(view, {
        ...(await readPageOptions(request, flags)),
        appliedAs: formatAppliedAs(target),
      }),
    ...createFindingReports({ command: "plan", request, list }),
  };
}

function summarisePlan(view: PlanView): RunOutputs {
  const changes = view.families.flatMap((family) => family.changes).filter(({ state }) => state === "pending").length;
  const result = view.isRefused ? "refused" : changes > 0 ? "pending" : "done";
  return { changes, fingerprint: view.plan.fingerprint, result };
}

async function appendToGithub(io: Io, { full = false }: PlanFlags, view: PlanView, outputs: RunOutputs): Promise<void> {
  const { writeGithubFiles } = await import("./github-files.ts");
  const { renderPlanMarkdown } = await import("../render/markdown/plan.ts");
  await writeGithubFiles(io, { summary: renderPlanMarkdown(view, { full }), outputs });
}

const examples = `
Examples:
  $ gate-sync plan                                the only target there is
  $ gate-sync plan --target prod --detailed-exitcode
  $ gate-sync plan --url http://127.0.0.1:9200 access/
  $ gate-sync plan --format markdown > comment.md  for a pull request
  $ gate-sync plan --out plan.json                for gate-sync apply plan.json
  $ gate-sync plan --base origin/main             what turns to manage
  $ gate-sync plan --live snapshot.json           without credentials
`;
