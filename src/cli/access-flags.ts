import { RunError } from "../diagnostics/failure.ts";
import type { AskedSource } from "../engine/access/asked-state.ts";
import type { RunRequest } from "../engine/request.ts";
import type { Command } from "./commander.ts";
import type { Io } from "./io.ts";
import {
  type CommonFlags,
  collect,
  readRequestFlags,
  withOutputOptions,
  withServerOptions,
  withTargetsChoice,
} from "./options.ts";
import { createReadSource } from "./read-source.ts";

/** Of all access commands; the principal is described to those that are about one. */
export interface AccessFlags extends CommonFlags {
  readonly state?: readonly string[];
  readonly server?: boolean;
  readonly live?: string;
  readonly planned?: boolean;
  readonly tenant?: string;
  readonly user?: string;
  readonly backendRole?: readonly string[];
  readonly host?: string;
  readonly attribute?: readonly (readonly [string, string])[];
  readonly persona?: string;
}

export function withAccessOptions(command: Command): Command {
  return withOutputOptions(withAccessSource(command), ["text", "json"]).option(
    "--full",
    "show all of a long list, and long values whole",
  );
}

/** Which state is asked about. */
export function withAccessSource(command: Command): Command {
  const withTarget = withTargetsChoice(
    command.option("--state <path>", "state files or folder, instead of those of the target; may be repeated", collect),
  )
    .option("--server", "ask what the target's server holds, not the files")
    .option("--live <snapshot>", "ask what a snapshot holds, not the files")
    .option("--planned", plannedFlag);
  return withServerOptions(withTarget);
}

export const plannedFlag = "with --server: ask what the server would hold after the plan";

/** @throws RunError `usage` where two are named: the answer would be that of one, and be taken for the other's */
export async function readAccessSource(
  io: Io,
  { server, live, planned, url }: Pick<AccessFlags, "server" | "live" | "planned" | "url">,
): Promise<AskedSource | undefined> {
  if (server && live !== undefined) {
    throw new RunError("usage", {
      what: "Both --server and --live say what is asked.",
      why: "An answer is of one state: of what the server holds, or of what the snapshot holds.",
      fix: "Choose one of them, and leave the other out.",
    });
  }
  if (planned && !server) {
    throw new RunError("usage", {
      what: "--planned goes with --server.",
      why: "What a server would hold after the plan depends on what it holds.",
      fix: "Add --server, or leave --planned out.",
    });
  }
  if (live !== undefined) return { snapshot: live };
  if (!server && url !== undefined) {
    throw new RunError("usage", {
      what: "--url names a server, and nothing says that it is asked.",
      why: "Without --server the files are, and the answer would be taken for the server's.",
      fix: "Add --server, or leave --url out.",
    });
  }
  return server ? { connect: await createReadSource(io), ...(planned && { planned }) } : undefined;
}

export function readAccessRequest(io: Io, flags: AccessFlags): RunRequest {
  return readRequestFlags(io, flags.state ?? [], flags);
}

export function printAccessNotices(io: Io, { quiet, format }: AccessFlags, notices: readonly string[]): void {
  if (quiet || (format !== "text" && format !== "markdown")) return;
  for (const notice of notices) io.stderr.write(`${notice}\n`);
}

export function refuseEmpty(option: string, ...names: readonly (string | undefined)[]): void {
  if (!names.some((name) => name?.trim() === "")) return;
  throw new RunError("usage", {
    what: `${option} is empty.`,
    why: "Often a variable is not set. The answer would be about something else.",
    fix: `Write a name behind ${option}, or leave it out.`,
  });
}
