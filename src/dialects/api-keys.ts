import { type Fields, isList, isObject, listTexts, type Value } from "../json/value.ts";
import type { ApiKey } from "../model/api-key.ts";

/**
 * What a server answers to GET of its API keys.
 *
 * @param now in milliseconds since 1970, as the server has the ends of keys
 * @returns undefined where the answer is not what the API calls its keys
 */
export function decodeApiKeys(body: unknown, now: number): readonly ApiKey[] | undefined {
  if (!isList(body as Value)) return undefined;
  const items = (body as readonly Value[]).filter(isObject);
  if (items.length !== (body as readonly Value[]).length) return undefined;
  const isShared = (name: Value | undefined): boolean => items.filter((other) => other.name === name).length > 1;
  const keys = items.map((item) => decodeApiKey(item, now, isShared(item.name)));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function decodeApiKey(key: Fields, now: number, isShared: boolean): ApiKey | undefined {
  const { id, name, cluster_permissions, index_permissions, expires_at, revoked_at, created_by } = key;
  if (typeof name !== "string" || !isList(index_permissions) || !index_permissions.every(isObject)) return undefined;
  // Zero is never.
  const isExpired = typeof expires_at === "number" && expires_at !== 0 && expires_at <= now;
  const ended = revoked_at != null ? "revoked" : isExpired ? "expired" : undefined;
  return {
    name,
    title: isShared ? `${name} (${String(id)})` : name,
    permissions: {
      cluster_permissions: listTexts(cluster_permissions),
      index_permissions: index_permissions.map(({ index_pattern, allowed_actions }) => ({
        index_patterns: listTexts(index_pattern),
        allowed_actions: listTexts(allowed_actions),
      })),
    },
    ...(ended && { ended }),
    ...(typeof created_by === "string" && { createdBy: created_by }),
  };
}
