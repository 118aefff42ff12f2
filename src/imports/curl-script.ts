// Scripts that call curl: each call is a request.
import { getPosition, type SourceFile, type SourceRange } from "../diagnostics/source.ts";
import type { Json } from "../json/value.ts";
import type { Node } from "../model/node.ts";
import { parseBody, readBody, refuseScript } from "./body.ts";
import { addLeftOut, type FoundRequest, type ImportFindings } from "./findings.ts";
import { addBodySecrets, addCookies, addHeader, addLogin, addUrlLogin } from "./login-secrets.ts";
import { holdsPlaceholder } from "./placeholders.ts";
import { listApiPaths } from "./requests.ts";
import { type ShellCommand, ShellSyntaxError, type ShellWord } from "./shell-text.ts";
import { readShellCommands } from "./shell-words.ts";
import { refusePlaceholders } from "./templates.ts";

export function readCurlScript(file: SourceFile, cwd: string, findings: ImportFindings): readonly FoundRequest[] {
  const problem = refusePlaceholders(file);
  if (problem) {
    findings.diagnostics.push(refuseScript(file, problem.range?.start ?? 0, problem.what));
    return [];
  }
  try {
    const commands = readShellCommands(file, findings);
    const before = findings.left.length;
    const requests = commands.flatMap((command) => readCommand(file, command, cwd, findings));
    if (requests.length > 0) noteEarlyEnd(file, commands, findings);
    else if (findings.left.length === before)
      addLeftOut(findings, "the script", "it does not call curl", { file, start: 0, end: 0 });
    return requests;
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    findings.diagnostics.push(refuseScript(file, error.at, error.what));
    return [];
  }
}

function readCommand(
  file: SourceFile,
  command: ShellCommand,
  cwd: string,
  findings: ImportFindings,
): readonly FoundRequest[] {
  const { words } = command;
  const isPrinted = /^(?:echo|printf|cat)$/.test(words[0]?.text ?? "");
  const at = isPrinted ? -1 : words.findIndex(({ text }) => /^(?:.*\/)?curl(?:\.exe)?$/.test(text));
  if (at !== -1) {
    const calls = splitCalls(words.slice(at + 1));
    return calls.flatMap((own) => readCall(file, { ...command, words: own }, words[at] as ShellWord, cwd, findings));
  }
  // Such as `kubectl exec pod -- bash -c "curl …"`.
  const shell = words.findIndex(
    ({ text }, index) => /^(?:.*\/)?(?:ba|da|z)?sh$/.test(text) && /^-\w*c$/.test(words[index + 1]?.text ?? ""),
  );
  const script = shell === -1 ? undefined : words[shell + 2];
  if (!script || isPrinted || !/\bcurl\b/.test(script.text)) {
    leaveUnread(file, command, findings);
    return [];
  }
  const inside = readShellCommands(script, findings);
  return inside.flatMap(({ words: inner, isRepeated, doubt = command.doubt, ...rest }) =>
    readCommand(
      file,
      {
        ...rest,
        words: inner.map((word) => ({ ...word, start: script.start })),
        isRepeated: isRepeated || command.isRepeated,
        ...(doubt !== undefined && { doubt }),
      },
      cwd,
      findings,
    ),
  );
}

/** Names the requests that a command might send, and that are not read. */
function leaveUnread(file: SourceFile, { words, input, isUnread }: ShellCommand, findings: ImportFindings): void {
  const [first] = words;
  const texts = [...words, ...(input ? [input] : [])].map(({ text }) => text);
  const paths = texts.flatMap(listApiPaths);
  const place = createPlace(file, first?.start ?? 0, 0);
  for (const path of new Set(paths)) addLeftOut(findings, path, explainUnread(first?.text ?? "", isUnread), place);
}

function explainUnread(command: string, isUnread?: boolean): string {
  if (isUnread) return "no curl command that can be read here sends it";
  if (/^(?:echo|printf|cat)$/.test(command)) return "it is printed, and sent by no curl command here";
  if (holdsPlaceholder(command)) return "the command that sends it is a variable, whose value is unknown";
  return "not a curl command: only requests of curl are read in scripts";
}

