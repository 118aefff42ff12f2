// Starts the program that looks at clusters between two waves of an apply.
import { spawn } from "node:child_process";
import { basename } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import type { Command } from "../model/target.ts";

/**
 * Runs the program without a shell and without input, until it ends.
 *
 * @param print gets what it prints, on either output
 * @throws RunError `failed` where it cannot be started or fails
 */
export function runCheckCommand({ argv, cwd, env }: Command, print: (text: string) => void): Promise<void> {
  const [file = "", ...args] = argv;
  const program = basename(file);
  return new Promise((resolve, reject) => {
    const fail = (what: string) =>
      reject(
        new RunError("failed", {
          what: `The check ${program} ${what}.`,
          why: "No further wave is applied.",
          fix: "Look at the targets that were applied. Once all is well, run gate-sync apply again: it goes on.",
        }),
      );
    const child = spawn(file, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
    child.on("error", ({ message }) => fail(`cannot be started: ${message}`));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else fail(signal ? `was ended by ${signal}` : `fails with exit code ${code}`);
    });
  });
}
