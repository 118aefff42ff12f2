import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { Secret } from "../json/secret.ts";
import type { Credentials } from "../model/target.ts";
import { readAwsCredentials } from "./aws-credentials.ts";
import { type CommandPlace, readCommand } from "./command.ts";
import { formatErrno } from "./errno.ts";
import { readSmall } from "./read.ts";
import { requireSendable } from "./request-headers.ts";
import type { AuthConfig, TargetConfig, TargetFlags } from "./target-words.ts";

interface Sources extends CommandPlace {
  readonly flags: TargetFlags;
  readonly own: TargetConfig["auth"];
  /** The first URL of the target. */
  readonly url: string | undefined;
  readonly cwd: string;
}

/**
 * How to log in: flags, then the target, then, in a run about one target, GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD. Undefined
 * where none of them says anything. No program is started here.
 *
 * @throws RunError `usage` for half of a login, or a password that a flag names and that is not there; `invalid` for
 *   what the target refers to and is not there
 */
export function readCredentials(sources: Sources): Credentials | undefined {
  const { flags, url, read } = sources;
  const own: AuthConfig | undefined = sources.own === "aws" ? { aws: {} } : sources.own;
  const byFlag = flags.username ?? flags.passwordEnv ?? flags.passwordFile;
  if (byFlag !== undefined) return passwordLogin(own, sources);
  if (own?.token !== undefined) return { kind: "bearer", token: requireSendable(own.token, ["auth", "token"], read) };
  if (own?.aws) return readAwsCredentials(own.aws, url, sources);
  if (own?.exec) return { kind: "exec", command: readCommand(own.exec, ["auth", "exec"], sources) };
  return passwordLogin(own, sources);
}

function passwordLogin(
  own: AuthConfig | undefined,
  { flags, cwd, read, ...sources }: Sources,
): Credentials | undefined {
  const env = flags.isOneOfMany ? {} : sources.env;
  const username =
    flags.username ??
    (own?.username === undefined ? undefined : read.publicText(own.username, ["auth", "username"])) ??
    (env.GATE_SYNC_USERNAME || undefined);
  const password =
    passwordByFlag(flags, env, cwd) ??
    (own?.password === undefined ? undefined : read.secret(own.password, ["auth", "password"])) ??
    secretOf("GATE_SYNC_PASSWORD", env);
  if (username === undefined && password === undefined) return undefined;
  if (username === undefined) throw halfLogin("a password, but no user name", "--username or GATE_SYNC_USERNAME");
  if (password === undefined) {
    throw halfLogin(
      "a user name, but no password",
      "`auth: { password }` of the target, --password-env, --password-file or GATE_SYNC_PASSWORD",
    );
  }
  return { kind: "basic", username, password };
}

function passwordByFlag({ passwordEnv, passwordFile }: TargetFlags, env: Sources["env"], cwd: string) {
  if (passwordEnv !== undefined && passwordFile !== undefined) {
    throw new RunError("usage", { what: "--password-env and --password-file cannot both be given.", fix: "Keep one." });
  }
  if (passwordEnv !== undefined) {
    const secret = secretOf(passwordEnv, env);
    if (secret) return secret;
    throw new RunError("usage", {
      what: `--password-env names ${/^[A-Z_][A-Z0-9_]*$/.test(passwordEnv) ? passwordEnv : "a variable"}, but this variable is ${env[passwordEnv] === "" ? "empty" : "not set"}.`,
      fix: "Set it where gate-sync runs. The flag takes the name of a variable, never the password itself.",
    });
  }
  return passwordFile === undefined ? undefined : passwordIn(passwordFile, cwd);
}

function passwordIn(path: string, cwd: string): Secret {
  try {
    return new Secret(`\${file:${path}}`, readSmall(resolve(cwd, path)).replace(/\r?\n$/, ""));
  } catch (error) {
    throw new RunError("usage", {
      what: `The file ${path} of --password-file cannot be read: ${formatErrno(error)}.`,
      fix: "Correct the path, which is relative to the current folder.",
    });
  }
}

/** An empty variable, as CI services leave it where a secret is missing, counts as not set. */
function secretOf(variable: string, env: Sources["env"]): Secret | undefined {
  const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
  return value ? new Secret(`\${env:${variable}}`, value) : undefined;
}

function halfLogin(what: string, fix: string): RunError {
  return new RunError("usage", { what: `There is ${what}.`, why: "A login needs both.", fix: `Give it with ${fix}.` });
}
