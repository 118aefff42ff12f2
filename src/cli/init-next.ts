// What there is to do once a repository is begun.
import type { WrittenSettings } from "../engine/init.ts";
import type { WorkTree } from "../load/work-tree.ts";
import { formatName } from "../render/escape.ts";
import { flowItems } from "../render/layout.ts";
import type { InitAnswers } from "./init-answers.ts";
import { quoteForShell } from "./quoted.ts";

/** A command, and what it is for. */
export interface NextStep {
  readonly words: readonly string[];
  readonly what: string;
}

interface Begun {
  readonly answers: Pick<InitAnswers, "name" | "forge">;
  readonly tree: WorkTree;
  /** What this run wrote. */
  readonly written: readonly string[];
  /** What gate-sync.yaml refers to; absent where no one target is meant. */
  readonly settings: WrittenSettings | undefined;
  /** Of a path in gate-sync.yaml, for everyone who has the repository. */
  readonly isInRepository: (path: string) => boolean;
  readonly isThere: (name: string) => boolean;
  /** Whether package-lock.json says which gate-sync npm installs. */
  readonly isPinned: boolean;
}

export function listNextSteps(begun: Begun): readonly NextStep[] {
  const { name } = begun.answers;
  const chosen = name === "" ? ["--all-targets"] : ["--target", name];
  const added = ["git", "add", ...listPathsToAdd(begun)];
  const isWithJobs = hasWrittenJobs(begun);
  return [
    ...listStepsBefore(begun, isWithJobs),
    {
      words: added,
      what: isWithJobs ? describeReview(begun) : describeKeeping(begun),
    },
    {
      words: ["gate-sync", "plan", ...chosen],
      what: "After an edit: what would change, and who gains or loses access.",
    },
    { words: ["gate-sync", "apply", ...chosen], what: "Makes exactly that change, and keeps a backup first." },
  ];
}

function hasWrittenJobs({ answers: { forge }, written }: Pick<Begun, "answers" | "written">): boolean {
  return forge !== undefined && written.some((path) => /^\.git(hub|lab)/.test(path));
}

function listStepsBefore({ answers, tree, isPinned }: Begun, isWithJobs: boolean): readonly NextStep[] {
  const { mainBranch, hasCommit, isOnMain, isRepository } = tree;
  const request = answers.forge === "gitlab" ? "merge request" : "pull request";
  const steps: NextStep[] = [];
  if (!isRepository)
    steps.push({ words: ["git", "init", "-b", mainBranch], what: "There is no git repository here yet." });
  if (!isWithJobs) return steps;
  if (!isPinned)
    steps.push({
      words: ["npm", "install", "--save-dev", "gate-sync"],
      what: "The jobs run npm ci, which takes gate-sync from package-lock.json.",
    });
  if (!hasCommit)
    steps.push({
      words: ["git", "commit", "--allow-empty", "-m", "Begin"],
      what: `Push it: a ${request} needs a ${mainBranch} to be merged into.`,
    });
  if (isOnMain)
    steps.push({
      words: ["git", "switch", "-c", "gate-sync"],
      what: `Begin on a branch: the jobs apply what a ${request} brought. On a direct push to ${mainBranch} they fail.`,
    });
  return steps;
}

/** Of a run that exported nothing, the files are what was declared before. */
function describeKeeping({ written }: Begun): string {
  const isExported = written.includes("gate-sync.yaml");
  return isExported
    ? "Keep what the cluster holds now; review it, commit it."
    : "What git does not have yet; review it, commit it.";
}

function describeReview({ answers: { forge, name } }: Begun): string {
  const [file, request] =
    forge === "gitlab" ? [".gitlab-ci.yml", "merge request"] : [".github/workflows/access.yml", "pull request"];
  const forDrift =
    forge === "gitlab"
      ? "A pipeline schedule runs the drift job."
      : `Its merge makes the tag applied/${name}, without which the drift job fails.`;
  return `Review it, commit and push it, set the variables and secrets that ${file} lists at its top (examples/ci), and open a ${request}. ${forDrift}`;
}

/** What the jobs need in git, too, which has no effect where git keeps it already. */
function listPathsToAdd({ written, settings, isInRepository, isThere, isPinned, answers }: Begun): readonly string[] {
  const needed = [...(settings?.state ?? []), ...(settings?.ca === undefined ? [] : [settings.ca])];
  const isPackage = answers.forge !== undefined || isThere("node_modules/gate-sync");
  const isToCome = answers.forge !== undefined && !isPinned;
  const ofNpm = packageFiles.filter((path) => isPackage && (isToCome || isThere(path)));
  const all = [...written, "gate-sync.yaml", ...needed.filter(isInRepository), ...ofNpm];
  const isNew = (path: string, at: number) => all.findIndex((one) => trimSlash(one) === trimSlash(path)) === at;
  return all.filter(isNew);
}

function trimSlash(path: string): string {
  return path.replace(/^\.\/|\/$/g, "");
}

const packageFiles = ["package.json", "package-lock.json"];

/** What the files of this folder refer to, and jobs do not have. */
export function describeMissingInJobs(
  begun: Pick<Begun, "settings" | "answers" | "isInRepository" | "written">,
): readonly string[] {
  const {
    settings,
    answers: { forge },
    isInRepository,
  } = begun;
  if (!settings) return [];
  const { ca, certificate, hasLogin, variables, applyAs } = settings;
  const notes: string[] = [];
  if (ca !== undefined && !isInRepository(ca))
    notes.push(
      `tls.ca in gate-sync.yaml is ${ca}, which is not in the repository: other machines and the jobs of CI do not have it. Copy the file here, correct tls.ca, and add it to git.`,
    );
  if (!forge) return notes;
  if (applyAs !== undefined && hasWrittenJobs(begun))
    notes.push(
      `apply_as in gate-sync.yaml is ${formatName(applyAs)}. Write the user there that the jobs apply as (GATE_SYNC_WRITER), if that is another.`,
    );
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

/** As one line of a shell. */
export function formatCommand({ words }: NextStep): string {
  return words.map(quoteForShell).join(" ");
}

/** The same on as many lines as it takes, to be copied. */
export function layOutCommand({ words }: NextStep, width: number): readonly string[] {
  const lines = flowItems(words.map(quoteForShell), " ", width - 2, 2);
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}
