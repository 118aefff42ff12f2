import { type Diagnostic, isError, sortDiagnostics } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { formatLocation } from "../../diagnostics/source.ts";
import { isEqual } from "../../json/value.ts";
import { type Base, openBase } from "../../load/base.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { createConfigReader, type ReadConfigured } from "../../load/configured-file.ts";
import { formatPath } from "../../load/files.ts";
import { createGit } from "../../load/git.ts";
import { forBase } from "../../load/git-messages.ts";
import { readSettings, readTarget, waiverFiles } from "../../load/target.ts";
import { combineSettings } from "../../load/target-settings.ts";
import { isLoopback } from "../../model/loopback.ts";
import { findMapEntry, type Node, toValue } from "../../model/node.ts";
import type { Repository } from "../../model/repository.ts";
import type { Target } from "../../model/target.ts";
import { listTargetUrls } from "../../validate/user-writes.ts";
import { readConfigThen } from "../history/config-then.ts";
import { openRepository, openSettings } from "../open.ts";
import type { RunRequest } from "../request.ts";

/** gate-sync.yaml as one of both sides has it. */
export interface ConfigSide {
  /** Absent where there is none. */
  readonly root?: Node;
  /** What the target ends up with, references replaced. */
  readonly settings?: Node;
  /** Targets that have another name in the other one, at the same address, and that name. */
  readonly renamed?: ReadonlyMap<string, string>;
}

/** The files of the commit that a plan is compared with. */
export interface BaseFiles extends ConfigSide {
  /** As it was named. */
  readonly ref: string;
  /** As the files of then have it; how to log in is today's. */
  readonly target: Target;
  readonly repository: Repository;
  /** Whether it is this target, not another that protected what it writes. */
  readonly isOwn: boolean;
  /** Errors of its own: what is declared there is known in part. */
  readonly problems: readonly Diagnostic[];
  /** Files that those of today would have read, and that it does not let them. */
  readonly outside: readonly Diagnostic[];
}

/** gate-sync.yaml, and how the files are read that it names. */
interface Config {
  readonly root: Node;
  readonly read: ReadConfigured;
}

/** One for each target of then that protects what that of today writes. */
export interface OpenedBase {
  readonly bases: readonly BaseFiles[];
  /** gate-sync.yaml of today. */
  readonly config: ConfigSide;
  /** What of the base could not be read, in sentences. */
  readonly notes: readonly string[];
}

/**
 * The files of a commit, by its own settings: nothing of the work tree decides what of them is read.
 *
 * @param now gate-sync.yaml of today
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function openBaseFiles(
  ref: string,
  request: RunRequest,
  target: Target,
  now: Node | undefined,
): Promise<OpenedBase> {
  const { cwd, env, configPath, shared } = request;
  const opened = await openBase(createGit(env), ref, { cwd, configPath }, forBase);
  const bases: BaseFiles[] = [];
  const notes = new Set<string>();
  const add = async (
    base: Base,
    config: Config | undefined,
    { name, ...known }: Required<Pick<BaseFiles, "isOwn" | "renamed">> & { readonly name: string },
  ) => {
    const files = await readBaseFiles(base, config, name, request, target);
    bases.push({ ref, ...files, ...known });
    if (files.problems.length > 0) notes.add(formatProblems(ref, files.problems));
  };
  const today = now && { root: now, read: createConfigReader(now, cwd, shared?.readFile) };
  // A branch may move it.
  const moved = now && !opened.config ? await opened.moved() : [];
  for (const base of moved.length > 0 ? moved : [opened]) {
    const root = await readConfigThen(base);
    if (base.config && !root) {
      notes.add(formatUnreadable(ref, base.config.problem));
      continue;
    }
    const then = root && { root, read: base.read };
    if (!then && now)
      notes.add(`${ref} has no gate-sync.yaml: nothing was asked but the access tests of its state files.`);
    const found = then && (await findTargetsThen(then, today, request, target));
    if (found && !found.isKnown)
      notes.add(
        `${ref} has no target ${target.name}, and none at its address: only what its defaults protect was asked.`,
      );
    const renamed = then && today ? await findRenamed(then, today, request) : new Map<string, string>();
    for (const name of found?.names ?? [target.name]) {
      const isOwn = then
        ? (renamed.get(name) ?? name) === target.name && (await isKept(then, today, name, request))
        : !now;
      await add(base, then, { name, isOwn, renamed }).catch((error: unknown) => {
        if (!(error instanceof RunError) || error.kind !== "invalid") throw error;
        notes.add(formatUnreadable(ref));
      });
    }
  }
  if (notes.size === 0 && !bases.some(({ isOwn }) => isOwn))
    notes.add(
      `Whether a change was pending before this branch is unknown: ${ref} has no target ${target.name} at this address.`,
    );
  if (await opened.isBeyondHead())
    notes.add(`HEAD lacks commits of ${ref}: what these change, and this branch does not, counts as the branch's.`);
  const { side } = await openTargetOf(today, target.name, request);
  return { bases, config: side, notes: [...notes] };
}

async function readBaseFiles(
  base: Base,
  config: Config | undefined,
  name: string,
  request: RunRequest,
  today: Target,
): Promise<Omit<BaseFiles, "ref" | "isOwn">> {
  const { watch: _, shared: __, ...asked } = request;
  const { target: then, side } = await openTargetOf(config, name, request);
  // Where there was no gate-sync.yaml, its paths of today are meant.
  const state = config ? then.state : today.state;
  const paths = [...state, ...waiverFiles.map((one) => formatPath(request.cwd, base.absolute(one)))];
  const { waivers: ___, ...target } = { ...then, state: paths };
  const { whole, diagnostics } = await openRepository(target, asked, "resolve", base.named(paths));
  const { secretFiles = [] } = then;
  const isWider = config && today.secretFiles?.some((path) => !secretFiles.includes(path));
  const now = isWider ? (await openRepository({ ...today, secretFiles }, asked, "leave")).diagnostics : [];
  const { auth, tls, headers } = today;
  return {
    ...side,
    outside: now.filter(({ code }) => code === "outside-repository"),
    target: { ...target, state, ...(auth && { auth }), ...(tls && { tls }), ...(headers && { headers }) },
    repository: whole,
    problems: diagnostics.filter((one) => isError(one) && !ofThisMachine.has(one.code)),
  };
}

/** Of secrets that have no value here, or are kept where this run may not read them. */
const ofThisMachine: ReadonlySet<string> = new Set(["unset-secret", "outside-repository"]);

