import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { findRepository, isLink, locateReal } from "./boundary.ts";
import { formatPath, inputPath } from "./files.ts";
import { type Git, type GitAnswer, type GitWords, getPathBelow, getPathspec, isDubious } from "./git.ts";
import {
  createAmbiguousRefMessage,
  createDubiousMessage,
  createNoGitMessage,
  createNoHistoryMessage,
  createNoRepositoryMessage,
  createSeveralRepositoriesMessage,
  createUnknownRefMessage,
  failGit,
  forDrift,
  type GitQuestion,
} from "./git-messages.ts";
import { type Commit, isOutside, locateIn } from "./links-then.ts";
import type { FileSource } from "./read.ts";
import { parseStatePattern } from "./state-pattern.ts";
import { listStateIn, type StatePath } from "./tree.ts";

export interface StateCommit {
  /** The whole hash. */
  readonly hash: string;
  readonly source: FileSource;
}

/**
 * The state files as they were at a commit; the work tree is neither touched nor read.
 *
 * @param ref whatever git understands as one commit
 * @param state the paths of today, relative to `cwd`; each of them exists
 * @throws RunError where there is no git, no repository, or no such commit in it
 */
export async function openCommit(
  git: Git,
  ref: string,
  { state, cwd }: { readonly state: readonly string[]; readonly cwd: string },
): Promise<StateCommit> {
  const places: Then[] = [];
  for (const path of state) places.push(await locateThen(git, ref, { path, cwd }, forDrift));
  const [first, ...rest] = places;
  if (first === undefined) throw new RunError("usage", { what: "No state path is named." });
  const other = rest.find(({ root }) => root !== first.root);
  if (other) throw createSeveralRepositoriesMessage(first.path, other.path, forDrift);
  const commit = await resolveCommit(git, ref, first, forDrift);
  const then = places.map((place) => {
    const inside = place.insides.find((path) => locateIn(git, commit, path).entry) ?? place.inside;
    return { ...place, inside };
  });
  return { hash: commit.hash, source: listStateIn(git, commit, then) };
}

/** A path of today in the repository whose commits count. */
interface Then extends Place {
  /** Where that repository is around the one of today: what is, or leads to, that. */
  readonly submodule?: string | undefined;
  /** As it is written first: a link on the way may lead elsewhere today, or be newer than the commit. */
  readonly insides: readonly string[];
}

/**
 * Where a path is at a commit of the outermost repository that it is a part of. What was a submodule there counts as that commit has
 * it: what a submodule has, and what its commits are called, a branch of the repository around it chooses.
 */
export async function locateThen(
  git: Git,
  ref: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
  asking: GitQuestion,
): Promise<Then> {
  const place = await locateStatePath(git, path, cwd, asking);
  const isPart = (route: Route) => isPartOf(git, ref, route, place, asking);
  const real = listRoutes(join(place.root, place.inside));
  const [first] = listRoutes(place.absolute);
  const written = first ? listRoutes(join(first.root, first.inside)) : [];
  // A clone that lies in another repository, and is no submodule of it, is for itself.
  const apart: Route[] = [];
  let around: Route | undefined;
  for (const route of real.toReversed().slice(1)) {
    if (apart.length > 0 || !(await isPart(route))) apart.push(route);
    else around = route;
  }
  for (const route of written.toReversed()) {
    const isApart = apart.some(({ root, inside }) => root === route.root && inside === route.inside);
    if (route.root !== place.root && !isApart && (await isPart(route))) around = route;
  }
  const routes = [...written, ...real];
  const root = around?.root ?? place.root;
  const insides = [...new Set(routes.flatMap((route) => (route.root === root ? [route.inside] : [])))];
  return { ...place, inside: insides.at(-1) ?? place.inside, insides, root, submodule: around?.next };
}

/** From the top of a repository to a path below it. */
interface Route {
  readonly root: string;
  /** The path from its top, links not followed. */
  readonly inside: string;
  /** The part of that path which may lead out of it first: a link, or the top of another repository. */
  readonly next: string;
}

