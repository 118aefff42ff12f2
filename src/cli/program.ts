import { exitTexts } from "../diagnostics/exit-texts.ts";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { escapeAsJson } from "../json/invisible.ts";
import { findUnverified } from "../model/target.ts";
import { version } from "../model/version.ts";
import { cleanOutput } from "./clean-output.ts";
import { Command, CommanderError } from "./commander.ts";
import { isAboutFleet } from "./fleet.ts";
import { createLoginHider } from "./hidden-login.ts";
import type { Io, ProcessIo } from "./io.ts";
import type { CommandAction, CommonFlags, RunCommand } from "./options.ts";
import { printFailure } from "./say.ts";
import { createWaitReporter } from "./waits.ts";

/** Adds a command with its flags to the program. */
type DefineCommand = (program: Command, run: RunCommand) => void;

/** Runs one command line to its exit code. */
export async function runProgram(argv: readonly string[], raw: ProcessIo): Promise<number> {
  const io = withCleanOutput(raw);
  let code: number = exitCodes.done;
  const run = async <F extends CommonFlags>(action: CommandAction<F>, flags: F): Promise<void> => {
    if (parsed.options.some(({ long }) => long === "--insecure")) warnIfUnverified(io, flags);
    // Loaded only where progress may be shown.
    const follow =
      flags.verbose || io.stderr.isTTY ? (await import("./watch.ts")).createWatch : () => ({ io, end() {} });
    const { io: followed, end } = follow(io, flags);
    let mayReport = false;
    try {
      if (flags.reports) await (await import("./reports.ts")).checkReports(io, flags, parsed);
      mayReport = true;
      const reporting = flags.quiet ? followed : { ...followed, waits: createWaitReporter(followed.stderr) };
      const isForEach = isAboutFleet(flags) && !knowingFleets.has(parsed.name());
      const outcome = isForEach
        ? await (await import("./each-target.ts")).runForEachTarget(parsed.name(), reporting, flags, action)
        : await action(reporting, flags);
      code = typeof outcome === "number" ? outcome : outcome.exitCode;
    } catch (error) {
      if (!(error instanceof RunError)) throw error;
      code = printFailure(followed, flags, error);
      if (mayReport && (flags.reports || flags.annotations))
        await (await import("./failure-reports.ts")).writeFailureReports(followed, flags, error, argv[0] ?? "");
    } finally {
      end();
    }
  };
  let parsed = new Command();
  const program = new Command("gate-sync")
    .hook("preAction", (_, command) => {
      parsed = command;
    })
    .description("Access control of a search cluster as code: plan it on a pull request, apply it on merge.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      // Printed below, like every other failure.
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns,
      getErrHelpWidth: () => io.stderr.columns,
    })
    // With [options] at each command, nothing would be left of 80 columns to say what it does.
    .configureHelp({
      subcommandTerm: (command) => `${command.name()} ${command.usage()}`.replaceAll(/ \[(options|command)\]/g, ""),
    })
    .addHelpText("after", exitCodeHelp);
  // What the script of a shell asks: which words may follow these.
  const isCompleting = argv[0] === "complete" && argv[1] === "--";
  // Of a command that is named first, no other can have a say.
  const named = isCompleting ? undefined : commands.get(argv[0] ?? "");
  for (const load of named ? [named] : commands.values()) (await load())(program, run);
  if (isCompleting) {
    await (await import("./complete.ts")).printSuggestions(program, argv.slice(2), raw);
    return code;
  }
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return exitCodes.done;
    return error.code === "commander.help" ? exitCodes.usage : printFailure(io, flagsIn(argv), misused(error, argv[0]));
  }
  return code;
}

/** Whatever is written, by whichever command. */
function withCleanOutput(io: ProcessIo): Io {
  const { add, hide } = createLoginHider();
  return {
    ...io,
    stdout: cleanOutput(io.stdout, hide),
    stderr: cleanOutput(io.stderr, hide),
    echoed: add,
    hide,
    ask: (question) => io.ask(escapeAsJson(hide(question))),
    command: (lines) => io.stdout.write(hide(lines)),
  };
}

/**
 * Ends the run in the middle of a request, as the user does not want to wait for its answer; returns the exit code.
 */
