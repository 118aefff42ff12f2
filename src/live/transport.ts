import { RunError } from "../diagnostics/failure.ts";
import type { Target } from "../model/target.ts";

/** Nothing can have reached the server. */
const unsentCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function isUnsent(error: unknown): boolean {
  return unsentCodes.has(codeOf(error)) || isCertificateProblem(codeOf(error));
}

/** A request that got no answer, as a letter. */
export function transportFailure(error: unknown, target: Target, request: string): RunError {
  const code = codeOf(error);
  const where = target.url ?? target.name;
  if (code === "ECONNREFUSED") {
    return new RunError("failed", {
      what: `Nothing listens at ${where}.`,
      fix: "Check host and port (--url, or `url` of the target), and that the server runs.",
    });
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return new RunError("failed", {
      what: `The host of ${where} is not known.`,
      fix: "Check the name (--url, or `url` of the target).",
    });
  }
  if (code === "EPROTO" || code === "ERR_SSL_WRONG_VERSION_NUMBER") {
    return new RunError("failed", {
      what: `${where} does not speak TLS.`,
      fix: "Use http:// instead of https://, if that is meant.",
    });
  }
  if (isCertificateProblem(code)) return certificateFailure(code, where);
  return new RunError("failed", {
    what: `${request} got no answer from ${where}.`,
    why: `${messageOf(error)}${code && ` (${code})`}`,
    fix: "Nothing was changed. Try again; if it stays so, look at the server and at what lies between.",
  });
}

const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "a certificate that has expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "a certificate for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "a self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "a certificate of an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "a certificate of an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "a certificate of an unknown authority",
};

function isCertificateProblem(code: string): boolean {
  return Object.hasOwn(certificateProblems, code);
}

function certificateFailure(code: string, where: string): RunError {
  return new RunError("failed", {
    what: `${where} presents ${certificateProblems[code]}.`,
    why: "Whoever answers there may not be the cluster, and would be told the password.",
    fix: "Name the authority with --ca FILE, or `tls: { ca: FILE }` of the target.",
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  const own = "code" in error && typeof error.code === "string" ? error.code : "";
  return own || codeOf(error.cause);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
