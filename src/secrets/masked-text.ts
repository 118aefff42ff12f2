import { getLine, type SourceFile } from "../diagnostics/source.ts";
import { findNearest } from "../diagnostics/suggest.ts";
import { licenseChild } from "../families/config.ts";
import { memoiseByWord } from "../json/memoise.ts";
import { isMisspeltField, isOneSlipAway, isSecretField } from "./config-fields.ts";
import { listKeysAbove } from "./lines-above.ts";
import { hasChosenNames, hasFieldOfUser, isInUser, isUnknownOfUser, isUserLine } from "./user-lines.ts";

/**
 * A line as its text alone shows it, for a file that does not parse, and for comments: asterisks where a secret is, or
 * may be. What is a key, and what is a value, is guessed by the line and by the keys that it is indented below.
 *
 * @param line from 1
 */
export function maskByText(file: SourceFile, line: number): string {
  const text = getLine(file, line);
  const keys = listKeysAbove(file, line);
  const isChosen = (at: number) => hasChosenNames(keys[at + 1] ?? "", at + 2 === keys.length);
  const above = keys.filter((_, at) => !isChosen(at));
  const [name = ""] = (isChosen(-1) && /^\s*["']?[\w.-]+["']?\s*:\s*(?=\{)/.exec(text)) || [];
  if (name !== "") return name + maskAsRead(text.slice(name.length), (read) => maskValues(read, above));
  // A key in a block scalar, a list of them: the line is all secret, and says nothing of it.
  if (above.some((key) => key !== licenseChild && isSecretKey(key))) return maskAll(text);
  const [, flag = ""] = /^\s*-\s+["']?--?([\w-]+)["']?\s*$/.exec(getLine(file, line - 1)) ?? [];
  if (isSecretKey(flag) || continuesSecret(file, line)) return maskAll(text);
  // A value in a list, or alone, where settings with names belong.
  if (above.some(isAllSecret) && !above.some(isPublic) && text.search(anyKey) === -1) return maskAll(text);
  if (isInUser(file, above) && isText(text)) return maskAll(text);
  const isField = hasFieldOfUser(file, above);
  if (above.some((key, at) => isUnknownOfUser(key) && hasFieldOfUser(file, above.slice(at + 1)))) return maskAll(text);
  const isUser = isUserLine(file, above);
  const bare = (read: string) =>
    isUser ? withoutUnknown(withoutTexts(read), /^[^{:]*:\s*\{/) : isField ? withoutUnknown(read, /^/) : read;
  return maskAsRead(text, (read) => maskValues(bare(read), above));
}

/** Without the values of fields that internal users do not have, where these fields begin. */
function withoutUnknown(line: string, beginning: RegExp): string {
  const [{ length: start } = ""] = beginning.exec(line) ?? [];
  const isOwn = (at: number) => at >= start && !/[{[]/.test(line.slice(start, at));
  return withoutValues(line, keyed, (key, at) => isUnknownOfUser(key) && !isSecretKey(key) && isOwn(at));
}

/** An item of a list, or a text, and no key, comment or mark of a document. */
function isText(line: string): boolean {
  return line.search(anyKey) === -1 && /^\s*-\s|^\s+[^\s#]/.test(line);
}

/** `name: text`, and no map. */
function withoutTexts(line: string): string {
  return line.replace(/^(\s*[^\s#:][^:]*:\s+)([^\s{#&].*)$/, (_, key: string, value: string) =>
    isReference(value) ? key + value : key + maskAll(value),
  );
}

/** Lines that are searched for the key of a value that goes on: a key in PEM has some fifty. */
export const mostContinued = 100;
/** Characters of a line that are searched for a key at its beginning, or at its end. */
export const widest = 100;
const ownKey = /^\s*(?:[-?]\s+)*(["']?)[\w.-][^"'#{}[\],]*?\1\s*:(?:\s|$)/;
const onlyClosing = /^[\s}\],]*(?:#.*)?$/;
/** The last word of a line, and what opens a value on the next. */
const lastWord = /([\w.-]+)["']?\s*([:=]\s*(?:[|>][-+\d]*)?)?$/;

/** Whether a line goes on with the secret of a line above, though it is not indented enough, or is between quotes. */
function continuesSecret(file: SourceFile, line: number): boolean {
  const text = getLine(file, line).slice(0, widest);
  if (ownKey.test(text) || onlyClosing.test(text)) return false;
  for (let looked = line - 1; looked > 0 && looked >= line - mostContinued; looked--) {
    const above = getLine(file, looked).trimEnd();
    const [, word = "", opening] = lastWord.exec(above.slice(-widest)) ?? [];
    if (isSecretKey(word) && (opening !== undefined || /^\s*:/.test(text))) return true;
    if (above.search(anyKey) !== -1) return !/^\s*-\s/.test(text) && endsInSecretValue(above);
  }
  return false;
}

/** Whether the value of the last key of a line is secret, and may go on. */
function endsInSecretValue(line: string): boolean {
  const masked = withoutValues(line, yamlKeyed, isSecretKey);
  return masked.at(-1) === "*" && line.at(-1) !== "*" && !/["'}\]]\s*,?$/.test(line.replace(/\\.$/, ""));
}

/** @param above the keys of the lines that it is indented below */
function maskValues(text: string, above: readonly string[]): string {
  const first = firstKey(text, isAllSecret)?.index ?? text.length;
  const secretsBegin = above.some(isAllSecret) ? 0 : first;
  const isHidden = (key: string, at: number) => (at >= secretsBegin && !isPublic(key)) || isSecretKey(key);
  // Names in quotes may hold any characters; this matters only where everything is secret.
  const named = withoutValues(
    withoutValues(text, keyed, isHidden),
    quotedKey,
    (key, at) => at >= secretsBegin && !isPublic(key),
  );
  const slips = [option, colonless].reduce(
    (shown, keys) => withoutValues(shown, keys, (key) => isSecretKey(key) || key === "headers" || key === "auth"),
    named,
  );
  return maskLogins(maskByShape(slips), above.some(isUrl));
}

/** Escapes of YAML, JSON and URLs. */
const escaped = /\\U[\da-fA-F]{8}|\\u[\da-fA-F]{4}|(?:\\x|%)[\da-fA-F]{2}|\\\/|[\s\S]/g;

/** A character is shown only if it is so in the text as it is written and as it is read, without its escapes. */
export function maskAsRead(text: string, mask: (text: string) => string): string {
  const shown = mask(text);
  if (!/[\\%]/.test(text)) return shown;
  const parts = text.match(escaped) ?? [];
  const read = parts.map(readEscape).join("");
  const shownAsRead = mask(read);
  const byParts = parts.map((part, at) => (read[at] === shownAsRead[at] ? part : maskAll(part))).join("");
  return combineMasks(text, shown, byParts);
}

export function readEscapes(text: string): string {
  return text.replace(escaped, readEscape);
}

function readEscape(part: string): string {
  if (part.length === 1) return part;
  return part === "\\/" ? "/" : String.fromCharCode(Number.parseInt(part.replace(/^\W[uUx]?/, ""), 16));
}

/** What both show of a text. */
export function combineMasks(text: string, one: string, other: string): string {
  // Most lines have no secret.
  if (other === text) return one;
  if (one === text) return other;
  return Array.from({ length: text.length }, (_, at) => (other[at] === text[at] ? one[at] : other[at])).join("");
}

/** A name whose value is secret, misspelt or not; `text` is that of a license, `hash` of an internal user. */
export function isSecretKey(key: string): boolean {
  const isName = isSecretField(key) || /^(text|hash|(proxy-)?authorization)$/i.test(key);
  return isName || (/^.{5,16}$/.test(key) && isMisspelt(key));
}

const isMisspelt = memoiseByWord(
  (key) =>
    (/^(?=[pt]).{5,12}$/i.test(key) && findNearest(key, ["password", "passphrase", "token"]) !== undefined) ||
    isMisspeltField(key),
);

/** Secrets that look like nothing else: what `hash.sh` makes of a password, and keys in PEM. */
function maskByShape(text: string): string {
  return text.replace(/\$2[abxy]?\$\d\d\$[^\s"',}\]]+|-----BEGIN [A-Z ]*PRIVATE KEY.*|\bBearer\s+[^\s"']+/g, maskAll);
}

/** The keys of a line whose values are secret. */
export function listSecretKeysIn(line: string): readonly string[] {
  return [...line.matchAll(keyed), ...line.matchAll(colonless)].flatMap(([, , key = ""]) =>
    isSecretKey(key) ? [key] : [],
  );
}

/** Below these, what is misspelt may be a secret as well. */
export const isAllSecret = memoiseByWord(
  (key) =>
    key === "headers" || key === "auth" || key === licenseChild || (key !== "readers" && isOneSlipAway("headers", key)),
);

export function isPublic(key: string): boolean {
  return key === "username" || key === "file";
}

export function isUrl(key: string): boolean {
  return key === "url" || key === "proxy";
}

// Never started inside a word: a long word without a colon would be scanned once for each of its characters. In
// `${env:NAME}` nothing is a key.
const keyed = /(["']?)(?<![\w.-])(?!(?<=\$\{)(?:env|var):\w+(?:\}|:-))([\w.-]+)\1\s*[:=][:=\s]*/g;
const yamlKeyed = /(["']?)(?<![\w.-])([\w.-]+)\1\s*:\s+/g;
// Each character matches one alternative only: otherwise backtracking would double with each escape in the line.
// No field has a longer name, and text such as JSON within JSON has thousands of places where one may begin.
const quotedKey = /("((?:\\.|[^"\\]){0,500})"|'((?:''|[^']){0,500})')\s*:\s*/g;
// `--password x`, `--password=x`, and both in lists.
const option = /(?<![\w-])(--?)([\w-]+)["']?(?:\s*,\s*|=|\s+)(?=\S)/g;
// `{ password x }`: the colon was forgotten.
const colonless = /(^[\s-]*|[{,]\s*)(?:([\w.-]+)[ \t]+|"([\w.-]+)"[ \t]*)(?=[^\s:=,}\]])/g;
export const anyKey = /[\w"'-]\s*[:=]/;

function firstKey(line: string, isMeant: (key: string) => boolean): RegExpExecArray | undefined {
  for (const match of line.matchAll(keyed)) if (isMeant(match[2] ?? "")) return match;
  return undefined;
}

function withoutValues(line: string, keys: RegExp, isHidden: (key: string, at: number) => boolean): string {
  let shown = "";
  let from = 0;
  for (const match of line.matchAll(keys)) {
    const start = match.index + match[0].length;
    const key = match[2] ?? match[3] ?? "";
    // Inside what is hidden already, or the map of several, which has keys of its own.
    if (match.index < from || start === line.length || (isAllSecret(key) && line[start] === "{")) continue;
    if (!isHidden(key, match.index)) continue;
    const value = line.slice(start, valueEnd(line, start, match.index));
    shown += line.slice(from, start) + (isReference(value) ? value : maskAll(value));
    from = start + value.length;
  }
  return shown + line.slice(from);
}

/** A reference reveals nothing. The text beside it, and what follows the name of its variable, may. */
export function isReference(value: string): boolean {
  return /^["']?\$\{(?!env:[\w.]*[^\w.}])(?:(?!:-)[^{}])*\}["']?\s*$/.test(value);
}

/** A value without quotes between brackets, with the rest that a comma in it cuts off: words that are no key. */
const bareText = /^(?:\$\{[^{}]*\}|[^\s"'&*!|>[{,}\]])(?:\$\{[^{}]*\}|[^,{}[\]])*(?:,[^,:{}[\]"']*(?=[,}\]]|$))*/;

/**
 * Where a value ends. It is known for one in quotes, and for a bare one between brackets; what is a list, a map, has
 * a tag, or is never closed, may reach to the end of the line.
 */
function valueEnd(line: string, start: number, key: number): number {
  const rest = line.slice(start);
  const quoted = /^"(?:\\.|[^"\\])*"|^'(?:''|[^'])*'(?!')/.exec(rest);
  if (quoted) return start + quoted[0].length;
  const isInBrackets = /[{[,]/.test(line.slice(0, key));
  const bare = isInBrackets ? bareText.exec(rest) : null;
  return bare ? start + bare[0].length : line.length;
}

/**
 * A string that is no secret as a whole: what it says of secrets, as scripts and queries do, and logins.
 *
 * @param isAddress its key is one whose value is an address
 */
export function maskInString(text: string, isAddress: boolean): string {
  if (!/[:=@\\%]/.test(text)) return text;
  const mask = (read: string) => {
    const lines = read.split("\n").map((line) => withoutValues(line, keyed, isSecretKey));
    return maskLogins(lines.join("\n"), isAddress);
  };
  return maskAsRead(text, mask);
}

/** @param isAddress the text is below a key whose value is an address */
function maskLogins(text: string, isAddress: boolean): string {
  const known = text.includes("://") ? text.replace(query, maskAll) : text;
  const bare = known.includes("${env:") ? known.replace(restOfName, maskAll) : known;
  return bare.includes("@") ? withoutLogins(withoutLoginOfUrl(bare, isAddress)) : bare;
}

/** Tokens are there. */
const query = /(?<=:\/\/[^\s"'?#]*[?#])[^\s"'}\],]+/g;

/** Of `${env:PW-hunter2}`: a default, as a shell writes it. */
const restOfName = /(?<=\$\{env:[\w.]*)(?![\w.}]|:-)[^}]+(?=\})/g;

/** To the last @: in a URL that is wrong, nothing says where a password that was never escaped ends. */
function withoutLogins(line: string): string {
  const end = line.lastIndexOf("@") + 1;
  const inUrls = line
    .slice(0, end)
    .replace(/(:\/\/)(.*)@/, (_, slashes: string, login: string) => `${slashes}${maskAll(login)}@`);
  return (inUrls + line.slice(end)).replace(/[^\s"']+/g, withoutLoginIn);
}

/** Without a scheme, as people write addresses in a hurry: from the word before the first colon on. */
function withoutLoginIn(characters: string): string {
  const [colon, end] = [characters.indexOf(":"), characters.lastIndexOf("@")];
  if (end < colon || colon < 1 || characters.includes("://")) return characters;
  const start = Math.max(...["{", "}", "[", "]", ","].map((bracket) => characters.lastIndexOf(bracket, colon))) + 1;
  return start === colon
    ? characters
    : characters.slice(0, start) + maskAll(characters.slice(start, end)) + characters.slice(end);
}

/** Where an address belongs, all before its @ is a login, whatever it looks like. */
function withoutLoginOfUrl(line: string, isBelow: boolean): string {
  const end = line.lastIndexOf("@");
  if (end === -1) return line;
  const own = firstKey(line, isUrl);
  const start = own ? own.index + own[0].length : 0;
  if ((!own && !isBelow) || end < start) return line;
  const address = line.slice(start, end);
  const [scheme = ""] = /^[\s"'[-]*[\w+.-]+:\/\//.exec(address) ?? [];
  return line.slice(0, start) + scheme + maskAll(address.slice(scheme.length)) + line.slice(end);
}

export function maskAll(text: string): string {
  return text.replaceAll(/\S/g, "*");
}
