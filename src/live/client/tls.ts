import { createSecureContext, type SecureContext, type SecureContextOptions } from "node:tls";
import { type Message, RunError } from "../../diagnostics/failure.ts";
import type { TlsOptions } from "../../model/target.ts";
import { getErrorCode } from "./connection.ts";

/** The settings of Node's TLS for a target. */
export interface TlsSettings {
  readonly secureContext?: SecureContext;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
}

/**
 * The certificates of a target, read once and not for each connection.
 *
 * @throws RunError `invalid` where a certificate, a key or a passphrase is no good
 */
export function readTlsSettings(tls: TlsOptions | undefined): TlsSettings {
  // Stated, so that no variable of Node decides it unsaid.
  if (!tls) return { rejectUnauthorized: true };
  // Node silently ignores an authority that it cannot read, and then trusts none.
  if (tls.ca !== undefined) contextOf({ cert: tls.ca }, () => unreadable("authority", "--ca, or `tls: { ca }`"));
  const secureContext = contextOf(
    {
      ...(tls.ca !== undefined && { ca: tls.ca }),
      ...(tls.cert !== undefined && { cert: tls.cert }),
      ...(tls.key && { key: tls.key.reveal() }),
      ...(tls.pkcs12 && { pfx: Buffer.from(tls.pkcs12.reveal(), "base64") }),
      ...(tls.passphrase && { passphrase: tls.passphrase.reveal() }),
    },
    (error) => (tls.pkcs12 ? pkcs12UserMessage(error, tls) : pemUserMessage(error, tls)),
  );
  return {
    secureContext,
    ...(tls.serverName !== undefined && { servername: tls.serverName }),
    rejectUnauthorized: tls.insecure === undefined,
  };
}

function contextOf(options: SecureContextOptions, userMessage: (error: unknown) => Message): SecureContext {
  try {
    return createSecureContext(options);
  } catch (error) {
    throw new RunError("invalid", userMessage(error));
  }
}

function pkcs12UserMessage(error: unknown, { passphrase }: TlsOptions): Message {
  const message = error instanceof Error ? error.message : "";
  if (message.includes("mac verify failure")) return wrongPassphrase("PKCS #12 file", passphrase !== undefined);
  if (message.includes("Unsupported")) {
    return {
      what: "The PKCS #12 file of the target is encrypted in a way that is no longer supported.",
      fix: "Convert it once: `openssl pkcs12 -legacy -in OLD -nodes -out PEM`, then `openssl pkcs12 -export -in PEM -out NEW`.",
    };
  }
  return {
    what: "The PKCS #12 file of the target cannot be read.",
    fix: "Check that `tls: { pkcs12 }` names a .p12 or .pfx file; PEM files go into `cert` and `key`.",
  };
}

function pemUserMessage(error: unknown, { key, passphrase }: TlsOptions): Message {
  const isEncrypted = key?.reveal().includes("ENCRYPTED") === true;
  const isClosed = wrongPassphrase("key of the client certificate", passphrase !== undefined);
  switch (getErrorCode(error)) {
    case "ERR_OSSL_BAD_DECRYPT":
    case "ERR_OSSL_EVP_BAD_DECRYPT":
      return isClosed;
    case "ERR_OSSL_X509_KEY_VALUES_MISMATCH":
      return {
        what: "The key of the target does not belong to its client certificate.",
        fix: "Name the two files that were made together in `tls: { cert, key }`.",
      };
    case "ERR_OSSL_UNSUPPORTED":
    case "ERR_OSSL_DECODER_UNSUPPORTED":
      // One wrong passphrase in 256 seems to open a key, and what comes out is none.
      if (isEncrypted) return isClosed;
      return unreadable("client certificate's key", "`tls: { key }`");
    default:
      return unreadable("client certificate", "`tls: { cert }`");
  }
}

function wrongPassphrase(what: string, given: boolean): Message {
  const setting =
    "`tls: { passphrase }` of the target, as ${env:NAME} or ${file:path}, or GATE_SYNC_KEY_PASSPHRASE beside --key";
  return given
    ? { what: `The passphrase does not open the ${what}.`, fix: `Correct ${setting}.` }
    : { what: `The ${what} is encrypted, and no passphrase is given.`, fix: `Give it by ${setting}.` };
}

function unreadable(what: string, setting: string): Message {
  return {
    what: `The PEM text of the ${what} cannot be read.`,
    why: "Without it no trusted connection can be made.",
    fix: `Check that ${setting} names the right file and that the file is whole.`,
  };
}
