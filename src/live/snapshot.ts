import { withoutPrivateFields } from "../dialects/internal-users.ts";
import { Secret } from "../json/secret.ts";
import { isList, isObject, isText, type Json, type Value } from "../json/value.ts";
import type { HttpAnswer, ReadPort } from "../model/ports.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { hideSecrets } from "../secrets/config-fields.ts";
import { namesSecret } from "./server-message.ts";

/** What newer servers show instead of a secret, and what the differ therefore leaves alone. */
const mask = "******";

/** Answers from a snapshot as its server did; what was not recorded is not there. */
export function createSnapshotReader(snapshot: Snapshot): ReadPort {
  return {
    async get(path) {
      const known = Object.hasOwn(snapshot.answers, path) ? snapshot.answers[path] : undefined;
      const { status, body = null } = known ?? { status: 404 };
      return { status, body, text: JSON.stringify(body), milliseconds: 0 };
    },
    close: async () => {},
  };
}

/** Passes every GET on and keeps what was answered, with secrets masked. */
export function recordReads(port: ReadPort): { reader: ReadPort; answers: () => Snapshot["answers"] } {
  const answers = new Map<string, HttpAnswer>();
  const reader: ReadPort = {
    async get(path) {
      const answer = await port.get(path);
      answers.set(path, answer);
      return answer;
    },
    close: () => port.close(),
  };
  const kept = () =>
    Object.fromEntries(
      [...answers]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([path, { status, body }]) => [path, { status, body: keptAt(path, status, (body ?? null) as Value) }]),
    );
  return { reader, answers: kept };
}

function keptAt(path: string, status: number, body: Value): Json {
  if (!path.endsWith("/internalusers")) return keptBody(status, body);
  return status === 200 ? withoutPrivateFields(body as Json) : null;
}

/** A failing server may quote in its message what it holds, where no name of a field is left to mask by. */
function keptBody(status: number, body: Value): Json {
  return status !== 200 && namesSecret(JSON.stringify(body)) ? null : maskedBody(body);
}

/** The outermost names are those of resources: a role called `secret_reader` hides nothing of what it permits. */
function maskedBody(body: Value): Json {
  if (!isObject(body)) return masked(hideSecrets(body));
  const entries = Object.entries(body);
  return Object.fromEntries(entries.map(([name, item]) => [name, masked(hideSecrets(item, isText(item) ? name : ""))]));
}

function masked(value: Value): Json {
  if (value instanceof Secret) return mask;
  if (isList(value)) return value.map(masked);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
  return value;
}
