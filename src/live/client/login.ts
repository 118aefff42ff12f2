import { RunError } from "../../diagnostics/failure.ts";
import type { AwsKeys, Command, Credentials, Target } from "../../model/target.ts";
import { type RequestToSign, signHeaders } from "./aws.ts";
import { type CommandCredentials, runCredentialCommand } from "./credential-command.ts";

/** Who we say we are: credentials at hand, no longer to be asked for. */
export type LoginIdentity =
  | Extract<Credentials, { kind: "basic" | "bearer" }>
  | { readonly kind: "aws"; readonly region: string; readonly service: string; readonly keys: AwsKeys }
  | { readonly kind: "anonymous" };

export interface Login {
  /** @throws RunError where the credential command fails */
  current(): Promise<LoginIdentity>;
  /** Another than the one that was refused, where another can be had. */
  instead(refused: LoginIdentity): Promise<LoginIdentity>;
}

type Unsigned = Omit<RequestToSign, "credentials" | "datetime">;

/** Milliseconds before their end from which on keys count as expired. */
const margin = 60_000;

interface Explained {
  readonly identity: LoginIdentity;
  /** Milliseconds since 1970. */
  readonly expires?: number;
}

/** Credentials of a command are asked for when first needed, and again where they are refused or have expired. */
export function createLogin(auth: Credentials | undefined): Login {
  const ask = asking(auth);
  let latest: Promise<Explained> | undefined;
  const renew = () => {
    latest = ask();
    return latest;
  };
  /** The login held now if it is still good, else a new one: requests that find it expired together share one. */
  const unless = async (isGood: (explained: Explained) => boolean): Promise<LoginIdentity> => {
    const held = latest;
    if (!held) return (await renew()).identity;
    const explained = await held;
    if (isGood(explained)) return explained.identity;
    return (await (latest === held ? renew() : (latest ?? held))).identity;
  };
  return {
    current: () => unless(({ expires }) => expires === undefined || Date.now() < expires - margin),
    instead: (refused) => unless(({ identity }) => identity !== refused),
  };
}

/** What we log in with, in words that may be read by anybody; undefined where it is nothing. */
export function formatLogin({ auth, tls }: Target): string | undefined {
  switch (auth?.kind) {
    case "basic":
      return `the password of ${auth.username}`;
    case "bearer":
      return "our token";
    case "aws":
      return "our AWS signature";
    case "exec":
      return "the login that our command prints";
    case undefined:
      return tls?.cert !== undefined || tls?.pkcs12 ? "our client certificate" : undefined;
  }
}

export function startsProgram(auth: Credentials | undefined): boolean {
  return auth?.kind === "exec" || (auth?.kind === "aws" && "argv" in auth.keys);
}

function asking(auth: Credentials | undefined): () => Promise<Explained> {
  if (!auth) return at({ identity: { kind: "anonymous" } });
  if (auth.kind === "exec") return async () => ({ identity: unlessKeys(await runCredentialCommand(auth.command)) });
  if (auth.kind !== "aws") return at({ identity: auth });
  const { keys, ...rest } = auth;
  return "argv" in keys ? async () => withKeys(rest, keys) : at({ identity: { ...rest, keys } });
}

function at(explained: Explained): () => Promise<Explained> {
  return async () => explained;
}

function unlessKeys(printed: CommandCredentials): LoginIdentity {
  if (printed.kind !== "aws-keys") return printed;
  throw new RunError("failed", {
    what: "The command of `auth: { exec }` prints AWS keys.",
    why: "Requests are signed with keys for a region and a service, and nothing says that this is meant.",
    fix: "Write `auth: { aws: { region: REGION, exec: [COMMAND, …] } }`.",
  });
}

async function withKeys(
  where: { readonly kind: "aws"; readonly region: string; readonly service: string },
  command: Command,
): Promise<Explained> {
  const printed = await runCredentialCommand(command);
  if (printed.kind !== "aws-keys") {
    throw new RunError("failed", {
      what: "The command of `auth: { aws: { exec } }` prints something else than AWS keys.",
      fix: "Name one that prints them as `aws configure export-credentials --format process` does, or write `auth: { exec }`.",
    });
  }
  const expires = Date.parse(printed.expires ?? "");
  return { identity: { ...where, keys: printed.keys }, ...(!Number.isNaN(expires) && { expires }) };
}

/** The headers to send: those handed in and those that say who we are. A signature covers the bytes of the body. */
export async function addLoginHeaders(
  identity: LoginIdentity,
  unsigned: Unsigned,
): Promise<Readonly<Record<string, string>>> {
  switch (identity.kind) {
    case "anonymous":
      return unsigned.headers;
    case "bearer":
      return { ...unsigned.headers, authorization: `Bearer ${identity.token.reveal()}` };
    case "basic":
      return { ...unsigned.headers, authorization: `Basic ${base64Of(identity)}` };
    case "aws":
      return signHeaders({ ...unsigned, credentials: identity });
  }
}

/** What of it must not be shown, in the forms in which it travels. */
export function listLoginSecrets(identity: LoginIdentity): readonly string[] {
  switch (identity.kind) {
    case "anonymous":
      return [];
    case "bearer":
      return [identity.token.reveal()];
    case "basic":
      return [identity.password.reveal(), base64Of(identity)];
    case "aws":
      return [identity.keys.secretAccessKey.reveal(), identity.keys.sessionToken?.reveal() ?? ""];
  }
}

function base64Of({ username, password }: Extract<Credentials, { kind: "basic" }>): string {
  return Buffer.from(`${username}:${password.reveal()}`, "utf8").toString("base64");
}
