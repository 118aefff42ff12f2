import { hideSecrets } from "../dialects/codec.ts";
import { Secret } from "../json/secret.ts";
import { isList, isObject, type Json, type Value } from "../json/value.ts";
import type { Answer, ReadPort } from "../model/ports.ts";
import type { Snapshot } from "../model/snapshot.ts";

/** What newer servers show instead of a secret, and what the differ therefore leaves alone. */
const mask = "******";

/** Answers from a snapshot as its server did; what was not recorded is not there. */
export function snapshotReader(snapshot: Snapshot): ReadPort {
  return {
    async get(path) {
      const known = snapshot.answers[path] ?? { status: 404, body: null };
      return { ...known, text: JSON.stringify(known.body), milliseconds: 0 };
    },
    close: async () => {},
  };
}

/** Passes every GET on and keeps what was answered, with secrets masked. */
export function recording(port: ReadPort): { reader: ReadPort; answers: () => Snapshot["answers"] } {
  const answers = new Map<string, Answer>();
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
        .map(([path, { status, body }]) => [path, { status, body: masked(hideSecrets((body ?? null) as Value)) }]),
    );
  return { reader, answers: kept };
}

function masked(value: Value): Json {
  if (value instanceof Secret) return mask;
  if (isList(value)) return value.map(masked);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked(item)]));
  return value;
}
