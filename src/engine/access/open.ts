import { nowhere, type Places } from "../../access/explain/grant-path.ts";
import { type AccessModel, createAccessModel } from "../../access/model/access-model.ts";
import { buildLiveAccess } from "../../access/model/states.ts";
import { type Diagnostic, isError } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { createBuiltins } from "../../dialects/builtin/index.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import { detect } from "../../live/detect/detect.ts";
import { memoiseReads } from "../../live/memo.ts";
import { getReadableConfig, readAliases, readApiKeys, readInternalUsers, readState } from "../../live/read.ts";
import type { FileSource } from "../../load/read.ts";
import type { AccessTest } from "../../model/access-test.ts";
import type { DesiredState } from "../../model/desired.ts";
import type { LiveState } from "../../model/live.ts";
import { type ResourceFamily, resourceFamilies } from "../../model/names.ts";
import type { Persona } from "../../model/persona.ts";
import type { TargetSummary } from "../../model/plan.ts";
import { isOptIn } from "../../model/policy.ts";
import type { Target } from "../../model/target.ts";
import { normalise } from "../../normalise/desired.ts";
import { parsePersonas } from "../../normalise/personas.ts";
import { buildDeclaredModel } from "../../questions/declared-model.ts";
import { findPartlyDeclared, listNotesAboutUsers, type PartlyDeclared } from "../../questions/partly-declared.ts";
import { findAnswerPlaces } from "../../questions/places.ts";
import { hideRolesBeside } from "../../secrets/moved.ts";
import { chooseOffline, refuseUnknownProduct } from "../../validate/offline-product.ts";
import { findFailingWarnings } from "../fail-on.ts";
import { type OpenRepository, openRepository, openTarget, stopAtErrors } from "../open.ts";
import {
  type CheckedFiles,
  checkFiles,
  checkReferences,
  checkShares,
  checkTogether,
} from "../pipeline/checked-files.ts";
import type { RunRequest } from "../request.ts";
import { openReader, type Source } from "../source.ts";
import type { MissingPart, MissingParts } from "./left-open.ts";

/** A state to ask about, and what is shown with the answer. */
export interface OpenAccess {
  readonly model: AccessModel;
  readonly dialect: Dialect;
  /** As dialects name it. */
  readonly release: string;
  readonly personas: ReadonlyMap<string, Persona>;
  readonly places: Places;
  /** What the answer is based on: `3 files, checked for gate 7.x-43.0.0 (assumed); no server was asked`. */
  readonly basis: string;
  readonly missing: MissingParts;
  /** Of files; absent where they declare all that grants access. */
  readonly partly?: PartlyDeclared;
  /** What else is not known. */
  readonly notes: readonly string[];
  /** Of the files: what was left aside. */
  readonly notices: readonly string[];
}

const nothingAnswered = "Nothing was answered, as they may not mean what they seem to.";

export async function openFiles(request: RunRequest): Promise<OpenAccess> {
  return overFiles(await openTarget(request, "leave"), request);
}

/** What a server or a snapshot holds. */
export async function openServer(request: RunRequest, source: Source): Promise<OpenAccess> {
  return openLive(await openTarget(request, "connect" in source ? "resolve" : "leave"), request, source);
}

/** State files that are not those of the work tree. */
export interface EarlierFiles {
  /** Relative to the user's folder. */
  readonly state: readonly string[];
  /** `at v1 (1a2b3c4)`, to follow what it is said of. */
  readonly title: string;
  readonly source: FileSource;
  readonly vars: Target["vars"];
}

/**
 * A state to compare with: of a snapshot, or of files of an earlier time.
 *
 * @param dialect of what it is compared with: files that would be taken for those of another product are of this one, too
 */
export async function openEarlierAccess(
  request: RunRequest,
  from: Source | EarlierFiles,
  { product, release }: Dialect,
): Promise<OpenAccess> {
  const target = await openTarget(request, "leave");
  return "state" in from ? overFiles({ ...target, product, release }, request, from) : openLive(target, request, from);
}

