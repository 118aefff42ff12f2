// What there is to do once a repository is begun.
import type { WrittenSettings } from "../engine/init.ts";
import type { WorkTree } from "../load/work-tree.ts";
import { formatName } from "../render/escape.ts";
import type { InitAnswers } from "./init-answers.ts";
import type { Differences } from "./init-plan.ts";
import type { NextStep } from "./init-step.ts";
import { listUpdateSteps } from "./init-update.ts";

interface Begun {
  readonly answers: Pick<InitAnswers, "name" | "folder" | "forge">;
  readonly tree: WorkTree;
  /** What this run wrote. */
  readonly written: readonly string[];
  /** Files of the jobs that are there now. */
  readonly jobs: readonly string[];
  /** What gate-sync.yaml refers to; absent where no one target is meant. */
  readonly settings: WrittenSettings | undefined;
  /** Of a path in gate-sync.yaml, for everyone who has the repository. */
  readonly isInRepository: (path: string) => boolean;
  readonly isThere: (name: string) => boolean;
  /** Whether package-lock.json says which gate-sync npm installs. */
  readonly isPinned: boolean;
  /** Who planned, where that is known. */
  readonly login?: string | undefined;
  /** What the plan of these files is about; absent where it is not known. */
  readonly differences?: Differences | undefined;
}

/** Up to the push of a branch, where there are jobs. */
export function listNextSteps(begun: Begun): readonly NextStep[] {
  const { answers, tree, jobs } = begun;
  const added = ["git", "add", ...listPathsToAdd(begun)];
  const isFirst = begun.written.includes(`${answers.folder}/`);
  const begin: readonly NextStep[] = tree.isRepository
    ? []
    : [{ words: ["git", "init", "-b", tree.mainBranch], what: "There is no git repository here yet." }];
  const { differences } = begun;
  const update = differences ? listUpdateSteps(differences, answers.name, jobs.length > 0) : [];
  const isAfterCommit = update.length > 0 && differences !== undefined && differences.changed.length > 0;
  if (jobs.length === 0) {
    // Of a run that exported nothing, the files are what was declared before.
    const what = isFirst
      ? "Keep what the cluster holds now; review it, commit it."
      : "What git does not have yet; review it, commit it.";
    const first = { words: ["git", "commit", "-m", `Access of ${answers.name}`], what: whyCommitted };
    return [...begin, { words: added, what }, ...(isAfterCommit ? [first] : []), ...update];
  }
  const subject = isFirst ? `Access of ${answers.name}, as it is` : "Plan and apply in CI";
  const message = ["-m", subject];
  const commits = isAfterCommit
    ? [
        { words: ["git", "commit", ...message], what: whyCommitted },
        ...update,
        { words: ["git", "commit", "-a", "--amend", "--no-edit"] },
      ]
    : [...update, { words: ["git", "commit", ...(update.length === 0 ? [] : ["-a"]), ...message] }];
  return [
    ...begin,
    ...listStepsBefore(begun),
    { words: added },
    ...commits,
    { words: ["git", "push", "-u", "origin", "HEAD"] },
  ];
}

/** Without a run on record, an update takes the server's version of what HEAD declares alike. */
const whyCommitted = "What is committed may be replaced by the server's version.";

/** The jobs apply as another user than the one that keeps the right to. */
export function describeOtherLogin({ settings, login, written }: Begun): readonly string[] {
  const applyAs = settings?.applyAs;
  if (applyAs === undefined || login === undefined || login === applyAs) return [];
  if (written.includes("gate-sync.yaml")) return [];
  return [
    `You are logged in as ${formatName(login)}, and apply_as in gate-sync.yaml is ${formatName(applyAs)}. If the jobs apply as ${formatName(login)}, write that there: lock-out protects the user of apply_as.`,
  ];
}

/** What is there to run after any edit. */
export function listLaterSteps({ name }: Pick<InitAnswers, "name">): readonly NextStep[] {
  const chosen = name === "" ? ["--all-targets"] : ["--target", name];
  return [
    {
      words: ["npx", "--no", "--", "gate-sync", "plan", ...chosen],
      what: "After an edit: what would change, and who gains or loses access.",
    },
    {
      words: ["npx", "--no", "--", "gate-sync", "apply", ...chosen],
      what: "Makes exactly that change, and keeps a backup first.",
    },
  ];
}

