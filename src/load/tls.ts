import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { Secret } from "../json/secret.ts";
import { findUnverified, type TlsOptions } from "../model/target.ts";
import type { Boundary } from "./boundary.ts";
import { formatErrno } from "./errno.ts";
import { readSmall, readSmallBytes, readSmallNamed } from "./read.ts";
import type { SettingReader } from "./setting.ts";
import type { TargetFlags, TlsConfig } from "./target-words.ts";

interface Sources {
  readonly flags: TargetFlags;
  readonly own: TlsConfig | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where the paths of gate-sync.yaml begin. */
  readonly directory: string;
  /** What no link of theirs may lead out of. */
  readonly within: Boundary;
  readonly read: SettingReader;
}

/** TLS options with the files read; undefined where there are none. Flags go before gate-sync.yaml. */
export function readTls(sources: Sources): TlsOptions | undefined {
  const { flags, own, env, cwd, read } = sources;
  const ca = flags.ca === undefined ? pem("ca", sources)?.reveal() : fileByFlag("--ca", flags.ca, cwd);
  const serverName = own?.server_name && read.publicText(own.server_name, ["tls", "server_name"]);
  const options: TlsOptions = {
    ...(ca !== undefined && { ca }),
    ...(clientByFlag(sources) ?? client(sources)),
    ...(serverName && { serverName }),
    ...findUnverified(flags, env),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

type Client = Pick<TlsOptions, "cert" | "key" | "pkcs12" | "passphrase">;

/** Nothing of a client certificate in gate-sync.yaml is mixed with one that flags name, its passphrase included. */
function clientByFlag({ flags, env, cwd }: Sources): Client | undefined {
  if (flags.cert === undefined && flags.key === undefined) return undefined;
  if (flags.cert === undefined || flags.key === undefined) {
    throw new RunError("usage", {
      what: `There is ${flags.cert === undefined ? "--key without --cert" : "--cert without --key"}.`,
      why: "A login by certificate needs both.",
      fix: "Give both; where one file holds both, name it twice.",
    });
  }
  const [cert, key] = [fileByFlag("--cert", flags.cert, cwd), fileByFlag("--key", flags.key, cwd)];
  return { cert, key: new Secret(`\${file:${flags.key}}`, key), ...withPassphrase(passphraseIn(env)) };
}

function client(sources: Sources): Client {
  const { own, flags, read } = sources;
  const env = flags.isOneOfMany ? {} : sources.env;
  const [cert, key, pkcs12] = [pem("cert", sources)?.reveal(), pem("key", sources), archive(sources)];
  if (cert === undefined && !key && !pkcs12) return {};
  const stated = own?.passphrase === undefined ? undefined : read.secret(own.passphrase, ["tls", "passphrase"]);
  return {
    ...(cert !== undefined && { cert }),
    ...(key && { key }),
    ...(pkcs12 && { pkcs12 }),
    ...withPassphrase(stated ?? passphraseIn(env)),
  };
}

function withPassphrase(passphrase: Secret | undefined): Client {
  return passphrase ? { passphrase } : {};
}

function passphraseIn({ GATE_SYNC_KEY_PASSPHRASE: value }: Sources["env"]): Secret | undefined {
  return value ? new Secret("${env:GATE_SYNC_KEY_PASSPHRASE}", value) : undefined;
}

/** A setting names a file, or gives the PEM text itself, mostly by a reference. */
function pem(field: "ca" | "cert" | "key", sources: Sources): Secret | undefined {
  return fileOrText(field, sources, (text) => text.includes("-----BEGIN"), readSmallNamed);
}

/** In base64: so a CI service keeps it in a variable, and so it begins, whatever is in it. */
function archive(sources: Sources): Secret | undefined {
  const isBase64 = (text: string) => /^MI[A-Za-z0-9+/\s]{60,}=*\s*$/.test(text);
  return fileOrText("pkcs12", sources, isBase64, (...file) => readSmallBytes(...file).toString("base64"));
}

function fileOrText(
  field: "ca" | "cert" | "key" | "pkcs12",
  { own, directory, within, read }: Sources,
  isContent: (text: string) => boolean,
  readFile: (path: string, within: Boundary) => string,
): Secret | undefined {
  const setting = own?.[field];
  if (setting === undefined) return undefined;
  const text = read.secret(setting, ["tls", field]);
  if (isContent(text.reveal())) return text;
  // Then the reference's value is no path, and no message may show it.
  if (/[\0\r\n]/.test(text.reveal())) return read.fail(notItself(setting, field), ["tls", field]);
  try {
    return new Secret(`\${file:${setting}}`, readFile(resolve(directory, text.reveal()), within));
  } catch (error) {
    return read.fail(unreadable(setting, error), ["tls", field]);
  }
}

function notItself(setting: string, field: string) {
  return {
    code: "unreadable-file",
    userMessage: {
      what: `${setting} is not ${field === "pkcs12" ? "a PKCS #12 file in base64" : "a PEM text"}.`,
      why: "Without it no trusted connection can be made.",
      fix: `Name the file itself: ${field}: certs/client.${field === "pkcs12" ? "p12" : "pem"}, relative to gate-sync.yaml.`,
    },
  } as const;
}

function unreadable(path: string, error: unknown) {
  return {
    code: "unreadable-file",
    userMessage: {
      what: `The file ${path} cannot be read: ${formatErrno(error)}.`,
      why: "Without it no trusted connection can be made.",
      fix: "Correct the path, which is relative to gate-sync.yaml.",
    },
  } as const;
}

function fileByFlag(flag: string, path: string, cwd: string): string {
  try {
    return readSmall(resolve(cwd, path));
  } catch (error) {
    throw new RunError("usage", {
      what: `The file ${path} of ${flag} cannot be read: ${formatErrno(error)}.`,
      fix: "Correct the path, which is relative to the current folder.",
    });
  }
}