export interface OpenTests extends OpenAccess {
  readonly tests: readonly AccessTest[];
  /** What looks misspelt in them. */
  readonly doubts: () => readonly Diagnostic[];
  /** Why warnings end a run of them, where they are to. */
  readonly findFailing: () => RunError | undefined;
}

/** With what the files expect of the answers. */
export async function openWithTests(request: RunRequest): Promise<OpenTests> {
  return overFiles(await openTarget(request, "leave"), request);
}

async function overFiles(target: Target, request: RunRequest, from?: EarlierFiles): Promise<OpenTests> {
  const opened = from
    ? await openRepository({ ...target, state: from.state, vars: from.vars }, request, "leave", from.source, from.state)
    : await openRepository(target, request, "leave");
  const { repository } = opened;
  const offline = chooseOffline(target, repository);
  const { dialect, title } = offline;
  refuseUnknownProduct(offline, target);
  if (from && repository.fileCount === 0) throw createNoFilesMessage(from.title);
  const files = checkFiles(opened, dialect, target);
  const { desired, diagnostics } = files;
  if ([...opened.diagnostics, ...diagnostics].some(isError)) {
    const where = from ? `These are places in the files ${from.title}. ` : "";
    stopAtErrors([...opened.diagnostics, ...diagnostics], `${where}${nothingAnswered}`);
  }
  const model = buildDeclaredModel(desired, dialect);
  const partly = findPartlyDeclared(target.families, desired);
  const count = repository.fileCount === 1 ? "1 file" : `${repository.fileCount} files`;
  return {
    model,
    dialect,
    release: dialect.release,
    personas: files.personas,
    places: findAnswerPlaces(desired),
    tests: files.tests,
    basis: `Based on ${count}${from ? ` ${from.title}` : ""} for ${title}; no server was asked.`,
    missing: findMissingParts(desired, dialect),
    ...(partly && { partly }),
    notes: listNotesAboutUsers(target.families, desired),
    ...checkTests(opened, files, target),
    notices: repository.notices,
  };
}

function checkTests(
  opened: OpenRepository,
  files: CheckedFiles,
  target: Target,
): Pick<OpenTests, "doubts" | "findFailing"> {
  const { diagnostics } = files;
  return {
    // All that mentions something is gone through for it, and most who ask do not want it.
    doubts: () => [...diagnostics, ...checkReferences(files)].filter(({ code }) => code === "doubtful-access-test"),
    findFailing: () =>
      findFailingWarnings(target, [
        ...opened.diagnostics,
        ...diagnostics,
        ...checkShares(files, target),
        ...(target.failOn === "warning" ? checkTogether(files) : []),
      ]),
  };
}

/** The tests of the files, to be asked of what a server holds, or would hold. */
export async function openTestsOf(access: OpenAccess, request: RunRequest): Promise<OpenTests> {
  const target = await openTarget(request, "leave");
  const opened = await openRepository(target, request, "leave");
  const files = checkFiles(opened, access.dialect, target);
  stopAtErrors([...opened.diagnostics, ...files.diagnostics], nothingAnswered);
  const { notices } = opened.repository;
  return { ...access, personas: files.personas, tests: files.tests, ...checkTests(opened, files, target), notices };
}

/** Compared with nothing, everything would be new. */
function createNoFilesMessage(title: string): RunError {
  return new RunError("usage", {
    what: `The state paths hold no files ${title}.`,
    why: "Compared with nothing, all access would be new.",
    fix: "Name another commit; where a folder had another name then, gate-sync.yaml of then has to say so.",
  });
}

/** What files do not declare, and may be otherwise on a server. */
export function findMissingParts(desired: DesiredState, dialect: Dialect): MissingParts {
  return {
    names: listMissing(desired, dialect),
    because: "undeclared",
    builtinMappings: listBuiltinMappings(desired, dialect),
  };
}

