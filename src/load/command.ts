import type { Command } from "../model/target.ts";
import type { SettingReader } from "./setting.ts";

/** What a program that prints credentials is started with. */
export interface CommandPlace {
  readonly env: Command["env"];
  /** The folder of gate-sync.yaml. */
  readonly directory: string;
  readonly read: SettingReader;
}

/**
 * The program and its arguments with variables replaced. Every process of the machine can see them, so they hold no
 * secrets.
 */
export function readCommand(written: readonly string[], path: readonly string[], place: CommandPlace): Command {
  const { env, directory, read } = place;
  const argv = written.map((word, index) => read.publicText(word, [...path, String(index)]));
  if (argv[0] !== "") return { argv, cwd: directory, env };
  return read.fail(
    {
      code: "missing-field",
      userMessage: {
        what: `The setting ${path.join(".")} names no program.`,
        why: "Nothing could print the login.",
        fix: "Write the program first, then its arguments.",
      },
    },
    [...path, "0"],
  );
}
