import { findRepository } from "./boundary.ts";
import { createGit, type GitWords } from "./git.ts";

/** What a folder is of git, as far as a first commit needs it. */
export interface WorkTree {
  readonly isRepository: boolean;
  readonly hasCommit: boolean;
  readonly hasRemote: boolean;
  /** The one that others are merged into. */
  readonly mainBranch: string;
  readonly isOnMain: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Of the first remote, as ssh or a URL has it; never a login that is part of that. */
export async function findRemoteHost(cwd: string, env: Env): Promise<string | undefined> {
  const root = findRepository(cwd);
  if (root === undefined) return undefined;
  const answer = await createGit(env).ask(root, ["config", "--get-regexp", "^remote\\..*\\.url$"]);
  if (!answer.ok) return undefined;
  return /^\S+ (?:[a-z+]+:\/\/)?(?:[^@/\n]*@)?([\w.-]+)[:/]/.exec(answer.bytes.toString("utf8"))?.[1];
}

/** Without git, and where it has no answer: a branch `main` with commits, as most repositories have. */
export async function describeWorkTree(cwd: string, env: Env): Promise<WorkTree> {
  const root = findRepository(cwd);
  if (root === undefined)
    return { isRepository: false, hasCommit: false, hasRemote: false, mainBranch: "main", isOnMain: true };
  const git = createGit(env);
  const ask = async (...words: GitWords) => {
    const answer = await git.ask(root, words);
    return answer.ok ? answer.bytes.toString("utf8").trim() : undefined;
  };
  const current = await ask("symbolic-ref", "--quiet", "--short", "HEAD");
  const ofRemote = await ask("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD");
  const heads = (await ask("for-each-ref", "--format=%(refname:short)", "refs/heads/"))?.split("\n").filter(Boolean);
  const usual = ["main", "master"].find((name) => heads?.includes(name));
  const found = ofRemote?.replace(/^origin\//, "") ?? usual ?? current;
  // It becomes part of YAML and of a pattern; other names are rare.
  const mainBranch = found !== undefined && /^[A-Za-z][\w./-]*$/.test(found) ? found : "main";
  const isOnMain = current === undefined ? heads === undefined : current === mainBranch;
  const hasCommit = heads === undefined || heads.length > 0;
  return { isRepository: true, hasCommit, hasRemote: (await ask("remote")) !== "", mainBranch, isOnMain };
}
