import { createDiagnostic, createFileDiagnostic, type Diagnostic } from "../diagnostics/diagnostic.ts";
import { findMapEntry, type MapNode, type Node } from "../model/node.ts";
import type { Target } from "../model/target.ts";
import { isLoopbackUrl, isOpenUrl, listTargetUrls } from "./user-writes.ts";

/**
 * By what others may learn the login of a target: it is written in gate-sync.yaml, or sent without TLS. On this machine
 * neither matters.
 *
 * @param settings those of the target, as they were written; absent without gate-sync.yaml
 */
export function findLoginFaults(
  target: Pick<Target, "name" | "url" | "otherUrls" | "auth" | "headers">,
  settings: MapNode | undefined,
): readonly Diagnostic[] {
  const urls = listTargetUrls(target);
  if (urls.length > 0 && urls.every(isLoopbackUrl)) return [];
  return [...findWritten(settings), ...findSentOpenly(target, urls, settings)];
}

/** At the key: a sign below the value would show how long it is. */
function findWritten(settings: MapNode | undefined): readonly Diagnostic[] {
  return Object.entries(secretSettings).flatMap(([section, names]) => {
    const written = findMapEntry(settings, section)?.value;
    const entries = written?.kind === "map" ? written.entries : [];
    return entries
      .filter(({ key, value }) => names.includes(key.toLowerCase()) && isPlainText(value))
      .map(({ key, keyRange }) =>
        createDiagnostic(keyRange, "plain-login", {
          what: `${section}.${key} is in plain text.`,
          why: "Every reader of the repository, or of its history, can log in with it.",
          fix: `Write ${key}: "\${env:NAME}" or "\${file:PATH}", and change it on the server.`,
        }),
      );
  });
}

const secretSettings = { auth: ["password", "token"], tls: ["passphrase"], headers: ["authorization", "cookie"] };

/** A default is text of the file, too. */
function isPlainText(node: Node): boolean {
  const text = node.kind === "scalar" ? `${node.value ?? ""}` : "";
  const references = [...text.matchAll(/(?<!\$)\$\{(?:env|file):([^}]*)\}/g)];
  return text !== "" && (references.length === 0 || references.some(([, inside = ""]) => /:-./.test(inside)));
}

function findSentOpenly(
  { name, auth, headers }: Parameters<typeof findLoginFaults>[0],
  urls: readonly string[],
  settings: MapNode | undefined,
): readonly Diagnostic[] {
  const own = findMapEntry(settings, "auth")?.value;
  const isStated = ["username", "password", "token"].some((key) => findMapEntry(own, key) !== undefined);
  const isSent = isStated || (auth !== undefined && auth.kind !== "aws") || headers?.authorization !== undefined;
  const open = urls.find(isOpenUrl);
  if (open === undefined || !isSent) return [];
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
