import { exitCodes, RunError } from "../diagnostics/failure.ts";
import type { ImportResult } from "../engine/import.ts";
import type { StoppedImport } from "../engine/import-plan.ts";
import { quoteForShell } from "../json/quoted.ts";
import type { JsonObject } from "../json/value.ts";
import type { ImportAccount } from "../model/import-account.ts";
import { type Family, resourceFamilies } from "../model/names.ts";
import type { Target } from "../model/target.ts";
import { formatName } from "../render/escape.ts";
import { encodeJson } from "../render/json/encode.ts";
import type { PlanView } from "../render/views/plan.ts";
import { maskRunError } from "../secrets/masked-message.ts";
import { type Command, InvalidArgumentError } from "./commander.ts";
import { type Io, writeBlocks } from "./io.ts";
import {
  type CommonFlags,
  chooseStyle,
  type RunCommand,
  readRequestFlags,
  withOutputOptions,
  withServerOptions,
  withTargetChoice,
} from "./options.ts";
import type { PlanFlags } from "./plan-once.ts";
import { createReadSource } from "./read-source.ts";
import { printAside } from "./say.ts";

interface ImportFlags extends CommonFlags {
  readonly out?: string;
  readonly name?: string;
}

export function defineImport(program: Command, run: RunCommand) {
  const command = program
    .command("import")
    .description("write what other tools declare as state files, with an account of each entry, and plan them")
    .argument("<file...>", "files and folders of other tools, - for standard input");
  withOutputOptions(withServerOptions(withTargetChoice(command)), ["text", "json"])
    .option("--out <folder>", "folder for the state files; new or empty")
    .option("--family <name>", `what the payloads of requests are: ${payloads.join(", ")}`, parseFamily)
    .option("--name <name>", "with --family, the entry that a payload is of")
    .option("--full", "show every part of a long list, and long values whole")
    .addHelpText("after", examples)
    .action((files: string[], flags: ImportFlags) => run((io, flags) => importCommand(io, files, flags), flags));
}

const payloads: readonly Family[] = [...resourceFamilies, "config"];

function parseFamily(value: string): readonly string[] {
  if (payloads.some((one) => one === value)) return [value];
  throw new InvalidArgumentError(`It takes one of ${payloads.join(", ")}.`);
}

async function importCommand(io: Io, files: readonly string[], given: ImportFlags): Promise<number> {
  const { family: [family] = [], name, ...flags } = given;
  const folder = flags.out;
  if (name !== undefined && (family === undefined || files.length > 1)) {
    throw new RunError("usage", {
      what: "--name is the name of the entry that one payload is of.",
      fix: "Give --family too, and one file.",
    });
  }
  if (folder === undefined) {
    throw new RunError("usage", {
      what: "Nothing says where to write the state files.",
      fix: "Name a new folder with --out DIR.",
    });
  }
  const { takeInputs } = await import("../engine/import.ts");
  const { openTarget } = await import("../engine/open.ts");
  const { refuseUnlessEmpty, writeToEmptyFolder } = await import("../artifacts/exported/files.ts");
  const request = readRequestFlags(io, [folder], flags);
  await refuseUnlessEmpty(io.cwd, folder, giveAllAtOnce);
  const target = await openTarget(request, "leave");
  const imported = await takeInputs({
    cwd: io.cwd,
    input: io.input,
    files,
    folder,
    ...(family !== undefined && { family: family as Family }),
    ...(name !== undefined && { name }),
    ...(target.product && { product: target.product }),
  });
  const { account } = imported;
  if (account.files.length > 0) await writeToEmptyFolder(io.cwd, folder, imported.files);
  if (flags.format === "json") return printJson(io, folder, flags, { target, imported });
  const { partialNote } = await import("../imports/findings.ts");
  const isNext = (note: string) => target.url === undefined && note === partialNote;
  // Without a server, init is next, and takes what only the cluster has.
  await printAccount(io, flags, { ...account, notes: account.notes.filter((note) => !isNext(note)) });
  const planned = await planImport(io, flags, { target, imported });
  if ("stoppedBy" in planned) {
    const notes = account.notes.filter(isNext).map((note) => `note: ${note}\n\n`);
    if (!flags.quiet) io.stdout.write(`\n${notes.join("")}${explainStopped(planned, planLine(folder, flags))}`);
    return exitCodes.done;
  }
  const style = chooseStyle(io.stdout, io, flags);
  io.stdout.write("\n");
  if (target.url === undefined) {
    const { renderPlanAgainstNothingText } = await import("../render/text/plan-against-nothing.ts");
    const { productUnknown } = await import("../engine/import-plan.ts");
    // All other notes are about a server that there is not.
    const view = { ...planned, notes: planned.notes.filter((note) => note === productUnknown) };
    io.stdout.write(`${renderPlanAgainstNothingText(view, initLine(folder, flags, imported.url), style)}\n`);
    return exitCodes.done;
  }
  const { planBlocks } = await import("../render/text/plan.ts");
  await writeBlocks(io.stdout, planBlocks(planned, style));
  return exitCodes.done;
}

const giveAllAtOnce =
  "Give all inputs of one cluster to one command, such as gate-sync import setup.sh roles/ --out FOLDER, and name a folder that does not exist yet, or an empty one.";

