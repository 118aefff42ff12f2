import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { encodeJson } from "../render/json/encode.ts";
import { wrap } from "../render/layout.ts";
import { type Command, Option } from "./commander.ts";
import { askForInit, chooseForge, type InitAnswers, type InitFlags, parseTargetName } from "./init-answers.ts";
import { type Io, writeBlocks } from "./io.ts";
import { chooseStyle, type RunCommand, readRequestFlags, withOutputOptions, withServerOptions } from "./options.ts";
import { quoteForShell } from "./quoted.ts";
import { createReadSource } from "./read-source.ts";
import { printAside } from "./say.ts";

export function defineInit(program: Command, run: RunCommand) {
  const command = program
    .command("init")
    .description("begin a repository: write what the cluster holds as files, and plan them; nothing is overwritten");
  withOutputOptions(withServerOptions(command), ["text", "json"])
    .option("--name <name>", "what gate-sync.yaml calls the cluster (default: prod)", parseTargetName)
    .option("--out <folder>", "folder for the state files; new or empty (default: access)")
    .addOption(
      new Option("--ci <forge>", "jobs that plan, apply and look for drift").choices(["github", "gitlab", "none"]),
    )
    .addHelpText("after", examples)
    .action((flags: InitFlags) => run((io, flags) => initCommand(io, flags), flags));
}

/** What was written, with a word on it, and what was left as it was, with the reason. */
interface Account {
  readonly written: { readonly path: string; readonly what?: string }[];
  readonly left: string[];
}

async function initCommand(io: Io, given: InitFlags): Promise<number> {
  const { locateConfigFile } = await import("../load/config-file.ts");
  const begun = locateConfigFile(io.cwd, undefined);
  const account: Account = { written: [], left: [] };
  const isText = given.format !== "json" && !given.quiet;
  const answers = begun ? await recallAnswers(io, given) : await askForInit(io, given);
  await refuseForge(io, answers);
  if (begun) account.left.push(`${begun.path}, and with it the state files: nothing is exported again`);
  else await writeRepository(io, answers, account, isText);
  await addFiles(io, answers, account);
  const { width } = chooseStyle(io.stdout, io, given);
  if (isText) for (const line of describeAccount(account, width)) io.stdout.write(`${line}\n`);
  const inSync = await planRepository(io, answers, isText);
  const next = listNextSteps(answers, account);
  if (!isText && given.format === "json") {
    const { left } = account;
    const written = account.written.map(({ path }) => path);
    const steps = next.map(([command]) => command);
    io.stdout.write(
      encodeJson({ format_version: 1, target: answers.name, written, left, in_sync: inSync, next: steps }),
    );
  }
  if (isText) io.stdout.write(`\nNext\n${next.map(([line, what]) => `  ${line}\n      ${what}\n`).join("")}`);
  return exitCodes.done;
}

async function refuseForge({ cwd }: Io, { forge }: InitAnswers): Promise<void> {
  if (forge === undefined) return;
  const { isTopOfRepository } = await import("../artifacts/exported/first-files.ts");
  if (isTopOfRepository(cwd)) return;
  throw new RunError("usage", {
    what: "This folder is not the top of the git work tree, where alone jobs are looked for.",
    why: "Written here, they would never run. Nothing was written.",
    fix: "Run init at the top, or leave the jobs out here: --ci none. Their text is in examples/ci.",
  });
}

/** Of a repository that is there: what it says of itself, and no question. */
async function recallAnswers(io: Io, flags: InitFlags): Promise<InitAnswers> {
  const { findConfig } = await import("../engine/open.ts");
  const { listTargets } = await import("../load/chosen-target.ts");
  const { found } = await findConfig({ cwd: io.cwd });
  const [only, ...others] = found ? listTargets(found.root) : [];
  const { url: _, ...rest } = flags;
  const name = flags.name ?? (others.length === 0 ? only : undefined);
  const forge = chooseForge(flags.ci ?? "none");
  if (forge && name === undefined) {
    throw new RunError("usage", {
      what: "gate-sync.yaml has several targets, and the jobs are about one.",
      fix: "Name it with --name. Jobs about several are in examples/ci.",
    });
  }
  return {
    flags: { ...rest, ...(name !== undefined && { target: [name] }) },
    name: name ?? "",
    folder: flags.out ?? "access",
    forge,
  };
}

