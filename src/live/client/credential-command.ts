// Starts a program that prints credentials, as kubectl's plugins and the AWS CLI do.
import { type ChildProcess, type ExecFileException, execFile } from "node:child_process";
import { basename } from "node:path";
import { RunError } from "../../diagnostics/failure.ts";
import type { Command } from "../../model/target.ts";
import { hideUnlessProgram } from "../../secrets/command-words.ts";
import { type CommandCredentials, parsePrintedCredentials, printedForms } from "./printed-credentials.ts";

export type { CommandCredentials } from "./printed-credentials.ts";

const seconds = 60;

/** Milliseconds: it gets no input, and has nothing to wait for but a server. */
export const programPatience = seconds * 1000;

const mebibyte = 1024 * 1024;

/**
 * Runs the program, without a shell and without input, and understands what it prints: JSON, in one of several forms.
 *
 * @throws RunError `failed` where it cannot be started, fails, prints nothing that is understood, or does not end
 */
export async function runCredentialCommand(command: Command, timeout = programPatience): Promise<CommandCredentials> {
  const program = basename(hideUnlessProgram(command.argv[0] ?? ""));
  const { error, stdout } = await run(command, timeout);
  if (error) throw failure(program, error);
  const credentials = parsePrintedCredentials(stdout, program);
  if (typeof credentials !== "string") return credentials;
  throw new RunError("failed", {
    what: `The program ${program}, which has to print the login, ${credentials}.`,
    why: "What it printed is not shown, as it may be secret.",
    fix: `Let it print JSON on standard output: ${printedForms}.`,
  });
}

const running = new Set<ChildProcess>();

/** Of a program that is not to go on without this process. */
export function recordProgram(child: ChildProcess): void {
  running.add(child);
  child.once("close", () => running.delete(child));
}

/** Ends what still runs: for a process that ends itself without waiting for anybody. */
export function stopStartedPrograms(): void {
  for (const child of running) child.kill("SIGKILL");
}

interface Ended {
  readonly error: ExecFileException | null;
  readonly stdout: string;
}

function run({ argv, cwd, env }: Command, timeout: number): Promise<Ended> {
  const [file = "", ...args] = argv;
  // One that hangs may not listen to anything gentler.
  const limits = { timeout, killSignal: "SIGKILL", maxBuffer: mebibyte, windowsHide: true } as const;
  return new Promise((resolve) => {
    try {
      const options = { cwd, env: { ...env }, encoding: "utf8", ...limits } as const;
      const child = execFile(file, args, options, (error, stdout) => {
        running.delete(child);
        resolve({ error, stdout });
      });
      running.add(child);
      child.stdin?.end();
    } catch (error) {
      // Most causes come by the callback; a list of words that is too long, or a word that none may be, is thrown.
      resolve({ error: error instanceof Error ? error : new Error(String(error)), stdout: "" });
    }
  });
}

/** Its error output is not shown: only the program itself knows what its secrets look like. */
function failure(program: string, { code, killed, signal }: ExecFileException): RunError {
  const failed = (what: string, fix: string) =>
    new RunError("failed", { what: `The program ${program}, which has to print the login, ${what}.`, fix });
  const tryIt =
    "What it says is not shown, as it may be secret: try it in a terminal, in the folder of gate-sync.yaml and with the same environment.";
  if (String(code) === "ENOENT") {
    return failed(
      "is not found",
      "Install it, or write its path; a relative one begins at the folder of gate-sync.yaml.",
    );
  }
  if (String(code) === "EACCES") return failed("may not be executed", "Make it executable, or name what is.");
  if (String(code) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return failed("prints more than 1 MiB", tryIt);
  if (killed) {
    const fix = "It gets no input and no terminal: log in beforehand, so that it has nothing to ask.";
    return failed(`has not ended after ${seconds} seconds`, fix);
  }
  if (typeof code === "number") return failed(`fails with exit code ${code}`, tryIt);
  return failed(signal ? `was ended by ${signal}` : `cannot be started (${code ?? "unknown cause"})`, tryIt);
}
