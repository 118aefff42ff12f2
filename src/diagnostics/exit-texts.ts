import type { exitCodes } from "./failure.ts";

type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface ExitText {
  /** What happened, without a full stop; at most 68 characters. */
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}

/** What `--help` and `gate-sync explain EXIT` say of each exit code. */
export const exitTexts: Readonly<Record<ExitCode, ExitText>> = {
  0: {
    title: "Done, or nothing to do",
    why: "plan ends with 0, too, when changes are pending, unless --detailed-exitcode is given.",
    fix: "Nothing.",
  },
  1: {
    title: "Failure",
    why: "The server could not be reached or refused the login, a file could not be written, no write took effect, or reading back found something else. Or you did not answer yes.",
    fix: "Read the message on stderr. gate-sync doctor shows what the server is and what you may do there.",
  },
  2: {
    title: "Changes pending, drift, something left open, a difference, or no",
    why: "plan --detailed-exitcode: changes are pending. drift: the cluster was changed. status: a run left something open. diff-targets: the targets differ. fmt --check: a file is laid out otherwise. export --update: something is left to you, such as what both the files and the cluster changed. access can-i: no.",
    fix: "plan, status: run gate-sync apply. drift: adopt the change in the files, or revert it with apply. can-i: the text names what is missing.",
  },
  3: {
    title: "The files have errors",
    why: "Nothing is planned or sent while a file has an error, as what it declares is unknown; or a warning, with fail_on: warning or --fail-on warning. apply of several targets sends nothing to any of them, unless --max-failures admits it.",
    fix: "Correct the places that are shown. gate-sync validate checks the files without a server; gate-sync explain CODE says more.",
  },
  4: {
    title: "Refused by a guard, or an access test fails; nothing was sent",
    why: "The plan does what is rarely meant, or it cannot be saved or expected without GATE_SYNC_PLAN_KEY. apply of several targets sends nothing to any of them, unless --max-failures admits it.",
    fix: "Read which guard refuses: gate-sync explain GUARD. If it is meant, add the waiver that the plan shows, or its --allow for one run. gate-sync test shows a failing access test.",
  },
  5: {
    title: "The plan no longer holds; nothing was changed",
    why: "The cluster, the files or a secret changed since the plan was made, a later run wrote to its entries, or it was applied already and no record says so.",
    fix: "Run gate-sync plan again, and have the new plan reviewed. In CI: start the workflow, or on GitLab a pipeline, by hand on main: it plans main, and applies that plan.",
  },
  6: {
    title: "Stopped part-way",
    why: "Some requests took effect before one failed, its outcome became unknown, or you interrupted the run.",
    fix: "Run gate-sync status, then gate-sync apply again: it reads the server first and finishes. After apply plan.json, plan again. To go back: gate-sync rollback.",
  },
  7: {
    title: "The answer is unknown (access can-i)",
    why: "It depends on something that you did not state, or on a pattern that cannot be evaluated here.",
    fix: "The text says what would help, such as --host ADDRESS, --backend-role NAME or --attribute NAME=VALUE.",
  },
  64: {
    title: "Wrong usage: of the command line, gate-sync.yaml or a plan file",
    why: "gate-sync does not guess what is meant. A plan file was edited, or is for another cluster or key.",
    fix: "Read the message. gate-sync COMMAND --help lists the flags. In CI, --base needs the history: fetch-depth: 0, GIT_DEPTH: 0.",
  },
  130: {
    title: "Interrupted (Ctrl-C) before the first write",
    why: "Nothing was sent. After the first write gate-sync finishes the request in flight, and ends with 6.",
    fix: "Run the command again.",
  },
  143: {
    title: "Terminated (SIGTERM) before the first write",
    why: "Nothing was sent. CI systems terminate jobs that take too long.",
    fix: "Run the command again; with a longer time limit of the job, if there is one.",
  },
};
