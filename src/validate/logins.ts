import { createDiagnostic, createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import type { SourceRange } from "../diagnostics/source.ts";
import { listDefaults } from "../families/credentials.ts";
import { findMapEntry, type MapNode, type Node } from "../model/node.ts";
import type { Target } from "../model/target.ts";
import { holdsNamedSecret } from "../secrets/command-words.ts";
import { isSecretField } from "../secrets/config-fields.ts";
import { isLoopbackUrl, isOpenUrl, listTargetUrls } from "./user-writes.ts";

/**
 * By what others may learn the login of a target: it is written in gate-sync.yaml, or sent without TLS. On this machine
 * neither matters.
 *
 * @param settings those of the target, as they were written; absent without gate-sync.yaml
 * @param hasOwn whether the environment of the run has a login for targets that state none
 */
export function findLoginFaults(
  target: Pick<Target, "name" | "url" | "otherUrls" | "auth">,
  settings: MapNode | undefined,
  hasOwn: boolean,
): readonly Diagnostic[] {
  const urls = listTargetUrls(target);
  if (urls.length > 0 && urls.every(isLoopbackUrl)) return [];
  return [...findWritten(settings), ...findSentOpenly(target, urls, settings, hasOwn)];
}

interface WrittenSecret {
  readonly name: string;
  readonly place: SourceRange;
  readonly text: string;
}

/** At the key: a sign below the value would show how long it is. */
function findWritten(settings: MapNode | undefined): readonly Diagnostic[] {
  return [...listWritten(settings), ...listInCommands(settings)]
    .filter(({ text }) => isPlainText(text))
    .map(({ name, place }) =>
      createDiagnostic(place, "plain-login", {
        what: `${name} is in plain text.`,
        why: "Every reader of the repository, or of its history, can log in with it.",
        fix: name.endsWith(".exec")
          ? "Let the program read it from its environment or from a file, and change it on the server."
          : `Write ${name.replace(/^\w+\./, "")}: "\${env:NAME}" or "\${file:PATH}", and change it on the server.`,
      }),
    );
}

const secretSettings: Readonly<Record<string, (name: string, text: string) => boolean>> = {
  auth: (name) => name === "password" || name === "token",
  tls: (name) => name === "passphrase",
  headers: isLoginHeader,
};

function listWritten(settings: MapNode | undefined): readonly WrittenSecret[] {
  return Object.entries(secretSettings).flatMap(([section, isSecret]) => {
    const written = findMapEntry(settings, section)?.value;
    return written?.kind !== "map"
      ? []
      : written.entries.flatMap(({ key, keyRange, value }) => {
          const text = readText(value);
          return isSecret(key, text) ? [{ name: `${section}.${key}`, place: keyRange, text }] : [];
        });
  });
}

/** By its name or by what a login looks like: other headers say who asks, or for what. */
function isLoginHeader(name: string, text: string): boolean {
  if (/^(?:basic|bearer|negotiate|digest|apikey)\s+\S/i.test(text)) return true;
  return (loginHeader.test(name) || isSecretField(name)) && !otherHeader.test(name);
}

const otherHeader = /(?:routing|cache|idempotency|partition|public)-?key$|(?<!session)-(?:type|name|id)$/i;

const loginHeader =
  /(?:authorization|cookie|token|secret|password|passwd|passphrase|pwd|credentials?|(?:^|[-_]|api|access|secret|private|auth)key|auth|jwt|assertion|signature|session(?:-?id)?)$/i;

/** In what a program is started with. */
function listInCommands(settings: MapNode | undefined): readonly WrittenSecret[] {
  const auth = findMapEntry(settings, "auth")?.value;
  const aws = findMapEntry(auth, "aws")?.value;
  return [auth, aws].flatMap((node) => {
    const exec = findMapEntry(node, "exec");
    const words = exec?.value.kind === "list" ? exec.value.items.map(readText) : [];
    const name = node === auth ? "auth.exec" : "auth.aws.exec";
    return exec && holdsNamedSecret(words)
      ? [{ name: `A secret of ${name}`, place: exec.keyRange, text: "plain" }]
      : [];
  });
}

function readText(node: Node): string {
  return node.kind === "scalar" ? `${node.value ?? ""}` : "";
}

/** A default is text of the file, too. */
function isPlainText(text: string): boolean {
  return text !== "" && (!/(?<!\$)\$\{(?:env|file):[^}]*\}/.test(text) || listDefaults(text).length > 0);
}

function findSentOpenly(
  { name, auth }: Parameters<typeof findLoginFaults>[0],
  urls: readonly string[],
  settings: MapNode | undefined,
  hasOwn: boolean,
): readonly Diagnostic[] {
  const open = urls.find(isOpenUrl);
  if (open === undefined || !(isLoginSent(auth, settings, hasOwn) || isLoginInHeaders(settings))) return [];
  const message = {
    what: `The login of target ${JSON.stringify(name)} is sent to ${open} without TLS.`,
    why: "Everybody on the way can read it, and log in with it.",
    fix: "Use https:// for this target, and change the password: it may be known.",
  };
  const place = findMapEntry(settings, "url")?.value;
  return [
    place
      ? createDiagnostic(place, "login-over-http", message)
      : createFileDiagnostic("--url", "login-over-http", message),
  ];
}

/** Requests to AWS are signed, and carry no password. Where no secret is looked for, by what the settings and the environment have. */
function isLoginSent(auth: Target["auth"], settings: MapNode | undefined, hasOwn: boolean): boolean {
  if (auth) return auth.kind !== "aws";
  const own = findMapEntry(settings, "auth")?.value;
  const isStated = ["username", "password", "token", "exec"].some((key) => findMapEntry(own, key) !== undefined);
  return isStated || (own === undefined && hasOwn);
}

function isLoginInHeaders(settings: MapNode | undefined): boolean {
  const headers = findMapEntry(settings, "headers")?.value;
  return headers?.kind === "map" && headers.entries.some(({ key, value }) => isLoginHeader(key, readText(value)));
}
