import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import type { HttpAnswer } from "../model/ports.ts";
import { explainMissingRight } from "./missing-right.ts";
import { formatServerMessage } from "./server-message.ts";

export function createUnauthorisedMessage(path: string, answer: HttpAnswer): RunError {
  const why = [whoAsks(answer), "Nothing can be read, so nothing is compared and nothing is changed."].join(" ").trim();
  if (answer.login === undefined) {
    return new RunError("failed", {
      what: `The server wants a login, and we have none (401 to GET ${path}).`,
      why,
      fix: "Set GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD, or `auth` of the target in gate-sync.yaml.",
    });
  }
  return new RunError("failed", {
    what: `The server does not accept ${answer.login} (401 to GET ${path}).`,
    why,
    fix: answer.login.startsWith("the password")
      ? "Correct GATE_SYNC_USERNAME and GATE_SYNC_PASSWORD, or `auth` of the target where gate-sync.yaml has it."
      : "Correct it where it is named, or have it renewed; a certificate must be one that the server knows as a user.",
  });
}

export function createForbiddenMessage(path: string, answer: HttpAnswer, dialect: Dialect): RunError {
  const reason = formatServerMessage(answer);
  return new RunError("failed", {
    what: `We may not read GET ${path} (403).`,
    why: reason || "The server gives no reason.",
    fix: findFix(reason, dialect),
  });
}

function findFix(reason: string, dialect: Dialect): string {
  const [, list] = /API not (allow|white)listed/.exec(reason) ?? [];
  if (list !== undefined)
    return `The API ${list}list of this server is enabled: use its admin certificate, which no list shuts out, or have the list allow this request.`;
  return reason.includes("Role based access not enabled")
    ? "This server admits no role to its API: use its admin certificate, or name roles in `…restapi.roles_enabled` of its nodes."
    : [explainMissingRight(reason, dialect), otherIdentity].filter(Boolean).join(" ");
}

const otherIdentity = "Use an identity that may read the administration API: gate-sync explain first-pipeline.";

/** Whose login it is: the plugin's own, or that of something before it, which knows other users. */
function whoAsks({ challenge }: HttpAnswer): string {
  const [, realm] = /\brealm="?([^",]+)/i.exec(challenge ?? "") ?? [];
  if (realm === undefined) return "";
  const isPlugin = /search guard|opensearch security|open distro security|^gate$/i.test(realm);
  return isPlugin
    ? `It asks as “${realm}”.`
    : `What asks calls itself “${realm}”: it may be a proxy before the server.`;
}