interface KnownParts {
  readonly resources: ReadonlyMap<ResourceFamily, unknown>;
  readonly config?: unknown;
}

/** Whatever is not among these may be otherwise on a server. */
function listMissing({ resources, config }: KnownParts, { collections }: Dialect): readonly MissingPart[] {
  // The others grant nothing, or, as internal users, have messages of their own.
  const missing = resourceFamilies.filter(
    (family) => !isOptIn(family) && collections[family] !== undefined && !resources.has(family),
  );
  return [...missing, ...(config ? [] : (["config"] as const))];
}

function listBuiltinMappings({ resources }: DesiredState, dialect: Dialect): ReadonlySet<string> {
  const declared = resources.get("role_mappings");
  const builtin = declared ? [...createBuiltins(dialect).role_mappings.keys()] : [];
  return new Set(builtin.filter((name) => !declared?.has(name)));
}

const decisive: readonly ResourceFamily[] = ["roles", "role_mappings", "action_groups"];

/** What a server or a snapshot holds, of which there is no model yet. */
interface HeldAccess extends Omit<OpenAccess, "model"> {
  readonly held: LiveState;
  readonly summary: TargetSummary;
  /** Of what is held, or was: in both the same is hidden. */
  readonly createModel: (state: LiveState) => AccessModel;
}

async function openLive(target: Target, request: RunRequest, source: Source): Promise<OpenAccess> {
  const { held, createModel, summary: _, ...access } = await openHeld(target, request, source);
  return { ...access, model: createModel(held) };
}

export async function openHeld(target: Target, request: RunRequest, source: Source): Promise<HeldAccess> {
  const beside = target.state.length > 0 ? await besideIt(target, request) : undefined;
  const files = beside?.files;
  const { reader, stated, summary } = await openReader(target, source, request.cwd);
  try {
    const asked = memoiseReads(reader);
    const { server, dialect } = await detect(asked, stated, decisive);
    const live = await readState(asked, dialect, {
      needed: decisive,
      reference: resourceFamilies.filter((family) => !isOptIn(family) && !decisive.includes(family)),
    });
    const [config, internalUsers, apiKeys, aliases] = await Promise.all([
      getReadableConfig(asked, dialect),
      readInternalUsers(asked, dialect),
      readApiKeys(asked, dialect),
      "connect" in source ? readAliases(asked, dialect) : undefined,
    ]);
    const declared = files && normalise(files, dialect, target.families).desired;
    return {
      held: {
        ...live,
        ...(config && { config }),
        ...(internalUsers && { internalUsers }),
        ...(apiKeys && { apiKeys }),
        ...(aliases && { aliases }),
      },
      summary: { ...summary, server },
      createModel: (state) => {
        const roles = state.resources.get("roles");
        const shown = roles && declared && hideRolesBeside(roles, declared);
        const resources = new Map([...state.resources, ...(shown ? [["roles", shown] as const] : [])]);
        return createAccessModel(buildLiveAccess({ ...state, resources }, dialect));
      },
      dialect,
      release: dialect.release,
      personas: files ? parsePersonas(files).personas : new Map(),
      places: nowhere,
      basis: `Based on what ${summary.url} holds (${dialect.product} ${dialect.release}).`,
      missing: { names: listMissing({ resources: live.resources, config }, dialect), because: "unread" },
      notes: beside?.notes ?? [],
      notices: [],
    };
  } finally {
    await reader.close();
  }
}

/** The files that say who personas are, and what is secret: as far as it is known here, whatever is wrong with them. */
async function besideIt(target: Target, request: RunRequest) {
  const { whole: files, diagnostics } = await openRepository(target, request, "resolve");
  const missing = diagnostics.filter(({ code }) => code === "missing-state");
  if (missing.length > 0) stopAtErrors(missing, "Nothing was answered: they say who personas are, and what is secret.");
  return { files, notes: diagnostics.some(isError) ? [faulty] : [] };
}

const faulty = "The files have errors: of who personas are, and of what is secret, not all may be known.";