/** Looks at the server, and writes state files and gate-sync.yaml: the latter last, as it makes a repository of them. */
async function writeRepository(
  io: Io,
  { flags, name, folder, forge }: InitAnswers,
  { written }: Account,
  isText: boolean,
): Promise<void> {
  const { refuseUnlessEmpty, writeNewFile, writeToEmptyFolder } = await import("../artifacts/exported/files.ts");
  const { refuseStateFolder } = await import("../artifacts/exported/first-files.ts");
  const { createFirstFiles } = await import("../engine/init.ts");
  await refuseStateFolder(io.cwd, folder);
  await refuseUnlessEmpty(io.cwd, folder);
  const request = { ...readRequestFlags(io, [], flags), name, folder, ...(forge && { forge }) };
  const first = await createFirstFiles(request, await createReadSource(io));
  if (isText) {
    const { createDoctorView } = await import("../render/views/doctor.ts");
    const { renderDoctorText } = await import("../render/text/doctor.ts");
    io.stdout.write(`${renderDoctorText(createDoctorView(first.diagnosis), chooseStyle(io.stdout, io, flags))}\n\n`);
  }
  const [problem] = first.diagnosis.problems;
  if (!first.diagnosis.usable.plan && problem)
    throw new RunError("failed", { ...problem, why: `${problem.why ?? ""} Nothing was written.`.trim() });
  const { files, summary } = first.exported;
  await writeToEmptyFolder(io.cwd, folder, files);
  written.push({ path: `${folder}/`, what: summary.join("; ") });
  if (await writeNewFile(io.cwd, first.configFile)) written.push({ path: first.configFile.name });
}

/** What makes the files pleasant to edit and to review. */
async function addFiles(io: Io, { folder, forge, name }: InitAnswers, { written, left }: Account): Promise<void> {
  const { addLine, hasSchemas, writeFirstFile } = await import("../artifacts/exported/first-files.ts");
  const { createCiFiles, createEditorFile } = await import("../engine/init.ts");
  const ignored = ".gate-sync/";
  const kept = await addLine(io.cwd, ".gitignore", ignored, [".gate-sync", `/${ignored}`, "/.gate-sync"]);
  if (!kept) written.push({ path: ".gitignore", what: "git leaves out the records of runs" });
  if (kept === "no-file") left.push(`.gitignore, which is no file of its own: have git leave out ${ignored}`);
  const isInstalled = hasSchemas(io.cwd);
  const files = [...(isInstalled ? [createEditorFile(folder)] : []), ...(forge ? createCiFiles(forge, name) : [])];
  for (const file of files) {
    const why = await writeFirstFile(io.cwd, file);
    if (!why) written.push({ path: file.name });
    else left.push(`${file.name}: ${why === "there" ? "it is there already" : "a link leads out of this folder"}`);
  }
  if (!isInstalled)
    left.push("out settings for editors: they need gate-sync in node_modules (npm install --save-dev gate-sync)");
}

function describeAccount({ written, left }: Account, width: number): readonly string[] {
  const sentences = [
    ...written.map(({ path, what }) => `Wrote ${path}${what === undefined ? "" : `: ${what}`}`),
    ...left.map((what) => `Left ${what}`),
  ];
  return sentences.flatMap((sentence) => wrap(sentence, width, 2));
}

/** @returns whether there is nothing to do; undefined where no one target is chosen */
async function planRepository(io: Io, { flags, name }: InitAnswers, isText: boolean): Promise<boolean | undefined> {
  if (name === "") return undefined;
  const { planOnce } = await import("./plan-once.ts");
  const { url: _, product: __, release: ___, ...rest } = flags;
  const { planned, view } = await planOnce(io, [], rest, { connect: await createReadSource(io) });
  if (isText) {
    const { planBlocks } = await import("../render/text/plan.ts");
    io.stdout.write("\n");
    printAside(io, flags, planned.notices, view.warnings);
    await writeBlocks(io.stdout, planBlocks(view, chooseStyle(io.stdout, io, flags)));
  }
  return planned.plan.operations.length === 0;
}

/** Commands, quoted for a shell, each with what it is for. */
function listNextSteps(
  { name }: InitAnswers,
  { written }: Account,
): readonly (readonly [line: string, what: string])[] {
  const chosen = name === "" ? ["--all-targets"] : ["--target", name];
  const paths = written.map(({ path }) => path);
  const added = ["git", "add", ...(paths.length > 0 ? paths : ["gate-sync.yaml"])];
  const lines = [
    [added, "Keep what the cluster holds now; review it, commit it."],
    [["gate-sync", "plan", ...chosen], "After an edit: what would change, and who gains or loses access."],
    [["gate-sync", "apply", ...chosen], "Makes exactly that change, and keeps a backup first."],
  ] as const;
  return lines.map(([words, what]) => [words.map(quoteForShell).join(" "), what]);
}

const examples = `
Examples:
  $ gate-sync init                                    asks, on a terminal
  $ gate-sync init --url https://search.example:9200 --ca ca.pem --ci github
  $ gate-sync init --ci gitlab                        again: adds what is missing
`;
