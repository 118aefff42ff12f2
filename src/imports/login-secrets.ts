// What the requests of an input log in with: no file may repeat it.
import { isList, isObject, type Value } from "../json/value.ts";
import { isSecretKey } from "../secrets/masked-text.ts";
import type { ImportFindings } from "./findings.ts";
import { expandPlaceholders, findOnlyPlaceholder } from "./placeholders.ts";

/** @param login `name:password`, or a variable that has both */
export function addLogin(login: string, findings: ImportFindings): void {
  const password = findOnlyPlaceholder(login) ? login : dropName(login);
  if (password !== "") findings.secrets.add(password);
}

/** Up to the first colon that is in no placeholder, or all. */
function dropName(login: string): string {
  const marked = expandPlaceholders(login, ({ written }) => "\0".repeat(written.length));
  const colon = marked.indexOf(":");
  return colon === -1 ? "" : login.slice(colon + 1);
}

/** @param header `Authorization: Basic …`, and what else has a secret by its name */
export function addHeader(header: string, findings: ImportFindings): void {
  const [, name = "", value = ""] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/s.exec(header) ?? [];
  if (/^cookie$/i.test(name)) addCookies(value, findings);
  if (value === "" || !(isSecretKey(name) || /-auth$/i.test(name))) return;
  const [, scheme = "", credentials = value] = /^(\w+)\s+(\S.*)$/s.exec(value) ?? [];
  findings.secrets.add(credentials);
  if (!/^basic$/i.test(scheme)) {
    // `Digest name password`, and what else clients make a header of.
    const [, last] = /\s(\S+)$/.exec(credentials) ?? [];
    if (last !== undefined) findings.secrets.add(last);
    return;
  }
  const decoded = Buffer.from(credentials, "base64").toString();
  // Clients that encode it themselves have `Basic name:password` and `Basic name password`.
  addLogin(/[:\s]/.test(credentials) ? credentials.replace(/\s+/, ":") : decoded, findings);
}

/** @param cookies `name=value; name=value` */
export function addCookies(cookies: string, { secrets }: ImportFindings): void {
  for (const cookie of cookies.split(";")) {
    const [, name = "", value = ""] = /^\s*([^=]*)=\s*(.*?)\s*$/s.exec(cookie) ?? [];
    if (value !== "" && /auth|sess|token|jwt|sid$|secret|login/i.test(name)) secrets.add(value);
  }
}

/** Of a URL that has one, and what its query has as a secret. */
export function addUrlLogin(url: string, findings: ImportFindings): void {
  const [, login] = /^[a-z]+:\/\/([^\s/]*)@/i.exec(url) ?? [];
  if (login?.includes(":")) for (const form of new Set([login, decode(login)])) addLogin(form, findings);
  addPairs(url.replace(/^[^?]*\??/, ""), findings);
}

/** What a request sends, in JSON or as a form: a login, or a password that a later request replaces. */
export function addBodySecrets(body: Value, findings: ImportFindings): void {
  if (typeof body === "string") addPairs(body, findings);
  else if (isList(body)) for (const item of body) addBodySecrets(item, findings);
  if (!isObject(body)) return;
  for (const [key, value] of Object.entries(body))
    if (typeof value !== "string") addBodySecrets(value, findings);
    else if (isSecretName(key)) findings.secrets.add(value);
  // Of a JSON Patch, and of what lists names with their values.
  const { path, key, type, value } = body;
  if (typeof value !== "string" || value === "") return;
  if (typeof path === "string") addSecret(path.replace(/^.*\//s, ""), value, findings);
  if (type === "secret") findings.secrets.add(value);
  else if (typeof key === "string") addSecret(key, value, findings);
}

/** @param pairs `name=value&name=value` */
function addPairs(pairs: string, findings: ImportFindings): void {
  for (const pair of pairs.split("&")) {
    const [, name = "", value = ""] = /^([\w.-]+)=([^\s#]+)$/.exec(pair) ?? [];
    for (const form of new Set([value, decode(value)])) addSecret(name, form, findings);
  }
}

/** What has a name that only secrets have: a variable, a key of a form. */
export function addSecret(name: string, value: string, findings: ImportFindings): void {
  if (value === "" || !isSecretName(name)) return;
  findings.secrets.add(value);
  if (/credentials?\d*$/i.test(name)) addLogin(value, findings);
}

const secretWord = /(?:^|[\W_])(?:pass|pwd?|secret|token|(?:access|api|private|signing)_?key|credentials?)\d*$/i;

/** `adminPassword`, `OPENSEARCH_INITIAL_ADMIN_PASSWORD`, `api_key`; not `PASSWORD_FILE`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1_$2");
  return secretWord.test(words) || /(?:password|passwd|passphrase)\d*$/i.test(words);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
