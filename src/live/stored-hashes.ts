import { Secret } from "../json/secret.ts";
import { isObject, type JsonObject, type Value } from "../json/value.ts";
import type { ReadPort } from "../model/ports.ts";
import { getObjectFields } from "./detect/routes.ts";

/** Hashes by the names of internal users, "" for one without; or why they are unknown. */
export type StoredHashes =
  | { readonly kind: "known"; readonly byName: ReadonlyMap<string, Secret> }
  | { readonly kind: "unknown"; readonly why: string };

/**
 * From the security index, which shows them to the admin certificate alone: `_source.internalusers` is base64 of JSON.
 *
 * @param reader one that remembers no answers: nothing may keep them
 */
export async function readStoredHashes(reader: ReadPort, path: string): Promise<StoredHashes> {
  const { status, body } = await reader.get(path);
  if (status !== 200) {
    const why = `the server answers ${status} to GET ${path}, which it shows to its admin certificate alone`;
    return { kind: "unknown", why };
  }
  const users = decodeUsers(getObjectFields(body)._source);
  if (!users) return { kind: "unknown", why: `the answer to GET ${path} does not hold internal users` };
  const byName = Object.entries(users).flatMap(([name, user]): [string, Secret][] => {
    if (!isObject(user)) return [];
    const { hash } = user as JsonObject;
    return [[name, new Secret("live", typeof hash === "string" ? hash : "")]];
  });
  return { kind: "known", byName: new Map(byName) };
}

function decodeUsers(source: unknown): JsonObject | undefined {
  const { internalusers: encoded } = getObjectFields(source);
  if (typeof encoded !== "string") return undefined;
  try {
    const users: unknown = JSON.parse(Buffer.from(encoded, "base64").toString("utf8"));
    return isObject(users as Value) ? (users as JsonObject) : undefined;
  } catch {
    // Its message may quote a hash.
    return undefined;
  }
}
