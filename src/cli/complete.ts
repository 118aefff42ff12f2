import { exitCodes } from "../diagnostics/failure.ts";
import type { Command } from "./commander.ts";
import type { Io, ProcessIo } from "./io.ts";
import { type CommonFlags, type RunCommand, withOutputOptions } from "./options.ts";

const shells = ["bash", "zsh", "fish"] as const;

export function defineComplete(program: Command, run: RunCommand) {
  const command = program
    .command("complete")
    .description("print what makes a shell complete commands, flags, targets and backups");
  command.addArgument(command.createArgument("<shell>", "which shell it is for").choices([...shells]));
  withOutputOptions(command, ["text"])
    .addHelpText("after", examples)
    .action((shell: string, flags: CommonFlags) => run((io) => printScript(io, shell), flags));
}

const examples = `
Examples:
  $ source <(gate-sync complete bash)             for this shell; in ~/.bashrc, for each
  $ source <(gate-sync complete zsh)
  $ gate-sync complete fish | source
`;

async function printScript({ stdout }: Io, shell: string): Promise<number> {
  if (shell === "bash") {
    stdout.write(bashScript);
    return exitCodes.done;
  }
  const { default: tab } = await import("@bomb.sh/tab");
  tab.setup("gate-sync", "gate-sync", shell);
  return exitCodes.done;
}

/**
 * The library's script has bash evaluate the line that is typed: a redirection in it overwrites its file at Tab. It also
 * needs the package bash-completion, and fails where it is read twice.
 */
const bashScript = String.raw`# Completes gate-sync in bash.
__gate_sync_complete() {
  local line=${"$"}{COMP_LINE:0:COMP_POINT} words typed flag="" value
  read -r -a words <<< "$line"
  case $line in *[[:space:]]) words+=("") ;; esac
  typed=${"$"}{words[${"$"}{#words[@]}-1]}
  case $typed in --*=*) flag=${"$"}{typed%%=*}= ;; esac
  COMPREPLY=()
  while IFS=$'\t' read -r value _; do
    case $value in
      :4) compopt +o default 2> /dev/null ;;
      :*) ;;
      # Bash replaces only what follows the last = or : of a word.
      *) value=$flag$value; COMPREPLY+=("${"$"}{value#"${"$"}{typed%"$2"}"}") ;;
    esac
  done < <(gate-sync complete -- "${"$"}{words[@]:1}" 2> /dev/null)
}
complete -o default -F __gate_sync_complete gate-sync
`;

/**
 * Prints what may follow some words, as the script of a shell asks for it. Nothing leaves the machine, and what cannot
 * be read suggests nothing.
 *
 * @param program with all commands
 */
export async function printSuggestions(program: Command, words: readonly string[], io: ProcessIo): Promise<void> {
  const { default: tab, ShellCompDirective: directives } = await import("@bomb.sh/tab");
  // Where nothing is suggested a shell completes names of files, as it does without a script.
  const directive = () =>
    tab.completions.length === 0 ? directives.ShellCompDirectiveDefault : directives.ShellCompDirectiveNoFileComp;
  Object.defineProperty(tab, "directive", { get: directive, set() {} });
  const [targets, backups] = await Promise.all([readOrNone(() => listTargets(io)), readOrNone(() => listBackups(io))]);
  // Of files a commit is named. A snapshot is a file, whose name the shell completes.
  const since = words.includes("--server") ? backups.filter((name) => name.startsWith(words.at(-1) ?? "")) : [];
  for (const [path, command] of listCommands(program)) {
    const known = path === "" ? tab : tab.command(path, command.description());
    for (const { long, short, description, argChoices, required, optional } of command
      .createHelp()
      .visibleOptions(command)) {
      if (!long) continue;
      const values =
        long === "--target" || long === "--exclude-target" ? targets : long === "--since" ? since : (argChoices ?? []);
      const alias = short?.slice(1);
      if (required || optional) known.option(long.slice(2), description, suggestAll(values), alias);
      else known.option(long.slice(2), description, alias);
    }
    for (const one of command.registeredArguments) {
      const name = one.name();
      const values = name === "backup" ? backups : /target$/.test(name) ? targets : (one.argChoices ?? []);
      known.argument(name, suggestAll(values), one.variadic);
    }
  }
  tab.parse([...words]);
}

/** The library filters them by what is typed. */
function suggestAll(values: readonly string[]): (add: (value: string, about: string) => void) => void {
  return (add) => {
    for (const value of values) add(value, "");
  };
}

/** Each with its path: `access can-i`; that of the program is empty. */
function listCommands(command: Command, path = ""): readonly (readonly [path: string, Command])[] {
  const below = command.createHelp().visibleCommands(command);
  return [
    [path, command],
    ...below.flatMap((one) => listCommands(one as Command, path === "" ? one.name() : `${path} ${one.name()}`)),
  ];
}

async function listTargets({ cwd }: Io | ProcessIo): Promise<readonly string[]> {
  const { findConfigFile } = await import("../load/config-file.ts");
  const { found } = await findConfigFile(cwd);
  if (!found) return [];
  return (await import("../load/chosen-target.ts")).listTargets(found.root);
}

/** The newest first, as that is undone most often. */
async function listBackups({ cwd }: Io | ProcessIo): Promise<readonly string[]> {
  const { getStateDir, listRecords } = await import("../artifacts/state-dir.ts");
  const records = await listRecords(getStateDir(cwd, undefined, undefined), "backup");
  return records.flatMap((record) => (record.isDirectory() ? [record.name] : [])).toReversed();
}

/** Names that no shell takes for more than a word. */
const plainName = /^[\p{L}\p{N}_.@:-]+$/u;

async function readOrNone(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return (await read()).filter((name) => plainName.test(name));
  } catch {
    return [];
  }
}
