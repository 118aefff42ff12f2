import type { Dialect } from "../dialects/dialect.ts";
import type { Operation } from "../model/operation.ts";
import type { HttpAnswer } from "../model/ports.ts";
import { explainMissingRight } from "./missing-right.ts";
import { formatServerMessage } from "./server-message.ts";

/** The server's message about a write, and for a status that has one known meaning, what to do about it. */
export function explainOutcome(answer: HttpAnswer, operation: Operation, dialect: Dialect): string {
  const text = formatServerMessage(answer, operation.body);
  const meaning = configMeaning(answer, operation, dialect) ?? missingRight(answer, text, dialect) ?? meaningOf(answer);
  if (meaning === undefined) return text;
  return text === "" ? meaning : `${text.replace(/\.$/, "")}. ${meaning}`;
}

function configMeaning({ status }: HttpAnswer, { family }: Operation, { config }: Dialect): string | undefined {
  if (family !== "config" || ![403, 405, 501].includes(status)) return undefined;
  return `The config can only be changed where the node setting ${config.setting} is true; it is off by default`;
}

function missingRight({ status }: HttpAnswer, text: string, dialect: Dialect): string | undefined {
  const right = status === 403 ? explainMissingRight(text, dialect) : undefined;
  return right && `${right} Nothing was written`;
}

function meaningOf({ status, text }: HttpAnswer): string | undefined {
  if (status >= 500 && /not initiali[sz]ed/i.test(text)) {
    return "The security plugin has no configuration any more, or not yet; nothing was written";
  }
  return meanings[status];
}

/** As reading worked just before, it is not the whole login that is wrong. */
const meanings: Readonly<Record<number, string>> = {
  401: "Our credentials are not accepted any more: changed meanwhile, expired, locked out after too many failures, or changed by this very plan; nothing was written",
  403: "We may read this, and not write it, or it is the server's own; nothing was written",
  413: "The request is larger than the server, or a proxy before it, takes (`http.max_content_length` of the nodes, 100 MB by default; `client_max_body_size` of nginx, 1 MB); nothing was written. Say what they take with `max_body_size` of the target in gate-sync.yaml, and the plan is split accordingly, or raise the limit",
  429: "The server, or a proxy before it, is too busy; nothing was written",
};
