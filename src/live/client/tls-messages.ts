import type { Message } from "../../diagnostics/failure.ts";
import { getErrorCode } from "./connection.ts";
import type { PresentedCertificate } from "./presented.ts";

/** Of the server's certificate; the second part says so after "presents". */
const distrust: ReadonlyMap<string, (presented: PresentedCertificate) => string> = new Map([
  ["CERT_HAS_EXPIRED", ({ until }) => `a certificate that has expired${until ? ` (it held until ${until})` : ""}`],
  ["CERT_NOT_YET_VALID", ({ from }) => `a certificate that is not valid yet${from ? ` (it holds from ${from})` : ""}`],
  ["CERT_REVOKED", () => "a certificate that was revoked"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", ({ names }) => `a certificate for another name${names ? `: ${names}` : ""}`],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", ({ subject }) => `a self-signed certificate${subject ? `, of ${subject}` : ""}`],
  ["SELF_SIGNED_CERT_IN_CHAIN", unknownAuthority],
  ["UNABLE_TO_GET_ISSUER_CERT", unknownAuthority],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", unknownAuthority],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", unknownAuthority],
  ["CERT_SIGNATURE_FAILURE", unknownAuthority],
]);

function unknownAuthority({ issuer }: PresentedCertificate): string {
  return `a certificate of an unknown authority${issuer ? `: ${issuer}` : ""}`;
}

/** Whether it is the server's certificate that is not believed. */
export function isDistrusted(error: unknown): boolean {
  return distrust.has(getErrorCode(error));
}

/** Whether the server ended the handshake because of our certificate or the lack of one: nothing was listened to. */
export function isRefusedInHandshake(error: unknown): boolean {
  return /ALERT_(CERTIFICATE_\w+|BAD_CERTIFICATE\w*|UNSUPPORTED_CERTIFICATE|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/.test(
    getErrorCode(error),
  );
}

export function isAboutCertificates(error: unknown): boolean {
  return isDistrusted(error) || isRefusedInHandshake(error);
}

/**
 * @param presented what the server shows of itself, as far as it could be seen
 * @param hasAuthority whether the target names one
 */
export function createDistrustMessage(
  error: unknown,
  where: string,
  presented: PresentedCertificate,
  hasAuthority: boolean,
): Message {
  const code = getErrorCode(error);
  const words = distrust.get(code)?.(presented) ?? "a certificate that is not trusted";
  return {
    what: `${where} presents ${words}.`,
    why: "The server that answers there may not be the cluster, and would get the password.",
    fix: remedyFor(code, hasAuthority),
  };
}

function remedyFor(code: string, hasAuthority: boolean): string {
  switch (code) {
    case "CERT_HAS_EXPIRED":
    case "CERT_REVOKED":
      return "Give the server a new certificate; if it has one, restart it or let it load that.";
    case "CERT_NOT_YET_VALID":
      return "Look at the clocks of this machine and of the server.";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return "Use one of its names in `url`, or say which one to expect: `tls: { server_name: NAME }` of the target.";
    default:
      return hasAuthority
        ? "The file that --ca or `tls: { ca: FILE }` names holds another authority. Name the file of the one that signed this certificate."
        : "Name the authority with --ca FILE, or `tls: { ca: FILE }` of the target.";
  }
}

/** @param given whether the target has a client certificate */
export function createTlsRefusedMessage(error: unknown, where: string, given: boolean): Message {
  const reason = getErrorCode(error)
    .replace(/^.*ALERT_/, "")
    .toLowerCase()
    .replaceAll("_", " ");
  if (!given) {
    return {
      what: `${where} wants a client certificate, and the target has none.`,
      why: `It ended the TLS handshake: ${reason}.`,
      fix: "Give one by `tls: { cert: FILE, key: FILE }` of the target; or is this the port by which its nodes talk (9300)?",
    };
  }
  return {
    what: `${where} refuses the client certificate.`,
    why: `It ended the TLS handshake: ${reason}.`,
    fix: "Use one that has not expired and that an authority has signed which the server trusts.",
  };
}
