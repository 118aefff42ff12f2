import { RunError } from "../diagnostics/failure.ts";
import { quoteForShell } from "../json/quoted.ts";

/** Which flag named a commit, for messages. */
export interface GitQuestion {
  readonly flag: string;
  /** What a run without it does. */
  readonly without: string;
  /** What the commit is for. */
  readonly why: string;
}

export const forDrift: GitQuestion = {
  flag: "--applied-ref",
  without: "Without --applied-ref nothing is asked of it, and the origin of every difference is unknown.",
  why: "What was declared there is what the server is compared with.",
};

export const forBase: GitQuestion = {
  flag: "--base",
  without: "Without --base nothing is asked of it, and the plan is the same.",
  why: "What was declared there shows which resource types are newly managed.",
};

export const forSince: GitQuestion = {
  flag: "--since",
  without: "Without --since the map is of one state alone.",
  why: "What was declared there is what the access of today is compared with.",
};

export function createNoGitMessage({ without }: GitQuestion): RunError {
  return new RunError("failed", {
    what: "git is not found.",
    why: "What was declared at a commit is read by git alone.",
    fix: `Install git where gate-sync runs. ${without}`,
  });
}

export function createNoRepositoryMessage(path: string, { without }: GitQuestion): RunError {
  return new RunError("usage", {
    what: `${path === "." ? "This folder" : `The path ${path}`} is in no git repository.`,
    why: "What it held at a commit cannot be read.",
    fix: `Run in a clone of the repository, its .git folder included. ${without}`,
  });
}

export function createSeveralRepositoriesMessage(one: string, other: string, { flag }: GitQuestion): RunError {
  return new RunError("usage", {
    what: `The state paths ${one} and ${other} are in different git repositories.`,
    why: "A commit of one of them says nothing about the other.",
    fix: `Run once for each, with the state paths on the command line, or leave out ${flag}.`,
  });
}

export function createNoHistoryMessage({ flag }: GitQuestion): RunError {
  return new RunError("usage", {
    what: `State is read from standard input, and ${flag} names a commit.`,
    why: "What came from standard input at that commit is not known.",
    fix: `Keep the output of the program in the repository and name it as a state path, or leave out ${flag}.`,
  });
}

export function createDubiousMessage(path: string): RunError {
  return new RunError("usage", {
    what: `git does not trust the repository of ${path}, because it belongs to another user.`,
    why: "In containers the clone often has another owner than the job.",
    fix: "Run git config --global --add safe.directory with the folder of the clone first.",
  });
}

export function createMissingObjectMessage(): RunError {
  return new RunError("usage", {
    what: "This clone of the git repository lacks an object that is needed.",
    why: "It was cloned with --filter, and gate-sync fetches nothing.",
    fix: "Fetch all objects: git fetch --refetch --no-filter (git 2.36 or later). Or clone without --filter.",
  });
}

export function failGit(reported: string): RunError {
  return new RunError("failed", {
    what: "git fails.",
    ...(reported !== "" && { why: `It says: ${reported}` }),
    fix: "Try git status in the folder of the state files.",
  });
}

/**
 * @param shallow only a part of the history was fetched
 * @param submodule where the files are, of which the repository around it has to know the commit
 */
export function createUnknownRefMessage(
  ref: string,
  shallow: boolean,
  { flag, why }: GitQuestion,
  submodule?: string,
): RunError {
  const repository = submodule === undefined ? "The git repository" : `The git repository around ${submodule}`;
  const named = JSON.stringify(ref);
  const alone = submodule === undefined ? "" : " Commits of a submodule count only in a clone of it alone.";
  if (!shallow) {
    return new RunError("usage", {
      what: `${repository} has no commit ${named}.`,
      why,
      fix: `Correct ${flag}: a tag, a hash, or a branch as it is called here, such as origin/main. Fetch it where it is missing.${alone}`,
    });
  }
  return new RunError("usage", {
    what: `${repository} has no commit ${named}, and only a part of its history was fetched.`,
    why: "CI fetches the last commit alone unless it is configured otherwise.",
    fix: `Fetch all: fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab, or git fetch --unshallow --tags.${alone}`,
  });
}

export function createAmbiguousRefMessage(ref: string, refs: readonly string[], { flag }: GitQuestion): RunError {
  return new RunError("usage", {
    what: `${JSON.stringify(ref)} is several commits in the git repository: ${refs.join(" and ")}.`,
    why: "Git takes a tag first, then a branch, then a hash. Anybody who may push can make one that is called as another is.",
    fix: `Write the whole name, or the whole hash, of the one that is meant after ${flag}.`,
  });
}

/** @param path from the top of the repository around it */
export function createSubmoduleMessage(path: string, hash: string, ref: string): RunError {
  const fetch = `git -C ${quoteForShell(path)} fetch origin ${hash}`;
  return new RunError("usage", {
    what: `At ${ref}, ${path} is a submodule. Its commit ${hash} is not in this clone.`,
    why: "What it held then is compared. A branch may change which repository and which commit the submodule is.",
    fix: `At the top of the repository: git submodule update --init --recursive, then ${fetch}. Where it is another repository now, or none: git fetch URL ${hash}, with the URL that .gitmodules had.`,
  });
}