/** What jobs need before the first commit. */
function listStepsBefore({ answers, tree, isPinned, jobs }: Begun): readonly NextStep[] {
  if (jobs.length === 0) return [];
  const { mainBranch, hasCommit, hasRemote, isOnMain } = tree;
  const request = answers.forge === "gitlab" ? "merge request" : "pull request";
  const install = {
    words: ["npm", "install", "--save-dev", "gate-sync"],
    what: "The jobs run npm ci, which needs package-lock.json.",
  };
  const addRemote = { words: ["git", "remote", "add", "origin", "URL"], what: "URL of the project." };
  const pushMain = {
    words: ["git", "push", "-u", "origin", mainBranch],
    what: `A ${request} needs a branch to merge into.`,
  };
  const leaveMain = {
    words: ["git", "switch", "-c", "gate-sync"],
    what: `The jobs fail on a direct push to ${mainBranch}.`,
  };
  return [
    ...(isPinned ? [] : [install]),
    ...(hasCommit ? [] : [{ words: ["git", "commit", "--allow-empty", "-m", "Begin"] }]),
    ...(hasRemote ? [] : [addRemote]),
    ...(hasCommit ? [] : [pushMain]),
    ...(isOnMain ? [leaveMain] : []),
  ];
}

/** What the jobs need in git, too, which has no effect where git keeps it already. */
function listPathsToAdd(begun: Begun): readonly string[] {
  const { written, jobs, settings, isInRepository, isThere, isPinned, answers } = begun;
  const needed = [...(settings?.state ?? []), ...(settings?.ca === undefined ? [] : [settings.ca])];
  const isPackage = answers.forge !== undefined || isThere("node_modules/gate-sync");
  const isToCome = answers.forge !== undefined && !isPinned;
  const ofNpm = packageFiles.filter((path) => isPackage && (isToCome || isThere(path)));
  const ignore = jobs.length > 0 && isThere(".gitignore") ? [".gitignore"] : [];
  const all = [...written, ...jobs, "gate-sync.yaml", ...ignore, ...needed.filter(isInRepository), ...ofNpm];
  const isNew = (path: string, at: number) => all.findIndex((one) => trimSlash(one) === trimSlash(path)) === at;
  const isWithinAnother = (path: string) => all.some((one) => trimSlash(path).startsWith(`${trimSlash(one)}/`));
  return all.filter((path, at) => isNew(path, at) && !isWithinAnother(path));
}

function trimSlash(path: string): string {
  return path.replace(/^\.\/|\/$/g, "");
}

const packageFiles = ["package.json", "package-lock.json"];

/** What the files of this folder refer to, and jobs do not have. */
export function describeMissingInJobs({
  settings,
  answers: { forge },
  isInRepository,
}: Pick<Begun, "settings" | "answers" | "isInRepository">): readonly string[] {
  if (!settings) return [];
  const { ca, certificate, hasLogin, variables } = settings;
  const notes: string[] = [];
  if (ca !== undefined && !isInRepository(ca))
    notes.push(
      `tls.ca in gate-sync.yaml is ${ca}, which is not in the repository: other machines and the jobs of CI do not have it. Copy the file here, correct tls.ca, and add it to git.`,
    );
  if (!forge) return notes;
  if (certificate.length > 0)
    notes.push(
      `The jobs do not have ${certificate.join(" and ")}, by which gate-sync.yaml logs in. A key does not belong in git: have each job write its own from a secret, or remove tls.cert and tls.key and let the jobs log in by password.`,
    );
  if (hasLogin && forge === "github") {
    const named = variables.length === 0 ? "" : `, and the jobs do not set ${variables.join(", ")}`;
    notes.push(
      `gate-sync.yaml says how to log in (auth), which replaces the logins of the jobs${named}. Remove auth, and set GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD where you run gate-sync yourself.`,
    );
  } else if (hasLogin)
    notes.push(
      "gate-sync.yaml says how to log in (auth), which replaces the logins of the jobs: the one that plans would log in as the one that applies. Remove auth, and set GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD where you run gate-sync yourself.",
    );
  return notes;
}