function createPlace(file: SourceFile, at: number, length: number): SourceRange {
  const start = Math.min(at, file.text.length);
  return { file, start, end: Math.min(start + length, file.text.length) };
}

/** A script that ends early where it has nothing to do is read as if it had. */
function noteEarlyEnd(file: SourceFile, commands: readonly ShellCommand[], findings: ImportFindings): void {
  const at = commands.find(
    ({ words: [first, status], doubt }) =>
      doubt !== undefined && /^(?:exit|return)$/.test(first?.text ?? "") && /^0?$/.test(status?.text ?? ""),
  )?.words[0]?.start;
  if (at === undefined) return;
  const { line } = getPosition(file, Math.min(at, file.text.length));
  findings.notes.add(
    `${file.path}:${line} may end the script, or a function, early: requests after it were taken as if it never does.`,
  );
}

/** The words of each request of one call: `--next` is between them. */
function splitCalls(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  const at = words.findIndex(({ text }) => text === "--next" || text === "-:");
  return at === -1 ? [words] : [words.slice(0, at), ...splitCalls(words.slice(at + 1))];
}

/** Options of curl that have a value, in both forms. */
const shortOptions = "AbcCdDeEFhHKmoPQrtTuUwxXyYz";
const names = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to cookie cookie-jar
   create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr
   dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string
   happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json keepalive-cnt
   keepalive-time key key-type libcurl limit-rate local-port login-options max-filesize max-redirs max-time netrc-file noproxy
   oauth2-bearer output output-dir pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert
   proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name
   proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey random-file range rate referer request
   request-target resolve retry retry-delay retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service
   socks5-hostname speed-limit speed-time stderr telnet-option time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace
   trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out`.split(
    /\s+/,
  ),
);

interface Call {
  method?: string;
  readonly urls: ShellWord[];
  readonly data: ShellWord[];
  /** `--data-raw`, in which `@` is a character like any other. */
  isRaw: boolean;
  isUpload: boolean;
  /** Its URLs are in a file. */
  hasConfig: boolean;
  /** `--globoff`: brackets in a URL mean nothing. */
  isLiteral: boolean;
}

function readCall(
  file: SourceFile,
  { words, input, noInput, isRepeated, doubt, calledAt }: ShellCommand,
  curl: ShellWord,
  cwd: string,
  findings: ImportFindings,
): readonly FoundRequest[] {
  const call: Call = { urls: [], data: [], isRaw: false, isUpload: false, hasConfig: false, isLiteral: false };
  for (let at = 0; at < words.length; at++) at += readOption(words[at] as ShellWord, words[at + 1], call, findings);
  const place = createPlace(file, calledAt ?? curl.start, "curl".length);
  if (call.hasConfig) addLeftOut(findings, "curl --config", "requests in a file of options are not read", place);
  const method = (call.method ?? (call.isUpload ? "PUT" : call.data.length > 0 ? "POST" : "GET")).toUpperCase();
  // One that is a variable alone may be options.
  const named = call.urls.filter(({ text }) => !/^\ue000[^\ue001]*\ue001$/.test(text));
  return (named.length > 0 ? named : call.urls).map(({ text: path }): FoundRequest => {
    // What other requests send is of no interest, and may be no JSON.
    const isRelevant = /\/api\//.test(path) && ["PUT", "PATCH"].includes(method);
    const reason = call.isLiteral || !hasUrlPattern(path) ? doubt : urlPattern;
    const isRead = isRelevant && reason === undefined;
    const read = isRead ? readData(call, input, noInput, place, cwd, findings) : {};
    if (!read.body) for (const { text } of call.data) addBodySecrets(readAsJson(text), findings);
    return {
      method,
      path,
      place,
      ...(isRepeated && { isRepeated: true }),
      ...(reason !== undefined && { doubt: reason }),
      ...read,
    };
  });
}

function readAsJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const urlPattern =
  "its URL is a pattern of curl ({…} or […]), which may stand for several requests; write them one by one";

/** A host may be `[::1]`. */
function hasUrlPattern(url: string): boolean {
  return /[{}[\]]/.test(url.replace(/^(?:[a-z]+:\/\/)?[^/{]*/i, ""));
}

/** How many of the words after it belong to it: 0 or 1. */
function readOption(word: ShellWord, next: ShellWord | undefined, call: Call, findings: ImportFindings): number {
  const { text } = word;
  if (!text.startsWith("-") || text === "-") {
    takeOption("url", word, call, findings);
    return 0;
  }
  if (text.startsWith("--")) {
    const name = text.slice(2);
    call.isLiteral ||= name === "globoff";
    if (!names.has(name)) return 0;
    if (next) takeOption(name, next, call, findings);
    return 1;
  }
  for (let at = 1; at < text.length; at++) {
    const option = text.charAt(at);
    if (option === "I") call.method ??= "HEAD";
    call.isLiteral ||= option === "g";
    if (!shortOptions.includes(option)) continue;
    const rest = text.slice(at + 1);
    const value = rest === "" ? next : { ...word, text: rest };
    if (value) takeOption(longName[option] ?? option, value, call, findings);
    return rest === "" ? 1 : 0;
  }
  return 0;
}

const longName: Readonly<Record<string, string>> = {
  X: "request",
  d: "data",
  T: "upload-file",
  K: "config",
  H: "header",
  u: "user",
  U: "proxy-user",
  E: "cert",
  b: "cookie",
  x: "proxy",
};

function takeOption(name: string, value: ShellWord, call: Call, findings: ImportFindings): void {
  takeLogin(name, value.text, findings);
  if (name === "request") call.method = value.text;
  else if (name === "url") call.urls.push(value);
  else if (name === "config") call.hasConfig = true;
  else if (name === "upload-file") {
    call.isUpload = true;
    call.data.push({ ...value, text: `@${value.text}` });
  } else if (/^(data|json)/.test(name)) {
    call.isRaw ||= name === "data-raw";
    call.data.push(value);
  }
}

function takeLogin(name: string, text: string, findings: ImportFindings): void {
  if (name === "header" || name === "proxy-header") addHeader(text, findings);
  else if (name === "url" || name === "proxy") addUrlLogin(text, findings);
  else if (name === "url-query") addUrlLogin(`?${text}`, findings);
  else if (name === "cookie" && text.includes("=")) addCookies(text, findings);
  else if (/^(?:proxy-)?user$/.test(name) || (name === "cert" && text.includes(":"))) addLogin(text, findings);
  else if (/^(?:pass|oauth2-bearer|tlspassword|proxy-pass|proxy-tlspassword)$/.test(name)) findings.secrets.add(text);
}

function readData(
  { data, isRaw }: Call,
  input: ShellWord | undefined,
  noInput = "its data come from standard input, which is unknown",
  place: SourceRange,
  cwd: string,
  findings: ImportFindings,
): RequestBody {
  const [first, ...more] = data;
  if (!first) return {};
  const at = { ...place, start: Math.min(first.start, place.file.text.length) };
  if (more.length > 0) return { doubt: "its data are in several options of curl" };
  const path = first.file ?? (!isRaw && first.text.startsWith("@") ? first.text.slice(1) : undefined);
  if (path === undefined) return wrapBody(parseBody(first.text, at, findings));
  if (path !== "-" && path !== "/dev/stdin") return readFileOf(path, at, cwd, findings);
  if (input?.file !== undefined) return readFileOf(input.file, at, cwd, findings);
  if (!input) return { doubt: noInput };
  return wrapBody(parseBody(input.text, { ...place, start: Math.min(input.start, place.file.text.length) }, findings));
}

type RequestBody = Pick<FoundRequest, "body" | "doubt" | "bodyFile">;

function wrapBody(body: Node | undefined): RequestBody {
  const isUnknown = body?.kind === "scalar" && typeof body.value === "string" && holdsPlaceholder(body.value);
  if (isUnknown) return { doubt: "its data are in a variable, or what a command prints" };
  return body ? { body } : {};
}

function readFileOf(path: string, place: SourceRange, cwd: string, findings: ImportFindings): RequestBody {
  const named = { bodyFile: path };
  if (holdsPlaceholder(path)) return { ...named, doubt: "its payload is a file whose name depends on a variable" };
  const found = readBody(path, place, cwd, findings);
  return found.doubt === undefined ? found : { ...named, ...found };
}
