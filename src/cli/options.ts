import { RunError } from "../diagnostics/failure.ts";
import { suggestNearest } from "../diagnostics/suggest.ts";
import type { BaselineFlags } from "../engine/history/baseline.ts";
import type { RunRequest } from "../engine/request.ts";
import type { SharedFiles } from "../load/shared-files.ts";
import { type Family, families } from "../model/names.ts";
import type { Product } from "../model/plan.ts";
import type { FailOn } from "../model/target.ts";
import type { Style } from "../render/style.ts";
import { type Command, InvalidArgumentError, Option } from "./commander.ts";
import type { Io, Output, ProcessIo } from "./io.ts";

/** Runs the action of a command and turns what it throws into messages and an exit code. */
export type RunCommand = <F extends CommonFlags>(action: CommandAction<F>, flags: F) => Promise<void>;

/** @param flags of a run about several targets: those of each */
export type CommandAction<F extends CommonFlags> = (io: Io, flags: F) => Promise<number | CommandOutcome>;

/** How a command ended, and what a run about several targets says of each beside that. */
export interface CommandOutcome {
  readonly exitCode: number;
  /** How many users are in sync but for their passwords, which are unknown. */
  readonly unknownPasswords: number;
}

type Variables = Readonly<Record<string, string>>;

/** A file that gets the result in a format of its own, beside what standard output gets. */
export interface ReportFile {
  readonly format: string;
  /** As the user wrote it. */
  readonly path: string;
}

/** Flags as commander hands them over. */
export interface CommonFlags {
  readonly config?: string;
  readonly target?: readonly string[];
  readonly allTargets?: boolean;
  readonly excludeTarget?: readonly string[];
  /** Which part of the targets, of how many runs that share them. */
  readonly shard?: { readonly index: number; readonly of: number };
  /** How many targets at once. */
  readonly parallel?: number;
  /** Set where the run is about several targets, and this is about one of them: the files that these share. */
  readonly shared?: SharedFiles;
  readonly var?: Variables;
  readonly url?: readonly string[];
  readonly product?: Product;
  readonly release?: string;
  readonly failOn?: FailOn;
  readonly username?: string;
  readonly passwordEnv?: string;
  readonly passwordFile?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
  readonly family?: readonly string[];
  /** Of standard output. */
  readonly format: string;
  /** Files that get the result, too. */
  readonly reports?: readonly ReportFile[];
  /** GitHub Actions gets the result, too. */
  readonly annotations?: boolean;
  /** Where a forge shows files, for links. */
  readonly linkBase?: string;
  readonly color: "auto" | "always" | "never";
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly full?: boolean;
  readonly stateDir?: string;
  readonly appliedRef?: string;
  readonly baseline?: string;
  readonly access?: boolean;
}

export const collect = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

export function withOutputOptions(command: Command, formats: readonly string[]): Command {
  return withTextOptions(
    command.addOption(
      new Option("--format <format>", "how the result is written").choices([...formats]).default("text"),
    ),
  );
}

/** How text looks, and how much of it there is. */
export function withTextOptions(command: Command): Command {
  return command
    .addOption(new Option("--color <when>", "colour in text").choices(["auto", "always", "never"]).default("auto"))
    .option("--quiet", "nothing but the result and errors")
    .option("--verbose", "also what is in sync, reserved, unmanaged, and on stderr each step of the run");
}

/** @param withChoice of one target, or of several */
export function withStateOptions(command: Command, withChoice = withTargetsChoice): Command {
  return withTargetOptions(
    command.argument(
      "[state...]",
      "state files and folders, - for standard input; without them, `state` of the target",
    ),
    withChoice,
  );
}

/** `TEAM=hr`; the last of a name counts. */
function variable(value: string, previous: Variables = {}): Variables {
  const [, name, text] = /^([^=:{}$]+)=(.*)$/s.exec(value) ?? [];
  if (name === undefined || text === undefined) throw new InvalidArgumentError("It takes NAME=VALUE.");
  return Object.fromEntries([...Object.entries(previous), [name, text]]);
}

export function withConfigOption(command: Command): Command {
  return command.option("--config <file>", "another gate-sync.yaml than the one in this folder");
}

export function withTargetChoice(command: Command): Command {
  return withConfigOption(command).option("--target <name>", "which target of gate-sync.yaml", collect);
}

/** Of a command that can be about several targets. */
export function withTargetsChoice(command: Command): Command {
  return withConfigOption(command)
    .option(
      "--target <name>",
      "which target of gate-sync.yaml, or a pattern such as 'prod-*'; may be repeated",
      collect,
    )
    .option("--all-targets", "every target of gate-sync.yaml")
    .option("--exclude-target <name>", "not this target, or those of a pattern; may be repeated", collect)
    .option("--parallel <number>", "of several targets, how many at once (default: 8)", parseCount(1))
    .option(
      "--shard <part/parts>",
      "one part of the targets, from 0/N on; gate-sync report joins what all found",
      parseShard,
    );
}

function parseShard(value: string): CommonFlags["shard"] {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(value) ?? [];
  if (Number(index) < Number(of)) return { index: Number(index), of: Number(of) };
  throw new InvalidArgumentError("It takes a part from 0 on and the number of parts, as in 0/16 to 15/16.");
}

