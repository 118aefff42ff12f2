import { isError } from "../diagnostics/diagnostic.ts";
import { exitCodes, RunError } from "../diagnostics/failure.ts";
import { formatName, joinNames } from "../render/escape.ts";
import { encodeJson } from "../render/json/encode.ts";
import { wrap } from "../render/layout.ts";
import { joinWithAnd } from "../render/views/words.ts";
import { type Command, Option } from "./commander.ts";
import {
  askForInit,
  chooseForge,
  type InitAnswers,
  type InitFlags,
  parseTargetName,
  refuseForge,
} from "./init-answers.ts";
import { describeMissingInJobs, describeOtherLogin, listLaterSteps, listNextSteps } from "./init-next.ts";
import type { PlannedRepository } from "./init-planned.ts";
import { listProjectSettings } from "./init-project.ts";
import { formatCommand } from "./init-step.ts";
import { type Account, layOutAccount, layOutRest, type Rest } from "./init-text.ts";
import type { Io } from "./io.ts";
import { chooseStyle, type RunCommand, readRequestFlags, withOutputOptions, withServerOptions } from "./options.ts";
import { createReadSource } from "./read-source.ts";
import { printFailure } from "./say.ts";

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

async function initCommand(io: Io, given: InitFlags): Promise<number> {
  const { locateConfigFile } = await import("../load/config-file.ts");
  const begun = locateConfigFile(io.cwd, undefined);
  const account: Account = { written: [], left: [] };
  const isText = given.format !== "json" && !given.quiet;
  const answers = begun ? await recallAnswers(io, given) : await askForInit(io, given);
  await refuseForge(io, answers.forge);
  if (begun) account.left.push(`${begun.path}, and with it the state files: nothing is exported again`);
  else await writeRepository(io, answers, account, isText);
  await addFiles(io, answers, account);
  const { width } = chooseStyle(io.stdout, io, given);
  if (isText) for (const line of layOutAccount(account, width)) io.stdout.write(`${line}\n`);
  const { planRepository } = await import("./init-planned.ts");
  const { inSync, failure, ...planned } = await planRepository(io, answers, isText);
  if (failure !== undefined) {
    if (!isText) throw failure;
    io.stdout.write("\n");
    const code = printFailure(io, given, failure);
    for (const line of ["", ...wrap(describeCorrection(failure, account), width)]) io.stdout.write(`${line}\n`);
    return code;
  }
  const rest = await listRest(io, answers, account, { ...planned, ...(inSync !== undefined && { inSync }) });
  const view = { width, isInSync: inSync === true };
  if (isText) io.stdout.write(`${layOutRest(rest, answers, view).join("\n")}\n`);
  else if (given.format === "json") {
    const { steps, later, notes, project } = rest;
    const written = account.written.map(({ path }) => path);
    const next = [...steps, ...later].map(formatCommand);
    const left = account.left.map((what) => what.replace("\n", " "));
    const settings = project.map(({ name, what }) => ({ name, what }));
    io.stdout.write(
      encodeJson({
        format_version: 1,
        target: answers.name,
        written,
        left,
        notes,
        in_sync: inSync,
        next,
        project: settings,
      }),
    );
  }
  return exitCodes.done;
}

function describeCorrection({ diagnostics }: RunError, { written }: Account): string {
  const paths = diagnostics.filter(isError).map(({ range }) => range?.file.path ?? "");
  const config = paths.find((path) => /(^|\/)config\.yml$/.test(path));
  const otherwise = config === undefined ? "" : `, or delete ${formatName(config)} to leave the config alone`;
  const isOfCluster = written.some(({ path: all }) => paths.some((path) => path.startsWith(all)));
  const held = isOfCluster ? " The cluster holds it as it is written here: the first plan shows the correction." : "";
  return `No plan can be made yet. Correct that${otherwise}, then run npx --no -- gate-sync init again.${held}`;
}

async function listRest(
  io: Io,
  answers: InitAnswers,
  { written }: Account,
  planned: Pick<PlannedRepository, "inSync" | "login" | "differences">,
): Promise<Rest> {
  const { includesText, isInRepository, isThere } = await import("../artifacts/exported/first-files.ts");
  const { listCiPaths, listStateVariables, readWrittenSettings } = await import("../engine/init.ts");
  const { describeWorkTree } = await import("../load/work-tree.ts");
  const { cwd, env } = io;
  const { name, forge, flags } = answers;
  const settings = name === "" ? undefined : await readWrittenSettings(cwd, name);
  const tree = await describeWorkTree(cwd, env);
  const begun = {
    answers,
    tree,
    written: written.map(({ path }) => path),
    jobs: forge ? listCiPaths(forge).filter((path) => isThere(cwd, path)) : [],
    settings,
    isInRepository: (path: string) => isInRepository(cwd, path),
    isThere: (path: string) => isThere(cwd, path),
    isPinned: includesText(cwd, "package-lock.json", '"gate-sync"'),
    ...planned,
  };
  const variables = forge ? await listStateVariables(readRequestFlags(io, [], flags)) : [];
  const { mainBranch } = tree;
  const applyAs = settings?.applyAs;
  const steps = listNextSteps(begun);
  const listLacking = (variable: string) =>
    begun.jobs.filter((path) => !["}", " "].some((end) => includesText(cwd, path, `secrets.${variable}${end}`)));
  return {
    steps,
    later: forge && planned.inSync === false ? [] : listLaterSteps(answers),
    notes: [...describeOtherLogin(begun), ...describeMissingInJobs(begun)],
    project: forge ? listProjectSettings({ forge, target: name, mainBranch, applyAs, variables, listLacking }) : [],
  };
}

