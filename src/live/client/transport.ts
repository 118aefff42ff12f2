import { type Message, RunError, UnreachableError } from "../../diagnostics/failure.ts";
import type { TlsOptions } from "../../model/target.ts";
import { getErrorCode, isBroken, isLate, type Silence } from "./connection.ts";
import { type PresentedCertificate, probePresented } from "./presented.ts";
import {
  createDistrustMessage,
  createTlsRefusedMessage,
  isAboutCertificates,
  isDistrusted,
  isRefusedInHandshake,
} from "./tls-messages.ts";

/**
 * The message for a request that got no answer.
 *
 * @param request `GET /_plugins/_security/api/roles`
 */
export async function createTransportMessage(
  silence: Silence,
  request: string,
  tls: TlsOptions = {},
): Promise<RunError> {
  const userMessage = await transportUserMessage(silence, request, tls);
  const also = silence.also ?? [];
  const verb = also.some(isLate) ? "answer" : "connect";
  const others = `The other URLs do not ${verb} either: ${also.map(inShort).join(", ")}.`;
  const whole =
    also.length === 0
      ? userMessage
      : { ...userMessage, why: userMessage.why === undefined ? others : `${userMessage.why} ${others}` };
  return isUnreachable(silence) ? new UnreachableError(whole) : new RunError("failed", whole);
}

function isUnreachable({ unsent, error }: Silence): boolean {
  if (error instanceof RunError || isAboutCertificates(error)) return false;
  return unsent || isBroken(getErrorCode(error));
}

/** `https://a.example:9200 (ECONNREFUSED)` */
function inShort({ url, error }: Silence): string {
  return `${url} (${getErrorCode(error) || getErrorCause(error)})`;
}

async function transportUserMessage(silence: Silence, request: string, tls: TlsOptions): Promise<Message> {
  const { error, url, proxy } = silence;
  if (error instanceof RunError) return error.userMessage;
  if (isDistrusted(error)) {
    const presented: PresentedCertificate = proxy === undefined ? await probePresented(url, tls.serverName) : {};
    return createDistrustMessage(error, url, presented, tls.ca !== undefined);
  }
  if (isRefusedInHandshake(error)) return createTlsRefusedMessage(error, url, (tls.cert ?? tls.pkcs12) !== undefined);
  return (
    unreachable(silence) ??
    anotherProtocol(silence, request) ??
    unusable(silence, request) ?? {
      what: `${request} got no answer from ${url}${formatVia(proxy)}.`,
      why: getErrorCode(error) === "" ? getErrorCause(error) : `${getErrorCause(error)} (${getErrorCode(error)})`,
      fix: "Nothing was changed. Try again; if it stays so, look at the server and at what lies between.",
    }
  );
}

function formatVia(proxy: string | undefined): string {
  return proxy === undefined ? "" : ` through the proxy ${proxy}`;
}

/** Where there is a proxy, it is the one that was dialled. */
function unreachable({ error, url, proxy, unsent }: Silence): Message | undefined {
  const [where, setting] =
    proxy === undefined ? [url, "--url, or `url` of the target"] : [`the proxy ${proxy}`, "HTTPS_PROXY, HTTP_PROXY"];
  switch (getErrorCode(error)) {
    case "ECONNREFUSED":
      return {
        what: `Nothing listens at ${where}.`,
        fix: `Check host and port (${setting}), and that ${proxy === undefined ? "the server" : "it"} runs.`,
      };
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return { what: `The host of ${where} is not known.`, fix: `Check the name (${setting}).` };
    case "UND_ERR_CONNECT_TIMEOUT":
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return {
        what: `No connection to ${where} comes about.`,
        why: `${getErrorCause(error)} (${getErrorCode(error)})`,
        fix: `Check host and port (${setting}), and whether a firewall or a missing proxy (HTTPS_PROXY) is in the way.`,
      };
    case "UND_ERR_HEADERS_TIMEOUT":
      if (proxy === undefined || !unsent) return undefined;
      return {
        what: `The proxy ${proxy} does not answer.`,
        fix: `Check host and port (${setting}), and that it runs.`,
      };
    case "UND_ERR_ABORTED":
    case "UND_ERR_INVALID_ARG":
      return proxy === undefined || !unsent ? undefined : refusedByProxy(proxy, url, getErrorCause(error));
    default:
      return undefined;
  }
}

