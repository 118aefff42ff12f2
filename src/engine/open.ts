import { type Diagnostic, isError, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { isObserved } from "../families/config.ts";
import { memoiseByObject } from "../json/memoise.ts";
import { listLoginEncodings } from "../live/client/hiding.ts";
import { checkStated } from "../live/detect/detect.ts";
import { createBoundary, createReadable } from "../load/boundary.ts";
import { chooseTarget } from "../load/chosen-target.ts";
import type { FoundConfigFile } from "../load/config-document.ts";
import { createConfigAboveError, findConfigFile, locateConfigAbove } from "../load/config-file.ts";
import { createConfigReader, type ReadConfigured } from "../load/configured-file.ts";
import type { FileSource } from "../load/read.ts";
import { loadRepository } from "../load/repository.ts";
import { findMissingFolders } from "../load/shares.ts";
import { readTarget } from "../load/target.ts";
import { combineSettings, type TargetSettings } from "../load/target-settings.ts";
import { addVarsFiles } from "../load/vars-files.ts";
import { addDefinitions } from "../load/whole-reference.ts";
import type { Family } from "../model/names.ts";
import type { Node } from "../model/node.ts";
import { getMode, optInFamilies } from "../model/policy.ts";
import type { Repository } from "../model/repository.ts";
import type { Target } from "../model/target.ts";
import { addEntryPlaces } from "../normalise/entry-places.ts";
import { applyOverrides } from "../normalise/overrides.ts";
import { findLoginFaults } from "../validate/logins.ts";
import { weighOptInDiagnostics } from "../validate/opt-in.ts";
import { validateCombined, validateConfigFile, validateShape } from "../validate/shape.ts";
import type { RunRequest } from "./request.ts";

export const nothingSent = "Nothing on the server was changed.";

/** The target that a run is about: gate-sync.yaml, flags and environment taken together. */
export async function openTarget(request: RunRequest, secrets: "resolve" | "leave" = "resolve"): Promise<Target> {
  const { target } = await openTargetWithConfig(request, secrets);
  return target;
}

/** With gate-sync.yaml, parsed, where there is one. */
export async function openTargetWithConfig(
  request: RunRequest,
  secrets: "resolve" | "leave" = "resolve",
): Promise<{ readonly target: Target; readonly configRoot?: Node }> {
  const { cwd, hideLogin } = request;
  const { found, diagnostics } = await findConfig(request);
  const problems = [...diagnostics, ...(found ? checkConfig(found) : [])];
  stopAtErrors(problems, ofConfigFile);
  if (found) stopAtErrors(findMissingFolders(found.root, cwd), ofConfigFile);
  const config = found && { root: found.root, read: createConfigReader(found.root, cwd, request.shared?.readFile) };
  const target = await readConfiguredTarget(config, request, secrets);
  checkStated(target);
  hideLogin?.(listLoginEncodings(target));
  return { target, ...(found && { configRoot: found.root }) };
}

/** gate-sync.yaml as `findConfigFile` finds it; once for all targets of a run. */
export function findConfig({
  cwd,
  configPath,
  shared,
}: Pick<RunRequest, "cwd" | "configPath" | "shared">): ReturnType<typeof findConfigFile> {
  return shared ? shared.findConfig() : findConfigFile(cwd, configPath);
}

/** There may be thousands of targets in it, of each of which a run asks. */
const checkConfig = memoiseByObject(({ file, root }: FoundConfigFile) => validateConfigFile(file, root));

export const ofConfigFile = "gate-sync.yaml says how to reach the cluster: nothing was read from or sent to one.";

/**
 * The target that is meant.
 *
 * @param config gate-sync.yaml without errors, and how the files of variables that it names are read
 * @throws RunError as `chooseTarget` and `readTarget`; `invalid` where such a file has errors, or where its settings do not go
 *   with those that it inherits
 */
async function readConfiguredTarget(
  config: { readonly root: Node; readonly read: ReadConfigured } | undefined,
  { cwd, env, flags }: RunRequest,
  secrets: "resolve" | "leave",
): Promise<Target> {
  const name = chooseTarget(config?.root, flags);
  const opened = config && (await openSettings(config.root, name, config.read));
  const target = readTarget({ name, config: opened, flags, env, cwd, secrets });
  const hasOwn = !flags.isOneOfMany && Boolean(env.GATE_SYNC_USERNAME && env.GATE_SYNC_PASSWORD);
  const warnings = findLoginFaults(target, opened?.settings, hasOwn);
  return warnings.length === 0 ? target : { ...target, warnings };
}

/**
 * What a target ends up with by gate-sync.yaml and its files of variables.
 *
 * @throws RunError `invalid` where these, or all of it together, have errors
 */
export async function openSettings(
  written: Node,
  name: string,
  read: ReadConfigured,
): Promise<{ readonly root: Node; readonly settings: TargetSettings }> {
  const { root, diagnostics } = await addVarsFiles(written, name, read);
  const settings = combineSettings(root, name);
  stopAtErrors([...diagnostics, ...validateCombined(name, settings)], ofConfigFile);
  return { root, settings };
}

export interface OpenRepository {
  /** The families that the run is about. */
  readonly repository: Repository;
  /** All that the files declare. */
  readonly whole: Repository;
  /** The same before anything is laid over it. */
  readonly written: Repository;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The state files of a target, read and recognised, with what is wrong with their syntax and shape.
 *
 * @param source where they are read; absent: in the work tree
 * @param named what of the state's paths is named by who runs it, and may be anywhere
 */
export async function openRepository(
  target: Target,
  { cwd, env, families, watch, configPath, flags, input, shared }: RunRequest,
  secrets: "resolve" | "leave",
  source?: FileSource,
  named: readonly string[] = flags.statePaths,
): Promise<OpenRepository> {
  if (target.state.length === 0) throw noState(configPath === undefined ? locateConfigAbove(cwd) : undefined);
  const loaded = await loadRepository({
    state: target.state,
    waivers: target.waivers,
    cwd,
    vars: target.vars,
    env,
    secrets,
    writes: new Set(optInFamilies.filter((family) => getMode(family, target.families) !== "observe")),
    within: createBoundary(cwd, configPath, named),
    readable: createReadable(cwd, configPath, target.secretFiles),
    ...(source && { source }),
    ...(input && { input }),
    ...(shared && { shared }),
    ...(watch && { watch }),
  });
  const { repository: whole, diagnostics: ofOverrides } = applyOverrides(loaded.repository);
  const repository = families ? onlyFamilies(whole, families) : whole;
  const found = [
    ...(target.warnings ?? []),
    ...(families ? aboutFamilies(loaded.diagnostics, whole, families) : loaded.diagnostics).map((found) =>
      asGraveAsCompared(found, whole, target),
    ),
    ...ofOverrides,
    ...addDefinitions(validateShape(whole, target), target.vars),
  ];
  const diagnostics = weighOptInDiagnostics(found, whole, target.families);
  return { repository, whole, written: loaded.repository, diagnostics: addEntryPlaces(diagnostics, whole) };
}

/** A variable of another tool in a config that is only compared reaches no server. */
function asGraveAsCompared(found: Diagnostic, { documents }: Repository, { families }: Target): Diagnostic {
  const { code, range } = found;
  if (code !== "vendor-variable" || range === undefined) return found;
  const configs = documents.flatMap(({ sections }) => sections.filter(({ family }) => family === "config"));
  const isCompared = configs.some((section) => holds(section.node, range) && isObserved(section, families));
  return isCompared
    ? { ...found, severity: "warning", why: "The config is only compared, and differs in this field." }
    : found;
}

/** Without the errors about unset secrets of families that this run is not about (`--family`). */
function aboutFamilies(
  diagnostics: readonly Diagnostic[],
  { documents }: Repository,
  families: readonly Family[],
): readonly Diagnostic[] {
  const others = documents.flatMap(({ sections }) => sections.filter(({ family }) => !families.includes(family)));
  return diagnostics.filter(
    ({ code, range }) => code !== "unset-secret" || !others.some(({ node }) => range && holds(node, range)),
  );
}

function holds(outer: SourceRange, inner: SourceRange): boolean {
  return outer.file === inner.file && outer.start <= inner.start && inner.end <= outer.end;
}

/** @param above gate-sync.yaml of a folder above */
function noState(above: string | undefined): RunError {
  if (above !== undefined) return createConfigAboveError(above);
  return new RunError("usage", {
    what: "Nothing says which files to read.",
    why: "Without state files there is nothing to compare the cluster with.",
    fix: "Name files or folders on the command line (of gate-sync access, with --state), or as `state` of the target in gate-sync.yaml.",
  });
}

function onlyFamilies(repository: Repository, families: readonly Family[]): Repository {
  const documents = repository.documents.map((document) => ({
    ...document,
    sections: document.sections.filter((section) => families.includes(section.family)),
  }));
  return { ...repository, documents };
}

/** Ends the run where there is an error among them; warnings travel in the error too, so that all is shown at once. */
export function stopAtErrors(diagnostics: readonly Diagnostic[], consequence: string): void {
  if (!diagnostics.some(isError)) return;
  throw new RunError("invalid", { what: "The files have errors.", why: consequence }, sortDiagnostics(diagnostics));
}
