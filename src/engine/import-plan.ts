// The plan of what was imported, while some of its variables may have no value yet.
import { type Diagnostic, isError } from "../diagnostics/diagnostic.ts";
import { RunError } from "../diagnostics/failure.ts";
import { createBuiltins } from "../dialects/builtin/index.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getNewestRelease } from "../dialects/release.ts";
import { startEmulator } from "../emulator/index.ts";
import { listDistinct } from "../json/collections.ts";
import { connectToRead } from "../live/client/http.ts";
import { findVariable } from "../load/variables.ts";
import type { ImportAccount } from "../model/import-account.ts";
import { type Family, isResourceFamily } from "../model/names.ts";
import type { Repository, StateDocument } from "../model/repository.ts";
import type { Target } from "../model/target.ts";
import type { DecidedPlan } from "../plan/decided-plan.ts";
import { chooseOffline, chooseOfflineDialect } from "../validate/offline-product.ts";
import { openRepository, openTarget } from "./open.ts";
import type { PlanRequest } from "./pipeline/context.ts";
import { plan } from "./plan.ts";
import type { Source } from "./source.ts";

/** Names of the account that have no value where gate-sync runs. */
export interface UnsetVariables {
  readonly secrets: readonly string[];
  readonly variables: readonly string[];
}

export function listUnset(
  { secrets, variables }: ImportAccount,
  { vars }: Pick<Target, "vars">,
  env: PlanRequest["env"],
): UnsetVariables {
  return {
    secrets: secrets.flatMap(({ name }) => (env[name] ? [] : [name])),
    variables: variables.flatMap(({ name }) => (findVariable(name, vars) ? [] : [name])),
  };
}

/** No plan: these have no value, and nothing else is wrong. */
export interface StoppedImport {
  readonly stoppedBy: readonly string[];
}

/**
 * A plan against the server of the target. Where it needs variables that are not set, the files are checked with
 * other values in their place: what else is wrong with them must not wait until these are set.
 *
 * @throws RunError as `plan`, but where unset variables alone stop it
 */
export async function planImported(
  request: PlanRequest,
  source: Source,
  unset: UnsetVariables,
): Promise<DecidedPlan | StoppedImport> {
  try {
    return await plan(request, source);
  } catch (error) {
    const stopped = explainStop(error, unset);
    const filled = await tryFilled(plan(fillUnset(request, unset), source), unset);
    return "stoppedBy" in filled ? { stoppedBy: [...new Set([...stopped.stoppedBy, ...filled.stoppedBy])] } : stopped;
  }
}

/**
 * A plan of state files against a server in memory that holds nothing, for where there is no target yet. A
 * variable that is not set is its own name, and what the rules say of that name is left out.
 */
export async function planAgainstNothing(
  given: PlanRequest,
  unset: UnsetVariables,
): Promise<DecidedPlan | StoppedImport> {
  const request = fillUnset(given, unset);
  const target = await openTarget(request, "leave");
  const { repository } = await openRepository(target, request, "resolve");
  const { dialect: chosen, by } = chooseOffline(target, repository);
  const isKnown = by !== "nothing" || repository.documents.every((one) => isOf(chosen, one));
  const dialect = isKnown ? chosen : chooseOfflineDialect({ product: "opensearch" });
  const release = getNewestRelease(dialect.product, dialect.release);
  const roles = new Map(listMappedAlone(repository, dialect).map((name) => [name, { reserved: true }]));
  const emulator = await startEmulator({ product: dialect.product, release, state: { roles } });
  try {
    const asked = { ...request, flags: { ...request.flags, url: [emulator.url] } };
    const decided = await tryFilled(plan(asked, { connect: (server) => connectToRead(server) }), unset);
    if ("stoppedBy" in decided) return decided;
    const summary = { ...decided.plan.target, name: "new cluster", url: "an empty server in memory", snapshot: true };
    const notes = [...decided.plan.notes, ...(by === "nothing" ? [productUnknown] : [])];
    const diagnostics = decided.diagnostics.filter((one) => listNamesAt(one, unset).length === 0);
    return { ...decided, diagnostics, plan: { ...decided.plan, target: summary, notes } };
  } catch (error) {
    throw target.release === undefined ? explainAssumed(error) : error;
  } finally {
    await emulator.close();
  }
}

