// Starts git, and nothing but git: without a shell, without input, with no more of the environment than it needs, and in no
// folder but that in which git keeps a repository. There it has no work tree to read, and what it is asked runs nothing.
import { type ExecFileException, execFile, spawnSync } from "node:child_process";
import { realpathSync, statSync } from "node:fs";
import { devNull } from "node:os";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import { createMissingObjectMessage } from "./git-messages.ts";

const seconds = 60;
/** What one call of git may print: a file as large as a state file may be, and some more. */
const mostBytes = 65 * 1024 * 1024;

/** `missing`: git is not installed. `reported`: the first line of its error. */
export type GitAnswer =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly missing: boolean; readonly reported: string };

type Env = Readonly<Record<string, string | undefined>>;

/** What reads commits, refs, the index and the configuration, whatever that configuration says. */
type Command =
  | "blame"
  | "cat-file"
  | "config"
  | "for-each-ref"
  | "ls-files"
  | "ls-tree"
  | "remote"
  | "rev-list"
  | "rev-parse"
  | "symbolic-ref";

/** They are git's own: what a user named goes in only once it is known not to be an option. */
export type GitWords = readonly [Command, ...string[]];

/**
 * Asks git about the repository with a root that `findRepository` gives; paths are from there.
 *
 * @throws RunError `usage` where a clone with `--filter` lacks an object: nothing is fetched
 */
export interface Git {
  /** The folder in which git keeps the repository, or why it does not take it for one. */
  readonly open: (root: string) => GitAnswer;
  readonly ask: (root: string, words: GitWords) => Promise<GitAnswer>;
  /** For the few bytes that are wanted in the midst of reading a file. */
  readonly askNow: (root: string, words: GitWords) => GitAnswer;
}

/** Whether git refuses a repository because it belongs to another user. */
export function isDubious(answer: GitAnswer): boolean {
  return !answer.ok && /dubious ownership/.test(answer.reported);
}

/** A path by its real path, as git writes it; the root itself is "". */
export function getPathBelow(root: string, real: string): string {
  return relative(root, real).split(sep).join("/");
}

/** For exactly that path, or what is below it, whatever characters it has. */
export function getPathspec(path: string, more?: "icase"): string {
  return `:(top,literal${more ? `,${more}` : ""})${path}`;
}

// No pager, no monitor of the file system ("false" would be the name of one before 2.36), and no bundle before the
// transport is refused.
// Commits are what their hashes say: by its configuration git obeys replacements even where the environment forbids it.
const settings = ["safe.bareRepository=explicit", "core.fsmonitor=", "fetch.bundleURI=", "core.useReplaceRefs=false"];
const always = ["--no-pager", ...settings.flatMap((each) => ["-c", each])];

