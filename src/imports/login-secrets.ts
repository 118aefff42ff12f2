// What the requests of an input log in with: no file may repeat it.
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
  if (value === "" || !(isSecretKey(name) || /^cookie$/i.test(name))) return;
  const [, scheme = "", credentials = value] = /^(\w+)\s+(\S.*)$/s.exec(value) ?? [];
  findings.secrets.add(credentials);
  if (!/^basic$/i.test(scheme)) return;
  const decoded = Buffer.from(credentials, "base64").toString();
  // Clients that encode it themselves have `Basic name:password` and `Basic name password`.
  addLogin(/[:\s]/.test(credentials) ? credentials.replace(/\s+/, ":") : decoded, findings);
}

/** Of a URL that has one. */
export function addUrlLogin(url: string, findings: ImportFindings): void {
  const [, login] = /^[a-z]+:\/\/([^\s/]*)@/i.exec(url) ?? [];
  if (login?.includes(":")) addLogin(login, findings);
}
