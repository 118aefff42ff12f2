import { isError } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { detect } from "../live/detect/detect.ts";
import { memoiseReads } from "../live/memo.ts";
import { readState } from "../live/read.ts";
import { listDeclaredFamilies, listFamiliesToRead } from "../live/wanted.ts";
import { createGit } from "../load/git.ts";
import { overlayFiles } from "../load/overlaid-files.ts";
import { createSharedFiles } from "../load/shared-files.ts";
import { findUnsaved } from "../load/unsaved.ts";
import type { Change } from "../model/change.ts";
import type { FileUpdate, LeftDifference } from "../model/file-update.ts";
import { type Address, createAddress, isResourceFamily } from "../model/names.ts";
import type { Target } from "../model/target.ts";
import { normalise } from "../normalise/desired.ts";
import type { BaselineFlags } from "./history/baseline.ts";
import { keepPossible, type Made } from "./keep-possible.ts";
import { openRepository, openTarget, stopAtErrors } from "./open.ts";
import { type OtherTarget, openOtherTargets } from "./other-targets.ts";
import { decideChanges } from "./pipeline/changes.ts";
import { type CheckedFiles, checkFiles, checkShares } from "./pipeline/checked-files.ts";
import { findOnly } from "./pipeline/only.ts";
import type { RunRequest } from "./request.ts";
import { openReader, type Source } from "./source.ts";
import {
  type Attempt,
  createLeftDifference,
  planAttempt,
  type UpdateContext,
  type UpdateOptions,
} from "./update/attempts.ts";
import { openBases } from "./update/bases.ts";
import { editFiles, isAsAttempted } from "./update/checked.ts";
import { planConfig } from "./update/config-attempt.ts";
import { listWritten } from "./update/declared.ts";
import { findFileUse } from "./update/file-use.ts";
import { splitChange } from "./update/merged-change.ts";

export interface UpdateRequest extends RunRequest, BaselineFlags {
  readonly options: UpdateOptions;
  /** Files with text that git does not have are written, too. */
  readonly force?: boolean;
  /** Addresses: what else differs stays as it is. */
  readonly only?: readonly string[];
}

/**
 * What was changed on the server as edits of the files that declare it; what the files changed since they were applied stays. Each edit is checked before it counts: the files are read
 * again with it, declare what was taken, and nothing else than before. Nothing is written.
 */
export async function updateFiles(request: UpdateRequest, source: Source): Promise<FileUpdate> {
  const shared = createSharedFiles(request.cwd, request.configPath);
  const read = overlayFiles(shared, new Map());
  const run: RunRequest = { ...request, shared: read };
  const target = await openTarget(run);
  const opened = await openRepository(target, run, "resolve");
  stopAtErrors(opened.diagnostics, nothingWritten);
  const { into } = request.options;
  const places = [...read.places.values()];
  const use = await findFileUse(run, target, places, into?.absolute);
  if (into && !places.includes(into.absolute)) {
    if (!use.isRead) throw refuseInto(into.shown);
    if (into.absolute.endsWith(".json")) throw refuseJson(into.shown);
  }
  const { reader, stated, summary } = await openReader(target, source, request.cwd);
  try {
    const asked = memoiseReads(reader);
    const families = listDeclaredFamilies(opened.repository).filter(isResourceFamily);
    const { dialect, server } = await detect(asked, stated, families);
    const files = checkFiles(opened, dialect, target);
    stopAtErrors([...opened.diagnostics, ...files.diagnostics], nothingWritten);
    const live = await readState(asked, dialect, listFamiliesToRead(files.desired, target.families), files.desired);
    const only = findOnly(request.only ?? [], files.desired, live);
    const { changes, secret } = decideChanges({
      request: {},
      desired: files.desired,
      live,
      policies: target.families,
      files,
      target,
    });
    const declared = listWritten(opened.written, read.places, target, request);
    const context: UpdateContext = {
      declared,
      use,
      dialect,
      options: request.options,
      cwd: request.cwd,
      places: read.places,
    };
    const differing = changes.filter((change) => isTaken(change, only));
    const question = { request, target, cluster: { ...summary, server }, dialect, declared: files.desired };
    const bases = await openBases(question, differing, live);
    const attempts: Attempt[] = [];
    const left: LeftDifference[] = [];
    const ahead: Address[] = [];
    for (const change of differing) {
      const address = createAddress(change.family, change.name);
      if (secret.has(address)) {
        const why = "it repeats a secret of the files or the login";
        left.push({ ...createLeftDifference(change, why, context), isSecret: true });
        continue;
      }
      const { taken, left: some, isAhead } = splitChange(change, bases.of(change), context);
      if (isAhead) ahead.push(address);
      left.push(...some);
      if (!taken) continue;
      const planned = taken.family === "config" ? planConfig(taken, context) : planAttempt(taken, context);
      if ("edits" in planned) attempts.push(planned);
      else left.push(planned);
    }
    const known = new Set(findBeyondShares(files, target));
    const make = async (some: readonly Attempt[]): Promise<Made> => {
      const made = await editFiles(some, read.files);
      if (!made.edits) return made;
      const texts = new Map(made.edits.map(({ path, after }) => [path, after]));
      const added = made.edits.filter(({ before }) => !before);
      const overlaid = overlayFiles(
        shared,
        texts,
        added.map(({ path, absolute }) => ({ path, absolute, real: absolute })),
      );
      const again = await openRepository(target, { ...run, shared: overlaid }, "resolve");
      const { desired, diagnostics } = normalise(again.repository, dialect, target.families);
      const states = { before: files.desired, after: desired, live, policies: target.families };
      const isRight = ![...again.diagnostics, ...diagnostics].some(isError) && isAsAttempted(some, states);
      if (!isRight) return { problem: "written there, it would not come to what the server has" };
      const beyond = findBeyondShares(checkFiles(again, dialect, target), target).find((what) => !known.has(what));
      return beyond === undefined ? made : { problem: `its file has an owner: ${beyond.replace(/\.$/, "")}` };
    };
    const { kept, edits, refused } = await keepPossible(attempts, make);
    const { unsaved, outside } = request.force
      ? { unsaved: [], outside: [] }
      : await findUnsaved(createGit(request.env), edits);
    return {
      edits,
      taken: kept.map(({ address, kind, edits: some }) => ({
        address,
        kind,
        files: [...new Set(some.map(({ file }) => file.shown))],
      })),
      left: [...left, ...refused.map(({ attempt, problem }) => createLeftDifference(attempt.change, problem, context))],
      ahead,
      ...(bases.source && { baseline: bases.source }),
      unsaved,
      notices: [
        ...opened.repository.notices,
        ...bases.notes,
        ...(outside.length > 0 ? [describeOutside(outside)] : []),
        ...(request.options.shared ? await listHarmed(run, target, read.places, edits) : []),
      ],
    };
  } finally {
    await reader.close();
  }
}

