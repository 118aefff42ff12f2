import { readAccessSettings } from "../access/model/settings.ts";
import { RunError } from "../diagnostics/failure.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { getReadableConfig, readApiKeys } from "../live/read.ts";
import type { ApiKey } from "../model/api-key.ts";
import type { ListedApiKey } from "../model/drift.ts";
import type { ReadPort } from "../model/ports.ts";
import type { Target } from "../model/target.ts";

/** Every API key of the server, with what the target says of it; none where the release has no keys. */
export async function listApiKeys(
  reader: ReadPort,
  dialect: Dialect,
  { apiKeys: named = [] }: Pick<Target, "apiKeys">,
): Promise<readonly ListedApiKey[]> {
  const [found, config] = await Promise.all([readApiKeys(reader, dialect), getReadableConfig(reader, dialect)]);
  if (found === undefined) return [];
  if (found.kind === "unread") throw unreadKeys(found.why);
  const isOn = config && readAccessSettings(config.document).answersApiKeys;
  const awake = isOn === undefined ? "unknown" : isOn ? "works" : "asleep";
  return found.keys.map(({ name, ended, createdBy }: ApiKey) => ({
    name,
    state: ended ?? awake,
    isNamed: named.includes(name),
    ...(createdBy !== undefined && { createdBy }),
  }));
}

function unreadKeys(why: string): RunError {
  return new RunError("failed", {
    what: `The API keys cannot be read: ${why}.`,
    why: "Without the list, a key that nobody named would pass for none.",
    fix: "Give the login the right to GET the endpoint APITOKENS (it must not be in endpoints_disabled for its role), or leave --api-keys out.",
  });
}