export function parseCount(least: number): (value: string) => number {
  return (value) => {
    if (/^(0|[1-9]\d{0,3})$/.test(value) && Number(value) >= least) return Number(value);
    throw new InvalidArgumentError(`It takes a number from ${least} on.`);
  };
}

export function withTargetOptions(command: Command, withChoice = withTargetsChoice): Command {
  return withChoice(command)
    .option(
      "--var <name=value>",
      "a public value for ${var:NAME}, before vars of gate-sync.yaml; may be repeated",
      variable,
    )
    .option("--family <name>", `only this resource type; may be repeated (${families.join(", ")})`, collect);
}

export function withProductOptions(command: Command): Command {
  return command
    .addOption(new Option("--product <product>", "what the server is").choices(["gate", "search-guard", "opensearch"]))
    .option("--release <release>", "which release of it, such as 7.x-43.0.0");
}

export function withFailOnOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--fail-on <severity>",
      "warning: also end with 3 where a warning is about the files (default: fail_on of the target, else error)",
    ).choices(["error", "warning"]),
  );
}

export function withAccessOption(command: Command): Command {
  return command.option(
    "--no-access",
    "do not work out who gains and who loses access, in between either; its fingerprint is another",
  );
}

export function withStateDirOption(command: Command): Command {
  return command.option("--state-dir <folder>", "gate-sync's own records, backups among them (default: .gate-sync)");
}

/** Of plan and apply. */
export const deletedFlag = "what neither it nor HEAD declares is deleted only if that is allowed";

/** @param why what is asked of what was applied last */
export function withBaselineOptions(command: Command, why: string): Command {
  return command
    .option("--applied-ref <ref>", `the commit that was applied last: ${why}`)
    .option("--baseline <plan>", "the reviewed plan that was applied last, instead of a commit");
}

export function readBaselineFlags({ appliedRef, baseline }: CommonFlags): BaselineFlags {
  return { ...(appliedRef !== undefined && { appliedRef }), ...(baseline !== undefined && { baseline }) };
}

export function withServerOptions(command: Command): Command {
  return withProductOptions(command)
    .option("--url <url>", "the server; may be repeated, for more URLs of the same cluster", collect)
    .option("--username <name>", "user name (or GATE_SYNC_USERNAME)")
    .option("--password-env <variable>", "environment variable that holds the password (GATE_SYNC_PASSWORD)")
    .option("--password-file <file>", "file that holds the password")
    .option("--ca <file>", "certificate of the authority to trust, PEM")
    .option("--cert <file>", "client certificate, PEM; with --key")
    .option("--key <file>", "key of the client certificate, PEM (its passphrase by GATE_SYNC_KEY_PASSPHRASE)")
    .option("--insecure", "do not check the server's certificate");
}

export function readRequestFlags(io: Io, state: readonly string[], flags: CommonFlags): RunRequest {
  const { target, url, product, release, username, passwordEnv, passwordFile, ca, cert, key, insecure, failOn } = flags;
  return {
    cwd: io.cwd,
    env: io.env,
    input: io.input,
    ...(flags.config !== undefined && { configPath: flags.config }),
    flags: {
      statePaths: state,
      ...(target !== undefined && { target: getOnlyTarget(target) }),
      ...(flags.shared && { isOneOfMany: true as const }),
      ...(flags.var && { vars: flags.var }),
      ...(url !== undefined && { url }),
      ...(product !== undefined && { product }),
      ...(release !== undefined && { release }),
      ...(failOn && { failOn }),
      ...(username !== undefined && { username }),
      ...(passwordEnv !== undefined && { passwordEnv }),
      ...(passwordFile !== undefined && { passwordFile }),
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      ...(insecure !== undefined && { insecure }),
    },
    ...(flags.family && { families: flags.family.map(familyNamed) }),
    ...(flags.shared && { shared: flags.shared }),
    ...(io.watch && { watch: io.watch }),
  };
}

function getOnlyTarget([first = "", ...more]: readonly string[]): string {
  if (more.length === 0) return first;
  throw new RunError("usage", {
    what: `This command is about one target, and ${more.length + 1} are named.`,
    fix: "Name one of them with --target.",
  });
}

function familyNamed(name: string): Family {
  const family = families.find((known) => known === name);
  if (family) return family;
  throw new RunError("usage", {
    what: `There is no resource type "${name}".${suggestNearest(name, families)}`,
    fix: `Resource types: ${families.join(", ")}.`,
  });
}

/** Columns: narrower lines are not easier to read. */
const narrowest = 40;

/**
 * Colour where a terminal shows it, unless NO_COLOR or the flag says otherwise; 80 columns where the width is
 * unknown.
 */
export function chooseStyle(output: Output, io: ProcessIo, flags: CommonFlags): Style {
  const wanted =
    flags.color === "auto" ? output.isTTY && !io.env.NO_COLOR && io.env.TERM !== "dumb" : flags.color === "always";
  return {
    color: wanted,
    width: output.isTTY ? Math.max(narrowest, output.columns) : 80,
    full: flags.full ?? false,
    verbose: flags.verbose ?? false,
  };
}

export function parsePortNumber(value: string): number {
  const port = Number(value);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}
