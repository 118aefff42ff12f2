import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import type { Forge } from "../engine/init.ts";
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
  if (/^[A-Za-z0-9][\w.-]*$/.test(value)) return value;
  throw new InvalidArgumentError("It takes A to Z, a to z, 0 to 9, '.', '_' and '-'.");
}

const forges = ["github", "gitlab", "none"] as const;

/**
 * Flags, and on a terminal a question for each that is missing.
 *
 * @throws RunError `usage` where the server is not named, or an answer is none
 */
export async function askForInit(io: Io, flags: InitFlags): Promise<InitAnswers> {
  const ask = async (question: string, usual: string): Promise<string> => {
    if (!io.interactive) return usual;
    const answer = await io.ask(`${question}${usual === "" ? "" : ` [${usual}]`}: `);
    if (answer === undefined) throw unanswered();
    return answer.trim() || usual;
  };
  const url = flags.url ?? [await ask("URL of the cluster, such as https://search.example:9200", "")];
  if (url.includes("")) throw noServer();
  const hasLogin = [flags.username, flags.cert, io.env.GATE_SYNC_USERNAME].some(Boolean);
  const username = hasLogin ? flags.username : await ask("User name; its password is read from GATE_SYNC_PASSWORD", "");
  const name = flags.name ?? (await ask("Name of the cluster in gate-sync.yaml", "prod"));
  const folder = flags.out ?? (await ask("Folder for the state files", "access"));
  const { guessForge } = await import("../artifacts/exported/first-files.ts");
  const usualForge = (io.interactive && guessForge(io.cwd)) || "none";
  const forge = flags.ci ?? (await ask("Jobs for github, gitlab or none", usualForge));
  return {
    flags: { ...flags, url, ...(username && { username }) },
    name: checkName(name),
    folder: folder.replace(/(?<=[^/])\/+$/, ""),
    forge: chooseForge(forge),
  };
}

export function chooseForge(answer: string): Forge | undefined {
  const forge = forges.find((known) => known === answer);
  if (forge) return forge === "none" ? undefined : forge;
  throw new RunError("usage", {
    what: `There are no jobs for "${answer}".${suggestNearest(answer, forges)}`,
    fix: "Answer github, gitlab or none.",
  });
}

function checkName(name: string): string {
  try {
    return parseTargetName(name);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new RunError("usage", { what: `"${name}" cannot be the name of the target.`, why: error.message });
  }
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
