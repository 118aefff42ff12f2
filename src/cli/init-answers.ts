import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import type { Forge } from "../engine/init.ts";
import { escapeInvisible } from "../render/escape.ts";
import { InvalidArgumentError } from "./commander.ts";
import type { Io } from "./io.ts";
import type { CommonFlags } from "./options.ts";

export interface InitFlags extends CommonFlags {
  readonly name?: string;
  readonly out?: string;
  readonly ci?: Forge | "none";
}

/** What there is to know of a repository to begin, before its server is asked. */
export interface InitAnswers {
  /** With URL and user name. */
  readonly flags: InitFlags;
  /** Of the target. */
  readonly name: string;
  /** Of the state files. */
  readonly folder: string;
  readonly forge: Forge | undefined;
}

/** It becomes part of names of jobs, tags and records. */
export function parseTargetName(value: string): string {
  if (/^[A-Za-z0-9](?!.*(?:\.\.|\.lock$|\.$))[\w.-]*$/.test(value)) return value;
  throw new InvalidArgumentError(
    "It takes A to Z, a to z, 0 to 9, '.', '_' and '-', and no '..' and no '.' or '.lock' at its end: a git tag is called like it.",
  );
}

const forges = ["github", "gitlab", "none"] as const;

/**
 * Flags, and on a terminal a question for each that is missing and has no answer that nearly all give. What cannot be
 * is asked again.
 *
 * @throws RunError `usage` where the server is not named, or an answer is missing
 */
export async function askForInit(io: Io, flags: InitFlags): Promise<InitAnswers> {
  const { isThere } = await import("../artifacts/exported/first-files.ts");
  const { refuseUnlessServer } = await import("../load/url.ts");
  const ask = createQuestions(io);
  if (io.interactive && lacksPassword(io, flags)) io.stderr.write(passwordNotice);
  const url = flags.url ?? [
    await ask("URL of the cluster, such as https://search.example:9200", "", (answer) => {
      if (answer === "") throw noServer();
      refuseUnlessServer(answer);
    }),
  ];
  if (url.includes("")) throw noServer();
  const isTrusted = flags.ca !== undefined || flags.insecure || !url.some((one) => one.startsWith("https:"));
  const ca = isTrusted
    ? flags.ca
    : await ask("File with the CA certificate of the cluster, PEM; empty where a public CA signed it", "", (answer) => {
        if (answer !== "" && !isThere(io.cwd, answer)) throw noFile(answer);
      });
  const hasLogin = [flags.username, flags.cert, io.env.GATE_SYNC_USERNAME].some(Boolean);
  const username = hasLogin ? flags.username : await ask("User name; its password is read from GATE_SYNC_PASSWORD", "");
  const name = flags.name ?? (await ask("Name of the cluster in gate-sync.yaml", guessName(io, url[0]), checkName));
  const forge = flags.ci ?? (await askForForge(io, ask));
  return {
    flags: { ...flags, url, ...(username && { username }), ...(ca && { ca }) },
    name: checkName(name),
    folder: (flags.out ?? "access").replace(/(?<=[^/])\/+$/, ""),
    forge: chooseForge(forge),
  };
}

/** Where jobs would never run there is nothing to ask. */
async function askForForge(io: Io, ask: ReturnType<typeof createQuestions>): Promise<string> {
  const { guessForge, isTopOfRepository } = await import("../artifacts/exported/first-files.ts");
  const { findRemoteHost } = await import("../load/work-tree.ts");
  if (!io.interactive) return "none";
  if (!isTopOfRepository(io.cwd)) {
    io.stderr.write("No jobs are written: forges look for them at the top of the git work tree.\n");
    return "none";
  }
  const usual = guessForge(io.cwd, await findRemoteHost(io.cwd, io.env)) ?? "none";
  return ask("Jobs for github, gitlab or none", usual, chooseForge);
}

/** By the host, as in search.stage.example. */
function guessName({ interactive }: Io, url = ""): string {
  const host = interactive && URL.canParse(url) ? new URL(url).hostname : "";
  return /(?:^|[.-])(prod|staging|stage|test|qa|dev)(?=[.-]|$)/.exec(host)?.[1] ?? "prod";
}

/** One line of a person for each, which `check` throws a RunError of as long as it cannot be; elsewhere what is usual. */
function createQuestions(io: Io) {
  return async (question: string, usual: string, check: (answer: string) => unknown = () => {}): Promise<string> => {
    if (!io.interactive) return usual;
    for (;;) {
      const answer = await io.ask(`${question}${usual === "" ? "" : ` [${usual}]`}: `);
      if (answer === undefined) throw unanswered();
      const chosen = answer.trim() || usual;
      try {
        await check(chosen);
        return chosen;
      } catch (error) {
        if (!(error instanceof RunError)) throw error;
        const { what, fix } = error.userMessage;
        io.stderr.write(`${escapeInvisible([what, fix].filter(Boolean).join(" "))}\n`);
      }
    }
  };
}

function lacksPassword({ env }: Io, { passwordEnv, passwordFile, cert }: InitFlags): boolean {
  return ![env.GATE_SYNC_PASSWORD, passwordEnv, passwordFile, cert].some(Boolean);
}

const passwordNotice = `GATE_SYNC_PASSWORD is not set. To log in with a password, stop here (Ctrl-C), and type
  read -rs GATE_SYNC_PASSWORD; export GATE_SYNC_PASSWORD
`;

export function chooseForge(answer: string): Forge | undefined {
  const forge = forges.find((known) => known === answer);
  if (forge) return forge === "none" ? undefined : forge;
  throw new RunError("usage", {
    what: `There are no jobs for "${answer}".${suggestNearest(answer, forges)}`,
    fix: "Answer github, gitlab or none.",
  });
}

/** @throws RunError `usage` where the jobs would never run */
export async function refuseForge({ cwd }: Io, forge: Forge | undefined): Promise<void> {
  if (forge === undefined) return;
  const { isTopOfRepository } = await import("../artifacts/exported/first-files.ts");
  if (isTopOfRepository(cwd)) return;
  throw new RunError("usage", {
    what: "This folder is not the top of the git work tree, where alone jobs are looked for.",
    why: "Written here, they would never run. Nothing was written.",
    fix: "Run init at the top, or leave the jobs out here: --ci none. Their text is in examples/ci.",
  });
}

function checkName(name: string): string {
  try {
    return parseTargetName(name);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new RunError("usage", { what: `"${name}" cannot be the name of the target.`, fix: error.message });
  }
}

function noFile(path: string): RunError {
  return new RunError("usage", { what: `There is no file ${path}.`, fix: "Name it relative to this folder." });
}

function noServer(): RunError {
  return new RunError("usage", {
    what: "No server is named.",
    why: "Nothing was written.",
    fix: "Name it with --url, such as https://search.example:9200.",
  });
}

function unanswered(): RunError {
  return new RunError("usage", {
    what: "The questions were not answered.",
    why: "Nothing was written.",
    fix: "Answer them, or say all by flags: gate-sync init --help.",
  });
}
