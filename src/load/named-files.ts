// The files that `${file:…}` and `license: { file }` name.
import { isAbsolute } from "node:path";
import type { Code } from "../diagnostics/catalogue.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { type Boundary, isOfTheKernel, isWithin, locateReal, mayBeRead, type Readable } from "./boundary.ts";
import { formatErrno } from "./errno.ts";
import { formatPath } from "./files.ts";
import { readConfined, readSmallNamed } from "./read.ts";

export interface NamedFiles {
  /** Why one must not be read; nothing of it is. `shown`: its path as it was written. */
  readonly refuse: (absolute: string, shown: string) => FileProblem | undefined;
  /** @throws Error that `formatErrno` puts into words */
  readonly read: (absolute: string) => string;
}

/** Where secrets are left and only what is declared is of interest. */
export const unreadFiles: NamedFiles = { refuse: () => undefined, read: () => "" };

export interface FileProblem {
  readonly code: Code;
  readonly userMessage: Pick<Diagnostic, "what" | "why" | "fix">;
}

/** Of gate-sync.yaml, which may name any file: only links of its repository are not followed out of it. */
export function createSettingFiles(within: Boundary): NamedFiles {
  return { refuse: () => undefined, read: (absolute) => readSmallNamed(absolute, within) };
}

/** Of state files, saved plans and backups. */
export function createConfinedFiles(readable: Readable): NamedFiles {
  return {
    refuse: (absolute, shown) =>
      mayBeRead(locateReal(absolute), readable) ? undefined : refuseFile(absolute, shown, readable),
    read: (absolute) => readConfined(absolute, readable),
  };
}

function refuseFile(absolute: string, shown: string, { within, directory }: Readable): FileProblem {
  const real = locateReal(absolute);
  const isHidden = isWithin(within, real);
  const isLink = !isHidden && isWithin(within, absolute);
  const path = isAbsolute(shown) ? absolute : formatPath(directory, absolute);
  const line = `secret_files: [${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)}]`;
  const where = isLink ? "a link leads out of the repository" : "it is outside of the repository";
  const fix = isLink
    ? "Write the path of the file itself, and list that under secret_files in gate-sync.yaml."
    : `Move the file into the repository, or add to gate-sync.yaml: ${line}`;
  return {
    code: "outside-repository",
    userMessage: {
      what: `The file ${shown} is not read: ${isHidden ? "a name on its path begins with a dot" : where}.`,
      why: "Who may change the repository could send files of this machine to the cluster.",
      fix: isOfTheKernel(real) ? "Name a regular file in the repository, or write ${env:NAME}." : fix,
    },
  };
}

/** The text of a secret's file, or what is wrong with it. */
export function readSecretFile(
  absolute: string,
  shown: string,
  { files, secrets }: { readonly files: NamedFiles; readonly secrets: "resolve" | "leave" },
): { readonly text?: string; readonly problem?: FileProblem } {
  const problem = files.refuse(absolute, shown);
  if (problem) return { problem };
  if (secrets === "leave") return {};
  try {
    return { text: files.read(absolute) };
  } catch (error) {
    const userMessage = {
      what: `The file ${shown} cannot be read: ${formatErrno(error)}.`,
      why: "The secret that it should hold cannot be compared or sent.",
      fix: "Create it where gate-sync runs; its path is relative to the file that mentions it.",
    };
    return { problem: { code: "unset-secret", userMessage } };
  }
}