/** A sentence for each other target that reads a file which is edited, and has more errors by that. */
async function listHarmed(
  request: RunRequest,
  { name }: Target,
  places: ReadonlyMap<string, string>,
  edits: FileUpdate["edits"],
): Promise<readonly string[]> {
  const texts = new Map(edits.flatMap(({ path, before, after }) => (before ? [[path, after]] : [])));
  if (texts.size === 0) return [];
  const others = await openOtherTargets(request, name, places);
  const countErrors = (checked: OtherTarget["before"]) => checked?.validation.diagnostics.filter(isError).length ?? 0;
  const harmed: string[] = [];
  for await (const other of others(texts)) {
    const isHarmed = !other.after || countErrors(other.after) > countErrors(other.before);
    if (isHarmed && other.before)
      harmed.push(
        `The target ${other.name} reads what is edited, too, and has errors with that: gate-sync validate --target ${other.name} shows them.`,
      );
  }
  return harmed;
}

const nothingWritten = "Nothing was written.";

function describeOutside(paths: readonly string[]): string {
  const [what, they] = paths.length === 1 ? [`${paths[0]} is`, "it"] : [`${paths.join(", ")} are`, "them"];
  return `${what} in no git repository: whether ${they} can be restored is not checked.`;
}

/** What owners have no share in, in sentences. */
function findBeyondShares(files: CheckedFiles, target: Target): readonly string[] {
  return checkShares(files, target)
    .filter(isError)
    .map(({ what }) => what);
}

/** What is managed or observed and differs; of what is neither, what was asked for by name. */
function isTaken(
  { family, name, action, reason, edits, before, after }: Change,
  only: ReadonlySet<Address> | undefined,
) {
  const isNamed = only?.has(createAddress(family, name)) === true;
  if (only && !isNamed) return false;
  if (action !== "leave") return true;
  if (reason === "observed" && after !== undefined) return edits.length > 0;
  return isNamed && before !== undefined && (reason === "observed" || reason === "unmanaged");
}

function refuseInto(path: string): RunError {
  return new RunError("usage", {
    what: `${path} is no state file of the target, and would be none.`,
    why: "What is written there would be declared nowhere.",
    fix: "After --into, name a state file, or a new .yml in a state folder: hidden files and node_modules are not read.",
  });
}

function refuseJson(path: string): RunError {
  return new RunError("usage", {
    what: `${path} is not there yet, and a new state file is written as YAML.`,
    fix: "Let its name end with .yml.",
  });
}