/** How to reach the server is the run's: the command line may name it. */
async function openTargetOf(config: Config | undefined, name: string, request: RunRequest) {
  const {
    cwd,
    env,
    flags: { url: _, ...flags },
  } = request;
  const opened = config && (await openSettings(config.root, name, config.read));
  const input = { name, config: opened, flags, env, cwd, secrets: "leave" } as const;
  const { settings } = readSettings(input);
  return { target: readTarget(input), side: { ...(config && { root: config.root }), ...(settings && { settings }) } };
}

/**
 * The targets of then that protect what this one writes: that of its name, where it was at this address. Those that were there
 * too and are no longer. A target that is new at its address may be any that is gone; one that is like none has the defaults.
 */
async function findTargetsThen(
  then: Config,
  now: Config | undefined,
  request: RunRequest,
  target: Target,
): Promise<{ readonly names: readonly string[]; readonly isKnown: boolean }> {
  const { name } = target;
  const addresses = listTargetUrls(target).flatMap(formatAddress);
  const [names, left] = [listTargets(then.root), now ? listTargets(now.root) : []];
  const isHere = async (config: Config, other: string): Promise<boolean> => {
    const all = await findAddresses(config, other, request);
    return !all || all.some((one) => addresses.includes(one));
  };
  const isNamed = names.includes(name);
  const own = isNamed ? await findAddresses(then, name, request) : [];
  const isNew = !isNamed || (own && addresses.some((one) => !own.includes(one)));
  const others: string[] = [];
  for (const other of names.filter((one) => one !== name)) {
    const isGone = !left.includes(other);
    const isMeant = (isNew && isGone) || (await isHere(then, other));
    if (isMeant && (isNew || isGone || (now && !(await isHere(now, other))))) others.push(other);
  }
  const isKnown = isNamed || others.length > 0;
  return { names: isNamed || !isKnown ? [name, ...others] : others, isKnown };
}

/** Of those that are gone each with one that is new at its address: a new one takes the place of one. */
async function findRenamed(then: Config, now: Config, request: RunRequest): Promise<ReadonlyMap<string, string>> {
  const [names, left] = [listTargets(then.root), listTargets(now.root)];
  const fresh = left.filter((name) => !names.includes(name));
  const renamed = new Map<string, string>();
  for (const name of names.filter((one) => !left.includes(one))) {
    const was = await findAddresses(then, name, request);
    for (const other of fresh) {
      const is = await findAddresses(now, other, request);
      if (was?.length === 0 || !isEqual(was ?? null, is ?? [])) continue;
      renamed.set(name, other);
      fresh.splice(fresh.indexOf(other), 1);
      break;
    }
  }
  return renamed;
}

/** Whether a target of today, by the name that it had then, was there and writes to no server that it did not write to. */
async function isKept(then: Config, now: Config | undefined, name: string, request: RunRequest): Promise<boolean> {
  if (!listTargets(then.root).includes(name)) return false;
  if (!now || !listTargets(now.root).includes(name)) return true;
  const [was, is] = [await findAddresses(then, name, request), await findAddresses(now, name, request)];
  return was && is ? is.every((one) => was.includes(one)) : was === is;
}

/** What a target of today was called then. */
export function findNameThen({ bases }: OpenedBase, name: string): string {
  return bases.find(({ target, renamed }) => renamed?.get(target.name) === name)?.target.name ?? name;
}

/** Undefined where they are unknown. */
async function findAddresses({ root, read }: Config, name: string, request: RunRequest) {
  const node = findMapEntry(combineSettings(root, name), "url")?.value;
  const written = node ? ([toValue(node)].flat() as string[]) : [];
  if (!written.some((one) => one.includes("${"))) return written.flatMap(formatAddress);
  try {
    const { target } = await openTargetOf({ root, read }, name, request);
    return listTargetUrls(target).flatMap(formatAddress);
  } catch {
    return undefined;
  }
}

/** Alike for whatever leads to one server: the scheme is the server's, and this machine has many names. */
function formatAddress(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { hostname, port, protocol, pathname } = new URL(url);
  const host = hostname.replace(/\.$/, "");
  return [`${isLoopback(host) ? "localhost" : host}:${port || protocol}${pathname.replace(/\/+$/, "")}`];
}

/** @param problems at least one */
export function formatProblems(ref: string, problems: readonly Diagnostic[]): string {
  const [first] = sortDiagnostics(problems);
  const place = first?.range ? formatLocation(first.range) : first?.path;
  return `At ${ref} state files have errors (${problems.length}), such as ${place} (${first?.code}): what they protect is known in part.`;
}

function formatUnreadable(ref: string, problem?: Diagnostic): string {
  return (
    `Unknown which protections are weaker than at ${ref}: ${problem ? problem.what : "gate-sync.yaml or a file of its variables has errors there."} ` +
    "No access test, protect, owners or limit of it was asked. Mend it there, or name another commit with --base."
  );
}
