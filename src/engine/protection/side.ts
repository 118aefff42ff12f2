import { isError } from "../../diagnostics/diagnostic.ts";
import { RunError } from "../../diagnostics/failure.ts";
import { type Base, openBase } from "../../load/base.ts";
import { createReadable } from "../../load/boundary.ts";
import { listTargets } from "../../load/chosen-target.ts";
import { createConfigReader } from "../../load/configured-file.ts";
import { createGit } from "../../load/git.ts";
import { forBase } from "../../load/git-messages.ts";
import { unreadFiles } from "../../load/named-files.ts";
import { loadRepository } from "../../load/repository.ts";
import { createShareFinder } from "../../load/shares.ts";
import { readSettings, type TargetConfig } from "../../load/target.ts";
import { combineSettings, type TargetSettings } from "../../load/target-settings.ts";
import { loadWaivers } from "../../load/waivers-file.ts";
import { findMapEntry, type Node, toValue } from "../../model/node.ts";
import type { Repository } from "../../model/repository.ts";
import type { Target } from "../../model/target.ts";
import { applyOverrides } from "../../normalise/overrides.ts";
import { readConfigThen } from "../history/config-then.ts";
import { openSettings } from "../open.ts";
import type { RunRequest } from "../request.ts";

/** gate-sync.yaml as one of both sides has it. */
export interface ConfigSide {
  /** Absent where there is none. */
  readonly root?: Node;
  /** What the target ends up with, as it is written. */
  readonly settings?: TargetSettings;
  /** The same as plain values. */
  readonly own: TargetConfig;
}

/** The files of the commit that a plan is compared with. */
export interface BaseFiles extends ConfigSide {
  /** As it was named. */
  readonly ref: string;
  /** As the files of then have it; how to reach the server is today's. */
  readonly target: Target;
  readonly repository: Repository;
}

/** gate-sync.yaml of today. */
export async function openConfigSide(
  root: Node | undefined,
  { name }: Target,
  { cwd, env, flags, shared }: RunRequest,
): Promise<ConfigSide> {
  if (!root) return { own: {} };
  const config = await openSettings(root, name, createConfigReader(root, cwd, shared?.readFile));
  return { ...config, own: readSettings({ config, flags, env, cwd, secrets: "leave" }).own };
}

/**
 * The files of a commit; what names no target of today's name is of the target at the same address, else of one that has the
 * defaults alone.
 *
 * @returns in a sentence, why they cannot be read
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function openBaseFiles(ref: string, request: RunRequest, target: Target): Promise<BaseFiles | string> {
  const { cwd, configPath, env } = request;
  const base = await openBase(createGit(env), ref, { cwd, configPath }, forBase);
  try {
    return await readBaseFiles(base, ref, request, target);
  } catch (error) {
    if (!(error instanceof RunError) || error.kind !== "invalid") throw error;
    return formatUnreadable(ref);
  }
}

async function readBaseFiles(
  base: Base,
  ref: string,
  { cwd, configPath, env, flags }: RunRequest,
  target: Target,
): Promise<BaseFiles | string> {
  const root = base.config && (await readConfigThen(base, base.config));
  if (base.config && !root) return formatUnreadable(ref);
  const config = root && (await openSettings(root, findNameThen(root, target), base.read));
  const { own, vars } = readSettings({ config, flags, env, cwd, secrets: "leave" });
  const named = flags.statePaths.length > 0;
  // Where there was no gate-sync.yaml, its paths of today are meant.
  const state = named ? flags.statePaths : root ? (own.state ?? []) : target.state;
  const source = named || !root ? base.named(state) : base.state(state);
  const { waivers: _, ...rest } = target;
  const input = {
    state,
    waivers: target.waivers,
    cwd,
    vars,
    env,
    secrets: "resolve",
    source,
    readable: createReadable(cwd, configPath, target.secretFiles),
  } as const;
  const loaded = await loadRepository(input);
  const waivers = await readWaivers(base, { ...input, secrets: "leave", files: unreadFiles });
  const found = [...loaded.diagnostics, ...waivers.diagnostics];
  if (found.some((one) => isError(one) && one.code !== "unset-secret")) return formatUnreadable(ref);
  const { repository } = applyOverrides(loaded.repository);
  const findShare = root && createShareFinder(root, cwd);
  const { protect, lint, findShare: __, adminRoles: ___, ...connection } = rest;
  return {
    ref,
    ...config,
    own,
    target: {
      ...connection,
      state,
      vars,
      families: own.families ?? {},
      acceptFields: own.accept_fields ?? [],
      ...(own.protect && { protect: own.protect }),
      ...(own.lint && { lint: own.lint }),
      ...(own.admin_roles && { adminRoles: own.admin_roles }),
      ...(findShare && { findShare }),
    },
    repository: { ...repository, documents: [...repository.documents, ...waivers.documents] },
  };
}

async function readWaivers(base: Base, input: Parameters<typeof loadWaivers>[2]) {
  for (const name of ["waivers.yaml", "waivers.yml"]) {
    const { file } = await base.read(name);
    if (file) return loadWaivers(file, base.absolute(name), input);
  }
  return { documents: [], diagnostics: [] };
}

/** A target is known by its address where that is there: names may be swapped. */
function findNameThen(root: Node, { name, url, otherUrls = [] }: Target): string {
  const urls = [url, ...otherUrls].flatMap((one) => formatUrl(one));
  const isSame = (other: string) => {
    const written = findMapEntry(combineSettings(root, other), "url")?.value;
    return [written ? toValue(written) : []].flat().some((one) => formatUrl(one).some((each) => urls.includes(each)));
  };
  const same = listTargets(root).filter(isSame);
  return same.includes(name) ? name : (same[0] ?? name);
}

function formatUrl(url: unknown): readonly string[] {
  return typeof url === "string" && URL.canParse(url) ? [new URL(url).href] : [];
}

function formatUnreadable(ref: string): string {
  return `Unknown which protections are weaker than at ${ref}: its files have errors. Name another commit with --base.`;
}