export function printStopped(argv: readonly string[], io: ProcessIo): number {
  const error = new RunError("partial", {
    what: "Stopped without waiting: whether the server took a request that was in flight is unknown.",
    fix: "Run gate-sync plan: it reads the server first, and shows what is left to do.",
  });
  return printFailure(io, flagsIn(argv), error);
}

/** The flags that decide how a failure is shown, where the command line as a whole was not understood. */
function flagsIn(argv: readonly string[]): CommonFlags {
  const isJson = argv.some(
    (word, index) => word === "--format=json" || (word === "--format" && argv[index + 1] === "json"),
  );
  return { format: isJson ? "json" : "text", color: "auto" };
}

/**
 * `error: unknown option '--a'
 * (Did you mean --b?)` as a message, without the value of an unknown option, as in `--password=…`.
 */
function misused({ code, message }: CommanderError, command: string | undefined): RunError {
  const explained =
    code === "commander.unknownOption" ? message.replace(/^(error: unknown option '-[\w-]*)=[\s\S]*'/, "$1'") : message;
  const [first = "", ...rest] = explained.replace(/^error: /, "").split("\n");
  const sentence = first.charAt(0).toUpperCase() + first.slice(1);
  const hints = rest.map((line) => line.replace(/^\((.*)\)$/, "$1"));
  // Most commands take files as their arguments: here a file is one word too many.
  const isFilePerhaps = code === "commander.excessArguments" && command === "access";
  return new RunError("usage", {
    what: [/[.?]$/.test(sentence) ? sentence : `${sentence}.`, ...hints].join(" "),
    fix: `${isFilePerhaps ? "Files are named with --state here, as in --state access.yml. " : ""}gate-sync --help lists the commands, gate-sync COMMAND --help the options of one.`,
  });
}

/** What these do with several targets is not to run for each. */
const knowingFleets: ReadonlySet<string> = new Set(["plan", "apply", "targets", "render"]);

/** By name, in the order of the help. */
const commands: ReadonlyMap<string, () => Promise<DefineCommand>> = new Map([
  ["validate", async () => (await import("./validate.ts")).defineValidate],
  ["fmt", async () => (await import("./fmt.ts")).defineFmt],
  ["test", async () => (await import("./test.ts")).defineTest],
  ["plan", async () => (await import("./plan.ts")).definePlan],
  ["apply", async () => (await import("./apply.ts")).defineApply],
  ["status", async () => (await import("./status.ts")).defineStatus],
  ["drift", async () => (await import("./drift.ts")).defineDrift],
  ["rollback", async () => (await import("./rollback.ts")).defineRollback],
  ["access", async () => (await import("./access.ts")).defineAccess],
  ["init", async () => (await import("./init.ts")).defineInit],
  ["import", async () => (await import("./import.ts")).defineImport],
  ["export", async () => (await import("./export.ts")).defineExport],
  ["report", async () => (await import("./report.ts")).defineReport],
  ["targets", async () => (await import("./targets.ts")).defineTargets],
  ["render", async () => (await import("./render.ts")).defineRender],
  ["diff-targets", async () => (await import("./diff-targets.ts")).defineDiffTargets],
  ["convert", async () => (await import("./convert.ts")).defineConvert],
  ["doctor", async () => (await import("./doctor.ts")).defineDoctor],
  ["explain", async () => (await import("./explain.ts")).defineExplain],
  ["guards", async () => (await import("./guards.ts")).defineGuards],
  ["lsp", async () => (await import("./lsp.ts")).defineLsp],
  ["schema", async () => (await import("./schema.ts")).defineSchema],
  ["complete", async () => (await import("./complete.ts")).defineComplete],
  ["emulator", async () => (await import("./emulator.ts")).defineEmulator],
]);

/** Before anything else, and in every format: a run that fails may have sent the password all the same. */
function warnIfUnverified({ env, stderr }: Io, flags: Pick<CommonFlags, "insecure">): void {
  const { insecure } = findUnverified(flags, env);
  if (insecure)
    stderr.write(
      `Warning: ${insecure}: the server's certificate is not checked, and any server\nthat answers gets our login.\n`,
    );
}

/** All of them as `gate-sync explain exits` has them; the numbers in one column. */
const exitCodeHelp = [
  "\nExit codes:",
  ...Object.entries(exitTexts).map(([code, { title }]) => `  ${code.padEnd(5)}${title}`),
  "\ngate-sync explain NAME says more of a code, guard, exit code, key or topic.\n",
].join("\n");
