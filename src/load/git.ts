// Starts git, and nothing but git: without a shell, without input, and with no more of the environment than it needs.
import { type ExecFileException, execFile, execFileSync } from "node:child_process";
import { delimiter, isAbsolute } from "node:path";

const seconds = 60;
/** What one call of git may print: a file as large as a state file may be, and some more. */
const mostBytes = 65 * 1024 * 1024;

/** `missing`: git is not installed. `said`: the first line of its error. */
export type GitAnswer =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly missing: boolean; readonly reported: string };

type Env = Readonly<Record<string, string | undefined>>;

/** Runs git in a folder. The words are its own: what a user named goes in only once it is known not to be an option. */
export interface Git {
  readonly ask: (folder: string, words: readonly string[]) => Promise<GitAnswer>;
  /** For the few bytes that are wanted in the midst of reading a file; undefined where git has no answer. */
  readonly askNow: (folder: string, words: readonly string[]) => Buffer | undefined;
}

// A monitor of the file system is a program of its own, and nothing here asks about the work tree as a whole.
const always = ["--no-pager", "-c", "core.fsmonitor=false"];

export function createGit(env: Env): Git {
  const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: mostBytes, windowsHide: true } as const;
  const options = { env: limited(env), encoding: "buffer", ...limits } as const;
  return {
    ask: (cwd, words) =>
      new Promise((resolve) => {
        const child = execFile("git", [...always, ...words], { cwd, ...options }, (error, stdout, stderr) =>
          resolve(error ? failure(error, stderr.toString("utf8")) : { ok: true, bytes: stdout }),
        );
        child.stdin?.end();
      }),
    askNow: (cwd, words) => {
      try {
        return execFileSync("git", [...always, ...words], { cwd, stdio: ["ignore", "pipe", "ignore"], ...options });
      } catch {
        return undefined;
      }
    },
  };
}

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
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
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

function failure({ code, killed, message }: ExecFileException, stderr: string): GitAnswer {
  const [first = ""] = stderr.trim().split(/[\r\n]+/);
  const cause = killed ? `git has not ended after ${seconds} seconds` : (message.split("\n")[0] ?? "");
  return { ok: false, missing: String(code) === "ENOENT", reported: first || cause };
}