/** One document whatever comes of the plan: the files are written, and no second run gives their account. */
async function printJson(io: Io, folder: string, flags: ImportFlags, taken: Imported): Promise<number> {
  const { renderImportJson } = await import("../render/json/import.ts");
  const print = (planned: JsonObject) =>
    io.stdout.write(encodeJson({ ...renderImportJson(taken.imported.account), ...planned }));
  try {
    const planned = await planImport(io, flags, taken);
    if ("stoppedBy" in planned)
      print({ not_planned: { variables: planned.stoppedBy, command: planLine(folder, flags) } });
    else print({ plan: (await import("../render/json/plan.ts")).renderPlanJson(planned, {}) });
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    const { renderErrorJson } = await import("../render/json/diagnostics.ts");
    print({ not_planned: { failure: renderErrorJson(maskRunError(error)) } });
    return error.exitCode;
  }
}

async function printAccount(io: Io, flags: ImportFlags, account: ImportAccount): Promise<void> {
  const { createImportView } = await import("../render/views/import.ts");
  const { renderImportText } = await import("../render/text/import.ts");
  io.stdout.write(`${renderImportText(createImportView(account), chooseStyle(io.stdout, io, flags))}\n`);
}

interface Imported {
  readonly target: Target;
  readonly imported: ImportResult;
}

/** Against the target, or an empty server in memory where none is named. */
async function planImport(
  io: Io,
  flags: ImportFlags,
  { target, imported }: Imported,
): Promise<PlanView | StoppedImport> {
  const { createPlanRequest } = await import("./plan-once.ts");
  const { listUnset, planAgainstNothing, planImported } = await import("../engine/import-plan.ts");
  const { createPlanView } = await import("../render/views/plan.ts");
  const { createPlanWarningsView } = await import("../render/views/plan-warnings.ts");
  const { noDiagnostics } = await import("../render/views/diagnostics.ts");
  const { account } = imported;
  if (account.files.length === 0) throw nothingTaken(account.left.length > 0);
  const unset = listUnset(account, target, io.env);
  const isAlone = target.url === undefined;
  const planFlags: PlanFlags = { ...flags, ...(isAlone && chooseProduct(target, imported)) };
  const request = createPlanRequest(io, [account.folder], planFlags, { onlyPlans: true });
  const planned = isAlone
    ? await planAgainstNothing(request, unset)
    : await planImported(request, { connect: await createReadSource(io) }, unset);
  if ("stoppedBy" in planned) return planned;
  const { plan, diagnostics, fileCount, notices } = planned;
  const warnings = createPlanWarningsView(diagnostics, fileCount, plan.changes);
  // Without a server, each warning has a plan to come.
  printAside(io, flags, notices, isAlone ? noDiagnostics : warnings);
  return { ...createPlanView(plan, warnings), ...(isAlone && { isOfSnapshot: false, fingerprint: "" }) };
}

/** What the target says, else what the inputs show; of another product their release says nothing. */
function chooseProduct({ product, release }: Target, shown: ImportResult): Pick<PlanFlags, "product" | "release"> {
  const chosen = product ?? shown.product;
  const line = release ?? (chosen === shown.product ? shown.release : undefined);
  return { ...(chosen && { product: chosen }), ...(line !== undefined && { release: line }) };
}

function explainStopped({ stoppedBy }: StoppedImport, line: string): string {
  const isOne = stoppedBy.length === 1;
  const listed = stoppedBy.map((name) => `  ${formatName(name)}\n`).join("");
  return `Not planned yet: ${isOne ? "this variable has" : "these variables have"} no value\n${listed}Set ${isOne ? "it" : "them"}, then run\n  ${line}\n`;
}

/** With all that the user gave of the server. */
function planLine(folder: string, flags: ImportFlags): string {
  const { config, target = [], url = [], product, release, username, passwordEnv, passwordFile, ca, cert, key } = flags;
  const given: Readonly<Record<string, string | readonly string[] | undefined>> = {
    config,
    target,
    url,
    product,
    release,
    username,
    "password-env": passwordEnv,
    "password-file": passwordFile,
    ca,
    cert,
    key,
  };
  const words = Object.entries(given).flatMap(([flag, value = []]) =>
    [value].flat().flatMap((one) => [`--${flag}`, one]),
  );
  const line = ["gate-sync", "plan", ...words, ...(flags.insecure ? ["--insecure"] : []), folder];
  return line.map(quoteForShell).join(" ");
}

/** No server was named: where the inputs do not say it either, its URL is an example. */
function initLine(folder: string, { ca = "ca.pem" }: ImportFlags, url = "https://search.example:9200"): string {
  const plain = folder.replace(/^\.\/|\/+$/g, "");
  const words = [
    "npx",
    "--no",
    "--",
    "gate-sync",
    "init",
    "--url",
    url,
    ...(url.startsWith("https:") ? ["--ca", ca] : []),
  ];
  return [...words, ...(plain === "access" ? [] : ["--out", plain])].map(quoteForShell).join(" ");
}

function nothingTaken(isExplained: boolean): RunError {
  const what = "No entry was taken, and nothing was written.";
  if (isExplained)
    return new RunError("invalid", {
      what,
      fix: "Do what is written beside each part that is left. examples/import/README.md lists the forms that import knows.",
    });
  return new RunError("invalid", {
    what,
    why: "None of the inputs holds entries in a form that import knows.",
    fix: "examples/import/README.md lists the forms, with a command for each.",
  });
}

const examples = `
Examples:
  $ gate-sync import backup/ --out access/             of securityadmin, sgctl
  $ gate-sync import values.yaml --out access/ --target prod
  # helm template my-chart | gate-sync import - --out access/
`;