/** Roles that the files map and do not declare: the cluster that they are for may have them. */
function listMappedAlone({ documents }: Repository, dialect: Dialect): readonly string[] {
  const sections = documents.flatMap((document) => document.sections);
  const list = (wanted: Family) =>
    sections.flatMap(({ family, entries }) => (family === wanted ? entries.map(({ key }) => key) : []));
  const declared = new Set([...list("roles"), ...createBuiltins(dialect).roles.keys()]);
  return listDistinct(list("role_mappings")).filter((name) => !declared.has(name));
}

/** What a release lacks another may have: that it was not stated is said. */
function explainAssumed(error: unknown): unknown {
  if (!(error instanceof RunError)) return error;
  const assumed = "The release is assumed: none is stated, and no server was asked.";
  const diagnostics = error.diagnostics.map((one) =>
    one.code === "unsupported-here" ? { ...one, why: `${one.why ?? ""} ${assumed}`.trim() } : one,
  );
  return new RunError(error.kind, error.userMessage, diagnostics);
}

/** The documented API has no internal users; what it lacks is no mistake of files whose product is unknown. */
function isOf({ collections, documents }: Dialect, { sections }: StateDocument): boolean {
  return sections.every(
    ({ family }) => !isResourceFamily(family) || (collections[family] ?? documents?.[family]) !== undefined,
  );
}

export const productUnknown =
  "Nothing says which product the entries are for, and products decide differently by the same entries: state it with --product opensearch or --product search-guard.";

/** A bcrypt hash, of no password: it may be one as well. */
const assumedSecret = `$2y$12$${".".repeat(53)}`;

function fillUnset(request: PlanRequest, { secrets, variables }: UnsetVariables): PlanRequest {
  const { env, flags } = request;
  return {
    ...request,
    env: { ...env, ...Object.fromEntries(secrets.map((name) => [name, assumedSecret])) },
    flags: { ...flags, vars: { ...Object.fromEntries(variables.map((name) => [name, name])), ...flags.vars } },
  };
}

/** The error without what it says of values that were put in, unless it says nothing else. */
async function tryFilled<T>(planned: Promise<T>, unset: UnsetVariables): Promise<T | StoppedImport> {
  try {
    return await planned;
  } catch (error) {
    return explainStop(error, unset);
  }
}

/** @throws what was given, where it is about anything else than variables without a value */
function explainStop(error: unknown, unset: UnsetVariables): StoppedImport {
  if (!(error instanceof RunError)) throw error;
  const errors = error.diagnostics.filter(isError);
  const others = error.diagnostics.filter((one) => listNamesAt(one, unset).length === 0);
  if (errors.length === 0) throw error;
  if (others.some(isError)) throw new RunError(error.kind, error.userMessage, others);
  return { stoppedBy: [...new Set(errors.flatMap((one) => listNamesAt(one, unset)))] };
}

/** What has no value in the string that a message is about. At a key, other messages are about the entry or the field. */
function listNamesAt({ code, range }: Diagnostic, { secrets, variables }: UnsetVariables): readonly string[] {
  if (range === undefined) return [];
  const { file, start, end } = range;
  const isUnset = code === "unset-secret" || code === "unknown-variable";
  if (!isUnset && /^["']?:(\s|$)/.test(file.text.slice(end, end + 3))) return [];
  const text = file.text.slice(start, end);
  return [
    ...secrets.filter((name) => text.includes(`\${env:${name}}`)),
    ...variables.filter((name) => text.includes(`\${var:${name}}`)),
  ];
}