function refusedByProxy(proxy: string, url: string, cause: string): Message {
  const status = /\((\d{3})\)/.exec(cause)?.[1];
  return {
    what: `The proxy ${proxy} does not connect us with ${url}${status === undefined ? "" : `: it answers ${status}`}.`,
    fix:
      status === "407"
        ? "It wants a login: give it in HTTPS_PROXY or HTTP_PROXY, as http://USER:PASSWORD@HOST:PORT."
        : "Ask who runs it, or name the host in NO_PROXY, where it can be reached without.",
  };
}

function anotherProtocol({ error, url, unsent }: Silence, request: string): Message | undefined {
  const code = getErrorCode(error);
  const isTls = url.startsWith("https:");
  if (code === "EPROTO" || /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNKNOWN_PROTOCOL)$/.test(code)) {
    return { what: `${url} does not speak TLS.`, fix: "Use http:// instead of https://, if that is meant." };
  }
  if (isTls && unsent && code === "ECONNRESET") {
    return {
      what: `${url} ends the connection before TLS is agreed on.`,
      why: "It does not speak TLS, wants a client certificate, or is no HTTP port.",
      fix: "Check scheme and port of `url`; where the server wants a client certificate, give `tls: { cert: FILE, key: FILE }`.",
    };
  }
  if (error instanceof Error && error.name === "HTTPParserError") {
    return { what: `${url} does not speak HTTP.`, ...wrongPort(isTls) };
  }
  if (code === "UND_ERR_SOCKET" && neverSpoke(error)) {
    return { what: `${request} got no answer from ${url}: it ended the connection.`, ...wrongPort(isTls) };
  }
  return undefined;
}

/** Nothing ever came over the connection but, perhaps, the handshake of TLS. */
function neverSpoke(error: unknown): boolean {
  const socket = error instanceof Error && "socket" in error ? error.socket : undefined;
  return typeof socket === "object" && socket !== null && "bytesRead" in socket && socket.bytesRead === 0;
}

function wrongPort(isTls: boolean): Omit<Message, "what"> {
  const reason = isTls ? "want another client certificate" : "speak TLS";
  return {
    why: `It may ${reason}, or be another port of the server, such as the one by which its nodes talk (9300).`,
    fix: isTls
      ? "Check the port of `url`, and `tls`."
      : "Try https:// instead of http://, and check the port of `url`.",
  };
}

function unusable({ error, url, proxy }: Silence, request: string): Message | undefined {
  switch (getErrorCode(error)) {
    case "UND_ERR_BODY_TIMEOUT":
      return {
        what: `The answer of ${url}${formatVia(proxy)} to ${request} has stopped in its midst.`,
        why: "Servers send an answer in one go, and for a minute nothing more of this one came.",
        fix: "Nothing was changed. Try again; if it stays so, look at the server and at what lies between.",
      };
    case "UND_ERR_HEADERS_TIMEOUT":
      return {
        what: `${request} got no answer from ${url}${formatVia(proxy)} in time.`,
        why: `There was ${getErrorCause(error)}.`,
        fix: "Nothing was changed. Try again when the server has less to do. Where it needs longer, such as behind a proxy that is slow to log in, allow more seconds: `timeouts: { read: SECONDS }` of the target or under defaults.",
      };
    case "Z_DATA_ERROR":
    case "Z_BUF_ERROR":
    case "ERR_ENCODING":
      return {
        what: `The answer of ${url} to ${request} cannot be unpacked.`,
        why: `${getErrorCause(error)} (${getErrorCode(error)}): it is cut off, or something on the way has packed it otherwise.`,
        fix: "Nothing was changed. Look at what lies between us and the server.",
      };
    case "ERR_NOT_UTF8":
      return {
        what: `The answer of ${url} to ${request} is not valid UTF-8.`,
        why: "Names in it would be read as other names than the server has, and be taken for ones to delete.",
        fix: "Nothing was changed. Look at the server, and at what lies between us and it.",
      };
    case "UND_ERR_RES_EXCEEDED_MAX_SIZE":
    case "ERR_BUFFER_TOO_LARGE":
      return {
        what: `The answer of ${url} to ${request} is larger than anything that belongs here.`,
        why: "More than 400 MiB are not read; 100 000 roles take about 100.",
        fix: "Nothing was changed. Check that `url` names the cluster and nothing else.",
      };
    default:
      return undefined;
  }
}

/** The same of a write that may have been taken: `the connection broke (read ECONNRESET)`. */
export function describeLoss(error: unknown): string {
  const cause = getErrorCause(error);
  if (getErrorCode(error) === "UND_ERR_HEADERS_TIMEOUT") return cause;
  return `${isBroken(getErrorCode(error)) ? "the connection broke" : "no answer that can be used"} (${cause})`;
}

/** Of several tries behind one name there is no message, only a code. */
export function getErrorCause(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)) || getErrorCode(error);
}