export function createGit(env: Env): Git {
  const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: mostBytes, windowsHide: true } as const;
  const optionsIn = (cwd: string, more: NodeJS.ProcessEnv = {}) =>
    ({ cwd, env: { ...limited(env), ...more }, encoding: "buffer", ...limits }) as const;
  // A repository that is named to git may be another user's: so it is found without that before.
  const optionsOf = (folder: string) => optionsIn(folder, { GIT_DIR: folder, GIT_WORK_TREE: folder });
  const start = (words: GitWords, options: ReturnType<typeof optionsIn>) =>
    new Promise<GitAnswer>((resolve) => {
      const child = execFile("git", [...always, ...words], options, (error, stdout, stderr) =>
        resolve(error ? failure(error, stderr.toString("utf8")) : { ok: true, bytes: stdout }),
      );
      child.stdin?.end();
      // Arguments that are too long are no answer of a program.
    }).catch((error: ExecFileException) => failure(error, ""));
  const startNow = (words: GitWords, options: ReturnType<typeof optionsIn>): GitAnswer => {
    const { error, status, stdout, stderr } = spawnSync("git", [...always, ...words], options);
    if (!error && status === 0) return { ok: true, bytes: stdout };
    return failure(error ?? new Error(`git ends with ${status}`), stderr?.toString("utf8") ?? "");
  };
  const checked = (answer: GitAnswer, words: GitWords, folder: string): GitAnswer => {
    // What rev-parse does not find is a commit that nobody may have.
    if (answer.ok || words[0] === "rev-parse" || !mayLackObject.test(answer.reported)) return answer;
    if (startNow(askPromisors, optionsOf(folder)).ok) throw createMissingObjectMessage();
    return answer;
  };
  const folders = new Map<string, string>();
  const find = (root: string): GitAnswer => {
    const answer = startNow(["rev-parse", "--absolute-git-dir", "--show-toplevel"], optionsIn(root));
    if (!answer.ok) return answer;
    const [folder = "", top = ""] = answer.bytes.toString("utf8").split("\n");
    const reported = explainForeign(root, folder, top);
    if (reported !== undefined) return { ok: false, missing: false, reported };
    folders.set(root, folder);
    return answer;
  };
  const openings = new Map<string, GitAnswer>();
  const open = (root: string) => {
    const opening = openings.get(root) ?? find(root);
    openings.set(root, opening);
    return opening;
  };
  return {
    open,
    ask: async (root, words) => {
      const opened = open(root);
      const folder = folders.get(root);
      if (folder === undefined) return opened;
      return checked(await start(words, optionsOf(folder)), words, folder);
    },
    askNow: (root, words) => {
      const opened = open(root);
      const folder = folders.get(root);
      if (folder === undefined) return opened;
      return checked(startNow(words, optionsOf(folder)), words, folder);
    },
  };
}

/** How versions of git say that an object is missing; some of them say the same of other things. */
const mayLackObject =
  /lazy fetching disabled|promisor remote|transport '.*' not allowed|bad file|not a tree|unable to read|cannot read blob/i;
const askPromisors = ["config", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"] as const;

/**
 * Where git is, and where its own settings are; no secret of this run, and no variable that points git at another
 * repository.
 */
function limited(env: Env): NodeJS.ProcessEnv {
  const handed = ["PATH", "Path", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SystemRoot"];
  const kept = handed.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, name.toUpperCase() === "PATH" ? keepAbsolute(value) : value]];
  });
  // A relative one would be looked for in the repository.
  const configs = ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"].filter((name) => isAbsolute(env[name] ?? ""));
  return {
    ...Object.fromEntries([...kept, ...configs.map((name) => [name, env[name]])]),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Before 2.44 an object that is missing is fetched all the same, by a transport.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_REPLACE_OBJECTS: "1",
    // No file: of one that is there, even if it is empty, git says that it is out of use.
    GIT_GRAFT_FILE: join(devNull, "none"),
  };
}

/**
 * A folder of PATH that is relative, or empty, is looked for in the folder that git runs in: a file of the repository would be
 * taken for git. So would it where PATH is empty, and a folder that does not exist is named then.
 */
function keepAbsolute(path: string): string {
  return (
    path
      .split(delimiter)
      .filter((folder) => isAbsolute(folder))
      .join(delimiter) || "/nonexistent"
  );
}

/**
 * Where `.git` is no repository, git goes on to the folder itself, and to those above; and the work tree is where the
 * configuration says.
 */
function explainForeign(root: string, folder: string, top: string): string | undefined {
  const own = join(root, ".git");
  try {
    // Where it is a file, git takes what that names or nothing.
    if (!statSync(own).isFile() && realpathSync(folder) !== realpathSync(own)) return "not a git repository: .git";
    return realpathSync(top) === root ? undefined : `core.worktree is ${top}`;
  } catch {
    return `core.worktree is ${top}`;
  }
}

function failure({ code, killed, message }: ExecFileException, stderr: string): GitAnswer {
  const lines = stderr.trim().split(/[\r\n]+/);
  // Warnings and hints may come before.
  const first = lines.find((line) => /^(fatal|error): /.test(line)) ?? lines[0];
  const cause = killed ? `git has not ended after ${seconds} seconds` : (message.split("\n")[0] ?? "");
  return { ok: false, missing: String(code) === "ENOENT", reported: first || cause };
}