/** Of a repository that is there: what it says of itself, and no question. */
async function recallAnswers(io: Io, flags: InitFlags): Promise<InitAnswers> {
  const { findConfig } = await import("../engine/open.ts");
  const { listTargets } = await import("../load/chosen-target.ts");
  const { found } = await findConfig({ cwd: io.cwd });
  const names = found ? listTargets(found.root) : [];
  const [only, ...others] = names;
  const { url, ...rest } = flags;
  const name = flags.name ?? (others.length === 0 ? only : undefined);
  if (name !== undefined && !names.includes(name)) throw noSuchTarget(name);
  if (url && name !== undefined) await refuseOtherServer(io, rest, name, url);
  const forge = flags.ci ? chooseForge(flags.ci) : others.length > 0 ? undefined : await recallForge(io);
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

/** Of one target: an earlier run wrote its jobs, where alone they run. */
async function recallForge({ cwd }: Io): Promise<InitAnswers["forge"]> {
  const { guessWrittenForge, isTopOfRepository } = await import("../artifacts/exported/first-files.ts");
  return isTopOfRepository(cwd) ? guessWrittenForge(cwd) : undefined;
}

/** A run of init once more is harmless; of another cluster it would say that it is in sync. */
async function refuseOtherServer(io: Io, flags: InitFlags, name: string, given: readonly string[]): Promise<void> {
  const { openTarget } = await import("../engine/open.ts");
  const { url = "", otherUrls = [] } = await openTarget(
    readRequestFlags(io, [], { ...flags, target: [name] }),
    "leave",
  );
  const known = [url, ...otherUrls];
  if (given.every((one) => known.includes(one.replace(/\/+$/, "")))) return;
  throw new RunError("usage", {
    what: `gate-sync.yaml is there already, and --url names another server than its target ${name} has.`,
    why: "Nothing was written.",
    fix: "Leave --url out, begin in another folder, or add a second target: gate-sync init --name NAME says how.",
  });
}

function noSuchTarget(name: string): RunError {
  return new RunError("usage", {
    what: `There is a gate-sync.yaml here already, and no target "${name}" in it.`,
    why: "init begins a repository, and adds no second target to one. Nothing was written.",
    fix: `Add it to gate-sync.yaml under targets, as ${name}: { url: …, product: …, release: …, tls: { ca: … }, state: [access-${name}] }, and take what it holds: gate-sync export --target ${name} --out access-${name}. Its jobs are copies of those of the first target (examples/ci). With state that targets share: examples/fleet.`,
  });
}

/** Looks at the server, and writes state files and gate-sync.yaml: the latter last, as it makes a repository of them. */
async function writeRepository(
  io: Io,
  { flags, name, folder, forge }: InitAnswers,
  { written, left }: Account,
  isText: boolean,
): Promise<void> {
  const { refuseUnlessEmpty, writeNewFile, writeToEmptyFolder } = await import("../artifacts/exported/files.ts");
  const { refuseStateFolder } = await import("../artifacts/exported/first-files.ts");
  const { createFirstFiles, findState } = await import("../engine/init.ts");
  await refuseStateFolder(io.cwd, folder);
  const found = await findState(readRequestFlags(io, [folder], flags));
  if (!found) await refuseUnlessEmpty(io.cwd, folder);
  const { declared } = found ?? {};
  const request = {
    ...readRequestFlags(io, [], flags),
    name,
    folder,
    ...(forge && { forge }),
    ...(declared && { declared }),
  };
  const first = await createFirstFiles(request, await createReadSource(io));
  const { usable, notes } = first.diagnosis;
  // Its files are there: what can be done is said in the plan, unless something cannot.
  if (isText && !(found && usable.apply && notes.length === 0)) {
    const { createDoctorView } = await import("../render/views/doctor.ts");
    const { renderDoctorText } = await import("../render/text/doctor.ts");
    io.stdout.write(`${renderDoctorText(createDoctorView(first.diagnosis), chooseStyle(io.stdout, io, flags))}\n\n`);
  }
  const [problem] = first.diagnosis.problems;
  if (!usable.plan && problem)
    throw new RunError("failed", { ...problem, why: `${problem.why ?? ""} Nothing was written.`.trim() });
  const { files, summary, otherUsers } = first.exported;
  const [rest] = files;
  if (!found) {
    await writeToEmptyFolder(io.cwd, folder, files);
    written.push({ path: `${folder}/`, lines: summary });
  } else if (!found.isWhole) {
    left.push(`${folder}/, whose files have errors: what else the cluster has is not taken`);
  } else if (rest) {
    const name = `${folder.replace(/\/$/, "")}/rest-of-cluster.yml`;
    if (await writeNewFile(io.cwd, { name, text: rest.text })) written.push({ path: name, lines: summary });
    else left.push(`${name}: it is there already`);
  } else left.push(`${folder}/, whose files have each entry that the cluster has`);
  if (otherUsers.length > 0) left.push(describeOtherUsers(otherUsers));
  const { configFile, adminRole } = first;
  const what =
    adminRole === undefined ? {} : { what: `with admin_roles, as this login administers by ${formatName(adminRole)}` };
  if (await writeNewFile(io.cwd, configFile)) written.push({ path: configFile.name, ...what });
}

function describeOtherUsers(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length > shown.length ? " …" : "";
  const users = names.length === 1 ? "1 internal user" : `${names.length} internal users`;
  return `${users} that only the cluster has (${joinNames(shown)}${more}); to see them:\nnpx --no -- gate-sync export --family internal_users --out users`;
}

/** What makes the files pleasant to edit and to review. */
async function addFiles(io: Io, answers: InitAnswers, account: Account): Promise<void> {
  const { folder, forge, name, flags } = answers;
  const { written, left } = account;
  const { hasSchemas, includesText, writeFirstFile } = await import("../artifacts/exported/first-files.ts");
  const { createCiFiles, createEditorFile, listStateVariables } = await import("../engine/init.ts");
  const { describeWorkTree } = await import("../load/work-tree.ts");
  await ignoreInGit(io, forge !== undefined, account);
  const isInstalled = hasSchemas(io.cwd);
  const variables = forge ? await listStateVariables(readRequestFlags(io, [], flags)) : [];
  const jobs = forge ? createCiFiles(forge, name, (await describeWorkTree(io.cwd, io.env)).mainBranch, variables) : [];
  const there: string[] = [];
  for (const file of [...(isInstalled ? [createEditorFile(folder)] : []), ...jobs]) {
    const why = await writeFirstFile(io.cwd, file);
    const lacksJobs = file.name === ".gitlab-ci.yml" && !includesText(io.cwd, file.name, "gate-sync.yml");
    if (!why) written.push({ path: file.name });
    else if (why === "elsewhere") left.push(`${file.name}: a link leads out of this folder`);
    else if (lacksJobs) left.push(`${file.name}: it is there already${adviseInclude(name)}`);
    else there.push(file.name);
  }
  if (there.length > 0) left.push(`${there.join(", ")}: there already`);
  if (!isInstalled) left.push("settings for editors: they need gate-sync in node_modules");
}

function adviseInclude(target: string): string {
  return `. Add to the list under its include: - { local: .gitlab/gate-sync.yml, inputs: { target: ${target} } }`;
}

/** What other tools write for an import, as the guides call it. */
const inputsWithSecrets = ["backup/", "state.json"];

async function ignoreInGit({ cwd }: Io, isPackage: boolean, { written, left }: Account): Promise<void> {
  const { addLine, includesText, isThere } = await import("../artifacts/exported/first-files.ts");
  const withPackages = isPackage || isThere(cwd, "node_modules");
  // One that gate-sync.yaml names may be state.
  const inputs = inputsWithSecrets.filter((name) => !includesText(cwd, "gate-sync.yaml", name.replace("/", "")));
  const lines = [".gate-sync/", ...(withPackages ? ["node_modules/"] : []), ...inputs.map((name) => `/${name}`)];
  const added: string[] = [];
  for (const line of lines) {
    const name = line.replace(/^\/|\/$/g, "");
    const kept = await addLine(cwd, ".gitignore", line, [name, `${name}/`, `/${name}/`, `/${name}`]);
    if (!kept) added.push(line);
    if (kept === "no-file") left.push(`.gitignore, which is no file of its own: have git leave out ${line}`);
  }
  if (added.length > 0) written.push({ path: ".gitignore", what: `git leaves out ${joinWithAnd(added)}` });
}

const examples = `
Examples:
  $ gate-sync init                                   asks, on a terminal
  $ gate-sync init --url https://search.example:9200 --ca ca.pem --ci github
  $ gate-sync init --ci gitlab                       again: adds what is missing
`;
