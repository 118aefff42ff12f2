// Starts the program that looks at clusters between two waves of an apply.
import { spawn } from "node:child_process";
import { basename } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import type { Command } from "../model/target.ts";
import { recordProgram } from "./client/credential-command.ts";

/**
 * Runs the program without a shell and without input, until it ends.
 *
 * @param print gets what it prints, on either output
 * @throws RunError `failed` where it cannot be started or fails
 */
export function runCheckCommand(command: Command, print: (text: string) => void): Promise<void> {
  const program = basename(command.argv[0] ?? "");
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(
        new RunError("failed", {
          what: `The check ${program} ${what}.`,
          why: "No further wave is applied.",
          fix: "Look at the targets that were applied. Once all is well, run gate-sync apply again: it goes on.",
        }),
      );
    let child: ReturnType<typeof start>;
    try {
      child = start(command);
    } catch (error) {
      // A word that none may be is thrown, all else comes by the event.
      fail(`cannot be started: ${(error as NodeJS.ErrnoException).code}`);
      return;
    }
    recordProgram(child);
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
    child.on("error", ({ message }) => fail(`cannot be started: ${message}`));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else fail(signal ? `was ended by ${signal}` : `fails with exit code ${code}`);
    });
  });
}

function start({ argv, cwd, env }: Command) {
  const [file = "", ...args] = argv;
  return spawn(file, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
}
