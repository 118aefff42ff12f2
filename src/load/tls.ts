import { resolve } from "node:path";
import { RunError } from "../diagnostics/failure.ts";
import { Secret } from "../json/secret.ts";
import type { TlsOptions } from "../model/target.ts";
import { inWords } from "./errno.ts";
import { readSmall } from "./read.ts";
import type { SettingReader } from "./setting.ts";
import type { TargetFlags, TlsConfig } from "./target-words.ts";

interface Sources {
  readonly flags: TargetFlags;
  readonly own: TlsConfig | undefined;
  readonly cwd: string;
  /** Where the paths of gate-sync.yaml begin. */
  readonly directory: string;
  readonly read: SettingReader;
}

/** TLS options with the PEM files read; undefined where there are none. */
export function tlsOf({ flags, own, cwd, directory, read }: Sources): TlsOptions | undefined {
  /** A setting names a file, or gives the PEM text itself, mostly by a reference. */
  const pem = (field: "ca" | "cert" | "key"): Secret | undefined => {
    const setting = own?.[field];
    if (setting === undefined) return undefined;
    const text = read.secret(setting, ["tls", field]);
    if (text.reveal().includes("-----BEGIN")) return text;
    try {
      return new Secret(`\${file:${setting}}`, readSmall(resolve(directory, text.reveal())));
    } catch (error) {
      return read.fail(unreadable(setting, error), ["tls", field]);
    }
  };
  const ca = flags.ca === undefined ? pem("ca")?.reveal() : caByFlag(flags.ca, cwd);
  const [cert, key] = [pem("cert")?.reveal(), pem("key")];
  const passphrase = own?.passphrase === undefined ? undefined : read.secret(own.passphrase, ["tls", "passphrase"]);
  const serverName = own?.server_name && read.publicText(own.server_name, ["tls", "server_name"]);
  const options: TlsOptions = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key && { key }),
    ...(passphrase && { passphrase }),
    ...(serverName && { serverName }),
    ...(flags.insecure && { insecure: true }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

function unreadable(path: string, error: unknown) {
  return {
    code: "unreadable-file",
    letter: {
      what: `The file ${path} cannot be read: ${inWords(error)}.`,
      why: "Without it no trusted connection can be made.",
      fix: "Correct the path, which is relative to gate-sync.yaml.",
    },
  } as const;
}

function caByFlag(path: string, cwd: string): string {
  try {
    return readSmall(resolve(cwd, path));
  } catch (error) {
    throw new RunError("usage", {
      what: `The file ${path} of --ca cannot be read: ${inWords(error)}.`,
      fix: "Correct the path, which is relative to the current folder.",
    });
  }
}