/** The outermost first. */
function listRoutes(path: string): readonly Route[] {
  const routes: Route[] = [];
  let next = path;
  for (let above = path; ; above = dirname(above)) {
    const isTop = existsSync(join(above, ".git"));
    if (isTop)
      routes.unshift({
        root: locateReal(above),
        inside: getPathBelow(above, path),
        next: getPathBelow(above, next),
      });
    if (isTop || isLink(above)) next = above;
    if (above === dirname(above)) return routes;
  }
}

/** Whether what a repository has below it is a part of it, or was at a commit. */
async function isPartOf(
  git: Git,
  ref: string,
  { root, next }: Route,
  place: Place,
  asking: GitQuestion,
): Promise<boolean> {
  const opened = git.open(root);
  if (!opened.ok) {
    const own = git.open(place.root);
    const folder = own.ok ? getPathBelow(place.root, own.bytes.toString("utf8").split("\n")[0] ?? "") : "";
    if (/\.git\/(worktrees\/[^/]+\/)?modules\//.test(folder)) throw explainClosed(opened, root, asking);
    return false;
  }
  const answer = await git.ask(root, ["ls-tree", "--full-tree", "HEAD", "--", getPathspec(next)]);
  const now = answer.ok ? answer.bytes.toString("utf8") : "";
  if (now.startsWith("160000 ")) return true;
  const hash = await findCommit(git, ref, root, asking);
  if (hash === undefined) return now !== "";
  const { entry, why } = locateIn(git, { root, hash, ref }, next);
  return entry !== undefined || (why !== undefined && why !== isOutside);
}

export async function resolveCommit(
  git: Git,
  ref: string,
  { root, submodule }: Pick<Then, "root" | "submodule">,
  asking: GitQuestion,
): Promise<Commit> {
  const hash = await findCommit(git, ref, root, asking);
  if (hash !== undefined) return { root, hash, ref };
  throw createUnknownRefMessage(ref, !ref.startsWith("-") && (await isShallow(git, root)), asking, submodule);
}

async function findCommit(git: Git, ref: string, root: string, asking: GitQuestion): Promise<string | undefined> {
  // No commit name begins like an option; git gets `--end-of-options` as well, and afterwards the hash alone.
  const named = !ref.startsWith("-");
  const words: GitWords = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`];
  const answer = named ? await git.ask(root, words) : undefined;
  const hash = answer?.ok ? answer.bytes.toString("utf8").trim() : "";
  const isFound = /^[0-9a-f]{40,64}$/.test(hash);
  const whole = isFound ? await findWholeName(git, root, getRefName(ref)) : undefined;
  // Git looks for one that is not there among tags and branches, where anybody who may push can make one.
  if (isFound && (whole === undefined || (await listRefs(git, root, [whole])).length > 0)) {
    const others = await listOthers(git, root, ref, hash);
    if (others.length > 1) throw createAmbiguousRefMessage(ref, others, asking);
    return hash;
  }
  return undefined;
}

/** Without what says where to go from there: `main` of `main~2`. */
function getRefName(ref: string): string {
  return /^(?:(?!@\{)[^~^:])*/.exec(ref)?.[0] ?? "";
}

/** Of a name that is whole, or begins with that of a remote; undefined of any other. */
async function findWholeName(git: Git, root: string, name: string): Promise<string | undefined> {
  if (name.startsWith("refs/")) return name;
  const answer = await git.ask(root, ["remote"]);
  const remotes = answer.ok ? answer.bytes.toString("utf8").split("\n").filter(Boolean) : [];
  if (remotes.includes(name)) return `refs/remotes/${name}/HEAD`;
  return remotes.some((remote) => name.startsWith(`${remote}/`)) ? `refs/remotes/${name}` : undefined;
}

/**
 * What a name may stand for, where it is different commits: refs by their full names, and what begins with it as hashes do. Git takes
 * a tag before a branch, both before a part of a hash, and anybody who may push can make a tag called `origin/main` or `1a2b3c4`.
 */
async function listOthers(git: Git, root: string, ref: string, hash: string): Promise<readonly string[]> {
  const name = getRefName(ref);
  if (["", "HEAD", "@"].includes(name) || name.startsWith("refs/")) return [];
  // Git takes a whole hash as that.
  if (/^[0-9a-f]+$/i.test(name) && name.length === hash.length) return [];
  const names = ["", "tags/", "heads/", "remotes/"].map((kind) => `refs/${kind}${name}`);
  const refs = await listRefs(git, root, [...names, `refs/remotes/${name}/HEAD`]);
  const all = refs.length > 0 ? [...refs, ...(await listAbbreviated(git, root, name))] : [];
  return new Set(all.map(({ object }) => object)).size > 1 ? all.map(({ name }) => name) : [];
}

interface Named {
  readonly name: string;
  /** Of a tag with a text, the commit. */
  readonly object: string;
}

async function listRefs(git: Git, root: string, names: readonly string[]): Promise<readonly Named[]> {
  const format = "--format=%(if)%(*objectname)%(then)%(*objectname)%(else)%(objectname)%(end) %(refname)";
  const answer = await git.ask(root, ["for-each-ref", format, ...names]);
  if (!answer.ok) throw failGit(answer.reported);
  return answer.bytes
    .toString("utf8")
    .split("\n")
    .flatMap((line) => {
      const [object = "", name = ""] = line.split(" ");
      // Patterns are for what is below them, too.
      return names.includes(name) ? [{ name, object }] : [];
    });
}

/** The commits that a part of a hash may be, or what `git describe` prints. */
async function listAbbreviated(git: Git, root: string, name: string): Promise<readonly Named[]> {
  const [, part] = /^(?:.+-g)?([0-9a-f]{4,})$/i.exec(name) ?? [];
  if (part === undefined) return [];
  const answer = await git.ask(root, ["rev-parse", `--disambiguate=${part.toLowerCase()}`]);
  const hashes = answer.ok ? answer.bytes.toString("utf8").split("\n").filter(Boolean) : [];
  const found = await Promise.all(
    hashes.map(async (hash) => {
      const commit = await git.ask(root, ["rev-parse", "--verify", "--quiet", `${hash}^{commit}`]);
      return commit.ok ? [{ name: hash, object: commit.bytes.toString("utf8").trim() }] : [];
    }),
  );
  return found.flat();
}

/** Whether HEAD is known to lack a commit, or some before it. */
export async function isBeyondHead(git: Git, { root, hash }: Pick<Commit, "root" | "hash">): Promise<boolean> {
  const answer = await git.ask(root, ["rev-list", "--max-count=1", hash, "^HEAD"]);
  return answer.ok && answer.bytes.length > 0 && !(await isShallow(git, root));
}

/** Whether only the last commits of the history were fetched. */
export async function isShallow(git: Git, root: string): Promise<boolean> {
  const answer = await git.ask(root, ["rev-parse", "--is-shallow-repository"]);
  return answer.ok && answer.bytes.toString("utf8").trim() === "true";
}

type Place = StatePath & { readonly root: string };

/** Where a state path is in its repository, by real paths: links on the way make no difference. */
export async function locateStatePath(git: Git, given: string, cwd: string, asking: GitQuestion): Promise<Place> {
  if (given === inputPath) throw createNoHistoryMessage(asking);
  const pattern = parseStatePattern(given);
  const absolute = resolve(cwd, pattern?.base ?? given);
  const path = formatPath(cwd, absolute, given);
  const isFolder = (await stat(absolute)).isDirectory();
  const real = isFolder ? await realpath(absolute) : join(await realpath(dirname(absolute)), basename(absolute));
  const root = findRepository(isFolder ? real : dirname(real));
  if (root === undefined) throw createNoRepositoryMessage(path, asking);
  const opened = git.open(root);
  if (!opened.ok) throw explainClosed(opened, path, asking);
  return { absolute, path, inside: getPathBelow(root, real), root, ...(pattern && { matches: pattern.matches }) };
}

function explainClosed(answer: GitAnswer & { readonly ok: false }, path: string, asking: GitQuestion): RunError {
  if (answer.missing) return createNoGitMessage(asking);
  if (isDubious(answer)) return createDubiousMessage(path);
  return /not a git repository|cannot use bare repository/.test(answer.reported)
    ? createNoRepositoryMessage(path, asking)
    : failGit(answer.reported);
}
