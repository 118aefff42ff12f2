import { limitText } from "../diagnostics/limit-text.ts";
import { licenseChild } from "../families/config.ts";
import { Secret } from "../json/secret.ts";
import { isList, isObject, type Value } from "../json/value.ts";
import type { HttpAnswer } from "../model/ports.ts";
import { isSecretField } from "../secrets/config-fields.ts";
import { repeatsEscapedText, unescapeAll } from "../secrets/repeats.ts";

const shownLength = 300;

/**
 * A server's message about a request, in one line. An answer that repeats a secret of the request is not shown at
 * all: removing just the secret would mean guessing how it was escaped.
 */
export function formatServerMessage(answer: HttpAnswer, body?: Value): string {
  const text = redirection(answer) ?? messageIn(answer.body) ?? pageIn(answer.text) ?? answer.text;
  const words = `${answer.text}\n${text}`;
  if (repeatsSecret(words, body)) return "(the answer repeats a secret and is not shown)";
  if (namesSecret(words)) return "(the answer may hold a secret and is not shown)";
  const line = text.replace(/\s+/g, " ").trim();
  return limitText(line, shownLength);
}

/** Whether a text repeats a secret of a request's body. */
export function repeatsSecret(text: string, body: Value | undefined): boolean {
  return body !== undefined && secretsIn(body).some((secret) => repeatsEscapedText(text, secret));
}

/**
 * Whether a text gives a value to a field that is secret by its name, as JSON (`"password": "…"`, however often it
 * was escaped) or as Java prints it (`password=…`), or has a bcrypt hash: which of the server's values are secret is not
 * known otherwise.
 */
export function namesSecret(text: string): boolean {
  if (/\$2[abxy]?\$\d\d\$[./A-Za-z0-9]{8}/.test(unescapeAll(text))) return true;
  const fields = unescapeAll(text).matchAll(/(?<![\w.-])([\w.-]+)(?:\\*["']\s*:|=)\s*\S/g);
  return [...fields].some(([, name = ""]) => name !== licenseChild && isSecretField(name));
}

/** Without its login and its query, which may be confidential. A created resource has a location too. */
function redirection({ status, location }: HttpAnswer): string | undefined {
  if (location === undefined || status < 300 || status > 399) return undefined;
  // First the login, up to the last @ of its part: one that was never escaped may hold a ? or a #.
  const withoutLogin = location.replace(/^([^/\\]*[/\\]{2,})[^/\\]*@/, "$1");
  return `redirects to ${withoutLogin.split(/[?#]/)[0]}`;
}

/** Of a web page no more than what it calls itself. */
function pageIn(text: string): string | undefined {
  if (!isPage(text)) return undefined;
  const [, title = ""] = /<title[^>]*>([^<]*)</i.exec(text) ?? [];
  return title.trim() === "" ? "a web page" : `a web page, “${title.trim()}”`;
}

export function isPage(text: string): boolean {
  return /^\s*<(!doctype\s+html|html)\b/i.test(text);
}

function messageIn(body: unknown): string | undefined {
  if (!isObject(body as Value)) return undefined;
  const { message, reason, error, ...rest } = body as Record<string, unknown>;
  if (typeof message === "string") return message;
  if (typeof reason === "string") {
    const details = Object.entries(rest).filter(([key]) => key !== "status" && key !== "details");
    return details.length === 0 ? reason : `${reason}: ${JSON.stringify(Object.fromEntries(details))}`;
  }
  if (typeof error === "string") return error;
  return isObject(error as Value) ? messageIn(error) : undefined;
}

function secretsIn(value: Value): readonly string[] {
  if (value instanceof Secret) return [value.reveal()];
  if (isList(value)) return value.flatMap(secretsIn);
  return isObject(value) ? Object.values(value).flatMap(secretsIn) : [];
}
